"""Which rolls a scene asks for: claims of its plan, and how the words between them join them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rules.checks.context import Context
from rules.checks.text import Sentence, fold
from rules.claims.model import ArmorClass, BareDC, Check, CheckOption, Claim, Save
from rules.document import Passage, PlanScene
from rules.odds.checks import RollMode
from rules.playtest import foes, manner
from rules.playtest.model import Throw, Trial
from rules.playtest.phrasing import has_figure, phrases

USUAL_DC = 15
"""DC of a roll whose plan states none: medium, by the rules' ladder."""
MOST_THROWS = 12
"""Rolls of one scene that are looked at."""
_NEAR = 3
"""Words before a roll in which a plain `and` joins it to the one before."""
_FIELDS = ("player_action", "situation")


FIGHT = Throw("fight", "", (), 0)


class Found(NamedTuple):
    """A roll or a fight, and where the text asks for it."""

    claim: Claim | None
    """None: a fight."""
    throw: Throw
    start: int
    end: int


def trials(ctx: Context, scene: PlanScene, fought: bool = False) -> tuple[tuple[Trial, ...], frozenset[str]]:
    """Return the ways to roll for a scene, and codes of what had to be supposed.

    The players' action states them, else the situation. Where the scene's fight can be fought, it is one of
    them if the action asks for it, in its place among the rolls; without a roll, it is all.
    """
    for key in _FIELDS:
        field = scene.field(key)
        found = _throws(ctx, field.text)[:MOST_THROWS] if field else []
        if field and found:
            fight = _fight(ctx, field.text, found) if fought and key == _FIELDS[0] else []
            whole = sorted([*found, *fight], key=lambda one: one.start)
            return _joined(ctx, field.text, whole), frozenset(
                _supposed(whole, _has_wrong_dc(ctx, field.text))
            )
    wrong = any(_has_wrong_dc(ctx, field.text) for key in _FIELDS if (field := scene.field(key)))
    return ((FIGHT,),) if fought else (), frozenset({"wrong_dc"} if wrong else ())


def _has_wrong_dc(ctx: Context, passage: Passage) -> bool:
    """Tell whether a text states a figure as a DC that is none: beyond what is read as one."""
    return has_figure(ctx, passage, "dc")


def _fight(ctx: Context, passage: Passage, found: Sequence[Found]) -> list[Found]:
    """Return the fight that an action asks for besides rolls; an attack roll that is told is the fight's."""
    place = foes.asked(ctx, passage)
    if place is None or any(one.throw.kind == "attack" for one in found):
        return []
    return [Found(None, FIGHT, place.start, place.end)]


class _Setting(NamedTuple):
    """What is known of all rolls of a text before one of them is read."""

    passage: Passage
    rolls: Sequence[Claim]
    modes: Mapping[int, RollMode]
    has_dc: bool


def _throws(ctx: Context, passage: Passage) -> list[Found]:
    """Return the rolls of a text in order, each once."""
    found: dict[tuple[object, ...], Found] = {}
    rolls = [c for c in ctx.claims(passage) if not c.in_speech and manner.is_roll(c)]
    has_dc = any(isinstance(c, Check | Save | BareDC) and c.dcs for c in rolls)
    setting = _Setting(passage, rolls, manner.modes(ctx, passage, rolls), has_dc)
    before = passage.start
    for claim in rolls:
        if claim.start < before:
            continue  # the passive score that a contest is rolled against is no roll of its own
        for throw in _read(ctx, setting, claim, before):
            key = (throw.kind, throw.traits, throw.dc, throw.who)
            found.setdefault(key, Found(claim, throw, claim.start, claim.end))
            before = claim.end
    return list(found.values())


def _read(ctx: Context, setting: _Setting, claim: Claim, before: int) -> Iterator[Throw]:
    passage = setting.passage
    who = _named(ctx, passage, max(before, ctx.sentence_at(passage, claim.start).start), claim.start)
    mode = setting.modes[claim.start]
    if isinstance(claim, Check):
        yield from _check(ctx, setting, claim, who, mode)
    elif isinstance(claim, Save) and claim.dc is not None and not claim.death:
        traits = tuple(each.id for each in claim.abilities if each.id)
        yield Throw("save", claim.quote, traits, claim.dc, who, mode)
    elif isinstance(claim, BareDC):
        yield _bare(ctx, setting, claim, before, who, mode)
    elif isinstance(claim, ArmorClass):
        yield Throw("attack", claim.quote, (), claim.value, who, mode)


