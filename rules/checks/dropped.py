"""Prose against plan: figures of the plan that the prose leaves out."""

from collections.abc import Iterator

from rules.checks.check_drift import comparison
from rules.checks.context import Context, Pair, distinct
from rules.checks.damage_drift import agrees, different_damage, planned_damage, told_damage
from rules.checks.hit import Hit
from rules.checks.resolutions import same_check, same_save
from rules.checks.ruled import as_ruled
from rules.claims.model import (
    ArmorClass,
    BareDC,
    Check,
    Claim,
    Condition,
    Cover,
    Damage,
    Fall,
    HitPoints,
    Save,
)

_NEAR_DC = 6
"""Words after a check within which its DC is said to be that of another (`con la misma CD`)."""


def stat_dropped(ctx: Context) -> Iterator[Hit]:
    """Figures of the plan are not in the prose at all."""
    for pair in ctx.pairs:
        gone = _dropped(ctx, pair)
        if gone:
            figures = ", ".join(dict.fromkeys(as_ruled(ctx, c) for c in gone))
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
    others = (*_dropped_damage(ctx, pair), *_dropped_cover(ctx, pair), *_dropped_conditions(ctx, pair))
    return sorted([*stats, *checks, *others, *_dropped_halves(ctx, pair)], key=lambda c: c.start)


def _dropped_checks(ctx: Context, pair: Pair) -> list[Claim]:
    """Return the plan's checks and saves with a DC of which the prose keeps nothing, or not the DC."""
    checks, saves = ctx.told_once(pair.prose, Check), ctx.told_once(pair.prose, Save)
    apart = {d.value for bare in ctx.told_once(pair.prose, BareDC) for d in bare.dcs}
    found: list[Claim] = [
        c
        for c in ctx.planned(pair.plan, Check)
        if c.dc is not None
        and not any(
            # `a Persuasion check. The DC depends on what they bring: DC 18 with nothing`
            (p.dc is not None or c.dc in apart or _same_dc(ctx, pair, p)) and _stands_for(c, p)
            for p in checks
        )
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
    told = distinct(told_damage(ctx, pair))
    used = len(different_damage(ctx, pair))
    plan = [p for p in planned_damage(ctx, pair) if p.dice and not any(agrees(p, t) for t in told)]
    return list(plan) if not used else []


def _dropped_cover(ctx: Context, pair: Pair) -> list[Claim]:
    """Return the plan's cover where the prose tells of none: another degree is a rule of its own."""
    if any(isinstance(c, Cover) for c in ctx.claims(pair.prose)):
        return []
    return [c for c in ctx.planned(pair.plan, Cover) if c.degree.id]


def _dropped_conditions(ctx: Context, pair: Pair) -> list[Claim]:
    """Return the conditions that the plan puts on whoever fails, and of which the prose has no word."""
    told = {c.condition.id for c in ctx.claims(pair.prose) if isinstance(c, Condition)}
    if ctx.planned(pair.plan, Fall) or ctx.told(pair.prose, Fall):
        told.add("prone")
    return [
        c
        for c in ctx.planned(pair.plan, Condition)
        if c.mechanical and not c.negated and c.condition.id and c.condition.id not in told
    ]


def _dropped_halves(ctx: Context, pair: Pair) -> list[Claim]:
    """Return the plan's damage of which a success leaves half, where the prose says nothing of it."""
    half = ctx.phrases("half_damage")
    if half.any(ctx.words(pair.prose)):
        return []
    return [
        c for c in ctx.planned(pair.plan, Damage) if half.any(ctx.plan_sentence(pair.plan, c.start).words)
    ]
