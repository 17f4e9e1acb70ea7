"""Mechanics of the ruleset: advantage on attacks of a creature that makes none."""

from collections.abc import Iterator, Sequence

from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.text import Sentence, Word, contains, fold
from rules.claims.model import Advantage, Check, Claim
from rules.facts import StatFacts

_AFTER = 12
"""Words in which a target is named."""
_OWNER_WITHIN = 4
"""Words before advantage or disadvantage in which its owner stands (`the Hollow Choir has …`)."""
_POSSESSOR_WITHIN = 6
"""Words beside `attacks` in which it is told whose they are."""


def save_not_attack(ctx: Context) -> Iterator[Hit]:
    """Advantage or disadvantage is given on attacks of a creature that makes the others roll saves."""
    blocks = {fold(name): block for name, block in ctx.facts.stat_blocks.items()}
    for unit in ctx.units if blocks else ():
        for claim in ctx.told(unit.passage, Advantage):
            if claim.applies != "attacks" and not (claim.applies == "" and _of_attacks(ctx, unit, claim)):
                continue
            block = _attacker(ctx, blocks, unit, claim)
            if block is not None and _only_saves(block, claim.ranged):
                message = ctx.say("save-not-attack.message", name=block.name)
                span = (claim.start, claim.end)
                source = ctx.say("common.stat_block", name=block.name)
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)


def _of_attacks(ctx: Context, unit: Unit, claim: Claim) -> bool:
    """Tell whether a sentence speaks of attacks, and of no other roll (`advantage when it attacks`)."""
    sentence = ctx.sentence_at(unit.passage, claim.start)
    span = (unit.passage, Check, sentence.start, sentence.end)
    others = ctx.told_between(*span) or ctx.phrases("not_an_attack").any(sentence.words)
    return not others and ctx.phrases("attacks_told").any(sentence.words)


def _attacker(ctx: Context, blocks: dict[str, StatFacts], unit: Unit, claim: Claim) -> StatFacts | None:
    sentence = ctx.sentence_at(unit.passage, claim.start)
    owner = _possessor(ctx, blocks, sentence, claim)
    if owner is not None:
        return owner  # `the Hollow Choir's attacks against that creature have advantage`
    whose = _named(blocks, sentence.just_before(claim.start, _OWNER_WITHIN))
    target = ctx.phrases("aimed_against").any(sentence.just_before(claim.start, _OWNER_WITHIN + 2))
    if whose is not None and not target:
        return whose  # `the Hollow Choir has disadvantage on attacks against its bearer`
    before = sentence.before(claim.start)
    turned = next(reversed(list(ctx.phrases("clause_turns").find(before))), None)
    before = before[turned[1] :] if turned else before  # `they flee, but the Hollow Choir …`
    subject = _named(blocks, before)
    others = any(ctx.phrases(name).any(before) for name in ("aimed_against", "of_players"))
    if subject is not None and not others:
        return subject  # `the Hollow Choir rolls its attacks with advantage against whoever …`
    after = [w for w in sentence.words if claim.start <= w.start][:_AFTER]
    if ctx.phrases("against").any(after):
        return None
    return (None if target else _named(blocks, sentence.before(claim.end))) or _named(blocks, after)


def _possessor(
    ctx: Context, blocks: dict[str, StatFacts], sentence: Sentence, claim: Claim
) -> StatFacts | None:
    """Return the block of the creature whose attacks a sentence names as its own (`the attacks of …`)."""
    words = sentence.words
    for first, last in ctx.phrases("own_attacks").find(words) if words[0].start < claim.end else ():
        before = words[max(0, first - _POSSESSOR_WITHIN) : first]
        after = words[last : last + _POSSESSOR_WITHIN]
        mine = [
            block
            for name, block in blocks.items()
            if _ends_with(before, name.split()) or _begins_with(after, name.split())
        ]
        if len(mine) == 1:
            return mine[0]
    return None


def _ends_with(words: Sequence[Word], parts: Sequence[str]) -> bool:
    return bool(parts) and [w.text for w in words[-len(parts) :]] == list(parts)


def _begins_with(words: Sequence[Word], parts: Sequence[str]) -> bool:
    return bool(parts) and [w.text for w in words[: len(parts)]] == list(parts)


def _named(blocks: dict[str, StatFacts], words: Sequence[Word]) -> StatFacts | None:
    """Return the block of the only creature that is named in some words."""
    texts = [w.text for w in words]
    named = [b for name, b in blocks.items() if contains(name.split(), texts)]
    return named[0] if len(named) == 1 else None


def _only_saves(block: StatFacts, ranged: bool) -> bool:
    actions = [a for a in block.actions if not ranged or a.range_m is not None or a.reach_m is None]
    return bool(actions) and all(a.save_dc is not None and a.attack is None for a in actions)
