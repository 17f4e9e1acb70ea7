"""What the plan says, in words of the ruleset: a wrong word of the plan is not what the prose should say."""

from collections.abc import Iterator

from rules.checks import replacements
from rules.checks.context import Context
from rules.checks.hit import Replacement
from rules.checks.text import flat
from rules.claims.model import Check, Claim, Damage, Named, Save
from rules.ruleset import Kind


def as_ruled(ctx: Context, claim: Claim) -> str:
    """Return a claim as it is written, but for words that are wrong and mean one of the ruleset.

    `Reflex save DC 14` is a `Dexterity save DC 14`, `2d6 crushing damage` is `2d6 bludgeoning damage`.
    """
    parts: list[str] = []
    at = claim.start
    for one in sorted(_corrections(ctx, claim), key=lambda r: r.start):
        if at <= one.start and one.end <= claim.end:
            parts += (ctx.source[at : one.start], one.text)
            at = one.end
    return flat("".join((*parts, ctx.source[at : claim.end])))


def _corrections(ctx: Context, claim: Claim) -> Iterator[Replacement]:
    if isinstance(claim, Damage):
        wrong = (named for named in claim.types if named.status == "wrong")
        yield from (r for r in (replacements.damage_type(ctx, claim, named) for named in wrong) if r)
    for kind, named in _names(claim):
        if named.status == "wrong" and named.id:
            right = ctx.ruleset.printed(kind, named.id, ctx.language)
            written = ctx.source[named.start : named.end]
            yield Replacement(named.start, named.end, replacements.cased(written, right))


def _names(claim: Claim) -> Iterator[tuple[Kind, Named]]:
    if isinstance(claim, Save):
        for ability in claim.abilities:
            yield "ability", ability
    elif isinstance(claim, Check):
        for option in claim.options:
            if option.skill:
                yield "skill", option.skill
            if option.ability:
                yield "ability", option.ability
