"""Prose against plan: mechanics that the plan does not have."""

from collections.abc import Iterable, Iterator, Sequence

from rules.checks.check_drift import comparison
from rules.checks.context import Context, Pair, passages_of
from rules.checks.damage_drift import different_damage, listed, prose_hit
from rules.checks.hit import Hit
from rules.checks.text import contains, flat, fold
from rules.claims.model import (
    Advantage,
    ArmorClass,
    Attack,
    BareDC,
    Check,
    Claim,
    Condition,
    Cover,
    DCChange,
    Duration,
    Fall,
    HitPoints,
    Save,
    TermUse,
)

_NEAR = 12
"""Characters between two figures that are told in one breath (`10 PV y CA 13`)."""
_MOST_SPACES = 6
"""Characters between a bracket and the figure in it: spaces and emphasis."""
_VERBS_BOOK, _VERBS = "variants", "causes_"
_SOON = 24
"""Characters between a verb that imposes a condition and the time that it lasts."""
_HELD = ("restrained", "grappled")
"""Two conditions that Spanish texts call by one word."""
_PLACES = ("difficult_terrain", "heavily_obscured", "lightly_obscured")
"""Terms that say what a place does to those in it."""


def mechanic_not_in_plan(ctx: Context) -> Iterator[Hit]:
    """The prose states a mechanic that the plan does not have."""
    for pair in ctx.pairs:
        yield from comparison(ctx, pair).extra_saves
        yield from _extra_damage(ctx, pair)
        yield from _extra_stats(ctx, pair)
        yield from _extra_conditions(ctx, pair)
        yield from _extra_verbs(ctx, pair)
        yield from _extra_cover(ctx, pair)
        yield from _extra_advantage(ctx, pair)
        yield from _extra_others(ctx, pair)


def _extra_damage(ctx: Context, pair: Pair) -> Iterator[Hit]:
    for damage, planned in different_damage(ctx, pair):
        if not planned:
            yield prose_hit(ctx, pair, damage, _extra_message(ctx, damage))


def _extra_message(ctx: Context, claim: Claim) -> str:
    return ctx.say("mechanic-not-in-plan.message", mechanic=flat(claim.quote))


def _extra_stats(ctx: Context, pair: Pair) -> Iterator[Hit]:
    armor = {c.value for c in ctx.planned(pair.plan, ArmorClass)}
    points = {c.value for c in ctx.planned(pair.plan, HitPoints)}
    instead = {hit.start for hit in comparison(ctx, pair).replaced}
    told = (c for c in ctx.told(pair.prose, ArmorClass) if c.start not in instead)
    extra: list[Claim] = [c for c in told if c.value not in armor]
    extra += [
        c
        for c in ctx.told(pair.prose, HitPoints)
        if not c.change and c.value is not None and c.value not in points
    ]
    extra = [c for c in extra if not _of_a_known_creature(ctx, pair, c)]
    planned = [*ctx.planned(pair.plan, ArmorClass), *ctx.planned(pair.plan, HitPoints)]
    expected = listed(ctx, planned)
    for start, end in _joined(sorted((c.start, c.end) for c in extra)):
        quote = flat(ctx.source[start:end])
        message = ctx.say("mechanic-not-in-plan.message", mechanic=quote)
        yield Hit(pair.scene, "prose", start, end, message, expected)


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
    names = [fold(n).split() for n in (*ctx.facts.stat_blocks, *(sheet.name for sheet in ctx.facts.party))]
    if ctx.source[max(0, claim.start - _MOST_SPACES) : claim.start].rstrip(" *_").endswith("("):
        # In brackets it is the figure of what stands before them (`Merrow leans on the rail (AC 13)`).
        return any(name and words[-len(name) :] == name for name in names)
    return any(contains(name, words) for name in names)


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


