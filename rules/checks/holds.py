"""Conditions that are told by a verb: who is said to be held, and in which condition of the rules."""

from collections.abc import Iterator

from rules.checks.context import Context, Unit
from rules.claims.model import Condition, Named

HOLDS = ("restrained", "grappled", "paralyzed", "petrified")
"""Conditions that last until something ends them."""
_OBJECT_WITHIN = 5
"""Words after a verb in which it is told who is held."""


def held(ctx: Context, unit: Unit) -> Iterator[Condition]:
    """Give the conditions that hold somebody in a text: those told by their word, then those by a verb."""
    yield from ctx.told(unit.passage, Condition)
    for key in HOLDS if ctx.ruleset.conditions else ():
        for mark in ctx.marked(unit.passage, f"held_{key}"):
            after = mark.sentence.after(mark.end)[:_OBJECT_WITHIN]
            if ctx.phrases("definite").any(mark.sentence.before(mark.start)[-1:]):
                continue  # `against the paralyzed`: they are so, nobody does it
            bound = key != HOLDS[0] or ctx.phrases("holders").any(mark.sentence.words)
            if bound and ctx.phrases("held_objects").any(after):
                told = ctx.source[mark.start : mark.end]
                named = Named(key, told, mark.start, mark.end)
                yield Condition(start=mark.start, end=mark.end, quote=told, condition=named, mechanical=True)
