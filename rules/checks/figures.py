"""Prose against plan: damage, Armor Class, hit points, conditions, cover, advantage."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rules.checks import replacements
from rules.checks.check_drift import comparison
from rules.checks.context import Context, Pair, distinct
from rules.checks.hit import Hit, Replacement
from rules.checks.resolutions import flat, same_check, same_save
from rules.checks.text import contains, fold
from rules.claims.model import (
    Advantage,
    ArmorClass,
    Check,
    Claim,
    Condition,
    Cover,
    Damage,
    Fall,
    HitPoints,
    Save,
)
from rules.document import Passage

_MOST_LISTED = 24
"""Claims of the plan that one finding names."""
_NEAR = 12
"""Characters between two figures that are told in one breath (`10 PV y CA 13`)."""
_HELD = ("restrained", "grappled")
"""Two conditions that Spanish texts call by one word."""

_NEAR_DC = 6
"""Words after a check within which its DC is said to be that of another (`con la misma CD`)."""


def dice_drift(ctx: Context) -> Iterator[Hit]:
    """Damage of the plan has other dice, or another type, in the prose."""
    for pair in ctx.pairs:
        for damage, planned in _damage(ctx, pair):
            if planned:
                expected = _listed(planned)
                message = ctx.say("dice-drift.message", damage=flat(damage.quote), planned=expected)
                hit = _hit(ctx, pair, damage, message, expected, planned[0])
                yield replace(hit, replacement=_right_dice(ctx, damage, planned))


def _right_dice(ctx: Context, told: Damage, planned: Sequence[Damage]) -> Replacement | None:
    """Return the plan's dice where only the dice are wrong, and the plan has one damage that it can be."""
    twin = planned[0]
    same_type = bool(_type_words(twin) & _type_words(told)) or not told.types
    if len(planned) != 1 or twin.dice is None or told.dice is None or not same_type:
        return None
    return replacements.dice(ctx, told, str(twin.dice))


def mechanic_not_in_plan(ctx: Context) -> Iterator[Hit]:
    """The prose states a mechanic that the plan does not have."""
    for pair in ctx.pairs:
        yield from comparison(ctx, pair).extra_saves
        yield from _extra_damage(ctx, pair)
        yield from _extra_stats(ctx, pair)
        yield from _extra_conditions(ctx, pair)
        yield from _extra_cover(ctx, pair)
        yield from _extra_advantage(ctx, pair)


def stat_dropped(ctx: Context) -> Iterator[Hit]:
    """Figures of the plan are not in the prose at all."""
    for pair in ctx.pairs:
        gone = _dropped(ctx, pair)
        if gone:
            figures = ", ".join(dict.fromkeys(flat(c.quote) for c in gone))
            message = ctx.say("stat-dropped.message", figures=figures)
            at = pair.prose.start
            yield Hit(
                pair.scene, "prose", at, at, message, figures, ctx.plan_source(pair.plan, gone[0].start)
            )


def _dropped(ctx: Context, pair: Pair) -> list[Claim]:
    armor = {c.value for c in ctx.told(pair.prose, ArmorClass)}
    points = {c.value for c in ctx.told(pair.prose, HitPoints)}
    stats: list[Claim] = [c for c in ctx.planned(pair.plan, ArmorClass) if c.value not in armor]
    stats += [c for c in ctx.planned(pair.plan, HitPoints) if not c.change and c.value not in points]
    replaced = bool(comparison(ctx, pair).replaced)
    checks: list[Claim] = [] if replaced else _dropped_checks(ctx, pair)
    return sorted([*stats, *checks, *_dropped_damage(ctx, pair)], key=lambda c: c.start)


