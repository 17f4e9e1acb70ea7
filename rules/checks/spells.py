"""Names of spells: those that are nearly one of the ruleset's, where a spell must be named."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from rapidfuzz import fuzz

from rules.checks import lexicon, replacements
from rules.checks.context import Context, Mark, Unit
from rules.checks.hit import Hit, Replacement
from rules.checks.text import Word, fold, stem
from rules.claims.model import Spell
from rules.ruleset import Ruleset

_NEAR = 84.0
"""Likeness, 0 to 100, from which a name is a slip for a spell's; below it may be the designer's own."""
_LONGER_NEAR = 82.0
"""The same for a name of several words, which is like nothing else."""
_PLAIN_NEAR = 88.0
"""The same, where neither a capital nor a mark shows that a name is meant."""
_PLAIN_LEAST = 2
"""Words that such a name must have."""
_ALONE_LEAST = 9
"""Letters of a single word in small letters that is held against the names."""
_ALONE_NEAR = 92.0
"""Likeness, 0 to 100, from which such a word is a slip of the pen."""
_LONGEST = 5
"""Words that a spell's name may have."""
_OPENERS = '«“"*_'
_SHORTEST = 5
"""Letters below which a word is too like too many."""


def spell_name(ctx: Context) -> Iterator[Hit]:
    """A spell is called by a name that it does not have."""
    for unit in ctx.units:
        known = ctx.told(unit.passage, Spell)
        for spell in known:
            if spell.spell.status == "wrong" and spell.spell.id:
                right = ctx.ruleset.word("spell", spell.spell.id, ctx.language)
                hit = _hit(ctx, unit, (spell.start, spell.end), spell.spell.text, right)
                yield replace(hit, replacement=replacements.word(ctx, spell.spell, right))
        taken = {offset for s in known for offset in (s.start, s.spell.start)}
        for name in ("names_spell", "casts_spell", "knows_spell"):
            for mark in ctx.marked(unit.passage, name):
                noun = name == "names_spell"
                found = _known_error(ctx, mark, noun)
                if name != "knows_spell":  # one knows much that is no spell
                    found = found or _misspelt(ctx, mark, noun) or _reworded(ctx, mark, noun)
                if found and taken.isdisjoint((mark.start, found[0])):
                    taken.add(found[0])
                    yield _hit_of(ctx, unit, *found)


def _hit(ctx: Context, unit: Unit, span: tuple[int, int], told: str, right: str) -> Hit:
    message = ctx.say("spell-name.message", word=told, right=right)
    return ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, right, ctx.ruleset.id)


def _hit_of(ctx: Context, unit: Unit, start: int, end: int, right: str) -> Hit:
    written = replacements.cased(ctx.source[start:end], right)
    hit = _hit(ctx, unit, (start, end), ctx.source[start:end], written)
    return replace(hit, replacement=Replacement(start, end, written))


def _known_error(ctx: Context, mark: Mark, noun: bool) -> tuple[int, int, str] | None:
    """Return the place and the right name of a spell that is called by a known wrong name beside a mark."""
    ahead = list(mark.sentence.after(mark.end)[: _LONGEST + 2])
    led = bool(ahead) and ahead[0].text in ctx.small_words
    while ahead and ahead[0].text in ctx.small_words:
        ahead.pop(0)
    if led and not noun and not (ahead and _is_shown(ctx, ahead[0])):
        return None  # `lanza un dardo de fuego a la paja` may cast no spell
    behind = mark.sentence.before(mark.start)[-_LONGEST:] if noun else ()
    runs: list[Sequence[Word]] = [ahead[:n] for n in range(min(_LONGEST, len(ahead)), 0, -1)]
    runs += [behind[-n:] for n in range(len(behind), 1, -1)]
    for run in runs:
        start, end = run[0].start, run[-1].end
        id_, status = ctx.ruleset.lookup("spell", ctx.source[start:end], ctx.language)
        # A wrong name of one word may be a plain word where no capital shows that a name is meant.
        if len(run) == 1 and (joined := _run_together(ctx.ruleset, ctx.language).get(run[0].text)):
            return start, end, joined
        plain = len(run) == 1 and not _is_shown(ctx, run[0])
        if status != "unknown" and (status != "wrong" or plain):
            return None
        if id_ and status == "wrong" and not _is_longer_name(ctx, ahead, end):
            return start, end, ctx.ruleset.word("spell", id_, ctx.language)
    return None


@cache
def _run_together(ruleset: Ruleset, language: str) -> dict[str, str]:
    """Return the names of spells by themselves without their spaces (`firebolt`): no words of plain language.

    Names that are right as one word (`daylight`) are left out.
    """
    names = (e.names[language].word for e in ruleset.entries("spell").values() if language in e.names)
    joined = {fold(name).replace(" ", ""): name for name in names if " " in name}
    return {k: v for k, v in joined.items() if not ruleset.find("spell", k, language)}


def _is_shown(ctx: Context, word: Word) -> bool:
    return ctx.source[word.start].isupper() or ctx.source[word.start - 1] in _OPENERS


