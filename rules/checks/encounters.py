"""Mechanics of the ruleset: is a fight one that the party can stand?"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.text import Sentence, Word, fold
from rules.claims.vocabulary import vocabulary
from rules.document import PlanScene
from rules.tables import name_key

_LONGEST_NAME = 4
"""Words of the longest creature's name that is looked for."""
_FAR = 2
"""Words that may stand between a number and the creatures that it counts."""
_LESS = re.compile(r"(?<!\w)[-−–]$")
"""Before a number that is less than none; a dash between two numbers is a range's."""
_MOST = 200
_HEAD = 2
"""Letters by which a name's first word is looked up: no plural changes them."""


class Foe(NamedTuple):
    """Creatures of one kind as a text counts them."""

    name: str
    number: int
    xp: int
    start: int
    end: int


def encounter_difficulty(ctx: Context) -> Iterator[Hit]:
    """The creatures that a scene sets against the party are a deadly fight, by the ruleset's own budget."""
    encounter = ctx.ruleset.encounter if ctx.level is not None else None
    levels = [sheet.level for sheet in ctx.facts.party]
    if encounter is None or not levels or not all(1 <= level <= 20 for level in levels):
        return
    seen: set[frozenset[tuple[str, int]]] = set()
    for unit, foes in _fights(ctx):
        key = frozenset((foe.name, foe.number) for foe in foes)
        if not foes or key in seen:
            continue
        seen.add(key)
        xp = [foe.xp for foe in foes for _ in range(foe.number)]
        degree, weight = encounter.degree(xp, levels), encounter.weight(xp, len(levels))
        budget = encounter.party_budget(levels, encounter.degrees[-1])
        if degree == (worst := encounter.degrees[-1]) and weight >= budget:
            names = encounter.names[worst].get(ctx.language)
            message = ctx.say(
                "encounter-difficulty.message",
                foes=", ".join(f"{foe.number} × {foe.name}" for foe in foes),
                degree=names.word if names else worst,
                weight=f"{weight:g}",
                budget=budget,
            )
            span = (foes[0].start, max(foe.end for foe in foes))
            yield Hit(unit.scene, unit.part, *span, message, "", ctx.cite(encounter.source))


def _fights(ctx: Context) -> Iterator[tuple[Unit, list[Foe]]]:
    for scene in ctx.plan_scenes:
        present = scene.field("present")
        if present is not None:
            yield Unit(scene.id, "plan", present.text), scene_foes(ctx, scene)
    for unit in ctx.prose_units:
        for sentence in ctx.sentences(unit.passage):
            if _is_hostile(ctx, sentence) and not ctx.is_spoken(unit.passage, sentence.words[0].start):
                yield unit, [f for f in _foes(ctx, sentence.words) if f.number > 0]


def scene_foes(ctx: Context, scene: PlanScene) -> list[Foe]:
    """Return the creatures of known strength that a planned scene sets against the party; none in peace."""
    present = scene.field("present")
    return list(_foes(ctx, ctx.words(present.text))) if present is not None and _is_fight(ctx, scene) else []


def lone_foes(ctx: Context, scene: PlanScene, alone: Collection[str]) -> list[Foe]:
    """Return the creatures as `scene_foes`, and one of each that is named in `alone` and is not counted."""
    present = scene.field("present")
    return list(_foes(ctx, ctx.words(present.text), alone)) if present and _is_fight(ctx, scene) else []


def named_creatures(ctx: Context, words: Sequence[Word]) -> list[tuple[str, bool]]:
    """Return the names of the creatures that words name, and whether each stands in the plural."""
    return [(found.name, found.plural) for _, found in _creatures(ctx, words)]


def _is_fight(ctx: Context, scene: PlanScene) -> bool:
    """Tell whether a scene's situation or action is a fight."""
    fields = (scene.field("situation"), scene.field("player_action"))
    return any(_is_hostile(ctx, s) for f in fields if f for s in ctx.sentences(f.text))


def _is_hostile(ctx: Context, sentence: Sentence) -> bool:
    return ctx.phrases("fight").any(sentence.words) and not ctx.phrases("no_fight").any(sentence.words)


def _foes(ctx: Context, words: Sequence[Word], alone: Collection[str] = ()) -> Iterator[Foe]:
    """Give the creatures that words name, each with its number as stated before it or after it.

    Of those that are named in `alone` there is one where the text counts none and names it in the singular.
    """
    for index, found in _creatures(ctx, words):
        count = _count_before(ctx, words, index)
        if count is None:
            count = _count_after(ctx, words, index + found.length) or found.number
        if count is None and found.name in alone and not found.plural:
            count = 1
        if count is not None and found.xp is not None and 0 < count <= _MOST:
            yield Foe(found.name, count, found.xp, words[index].start, words[index + found.length - 1].end)