def _dropped_checks(ctx: Context, pair: Pair) -> list[Claim]:
    """Return the plan's checks and saves with a DC of which the prose keeps nothing, or not the DC."""
    checks, saves = ctx.told_once(pair.prose, Check), ctx.told_once(pair.prose, Save)
    found: list[Claim] = [
        c
        for c in ctx.planned(pair.plan, Check)
        if c.dc is not None
        and not any((p.dc is not None or _same_dc(ctx, pair, p)) and _stands_for(c, p) for p in checks)
        and not any(_is_short_for(c, p) for p in saves)
    ]
    found += [
        s
        for s in ctx.planned(pair.plan, Save)
        if s.dc is not None and not any(p.dc is not None and same_save(s, p) for p in saves)
    ]
    return found


def _is_short_for(planned: Check, told: Save) -> bool:
    """Tell whether the plan's ability and DC are a save in short (`2d4, y Fuerza CD 11 o derribado`)."""
    bare = not planned.skills and not planned.named_as_check
    return bare and planned.dc == told.dc and bool({a.id for a in told.abilities} & set(planned.abilities))


def _same_dc(ctx: Context, pair: Pair, told: Check) -> bool:
    """Tell whether a check has the DC of the one before it (`Acrobacias, con la misma CD`)."""
    around = ctx.sentence_at(pair.prose, told.start).around(told.start, told.end, _NEAR_DC)
    return ctx.phrases("same_dc").any(around)


def _stands_for(planned: Check, told: Check) -> bool:
    """Tell whether a check is the plan's, also where it names a skill that does not exist."""
    misnamed = any(o.skill and o.skill.status in ("wrong", "unknown") for o in told.options)
    return same_check(planned, told) or (misnamed and planned.dc == told.dc)


def _dropped_damage(ctx: Context, pair: Pair) -> list[Claim]:
    told = distinct(_told_damage(ctx, pair))
    used = len(_damage(ctx, pair))
    plan = [p for p in _planned_damage(ctx, pair) if p.dice and not any(_agrees(p, t) for t in told)]
    return list(plan) if not used else []


def _damage(ctx: Context, pair: Pair) -> list[tuple[Damage, list[Damage]]]:
    """Return the prose's damage that the plan does not give, each with that which it stands for."""
    return ctx.keep("damage", f"{pair.scene}@{pair.prose.start}", lambda: _compare_damage(ctx, pair))


def _compare_damage(ctx: Context, pair: Pair) -> list[tuple[Damage, list[Damage]]]:
    planned = _planned_damage(ctx, pair)
    told = [d for d in _told_damage(ctx, pair) if d.dice or d.amount is not None]
    once = distinct(told)
    known: dict[str, bool] = {}
    free = [p for p in planned if not any(_agrees(p, t) for t in once)]
    found: list[tuple[Damage, list[Damage]]] = []
    for damage in told:
        if damage.quote not in known:
            known[damage.quote] = any(_agrees(p, damage) for p in planned)
        if known[damage.quote] or (not free and _from_fall(ctx, pair.prose, damage)):
            continue
        kin = [p for p in free if _type_words(p) & _type_words(damage)]
        untyped = [p for p in free if not p.types or not damage.types]
        same_dice = [p for p in free if p.dice == damage.dice]
        found.append((damage, kin or untyped or same_dice))
    return found


def _told_damage(ctx: Context, pair: Pair) -> list[Damage]:
    """Return the prose's damage in order; hit points that are lost are damage by another name."""
    lost = [_as_damage(c) for c in ctx.told(pair.prose, HitPoints) if _is_lost(c)]
    return sorted([*ctx.told(pair.prose, Damage), *lost], key=lambda d: d.start)


def _planned_damage(ctx: Context, pair: Pair) -> list[Damage]:
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


def _agrees(planned: Damage, told: Damage) -> bool:
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


def _extra_damage(ctx: Context, pair: Pair) -> Iterator[Hit]:
    for damage, planned in _damage(ctx, pair):
        if not planned:
            yield _hit(ctx, pair, damage, _extra_message(ctx, damage))


def _extra_message(ctx: Context, claim: Claim) -> str:
    return ctx.say("mechanic-not-in-plan.message", mechanic=flat(claim.quote))


