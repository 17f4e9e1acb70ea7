"""Prose against plan: checks, saves and DCs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rules.checks import replacements
from rules.checks.conditional_dcs import misplaced_dcs, planned_dcs
from rules.checks.context import Context, Pair
from rules.checks.hit import Hit
from rules.checks.resolutions import Resolution, keys, same_check, same_save, unplaced
from rules.checks.ruled import as_ruled
from rules.checks.text import flat
from rules.claims.model import ArmorClass, Attack, BareDC, Check, DCChange, Save
from rules.claims.model import Claim as AnyClaim

_MOST_AROUND = 20
"""Words of a sentence around a check that tell what it deals with."""


@dataclass(slots=True)
class Comparison:
    """What the comparison of one scene's checks found, by rule."""

    dcs: list[Hit] = field(default_factory=list[Hit])
    replaced: list[Hit] = field(default_factory=list[Hit])
    extra: list[Hit] = field(default_factory=list[Hit])
    extra_saves: list[Hit] = field(default_factory=list[Hit])


def dc_drift(ctx: Context) -> Iterator[Hit]:
    """A check or save of the plan has another DC in the prose."""
    for pair in ctx.pairs:
        yield from comparison(ctx, pair).dcs


def check_drift(ctx: Context) -> Iterator[Hit]:
    """What the plan resolves in one way, the prose resolves in another."""
    for pair in ctx.pairs:
        yield from comparison(ctx, pair).replaced


def check_not_in_plan(ctx: Context) -> Iterator[Hit]:
    """The prose asks for a check that the plan does not have."""
    for pair in ctx.pairs:
        yield from comparison(ctx, pair).extra


def comparison(ctx: Context, pair: Pair) -> Comparison:
    """Hold a scene's checks, saves and DCs against its plan, once."""
    return ctx.keep("checks", f"{pair.scene}@{pair.prose.start}", lambda: _compare(ctx, pair))


def _compare(ctx: Context, pair: Pair) -> Comparison:
    found = Comparison()
    left = unplaced(ctx, pair)
    _compare_checks(ctx, pair, left, found)
    _compare_saves(ctx, pair, left, found)
    _compare_attacks(ctx, pair, left, found)
    _compare_loose(ctx, pair, found)
    for change, expected, start in misplaced_dcs(ctx, pair):
        message = ctx.say("dc-drift.condition", dc=flat(change.quote), planned=expected)
        source = ctx.plan_source(pair.plan, start)
        found.dcs.append(
            ctx.clause_hit(
                pair.scene, "prose", pair.prose, (change.start, change.end), message, expected, source
            )
        )
    return found


def _compare_checks(ctx: Context, pair: Pair, left: list[Resolution], found: Comparison) -> None:
    once = ctx.told_once(pair.prose, Check)
    for check in ctx.told(pair.prose, Check):
        twins = _twins(check, ctx.planned(pair.plan, Check))
        target = _instead_of_an_attack(ctx, pair, check, twins, left)
        target = target or _with_another_dc(ctx, pair, check, twins, left)
        if target is not None:
            left.remove(target)
            found.replaced.append(_replaced(ctx, pair, check, target))
        elif twins:
            _compare_dc(ctx, pair, check, twins, once, found)
        elif any(o.skill and o.skill.status in ("wrong", "unknown") for o in check.options):
            continue  # unknown-skill tells it: which skill is meant is not known
        elif left:
            found.replaced.append(_replaced(ctx, pair, check, left.pop(0)))
        else:
            message = ctx.say("check-not-in-plan.message", check=flat(check.quote))
            found.extra.append(_hit(ctx, pair, check, message))


def _twins(check: Check, planned: Sequence[Check]) -> list[Check]:
    """Return the plan's checks that a check may be: those of its skill, or else those of its ability."""
    alike = [c for c in planned if same_check(check, c)]
    skilled = [c for c in alike if check.skills and keys(check) & keys(c)]
    return skilled or alike