def _extra_verbs(ctx: Context, pair: Pair) -> Iterator[Hit]:
    """Give the conditions that a verb imposes for a stated time (`a failure poisons for one minute`)."""
    planned = {c.condition.id for c in ctx.planned(pair.plan, Condition)}
    for name in ctx.marks(pair.prose, _VERBS_BOOK):
        if not name.startswith(_VERBS) or name.removeprefix(_VERBS) in planned:
            continue
        if any(name in ctx.marks(passage, _VERBS_BOOK) for passage in passages_of(pair.plan)):
            continue
        for mark in ctx.marked(pair.prose, name, _VERBS_BOOK):
            lasting = ctx.told_between(
                pair.prose, Duration, mark.end, min(mark.sentence.end, mark.end + _SOON)
            )
            if lasting:
                span = (mark.start, lasting[0].end)
                quote = flat(ctx.source[mark.start : lasting[0].end])
                message = ctx.say("mechanic-not-in-plan.message", mechanic=quote)
                yield ctx.clause_hit(pair.scene, "prose", pair.prose, span, message)
                break


def _extra_cover(ctx: Context, pair: Pair) -> Iterator[Hit]:
    planned = ctx.planned(pair.plan, Cover)
    known = {c.degree.id for c in planned}
    for claim in ctx.told(pair.prose, Cover):
        if claim.degree.id and claim.degree.id not in known and None not in known:
            known.add(claim.degree.id)
            expected = listed(ctx, planned)
            yield prose_hit(ctx, pair, claim, _extra_message(ctx, claim), expected)


def _extra_advantage(ctx: Context, pair: Pair) -> Iterator[Hit]:
    known = {c.mode for c in ctx.planned(pair.plan, Advantage)}
    for claim in ctx.told(pair.prose, Advantage):
        if claim.mode not in known:
            known.add(claim.mode)
            yield _clause(ctx, pair, claim)


def _extra_others(ctx: Context, pair: Pair) -> Iterator[Hit]:
    """Give what else the plan lacks: healing, places that hinder, attack bonuses, DCs that change."""
    for claim in _healing(ctx, pair):
        yield prose_hit(ctx, pair, claim, _extra_message(ctx, claim))
    places = {c.term.id for c in ctx.planned(pair.plan, TermUse)}
    for term in ctx.told_once(pair.prose, TermUse):
        if term.term.id in _PLACES and term.term.id not in places:
            places.add(term.term.id)
            yield _clause(ctx, pair, term)
    bonuses = {c.bonus for c in ctx.planned(pair.plan, Attack)}
    for attack in ctx.told(pair.prose, Attack):
        if attack.bonus is None or attack.bonus in bonuses or _of_a_known_creature(ctx, pair, attack):
            continue
        yield _clause(ctx, pair, attack)
    yield from _changes(ctx, pair)


def _healing(ctx: Context, pair: Pair) -> Iterator[HitPoints]:
    planned = {(c.value, c.dice) for c in ctx.planned(pair.plan, HitPoints)}
    for points in ctx.told(pair.prose, HitPoints):
        gained = points.change == "gain" or points.temporary
        if gained and (points.value, points.dice) not in planned and (points.value or points.dice):
            yield points


def _changes(ctx: Context, pair: Pair) -> Iterator[Hit]:
    """Give the changes of a DC where the plan has none, and no DC on a condition."""
    rolls = (*ctx.planned(pair.plan, Check), *ctx.planned(pair.plan, Save), *ctx.planned(pair.plan, BareDC))
    if ctx.planned(pair.plan, DCChange) or any(len(c.dcs) > 1 for c in rolls):
        return
    for change in ctx.told_once(pair.prose, DCChange):
        if change.by is not None:
            yield _clause(ctx, pair, change)


def _clause(ctx: Context, pair: Pair, claim: Claim) -> Hit:
    span = (claim.start, claim.end)
    return ctx.clause_hit(pair.scene, "prose", pair.prose, span, _extra_message(ctx, claim))