def _bare(ctx: Context, setting: _Setting, claim: BareDC, before: int, who: str, mode: RollMode) -> Throw:
    """Read a DC alone: of an attack told before, of a skill that other words part from it, or of any."""
    passage = setting.passage
    if any(a.start < claim.start for a in _attacks(ctx, passage)):
        return Throw("attack", claim.quote, (), claim.dc, who, mode)
    skill = manner.skill_before(ctx, passage, claim, before)
    if skill is None:
        return Throw("check", claim.quote, (), claim.dc, who, mode)
    kind = "group" if not who and manner.is_group(ctx, passage, claim) else "check"
    text = f"{ctx.ruleset.word('skill', skill, ctx.language)} ({claim.quote})"
    series = manner.series(ctx, passage, claim, setting.rolls) if kind == "check" else None
    return Throw(kind, text, (skill,), claim.dc, who, mode, series)


def _attacks(ctx: Context, passage: Passage) -> Sequence[Sentence]:
    return [s for s in ctx.sentences(passage) if ctx.phrases("fight").any(s.words)]


def _check(ctx: Context, setting: _Setting, claim: Check, who: str, mode: RollMode) -> Iterator[Throw]:
    passage = setting.passage
    if claim.form == "contest":
        yield from _contest(ctx, setting, claim, who, mode)
        return
    if claim.dc is None and (setting.has_dc or not claim.named_as_check):
        return
    sentences = ctx.sentences(passage)
    at = next((i for i, s in enumerate(sentences) if s.end >= claim.end), 0)
    near = [word for s in sentences[max(0, at - 2) : at + 1] for word in s.words]
    everybody = not who and (manner.is_group(ctx, passage, claim) or phrases(ctx, "group").any(near))
    kind = "passive" if claim.form == "passive" else "group" if everybody else "check"
    series = manner.series(ctx, passage, claim, setting.rolls) if kind != "passive" else None
    for traits in _traits(claim):
        yield Throw(kind, claim.quote, traits, claim.dc or USUAL_DC, who, mode, series)


def _contest(ctx: Context, setting: _Setting, claim: Check, who: str, mode: RollMode) -> Iterator[Throw]:
    """Read a contest; against a passive score it is a check with that score as its DC.

    Source: SRD 5.1, Using Ability Scores: Passive Checks.
    """
    own = [roll.start for roll in setting.rolls if roll.start >= claim.end]
    other = manner.rival(ctx, setting.passage, claim, min(own, default=len(ctx.source)))
    kind = "check" if other.passive else "contest"
    for traits in _traits(claim):
        yield Throw(kind, claim.quote, traits, other.figure, who, mode, known=other.known)


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


def _joined(ctx: Context, passage: Passage, found: Sequence[Found]) -> tuple[Trial, ...]:
    """Return alternatives, each of rolls that must all succeed."""
    joints = [_joint(ctx, passage, a, b) for a, b in pairwise(found)]
    for index in range(len(joints) - 2, -1, -1):
        joints[index] = joints[index] or joints[index + 1]
    groups: list[list[Throw]] = [[found[0].throw]]
    for joint, one in zip(joints, found[1:], strict=True):
        if joint == "or":
            groups.append([one.throw])
        else:
            groups[-1].append(one.throw)
    return tuple(tuple(group) for group in groups)


def _joint(ctx: Context, passage: Passage, one: Found, other: Found) -> str:
    """Return `or`, `and`, or nothing where the next joint of a list tells it."""
    if one.claim is other.claim:
        return "and"
    start, end = one.end, other.start
    words = ctx.words_between(passage, start, end)
    lead = ctx.sentence_at(passage, one.start).words
    if one.claim is None or other.claim is None:
        apart = phrases(ctx, "fight_or").any(words) or phrases(ctx, "ways").any(lead)
        return "or" if apart else "and"
    if phrases(ctx, "either").any(words) or phrases(ctx, "ways").any(lead):
        return "or"
    if phrases(ctx, "both").any(words) or phrases(ctx, "both_near").any(words[-_NEAR:]):
        return "and"
    if ctx.sentence_at(passage, start) != ctx.sentence_at(passage, end) or ";" in ctx.source[start:end]:
        return "or"
    return "and" if words else ""


def _supposed(found: Sequence[Found], wrong_dc: bool) -> Iterator[str]:
    if wrong_dc:
        yield "wrong_dc"
    for claim, throw, *_ in found:
        if not throw.known:
            yield "opponent"
        elif not throw.traits and throw.kind == "check":
            yield "no_trait"
        elif isinstance(claim, Check) and claim.dc is None and claim.form != "contest":
            yield "wrong_dc" if wrong_dc else "no_dc"
        if throw.kind == "group" or throw.series:
            yield "several"
