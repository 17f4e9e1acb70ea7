"""Which rolls a scene asks for: claims of its plan, and how the words between them join them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rules.checks.context import Context
from rules.checks.text import Sentence, fold
from rules.claims.model import Advantage, ArmorClass, BareDC, Check, CheckOption, Claim, Save
from rules.document import Passage, PlanScene
from rules.odds.checks import RollMode
from rules.odds.rolls import mode_of
from rules.playtest.model import Throw, Trial
from rules.playtest.phrasing import phrases

USUAL_DC = 15
"""DC of a roll whose plan states none: medium, by the rules' ladder."""
OPPONENT = 2
"""Bonus of an opponent of whom nothing is known."""
MOST_THROWS = 12
"""Rolls of one scene that are looked at."""
_NEAR = 3
"""Words before a roll in which a plain `and` joins it to the one before."""
_FIELDS = ("player_action", "situation")


class Found(NamedTuple):
    """A roll and the claim that states it."""

    claim: Claim
    throw: Throw


def trials(ctx: Context, scene: PlanScene) -> tuple[tuple[Trial, ...], frozenset[str]]:
    """Return the ways to roll for a scene, and codes of what had to be supposed.

    The players' action states them, else the situation.
    """
    for key in _FIELDS:
        field = scene.field(key)
        found = _throws(ctx, field.text)[:MOST_THROWS] if field else []
        if field and found:
            return _joined(ctx, field.text, found), frozenset(_supposed(found))
    return (), frozenset()


def _throws(ctx: Context, passage: Passage) -> list[Found]:
    """Return the rolls of a text in order, each once."""
    found: dict[tuple[object, ...], Found] = {}
    stated = [c for c in ctx.claims(passage) if not c.in_speech]
    has_dc = any(isinstance(c, Check | Save | BareDC) and c.dcs for c in stated)
    before = passage.start
    for claim in stated:
        for throw in _read(ctx, passage, claim, before, has_dc):
            key = (throw.kind, throw.traits, throw.dc, throw.who)
            found.setdefault(key, Found(claim, throw))
            before = claim.end
    return list(found.values())


def _read(ctx: Context, passage: Passage, claim: Claim, before: int, has_dc: bool) -> Iterator[Throw]:
    who = _named(ctx, passage, max(before, ctx.sentence_at(passage, claim.start).start), claim.start)
    mode = _mode(ctx, passage, claim)
    if isinstance(claim, Check):
        yield from _check(ctx, passage, claim, who, mode, has_dc)
    elif isinstance(claim, Save) and claim.dc is not None and not claim.death:
        traits = tuple(each.id for each in claim.abilities if each.id)
        yield Throw("save", claim.quote, traits, claim.dc, who, mode)
    elif isinstance(claim, BareDC):
        kind = "attack" if any(a.start < claim.start for a in _attacks(ctx, passage)) else "check"
        yield Throw(kind, claim.quote, (), claim.dc, who, mode)
    elif isinstance(claim, ArmorClass):
        yield Throw("attack", claim.quote, (), claim.value, who, mode)


def _attacks(ctx: Context, passage: Passage) -> Sequence[Sentence]:
    return [s for s in ctx.sentences(passage) if ctx.phrases("fight").any(s.words)]


def _check(
    ctx: Context, passage: Passage, claim: Check, who: str, mode: RollMode, has_dc: bool
) -> Iterator[Throw]:
    if claim.form == "contest":
        for traits in _traits(claim):
            yield Throw("contest", claim.quote, traits, OPPONENT, who, mode)
        return
    if claim.dc is None and (has_dc or not claim.named_as_check):
        return
    sentences = ctx.sentences(passage)
    at = next((i for i, s in enumerate(sentences) if s.end >= claim.end), 0)
    near = [word for s in sentences[max(0, at - 2) : at + 1] for word in s.words]
    everybody = not who and phrases(ctx, "group").any(near)
    kind = "passive" if claim.form == "passive" else "group" if everybody else "check"
    for traits in _traits(claim):
        yield Throw(kind, claim.quote, traits, claim.dc or USUAL_DC, who, mode)


def _traits(claim: Check) -> list[tuple[str, ...]]:
    """Return the traits of each roll of a claim: one roll of alternatives, or one of each."""
    options = [trait for option in claim.options if (trait := _trait(option))]
    return [(trait,) for trait in options] if claim.joined == "and" and options else [tuple(options)]


def _trait(option: CheckOption) -> str | None:
    named = (option.skill, option.ability)
    return next((each.id for each in named if each is not None and each.id), None)


def _named(ctx: Context, passage: Passage, start: int, end: int) -> str:
    """Return the character of the party whom the words before a roll name last."""
    words = [word.text for word in ctx.words_between(passage, start, end)]
    found = [
        (words.index(first), sheet.name)
        for sheet in ctx.facts.party
        if (first := _first(sheet.name)) in words
    ]
    return max(found)[1] if found else ""


def _first(name: str) -> str:
    words = fold(name).split()
    return words[0] if words else name


def _mode(ctx: Context, passage: Passage, claim: Claim) -> RollMode:
    """Return how a roll is made by what its own sentence says without a condition."""
    sentence = ctx.sentence_at(passage, claim.start)
    told = ctx.told_between(passage, Advantage, sentence.start, sentence.end)
    conditional = phrases(ctx, "if_words").any(sentence.words)
    free = {a.mode for a in told if a.applies != "attacks" and not conditional}
    return mode_of("advantage" in free, "disadvantage" in free)


def _joined(ctx: Context, passage: Passage, found: Sequence[Found]) -> tuple[Trial, ...]:
    """Return alternatives, each of rolls that must all succeed."""
    joints = [_joint(ctx, passage, a, b) for a, b in pairwise(found)]
    for index in range(len(joints) - 2, -1, -1):
        joints[index] = joints[index] or joints[index + 1]
    groups: list[list[Throw]] = [[found[0].throw]]
    for joint, (_, throw) in zip(joints, found[1:], strict=True):
        if joint == "or":
            groups.append([throw])
        else:
            groups[-1].append(throw)
    return tuple(tuple(group) for group in groups)


def _joint(ctx: Context, passage: Passage, one: Found, other: Found) -> str:
    """Return `or`, `and`, or nothing where the next joint of a list tells it."""
    if one.claim is other.claim:
        return "and"
    start, end = one.claim.end, other.claim.start
    words = ctx.words_between(passage, start, end)
    lead = ctx.sentence_at(passage, one.claim.start).words
    if phrases(ctx, "either").any(words) or phrases(ctx, "ways").any(lead):
        return "or"
    if phrases(ctx, "both").any(words) or phrases(ctx, "both_near").any(words[-_NEAR:]):
        return "and"
    if ctx.sentence_at(passage, start) != ctx.sentence_at(passage, end) or ";" in ctx.source[start:end]:
        return "or"
    return "and" if words else ""


def _supposed(found: Sequence[Found]) -> Iterator[str]:
    for claim, throw in found:
        if throw.kind == "contest":
            yield "opponent"
        elif not throw.traits and throw.kind == "check":
            yield "no_trait"
        elif isinstance(claim, Check) and claim.dc is None:
            yield "no_dc"