def _instead_of_an_attack(
    ctx: Context, pair: Pair, check: Check, twins: Sequence[Check], left: Sequence[Resolution]
) -> Resolution | None:
    """Return the AC of the plan that the prose leaves out and whose owner this check deals with instead."""
    if not any(one.is_target for one in left):
        return None
    sentence = ctx.sentence_at(pair.prose, check.start)
    told = ctx.stems_of(sentence.around(check.start, check.end, _MOST_AROUND))
    own = max((_shared(ctx, pair, told, twin.start) for twin in twins), default=0)
    near = [(_shared(ctx, pair, told, one.start), one) for one in left if one.is_target]
    most, target = max(near, key=lambda pair: pair[0], default=(0, None))
    return target if most > own else None


def _with_another_dc(
    ctx: Context, pair: Pair, check: Check, twins: Sequence[Check], left: Sequence[Resolution]
) -> Resolution | None:
    """Return the roll that the prose leaves out and whose DC this check has, and not its namesake's."""
    if check.dc is None or not twins or check.dc in planned_dcs(ctx, pair.plan, twins):
        return None
    return next((one for one in left if one.dc == check.dc), None)


def _shared(ctx: Context, pair: Pair, told: frozenset[str], start: int) -> int:
    """Return how many stems of the prose stand before a place of the plan, in its clause."""
    sentence = ctx.plan_sentence(pair.plan, start)
    return len(told & ctx.stems_of(sentence.just_before(start, _MOST_AROUND)))


def _compare_dc(
    ctx: Context, pair: Pair, check: Check, twins: Sequence[Check], told: Sequence[Check], found: Comparison
) -> None:
    planned = planned_dcs(ctx, pair.plan, twins)
    wrong = next((d for d in check.dcs if planned and d.value not in planned), None)
    if wrong is None:
        return
    others = (c for c in told if c is not check and c.dc in planned)
    placed = any(keys(c) & keys(twin) for c in others for twin in twins)
    if placed and check.dcs[0] is wrong:
        message = ctx.say("check-not-in-plan.second", check=flat(check.quote), planned=flat(twins[0].quote))
        found.extra.append(_hit(ctx, pair, check, message, source=ctx.plan_source(pair.plan, twins[0].start)))
        return
    expected = as_ruled(ctx, twins[0])
    message = ctx.say("dc-drift.message", dc=wrong.value, planned=flat(twins[0].quote))
    source = ctx.plan_source(pair.plan, twins[0].start)
    known = replacements.difficulty(ctx, check, tuple(planned))
    found.dcs.append(replace(_hit(ctx, pair, check, message, expected, source), replacement=known))


def _replaced(ctx: Context, pair: Pair, claim: AnyClaim, resolution: Resolution) -> Hit:
    message = ctx.say("check-drift.message", check=flat(claim.quote), planned=resolution.text)
    return _hit(ctx, pair, claim, message, resolution.right, ctx.plan_source(pair.plan, resolution.start))


def _compare_saves(ctx: Context, pair: Pair, left: list[Resolution], found: Comparison) -> None:
    planned = ctx.planned(pair.plan, Save)
    for save in ctx.told(pair.prose, Save):
        twins = [p for p in planned if same_save(p, save)]
        values = {d.value for p in twins for d in p.dcs}
        if save.death:
            continue
        if twins and (not values or all(d.value in values for d in save.dcs)):
            continue
        other = (
            next((one for one in left if one.dc == save.dc), None) if twins and save.dc is not None else None
        )
        if other is not None:
            left.remove(other)
            found.replaced.append(_replaced(ctx, pair, save, other))
        elif twins:
            right = as_ruled(ctx, twins[0])
            message = ctx.say("dc-drift.message", dc=save.dc, planned=flat(twins[0].quote))
            source = ctx.plan_source(pair.plan, twins[0].start)
            known = replacements.difficulty(ctx, save, tuple(values))
            hit = _hit(ctx, pair, save, message, right, source)
            found.dcs.append(replace(hit, replacement=known))
        elif _planned_bare(ctx, pair, save):
            continue
        elif left:
            found.replaced.append(_replaced(ctx, pair, save, left.pop(0)))
        else:
            message = ctx.say("mechanic-not-in-plan.message", mechanic=flat(save.quote))
            found.extra_saves.append(_hit(ctx, pair, save, message))