def _creatures(ctx: Context, words: Sequence[Word]) -> Iterator[tuple[int, "_Found"]]:
    """Give the creatures that words name, each with the index of its first word; not those of the party."""
    blocks = _blocks(ctx)
    allies = {fold(sheet.name) for sheet in ctx.facts.party}
    index = 0
    while index < len(words):
        found = _creature_at(ctx, blocks, words, index)
        if found is None or found.name in allies:
            index += 1
            continue
        yield index, found
        index = _after_brackets(ctx, words, index + found.length)


def _after_brackets(ctx: Context, words: Sequence[Word], after: int) -> int:
    """Return the index after what brackets say of creatures: it is told of the same ones."""
    if after >= len(words) or "(" not in ctx.source[words[after - 1].end : words[after].start]:
        return after
    while after < len(words) and ")" not in ctx.source[words[after - 1].end : words[after].start]:
        after += 1
    return after


class _Found(NamedTuple):
    name: str
    xp: int | None
    """None: its block does not say how strong it is."""
    length: int
    number: int | None
    """How many there are where the text does not count them; None: it must."""
    plural: bool = False


_Blocks = Mapping[str, Sequence[tuple[tuple[str, ...], str]]]
"""Names of creatures, their words without plurals, by the first two letters; the longest first."""


def _blocks(ctx: Context) -> _Blocks:
    """Return the designer's own creatures."""

    def make() -> dict[str, list[tuple[tuple[str, ...], str]]]:
        endings = ctx.ruleset.plurals.get(ctx.language, ())
        keys = {name: tuple(name_key(name, endings).split()) for name in ctx.facts.stat_blocks}
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for name in sorted(filter(keys.__getitem__, keys), key=lambda name: -len(keys[name])):
            found.setdefault(keys[name][0][:_HEAD], []).append((keys[name], name))
        return found

    return ctx.keep("creatures by name", "", make)


def _creature_at(ctx: Context, blocks: _Blocks, words: Sequence[Word], index: int) -> _Found | None:
    texts = [w.text for w in words[index : index + _LONGEST_NAME]]
    own = _own_at(ctx, blocks, words, index)
    if own is not None:
        return own
    if ctx.source[words[index].start].isdigit() or texts[0] in ctx.small_words:
        return None
    if not _may_be_creature(ctx, words[index]):
        return None
    for length in range(len(texts), 0, -1):
        text = ctx.source[words[index].start : words[index + length - 1].end]
        creature = ctx.ruleset.find_creature(text, ctx.language) if "\n" not in text else None
        if creature is not None:
            names = creature.names.get(ctx.language)
            known = {fold(one) for n in creature.names.values() for one in (n.word, *n.also)}
            plural = fold(text) not in known
            return _Found(names.word if names else text, creature.xp, length, None, plural)
    return None


def _own_at(ctx: Context, blocks: _Blocks, words: Sequence[Word], index: int) -> _Found | None:
    """Return the creature of the designer's that words name, in the singular or the plural."""
    endings = ctx.ruleset.plurals.get(ctx.language, ())
    for parts, title in blocks.get(words[index].text[:_HEAD], ()):
        texts = [w.text for w in words[index : index + len(parts)]]
        if len(texts) == len(parts) and name_key(" ".join(texts), endings) == " ".join(parts):
            block = ctx.facts.stat_blocks[title]
            return _Found(title, _xp(ctx, block.cr), len(parts), block.count)
    return None


def _may_be_creature(ctx: Context, word: Word) -> bool:
    """Tell whether a creature of the ruleset may be named from a word on: most words answer no, at once."""
    following = ctx.source[word.end : word.end + 1]
    goes_on = bool(following) and unicodedata.combining(following) > 0  # an accent ends no word
    return goes_on or ctx.ruleset.opens_creature(ctx.source[word.start : word.end], ctx.language)


def _xp(ctx: Context, cr: float | None) -> int | None:
    encounter = ctx.ruleset.encounter
    if cr is None or encounter is None:
        return None
    text = f"{cr:g}" if cr >= 1 or cr == 0 else f"1/{round(1 / cr)}"
    return encounter.xp_by_cr.get(text)


def _count_before(ctx: Context, words: Sequence[Word], index: int) -> int | None:
    for word in reversed(words[max(0, index - 1 - _FAR) : index]):
        value = _number(ctx, word)
        if value is not None:
            return value
        if word.text in ctx.small_words or word.end + 2 < words[index].start - 40:
            return None
    return None


def _count_after(ctx: Context, words: Sequence[Word], after: int) -> int | None:
    """Read `Guardia de Honor (4 …)` and `goblins ×4`."""
    if after >= len(words):
        return None
    between = ctx.source[words[after - 1].end : words[after].start].strip()
    return _number(ctx, words[after]) if between in ("(", "×", "x", "[") else None


def _number(ctx: Context, word: Word) -> int | None:
    if _LESS.search(ctx.source, max(0, word.start - 2), word.start):
        return None
    if word.text.isdigit() and len(word.text) <= 3:
        return int(word.text)
    return vocabulary(ctx.language).numbers.get(word.text)
