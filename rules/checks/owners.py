"""Whose a figure is: the creature with a stat block that a text speaks of where the figure stands."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from rules.checks.context import Context, Unit
from rules.checks.text import Sentence, Word, fold
from rules.facts import StatFacts

_DENIED_WITHIN = 6
"""Words before something in which it is denied."""
_SHORTEST_PART = 4
"""Letters of a name's part by which its creature may be called."""
_LED = 2
"""Words of a sentence in which its subject is only pointed at (`Its speed`, `There it has`)."""
Blocks = dict[str, StatFacts]
"""Stat blocks by their creatures' folded names."""


def owner(
    ctx: Context, blocks: Blocks, sentence: Sentence, offset: int, near: int | None = None
) -> StatFacts | None:
    """Return the block of the creature that is named last before a figure, and that has it."""
    before = sentence.before(offset)
    names = ctx.keep("names by first word", "", lambda: _by_first_word(ctx, blocks))
    for index in range(len(before) - 1, -1, -1):
        group = names.get(before[index].text, ())
        parts = next((p for p in group if _stands(p, before, index)), None)
        if parts is None:
            continue
        name = " ".join(parts)
        if not _is_meant(ctx, blocks, before, index, len(parts)):
            continue  # `a coral gate` is not Judge Coral's
        between = before[index + len(parts) :]
        if ctx.phrases("denied").any(between[-_DENIED_WITHIN:]) or (
            near is not None and not _has(ctx, between, near)
        ):
            return None
        return blocks.get(name) or blocks.get(_whole_names(ctx, blocks).get(name, ""))
    return None


def _is_meant(ctx: Context, blocks: Blocks, before: Sequence[Word], index: int, length: int) -> bool:
    """Tell whether words are a creature's name: whole, a part with its capital, `the queen` of rags."""
    name = " ".join(w.text for w in before[index : index + length])
    known = name in blocks or any(" ".join(fold(n).split()) == name for n in ctx.facts.names)
    if known or (whole := _whole_names(ctx, blocks).get(name)) is None:
        return known
    word = before[index]
    if whole.split()[0] != name:
        return ctx.source[word.start].isupper()
    led = index > 0 and before[index - 1].text in ctx.word_list("subject_articles")
    shown = index > 0 and ctx.source[word.start].isupper()
    another = ctx.source[word.end : word.end + 2].strip()[:1].isupper()  # `Captain Nelo`
    return (led or shown) and not another and _is_introduced(ctx, whole, word.start)


def _is_introduced(ctx: Context, name: str, offset: int) -> bool:
    """Tell whether a passage has a creature's whole name before a place."""
    starts = ctx.keep("starts of units", "", lambda: sorted(u.passage.start for u in ctx.units))
    at = bisect_right(starts, offset)
    named = ctx.keep("places of a whole name", name, lambda: _places(ctx, tuple(name.split())))
    first = bisect_left(named, starts[at - 1]) if at else 0
    return first < len(named) and named[first] < offset


def _places(ctx: Context, parts: tuple[str, ...]) -> list[int]:
    """Return where a whole name stands in the text."""
    found: set[int] = set()
    for unit in ctx.units:
        words = ctx.words(unit.passage)
        found |= {w.start for i, w in enumerate(words) if w.text == parts[0] and _stands(parts, words, i)}
    return sorted(found)


def carried(ctx: Context, unit: Unit, blocks: Blocks, sentence: Sentence) -> StatFacts | None:
    """Return the block of the one creature of the sentence before, where a sentence only points at it.

    `The Blind Queen tends the cells. Its speed is 40 feet.`: no other creature stands in either, and the
    words that open the sentence name nothing.
    """
    opens = ctx.phrases("points_back").first(sentence.words[:_LED])
    if opens is None or sentence.start <= unit.passage.start or _named(ctx, blocks, sentence):
        return None
    last = ctx.sentence_at(unit.passage, sentence.start - 1)
    named = _named(ctx, blocks, last)
    if len(named) != 1 or "\n\n" in ctx.source[last.end - 1 : sentence.words[0].start]:
        return None
    name = next(iter(named))
    return blocks.get(name) or blocks.get(_whole_names(ctx, blocks).get(name, ""))


def _named(ctx: Context, blocks: Blocks, sentence: Sentence) -> frozenset[str]:
    """Return the names of creatures and people that stand in a sentence."""
    return ctx.keep("named in a sentence", str(sentence.start), lambda: _names_in(ctx, blocks, sentence))


def _names_in(ctx: Context, blocks: Blocks, sentence: Sentence) -> frozenset[str]:
    names = ctx.keep("names by first word", "", lambda: _by_first_word(ctx, blocks))
    words = sentence.words
    found: set[str] = set()
    after = 0
    for index, word in enumerate(words):
        if index < after:
            continue
        parts = next((p for p in names.get(word.text, ()) if _stands(p, words, index)), None)
        if parts is not None and _is_meant(ctx, blocks, words, index, len(parts)):
            found.add(" ".join(parts))
            after = index + len(parts)
    return frozenset(found)


def _whole_names(ctx: Context, blocks: Iterable[str]) -> dict[str, str]:
    """Return the creatures' names by the part of them that nobody else has (`Pell` of `Warden Pell`)."""

    def make() -> dict[str, str]:
        everybody = {" ".join(fold(name).split()) for name in ctx.facts.names} | set(blocks)
        shared = Counter(part for name in everybody for part in set(name.split()))
        return {
            part: name
            for name in blocks
            for part in name.split()
            if shared[part] == 1 and len(part) >= _SHORTEST_PART
        }

    return ctx.keep("short names", "", make)


def _by_first_word(ctx: Context, blocks: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    """Return the words of all names by their first one, the longest name first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    short = _whole_names(ctx, blocks)
    names = {tuple(name.split()) for name in (*map(fold, ctx.facts.names), *blocks, *short)}
    for parts in sorted(filter(None, names), key=lambda p: (-len(p), p)):
        found.setdefault(parts[0], []).append(parts)
    return found


def _stands(parts: tuple[str, ...], words: Sequence[Word], index: int) -> bool:
    return tuple(w.text for w in words[index : index + len(parts)]) == parts


def _has(ctx: Context, between: Sequence[Word], near: int) -> bool:
    """Tell whether nothing but `has`, `with` and small words stands between a creature and its figure."""
    having = ctx.word_list("having")
    return len(between) <= near and all(w.text in having or w.text in ctx.small_words for w in between)
