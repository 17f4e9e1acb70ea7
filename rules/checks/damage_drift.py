"""Prose against plan: the dice and types of damage."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.checks import replacements
from rules.checks.context import Context, Pair, distinct
from rules.checks.hit import Hit, Replacement
from rules.checks.ruled import as_ruled
from rules.checks.text import flat, fold
from rules.claims.model import Claim, Damage, Fall, HitPoints
from rules.document import Passage

_MOST_LISTED = 24
"""Claims of the plan that one finding names."""


def dice_drift(ctx: Context) -> Iterator[Hit]:
    """Damage of the plan has other dice, or another type, in the prose."""
    for pair in ctx.pairs:
        for damage, planned in different_damage(ctx, pair):
            if planned:
                expected = listed(ctx, planned)
                told = ", ".join(flat(p.quote) for p in planned[:_MOST_LISTED])
                message = ctx.say("dice-drift.message", damage=flat(damage.quote), planned=told)
                hit = prose_hit(ctx, pair, damage, message, expected, planned[0])
                yield replace(hit, replacement=_right_dice(ctx, damage, planned))


def _right_dice(ctx: Context, told: Damage, planned: Sequence[Damage]) -> Replacement | None:
    """Return the plan's dice where only the dice are wrong, and the plan has one damage that it can be."""
    twin = planned[0]
    same_type = bool(_type_words(twin) & _type_words(told)) or not told.types
    if len(planned) != 1 or twin.dice is None or told.dice is None or not same_type:
        return None
    return replacements.dice(ctx, told, str(twin.dice))


def different_damage(ctx: Context, pair: Pair) -> list[tuple[Damage, list[Damage]]]:
    """Return the prose's damage that the plan does not give, each with that which it stands for."""
    return ctx.keep("damage", f"{pair.scene}@{pair.prose.start}", lambda: _compare_damage(ctx, pair))


def _compare_damage(ctx: Context, pair: Pair) -> list[tuple[Damage, list[Damage]]]:
    planned = planned_damage(ctx, pair)
    told = [d for d in told_damage(ctx, pair) if d.dice or d.amount is not None]
    once = distinct(told)
    known: dict[str, bool] = {}
    free = [p for p in planned if not any(agrees(p, t) for t in once)]
    found: list[tuple[Damage, list[Damage]]] = []
    for damage in told:
        if damage.quote not in known:
            known[damage.quote] = any(agrees(p, damage) for p in planned)
        if known[damage.quote] or (not free and _from_fall(ctx, pair.prose, damage)):
            continue
        kin = [p for p in free if _type_words(p) & _type_words(damage)]
        untyped = [p for p in free if not p.types or not damage.types]
        same_dice = [p for p in free if p.dice == damage.dice]
        found.append((damage, kin or untyped or same_dice))
    return found


def told_damage(ctx: Context, pair: Pair) -> list[Damage]:
    """Return the prose's damage in order; hit points that are lost are damage by another name."""
    lost = [_as_damage(c) for c in ctx.told(pair.prose, HitPoints) if _is_lost(c)]
    return sorted([*ctx.told(pair.prose, Damage), *lost], key=lambda d: d.start)


def planned_damage(ctx: Context, pair: Pair) -> list[Damage]:
    """Return the plan's damage, each wording once."""
    lost = [_as_damage(c) for c in ctx.planned(pair.plan, HitPoints) if _is_lost(c)]
    return [*ctx.planned(pair.plan, Damage), *lost]


def _is_lost(points: HitPoints) -> bool:
    return points.change == "lose" and points.dice is not None


def _as_damage(points: HitPoints) -> Damage:
    return Damage(
        start=points.start, end=points.end, quote=points.quote, in_speech=points.in_speech, dice=points.dice
    )


def _type_words(damage: Damage) -> frozenset[str]:
    return frozenset(t.id or fold(t.text) for t in damage.types)


def agrees(planned: Damage, told: Damage) -> bool:
    """Tell whether prose damage is the plan's: same dice or number, and no other type."""
    amount = planned.dice == told.dice if planned.dice and told.dice else planned.amount == told.amount
    if planned.dice is not None and told.dice is None:
        amount = told.amount is not None and told.amount == int(planned.dice.average)
    types, others = _type_words(planned), _type_words(told)
    return amount and (not types or not others or bool(types & others))


def _from_fall(ctx: Context, prose: Passage, damage: Claim) -> bool:
    """Tell whether the damage is that of a fall: the rules give it, a plan need not."""
    sentence = ctx.sentence_at(prose, damage.start)
    return bool(ctx.told_between(prose, Fall, sentence.start, sentence.end))


def listed(ctx: Context, claims: Sequence[Claim]) -> str:
    """Return claims as a finding names them: there is an end to the list, and each finding repeats it."""
    texts = [as_ruled(ctx, c) for c in claims[: _MOST_LISTED + 1]]
    return ", ".join(texts if len(texts) <= _MOST_LISTED else [*texts[:_MOST_LISTED], "…"])


def prose_hit(
    ctx: Context, pair: Pair, claim: Claim, message: str, expected: str = "", planned: Claim | None = None
) -> Hit:
    """Make a hit on a claim of the prose; `planned` is the plan's claim that it is held against."""
    source = ctx.plan_source(pair.plan, planned.start) if planned else ""
    return Hit(pair.scene, "prose", claim.start, claim.end, message, expected, source)
