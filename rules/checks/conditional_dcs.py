"""DCs that hold on a condition: which value belongs to which condition, in plan and prose."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.checks.context import Context, Pair
from rules.checks.text import Sentence, flat, stem, words_of
from rules.claims.model import Check, Claim, DCChange
from rules.document import Passage, PlanScene

_LONGEST = 80
"""Characters of a plan's words that a message repeats."""
_TAIL = " .,;:("


@dataclass(frozen=True, slots=True)
class Condition:
    """The DCs that hold under a condition."""

    stems: frozenset[str]
    values: frozenset[int]
    start: int
    """Where the plan says so."""
    told: str
    """In the plan's words."""


def planned_dcs(ctx: Context, plan: PlanScene, checks: Sequence[Check]) -> set[int]:
    """Return every DC that the plan allows for these checks, its changes applied."""
    values = {d.value for c in checks for d in c.dcs}
    for change in ctx.planned(plan, DCChange):
        values |= {v + change.by for v in values} if change.by is not None else set(change.to)
    return values


def misplaced_dcs(ctx: Context, pair: Pair) -> Iterator[tuple[Claim, str, int]]:
    """Give the prose's conditional DCs that the plan gives to another condition, with what the plan says."""
    planned = _conditions(ctx, pair.plan)
    if not planned:
        return
    for change in ctx.told(pair.prose, DCChange):
        wrong = [w for w in (_misplaced(planned, s, v) for s, v in _promised(ctx, pair, change)) if w]
        if wrong:
            yield change, "; ".join(map(_phrase, wrong)), wrong[0].start
    for check in ctx.told(pair.prose, Check):
        for dc in check.dcs:
            stems = _stems(ctx, dc.condition)
            found = _misplaced(planned, stems, dc.value) if dc.condition else None
            if found:
                yield check, _phrase(found), found.start


def _phrase(condition: Condition) -> str:
    values = "/".join(str(v) for v in sorted(condition.values, reverse=True))
    return f"{values} ({condition.told})"


def _shortened(text: str) -> str:
    """Return the beginning of a text, up to a bracket that it does not open, and without one left open."""
    told = flat(text)[:_LONGEST]
    depth, opened = 0, 0
    for at, letter in enumerate(told):
        opened = at if letter == "(" and not depth else opened
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return told[:at].rstrip(_TAIL)
    return (told[:opened] if depth else told).rstrip(_TAIL)


def _misplaced(planned: Sequence[Condition], stems: frozenset[str], value: int) -> Condition | None:
    """Return the plan's condition that is meant, where it has another value; None where that is unclear."""
    scored = sorted(((len(stems & c.stems), i) for i, c in enumerate(planned)), reverse=True)
    if not scored or scored[0][0] == 0 or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    meant = planned[scored[0][1]]
    return None if value in meant.values else meant


def _stems(ctx: Context, text: str) -> frozenset[str]:
    return ctx.stems(Sentence(0, 0, words_of(Passage(text, 0))))


def _conditions(ctx: Context, plan: PlanScene) -> list[Condition]:
    checks = ctx.planned(plan, Check)
    found = [
        Condition(_stems(ctx, d.condition), frozenset({d.value}), d.start, _shortened(d.condition))
        for c in checks
        for d in c.dcs
        if d.condition
    ]
    values = {d.value for c in checks for d in c.dcs}
    for change in ctx.planned(plan, DCChange):
        sentence = ctx.plan_sentence(plan, change.start)
        changed = {v + change.by for v in values} if change.by is not None else set(change.to)
        told = _shortened(ctx.source[sentence.start : sentence.end])
        found.append(Condition(ctx.stems(sentence), frozenset(changed), sentence.start, told))
    return [c for c in found if c.stems]


def _promised(ctx: Context, pair: Pair, change: DCChange) -> Iterator[tuple[frozenset[str], int]]:
    """Give each condition of a change with its value: `if A or B, reduce it to x or y respectively`."""
    sentence = ctx.sentence_at(pair.prose, change.start)
    before = sentence.before(change.start)
    joints = set(ctx.word_list("joints"))
    parts: list[frozenset[str]] = []
    run: list[str] = []
    for word in [*before, None]:
        if word is None or word.text in joints:
            kept = (w for w in run if len(w) > 2 and w not in ctx.small_words)
            parts.append(frozenset(stem(w) for w in kept))
            run = []
        else:
            run.append(word.text)
    if len(change.to) == len(parts):
        yield from zip(parts, change.to, strict=True)
