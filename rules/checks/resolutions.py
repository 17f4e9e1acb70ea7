"""How a plan and a prose resolve things: which check answers which, and what was not placed."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.checks.context import Context, Pair
from rules.checks.ruled import as_ruled
from rules.checks.text import flat
from rules.claims.model import ArmorClass, BareDC, Check, HitPoints, Save


@dataclass(frozen=True, slots=True)
class Resolution:
    """A way in which the plan resolves something."""

    text: str
    """As the plan writes it."""
    right: str
    """The same in words of the ruleset."""
    start: int
    is_target: bool = False
    """An AC to be hit, no roll."""
    dc: int | None = None
    """DC of a check or save."""


def keys(check: Check) -> frozenset[str]:
    """Return what a check may be rolled with: each option's skill, or its ability where it has none."""
    parts = (o.skill or o.ability for o in check.options)
    return frozenset(p.id for p in parts if p is not None and p.id)


def same_check(one: Check, other: Check) -> bool:
    """Tell whether two checks have a skill in common, or an ability where one of them names no skill."""
    if keys(one) & keys(other):
        return True
    loose = not one.skills or not other.skills
    return loose and bool(set(one.abilities) & set(other.abilities))


def same_save(one: Save, other: Save) -> bool:
    """Tell whether two saves are of the same ability, or one names none."""
    ids, others = {a.id for a in one.abilities}, {a.id for a in other.abilities}
    return one.death == other.death and (not ids or not others or bool(ids & others))


def unplaced(ctx: Context, pair: Pair) -> list[Resolution]:
    """Return the plan's checks, saves and attacks that have no counterpart in the prose, in order."""
    checks, saves = ctx.told_once(pair.prose, Check), ctx.told_once(pair.prose, Save)
    found = [
        Resolution(flat(c.quote), as_ruled(ctx, c), c.start, dc=c.dc)
        for c in ctx.planned(pair.plan, Check)
        if not any(same_check(c, p) for p in checks)
    ]
    found += [
        Resolution(flat(c.quote), as_ruled(ctx, c), c.start, dc=c.dc)
        for c in ctx.planned(pair.plan, Save)
        if not _is_placed(c, ctx.planned(pair.plan, Save), saves)
    ]
    return sorted([*found, *_attacks(ctx, pair), *_targets(ctx, pair)], key=lambda r: r.start)


def _is_placed(save: Save, planned: Sequence[Save], told: Sequence[Save]) -> bool:
    """Tell whether a prose has a save of the plan: one of its ability that is not another's by its DC."""
    others = {d.value for p in planned if p is not save and same_save(save, p) for d in p.dcs}
    own = {d.value for d in save.dcs}
    return any(same_save(save, t) and (t.dc is None or t.dc in own or t.dc not in others) for t in told)


def _attacks(ctx: Context, pair: Pair) -> list[Resolution]:
    """Return the plan's attacks against a DC (a fault of its own) that the prose does not make."""
    attack = ctx.phrases("attack_words")
    if any(attack.any(ctx.sentence_at(pair.prose, c.start).words) for c in ctx.told_once(pair.prose, BareDC)):
        return []
    found: list[Resolution] = []
    for bare in ctx.planned(pair.plan, BareDC):
        sentence = ctx.plan_sentence(pair.plan, bare.start)
        if attack.any(sentence.words):
            text = flat(ctx.source[sentence.start : sentence.end])
            found.append(Resolution(text, text, bare.start))
    return found


def _targets(ctx: Context, pair: Pair) -> list[Resolution]:
    """Return the plan's Armor Classes that the prose does not state, with the hit points beside them."""
    told = {c.value for c in ctx.told(pair.prose, ArmorClass)}
    points = ctx.planned(pair.plan, HitPoints)
    found: list[Resolution] = []
    for armor in ctx.planned(pair.plan, ArmorClass):
        if armor.value not in told:
            near = next((p for p in points if 0 <= p.start - armor.end <= 20), None)
            text = flat(ctx.source[armor.start : near.end if near else armor.end])
            found.append(Resolution(text, text, armor.start, is_target=True))
    return found