def _reworded(ctx: Context, mark: Mark, noun: bool) -> tuple[int, int, str] | None:
    """Return the place and the right name of a spell whose words stand in other forms (`water breath spell`).

    What follows the word for a spell must be led by a small word or show itself as a name: `the spell detects
    magic` names none.
    """
    ahead = mark.sentence.after(mark.end)[: _LONGEST + 2]
    behind = mark.sentence.before(mark.start)[-_LONGEST:] if noun else ()
    names_what = ctx.word_list("names_what")
    led = bool(ahead) and (not noun or _is_shown(ctx, ahead[0]) or ahead[0].text in names_what)
    first = next((i for i, w in enumerate(ahead) if w.text not in ctx.small_words), len(ahead))
    runs = [ahead[first:n] for n in range(first + _PLAIN_LEAST, len(ahead) + 1)] if led and first <= 1 else []
    runs += [behind[-n:] for n in range(_PLAIN_LEAST, len(behind) + 1)]
    names = _by_matter(ctx.ruleset, ctx.language)
    for run in reversed(runs):
        start, end = run[0].start, run[-1].end
        text = ctx.source[start:end]
        edges = {run[0].text, run[-1].text}
        id_ = names.get(_matter(text, ctx.language)) if edges.isdisjoint(ctx.small_words) else None
        if id_ and ctx.ruleset.lookup("spell", text, ctx.language)[1] in ("unknown", "wrong"):
            return start, end, ctx.ruleset.word("spell", id_, ctx.language)
    return None


def _matter(text: str, language: str) -> frozenset[str]:
    """Return what a name's words have in common with their other forms; empty where one stands twice."""
    small = lexicon.words_of_list("small_words", language)
    words = [stem(w) for w in fold(text).split() if w not in small]
    return frozenset(words) if len(words) == len(set(words)) else frozenset()


@cache
def _by_matter(ruleset: Ruleset, language: str) -> dict[frozenset[str], str]:
    """Return the spells of two words and more by what their words have in common with their other forms."""
    found: dict[frozenset[str], str] = {}
    for text, id_, status, _ in ruleset.forms("spell", language):
        key = _matter(text, language)
        if status != "wrong" and len(key) >= _PLAIN_LEAST:
            # what two spells share names neither (`mass cure wounds`, `cure mass wounds`)
            found[key] = "" if found.get(key, id_) != id_ else id_
    return found


def _misspelt(ctx: Context, mark: Mark, noun: bool) -> tuple[int, int, str] | None:
    """Return the place and the right name of a spell that is nearly named by the words after a mark.

    A name must show itself by a capital or by quotation marks (`the spell creating the light` names none), or
    be very near to a spell's right after the word for a spell.
    """
    words = mark.sentence.after(mark.end)[: _LONGEST + 2]
    first = 0
    while first < len(words) and words[first].text in ctx.small_words and first < 2:
        first += 1
    after = words[first : first + _LONGEST]
    if not after:
        return None
    shown = _is_shown(ctx, after[0])
    fewest = 1 if shown or _is_long_slip(ctx, after[0]) else _PLAIN_LEAST
    texts = [(after[0].start, w.end, ctx.source[after[0].start : w.end]) for w in after]
    exact = [len(text) for *_, text in texts if ctx.ruleset.find_spell(text, ctx.language)]
    if exact and not _goes_on(ctx, texts, max(exact)):
        return None
    best: tuple[float, int, int, str] | None = None
    for start, end, text in texts[fewest - 1 :]:
        near = ctx.ruleset.nearest("spell", text, ctx.language) if len(text) >= _SHORTEST else None
        likeness = fuzz.ratio(fold(text), fold(near)) if near else 0.0
        if near and _is_slip(text, near, likeness, shown, noun) and (best is None or likeness > best[0]):
            best = (likeness, start, end, near)
    return best[1:] if best and not _is_longer_name(ctx, after, best[2]) else None


def _is_long_slip(ctx: Context, word: Word) -> bool:
    """Tell whether a long word is a slip for a spell's name, and no other form of it (`invisibilty`)."""
    near = ctx.ruleset.nearest("spell", word.text, ctx.language) if len(word.text) >= _ALONE_LEAST else None
    if not near or " " in near or ctx.ruleset.lookup("spell", word.text, ctx.language)[0]:
        return False
    name = fold(near)
    return word.text[-2:] == name[-2:] and fuzz.ratio(word.text, name) >= _ALONE_NEAR


def _is_slip(text: str, right: str, likeness: float, shown: bool, noun: bool) -> bool:
    """Tell whether a text is so like a spell's name that it must be meant."""
    if not shown and " " not in text:
        return likeness >= _ALONE_NEAR
    if not shown:  # `this spell reverses gravity` names no spell
        same = not noun or fold(text).split()[0] == fold(right).split()[0]
        return likeness >= _PLAIN_NEAR and same and len(text.split()) == len(right.split())
    return likeness >= (_LONGER_NEAR if " " in text else _NEAR)


def _goes_on(ctx: Context, texts: list[tuple[int, int, str]], known: int) -> bool:
    """Tell whether a spell's name only begins another's that is misspelt (`Curar herridas`)."""
    for _, _, text in texts:
        near = ctx.ruleset.nearest("spell", text, ctx.language) if len(text) > known else None
        same = near is not None and len(near.split()) == len(text.split()) > 1
        if near and same and fuzz.ratio(fold(text), fold(near)) >= _PLAIN_NEAR:
            return True
    return False


def _is_longer_name(ctx: Context, words: Sequence[Word], end: int) -> bool:
    """Tell whether a name goes on after a small word: then it is somebody's own (`Fireballs of Doom`)."""
    rest = [w for w in words if w.start >= end]
    joined = bool(rest) and rest[0].text in ctx.small_words and not ctx.source[end : rest[0].start].strip()
    return joined and len(rest) > 1 and ctx.source[rest[1].start].isupper()
