"""Prose against plan: distances. A length is held against the plan only where both tell of the same thing."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.checks import replacements
from rules.checks.context import Context, Pair, passages_of
from rules.checks.hit import Hit
from rules.checks.text import Sentence, flat, stem
from rules.claims.model import Distance
from rules.document import Passage, PlanScene

_AREA = "area"
_TOLERANCE = 0.03
_MOST_COMPARED = 250
"""Lengths of a planned scene against which each of the prose is held: no real one has as many."""
_SHARED_BY = 2
"""Words that two sentences must share where nothing but a word before it says what a length is."""
_MOST_LEFT_OUT = 12
"""Lengths that a prose may leave out and one of them still be told from the others."""
_AROUND = 6
"""Words on each side of a length that tell what it measures, where nothing else does."""
_REACH = 4
"""Words looked at on each side of a length."""


class Told(NamedTuple):
    """A length and what it is the length of."""

    claim: Distance
    kind: str
    """What it measures: the shape of the claim, or `area` for how far something reaches around it."""
    sentence: Sentence
    roles: frozenset[str]
    """`shape:radius`, `move`, `from:altar`, `of:muro`; empty where it cannot be told."""
    stems: frozenset[str]
    near: frozenset[str]
    """Words just before it (`drags them thirty feet`), by their stems."""
    around: frozenset[str]
    """Words on both sides of it, by their stems."""


class Lengths(NamedTuple):
    """Different lengths in metres, sorted, each with what it measures and how often it is told."""

    metres: list[float]
    shapes: list[str]
    times: list[int]

    @classmethod
    def of(cls, told: Sequence[Told]) -> "Lengths":
        """Sort what texts tell."""
        counted = Counter((t.claim.metres, t.kind) for t in told).most_common(_MOST_COMPARED)
        rows = sorted((metres, shape, times) for (metres, shape), times in counted)
        return cls([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows])

    def equal_to(self, metres: float) -> Counter[str]:
        """Count what the lengths that are the same as one measure."""
        found: Counter[str] = Counter()
        at = bisect_left(self.metres, metres * (1 - _TOLERANCE))
        while at < len(self.metres) and _equal(self.metres[at], metres):
            found[self.shapes[at]] += self.times[at]
            at += 1
        return found


def distance_drift(ctx: Context) -> Iterator[Hit]:
    """A length of the plan is another one in the prose."""
    for pair in ctx.pairs:
        told = list(_told(ctx, pair.prose))
        lengths = Lengths.of(told)
        for one in told:
            planned = _counterpart(ctx, pair, one, lengths) if one.roles or one.near else None
            planned = planned or _left_over(ctx, pair, one, lengths)
            if planned is not None:
                scene, twin = planned
                expected = flat(twin.claim.quote)
                message = ctx.say("distance-drift.message", told=flat(one.claim.quote), planned=expected)
                span = (one.claim.start, one.claim.end)
                source = ctx.plan_source(scene, twin.claim.start)
                hit = ctx.clause_hit(pair.scene, "prose", pair.prose, span, message, expected, source)
                plain = twin.claim.shape == "distance" and twin.claim.low is None
                known = replacements.length(ctx, one.claim, expected) if plain else None
                yield replace(hit, replacement=known)


def _told(ctx: Context, passage: Passage) -> Iterator[Told]:
    for claim in ctx.told(passage, Distance):
        sentence = ctx.sentence_at(passage, claim.start)
        kind = _kind(ctx, claim, sentence)
        roles = frozenset(_roles(ctx, claim, kind, sentence))
        near = ctx.stems_of(sentence.before(claim.start)[-_REACH:]) if not roles else frozenset[str]()
        around = ctx.stems_of(sentence.around(claim.start, claim.end, _AROUND))
        yield Told(claim, kind, sentence, roles, ctx.stems(sentence), near, around)


def _kind(ctx: Context, claim: Distance, sentence: Sentence) -> str:
    """Tell what a length measures: `within 30 feet of it` and a radius of 30 feet are one thing."""
    if claim.shape == "radius":
        return _AREA
    if claim.shape != "distance":
        return claim.shape
    before, after = sentence.before(claim.start)[-_REACH:], sentence.after(claim.end)[:_REACH]
    leads = any(end == len(before) for _, end in ctx.phrases("within_before").find(before))
    follows = bool(after) and ctx.phrases("within_after").length_at(after, 0) > 0
    return _AREA if leads or follows else claim.shape


def _roles(ctx: Context, claim: Distance, kind: str, sentence: Sentence) -> Iterator[str]:
    if kind != "distance":
        yield f"shape:{kind}"
    if claim.shape != "distance":
        return
    before = sentence.before(claim.start)[-_REACH:]
    after = [w for w in sentence.after(claim.end)[: _REACH + 2] if w.text not in ctx.word_list("or_less")]
    after = after[:_REACH]
    if ctx.phrases("moving").any(before):
        yield "move"
    if after and after[0].text in ctx.word_list("away_from"):
        anchor = next((w.text for w in after if w.text not in ctx.small_words), "")
        if anchor:
            yield f"from:{stem(anchor)}"
    if before and before[-1].text in ctx.word_list("measured_by"):
        thing = next((w.text for w in reversed(before) if w.text not in ctx.small_words), "")
        if thing:
            yield f"of:{stem(thing)}"


def _counterpart(ctx: Context, pair: Pair, one: Told, lengths: Lengths) -> tuple[PlanScene, Told] | None:
    """Return the plan's length that this one should be; None where there is none or it is right."""
    own = _planned(ctx, pair.plan)
    alike = [p for p in own if p.kind == _AREA] if one.kind == _AREA else []
    if any(_equal(one.claim.metres, p.claim.metres) for p in alike or own):
        return None
    candidates = [(pair.plan, p) for p in own if _same_thing(one, p)]
    if not candidates and any(role.startswith("from:") for role in one.roles):
        earlier = [(s, p) for s in reversed(pair.before) for p in _planned(ctx, s)]
        candidates = [(s, p) for s, p in earlier if _same_thing(one, p, 2)]
    placed = any(_is_placed(ctx, s, p, lengths) for s, p in candidates)
    return candidates[0] if candidates and not placed else None


