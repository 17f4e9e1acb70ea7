"""Mechanics of the ruleset: the damage of a fall."""

from bisect import bisect_left
from collections.abc import Iterator, Set
from dataclasses import replace

from rules.checks import replacements
from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.resolutions import flat
from rules.checks.text import Sentence
from rules.claims.model import Damage, Dice, Distance, Fall
from rules.ruleset import Falling

_HEIGHTS = ("height", "depth")
_AFTER = 4


def fall_damage(ctx: Context) -> Iterator[Hit]:
    """A fall deals other damage than the rules give for its height."""
    falling = ctx.ruleset.falling
    for unit in ctx.units if falling else ():
        falls = ctx.told(unit.passage, Fall)
        if not falling or not falls:
            continue
        heights = _heights(ctx, unit)
        usual = frozenset(map(falling.dice, heights))
        highest = max(heights, default=None)
        by_sentence = {ctx.sentence_at(unit.passage, f.start).start: f for f in reversed(falls)}
        for damage in ctx.told(unit.passage, Damage):
            sentence = ctx.sentence_at(unit.passage, damage.start)
            fall = by_sentence.get(sentence.start)
            if not fall or not damage.dice or _other_harm(ctx, damage, falling, sentence):
                continue
            if fall.metres is not None:
                if not _is_right(damage.dice, {falling.dice(fall.metres)}, falling):
                    yield _hit(ctx, unit, damage, fall.metres, True, falling)
                continue
            near = _near_lengths(ctx, unit, damage)
            if not _is_right(damage.dice, usual.union(map(falling.dice, near)), falling):
                metres = max(near) if highest is None else highest
                yield _hit(ctx, unit, damage, metres, len(heights) == 1 and not near, falling)


def _other_harm(ctx: Context, damage: Damage, falling: Falling, sentence: Sentence) -> bool:
    """Tell whether damage beside a fall comes from something else, or is a rate for each stretch."""
    known = {t.id for t in damage.types if t.status in ("canonical", "synonym")}
    if known and falling.damage_type not in known:
        return True
    after = [w for w in sentence.words if w.start >= damage.end][:_AFTER]
    return ctx.phrases("for_each").any(after)


def _is_right(dice: Dice, allowed: Set[int], falling: Falling) -> bool:
    """Tell whether dice are those of a fall from one of some heights, or none is known."""
    if not allowed:
        return True
    return dice.sides == falling.sides and dice.count in allowed and not dice.bonus


def _hit(ctx: Context, unit: Unit, damage: Damage, metres: float, certain: bool, falling: Falling) -> Hit:
    """Make the finding; `certain`: no other height can be meant."""
    right = f"{falling.dice(metres)}d{falling.sides}"
    message = ctx.say("fall-damage.message", told=flat(damage.quote), metres=f"{metres:g}", right=right)
    span = (damage.start, damage.end)
    known = replacements.dice(ctx, damage, right) if certain else None
    hit = ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, right, falling.source)
    return replace(hit, replacement=known)


def _heights(ctx: Context, unit: Unit) -> list[float]:
    """Return the lengths of a text that are heights."""
    found: list[float] = []
    for length in ctx.told(unit.passage, Distance):
        sentence = ctx.sentence_at(unit.passage, length.start)
        after = [w for w in sentence.words if w.start >= length.end][:_AFTER]
        if length.shape in _HEIGHTS or ctx.phrases("height_words").any(after):
            found.append(length.metres)
    return found


def _near_lengths(ctx: Context, unit: Unit, damage: Damage) -> list[float]:
    """Return the lengths in the damage's sentence and in the one before."""
    sentence = ctx.sentence_at(unit.passage, damage.start)
    first = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1)).start
    lengths = ctx.told(unit.passage, Distance)
    low = bisect_left(lengths, first, key=lambda d: d.start)
    high = bisect_left(lengths, sentence.end, key=lambda d: d.start)
    return [d.metres for d in lengths[low:high]]