def _extra_stats(ctx: Context, pair: Pair) -> Iterator[Hit]:
    armor = {c.value for c in ctx.planned(pair.plan, ArmorClass)}
    points = {c.value for c in ctx.planned(pair.plan, HitPoints)}
    extra: list[Claim] = [c for c in ctx.told(pair.prose, ArmorClass) if c.value not in armor]
    extra += [
        c
        for c in ctx.told(pair.prose, HitPoints)
        if not c.change and c.value is not None and c.value not in points
    ]
    extra = [c for c in extra if not _of_a_known_creature(ctx, pair, c)]
    planned = [*ctx.planned(pair.plan, ArmorClass), *ctx.planned(pair.plan, HitPoints)]
    expected = _listed(planned)
    for start, end in _joined(sorted((c.start, c.end) for c in extra)):
        quote = flat(ctx.source[start:end])
        message = ctx.say("mechanic-not-in-plan.message", mechanic=quote)
        yield Hit(pair.scene, "prose", start, end, message, expected)


def _listed(claims: Sequence[Claim]) -> str:
    """Return claims as a finding names them: there is an end to the list, and each finding repeats it."""
    texts = [flat(c.quote) for c in claims[: _MOST_LISTED + 1]]
    return ", ".join(texts if len(texts) <= _MOST_LISTED else [*texts[:_MOST_LISTED], "…"])


def _joined(spans: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start - merged[-1][1] <= _NEAR:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def _of_a_known_creature(ctx: Context, pair: Pair, claim: Claim) -> bool:
    """Tell whether a figure stands beside the name of somebody whose figures the adventure gives."""
    words = [w.text for w in ctx.sentence_at(pair.prose, claim.start).before(claim.start)]
    names = (*ctx.facts.stat_blocks, *(sheet.name for sheet in ctx.facts.party))
    return any(contains(fold(name).split(), words) for name in names)


def _extra_conditions(ctx: Context, pair: Pair) -> Iterator[Hit]:
    planned = {c.condition.id for c in ctx.planned(pair.plan, Condition)}
    if planned & set(_HELD):
        planned |= set(_HELD)
    if ctx.planned(pair.plan, Fall) or ctx.told(pair.prose, Fall):
        planned.add("prone")
    for claim in ctx.told(pair.prose, Condition):
        if (
            claim.mechanical
            and not claim.negated
            and claim.condition.id
            and claim.condition.id not in planned
        ):
            planned.add(claim.condition.id)
            yield _clause(ctx, pair, claim)


def _extra_cover(ctx: Context, pair: Pair) -> Iterator[Hit]:
    planned = ctx.planned(pair.plan, Cover)
    known = {c.degree.id for c in planned}
    for claim in ctx.told(pair.prose, Cover):
        if claim.degree.id and claim.degree.id not in known and None not in known:
            known.add(claim.degree.id)
            expected = _listed(planned)
            yield _hit(ctx, pair, claim, _extra_message(ctx, claim), expected)


def _extra_advantage(ctx: Context, pair: Pair) -> Iterator[Hit]:
    known = {c.mode for c in ctx.planned(pair.plan, Advantage)}
    for claim in ctx.told(pair.prose, Advantage):
        if claim.mode not in known:
            known.add(claim.mode)
            yield _clause(ctx, pair, claim)


def _clause(ctx: Context, pair: Pair, claim: Claim) -> Hit:
    span = (claim.start, claim.end)
    return ctx.clause_hit(pair.scene, "prose", pair.prose, span, _extra_message(ctx, claim))


def _hit(
    ctx: Context, pair: Pair, claim: Claim, message: str, expected: str = "", planned: Claim | None = None
) -> Hit:
    source = ctx.plan_source(pair.plan, planned.start) if planned else ""
    return Hit(pair.scene, "prose", claim.start, claim.end, message, expected, source)