def _compare_attacks(ctx: Context, pair: Pair, left: list[Resolution], found: Comparison) -> None:
    """Find the attack rolls against an AC of the prose's own that stand for the plan's check or save."""
    planned = {c.value for c in ctx.planned(pair.plan, ArmorClass)}
    attack = ctx.phrases("attack_words")
    for armor in ctx.told(pair.prose, ArmorClass):
        rolls = [one for one in left if not one.is_target]
        sentence = ctx.sentence_at(pair.prose, armor.start)
        if rolls and armor.value not in planned and attack.any(sentence.words):
            told = ctx.stems(sentence)
            target = max(rolls, key=lambda one: _shared(ctx, pair, told, one.start))
            left.remove(target)
            found.replaced.append(_replaced(ctx, pair, armor, target))
    bonuses = {a.bonus for a in ctx.planned(pair.plan, Attack)}
    bonuses |= {a.attack for block in ctx.facts.stat_blocks.values() for a in block.actions}
    for roll in ctx.told(pair.prose, Attack):
        saves = [one for one in left if not one.is_target]
        if saves and roll.bonus is not None and roll.bonus not in bonuses:
            told = ctx.stems(ctx.sentence_at(pair.prose, roll.start))
            target = max(saves, key=lambda one: _shared(ctx, pair, told, one.start))
            left.remove(target)
            found.replaced.append(_replaced(ctx, pair, roll, target))


def _planned_bare(ctx: Context, pair: Pair, save: Save) -> bool:
    """Tell whether the plan has a save in short, as ability and DC (`Fuerza CD 11 o derribado`)."""
    abilities = {a.id for a in save.abilities}
    bare = (c for c in ctx.planned(pair.plan, Check) if not c.skills and not c.named_as_check)
    return save.dc is not None and any(c.dc == save.dc and abilities & set(c.abilities) for c in bare)


def _compare_loose(ctx: Context, pair: Pair, found: Comparison) -> None:
    """Hold the DCs without a check beside them against all DCs of the plan."""
    planned = _all_dcs(ctx, pair)
    for bare in ctx.told(pair.prose, BareDC):
        if not bare.dcs or all(d.value in planned for d in bare.dcs):
            continue
        if planned and not bare.escape:
            expected = ", ".join(str(v) for v in sorted(planned))
            message = ctx.say("dc-drift.loose", dc=bare.dc, planned=expected)
            found.dcs.append(_clause(ctx, pair, bare, message, expected))
        else:
            message = ctx.say("mechanic-not-in-plan.message", mechanic=flat(bare.quote))
            found.extra_saves.append(_clause(ctx, pair, bare, message))


def _all_dcs(ctx: Context, pair: Pair) -> set[int]:
    plan = pair.plan
    values = planned_dcs(ctx, plan, ctx.planned(plan, Check))
    values |= {d.value for s in ctx.planned(plan, Save) for d in s.dcs}
    values |= {d.value for b in ctx.planned(plan, BareDC) for d in b.dcs}
    return values | {value for c in ctx.planned(plan, DCChange) for value in c.to}


def _hit(
    ctx: Context, pair: Pair, claim: AnyClaim, message: str, expected: str = "", source: str = ""
) -> Hit:
    return Hit(pair.scene, "prose", claim.start, claim.end, message, expected, source)


def _clause(ctx: Context, pair: Pair, claim: AnyClaim, message: str, expected: str = "") -> Hit:
    return ctx.clause_hit(pair.scene, "prose", pair.prose, (claim.start, claim.end), message, expected)