def _left_over(ctx: Context, pair: Pair, one: Told, lengths: Lengths) -> tuple[PlanScene, Told] | None:
    """Return the plan's only length that the prose leaves out and that is of the same thing as a new one."""
    key = f"{pair.scene}@{pair.prose.start}"
    gone = ctx.keep("lengths left out", key, lambda: _left_out(ctx, pair, lengths))
    if not 0 < len(gone) <= _MOST_LEFT_OUT or _known(ctx, pair).equal_to(one.claim.metres):
        return None
    alike = [p for p in gone if one.around & p.around and _may_be(one, p)]
    return (pair.plan, alike[0]) if len(alike) == 1 else None


def _left_out(ctx: Context, pair: Pair, lengths: Lengths) -> list[Told]:
    return [p for p in _planned(ctx, pair.plan) if not _is_placed(ctx, pair.plan, p, lengths)]


def _is_placed(ctx: Context, plan: PlanScene, one: Told, lengths: Lengths) -> bool:
    """Tell whether the prose keeps a length of the plan: the same, and not only one of another thing.

    Where the plan has a wall and a radius of 3 metres, a prose with the wall alone has lost the radius.
    """
    told = lengths.equal_to(one.claim.metres)
    if one.kind in told:
        return True
    key = str(plan.passage.start)
    planned = ctx.keep("sorted lengths", key, lambda: Lengths.of(_planned(ctx, plan)))
    return bool(told - planned.equal_to(one.claim.metres))


def _known(ctx: Context, pair: Pair) -> Lengths:
    """Return the lengths of a scene's plan and of those just before it."""
    plans = (pair.plan, *pair.before)
    key = f"{pair.scene}@{pair.prose.start}"
    return ctx.keep("known lengths", key, lambda: Lengths.of([p for s in plans for p in _planned(ctx, s)]))


def _may_be(one: Told, other: Told) -> bool:
    """Tell whether two lengths may be one by what they measure: both an area or a move, or neither."""
    same_move = ("move" in one.roles) == ("move" in other.roles)
    return one.kind == other.kind and same_move and one.claim.unit == other.claim.unit


def _planned(ctx: Context, plan: PlanScene) -> list[Told]:
    def once() -> list[Told]:
        told = (t for p in passages_of(plan) for t in _told(ctx, p))
        return list({(t.roles, t.claim.metres, t.stems): t for t in told}.values())[:_MOST_COMPARED]

    return ctx.keep("lengths", str(plan.passage.start), once)


def _same_thing(one: Told, other: Told, shared: int = 1) -> bool:
    if one.roles:
        return bool(one.roles & other.roles) and len(one.stems & other.stems) >= shared
    return bool(one.near & other.near) and len(one.stems & other.stems) >= max(shared, _SHARED_BY)


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= _TOLERANCE * max(one, other)
