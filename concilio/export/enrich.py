"""Prose for Foundry VTT: what the rules engine reads as a roll becomes one of the dnd5e system.

Whatever a text holds that Foundry would act on by itself is broken: an invisible word joiner stands before
each opening bracket, without which there is no enricher (`[[/r 1d20]]`, `@UUID[…]`, `&Reference[…]`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from concilio.export.book import Block, Roll
from concilio.export.html import run_html
from concilio.export.rolls import rolls_of
from concilio.export.sheet import Printer
from rules.claims.model import Check, Claim, Condition, Damage, Save
from rules.claims.model import Roll as DiceRoll

if TYPE_CHECKING:
    from collections.abc import Sequence

JOINER = "\u2060"
SKILLS = {
    "acrobatics": "acr",
    "animal_handling": "ani",
    "arcana": "arc",
    "athletics": "ath",
    "deception": "dec",
    "history": "his",
    "insight": "ins",
    "intimidation": "itm",
    "investigation": "inv",
    "medicine": "med",
    "nature": "nat",
    "perception": "prc",
    "performance": "prf",
    "persuasion": "per",
    "religion": "rel",
    "sleight_of_hand": "slt",
    "stealth": "ste",
    "survival": "sur",
}
"""The dnd5e system's keys of the skills."""
ABILITIES = frozenset(("str", "dex", "con", "int", "wis", "cha"))
CONDITIONS = frozenset(
    ("blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated", "invisible")
) | {"paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"}
DAMAGES = frozenset(
    ("acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic")
) | {"radiant", "slashing", "thunder"}


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a block that Foundry shall act on."""

    start: int
    end: int
    text: str
    """What stands there instead, not yet escaped."""


def inert(text: str) -> str:
    """Return a text in which Foundry finds nothing to act on."""
    return text.replace("[", f"{JOINER}[")


def label(text: str) -> str:
    """Return a text as it may stand as the label of an enricher, between braces."""
    return inert(" ".join(text.replace("{", "(").replace("}", ")").split()))


def inline(block: Block, printer: Printer) -> Markup:
    """Return a block's text as HTML, with its rolls."""
    spots = list(_spots(block, printer))
    parts: list[Markup] = []
    at = 0
    for run in block.runs:
        end = at + len(run.text)
        for piece in () if run.code else filter(None, _pieces(run.text, at, spots)):
            parts.append(run_html(run, piece))
        if run.code:
            parts.append(run_html(run, inert(run.text)))
        at = end
    return Markup("").join(parts)


def _pieces(text: str, offset: int, spots: "Sequence[Spot]") -> Iterator[str]:
    """Yield a run's text in pieces; a spot stands where it begins, also when it goes on in the next run."""
    at = offset
    end = offset + len(text)
    for spot in spots:
        if spot.end <= at or spot.start >= end:
            continue
        if spot.start >= at:
            yield inert(text[at - offset : spot.start - offset])
            yield spot.text
        at = min(end, spot.end)
    yield inert(text[at - offset :])


def _spots(block: Block, printer: Printer) -> Iterator[Spot]:
    after = 0
    for claim in block.claims:
        if claim.start < after or claim.in_speech:
            continue
        if text := _enriched(claim, printer):
            after = claim.end
            yield Spot(claim.start, claim.end, text)


def _enriched(claim: Claim, printer: Printer) -> str:
    if isinstance(claim, Check | Save):
        return _rolled(claim, printer)
    if isinstance(claim, Damage) and claim.dice and len(claim.types) < 2:
        kind = claim.types[0].id if claim.types else None
        typed = f" type={kind}" if kind in DAMAGES else ""
        return f"[[/damage {claim.dice}{typed}]]{{{label(claim.quote)}}}"
    if isinstance(claim, Condition) and claim.mechanical and claim.condition.id in CONDITIONS:
        return f"&Reference[{claim.condition.id}]{{{label(claim.quote)}}}"
    if isinstance(claim, DiceRoll):
        return f"[[/r {claim.dice}]]{{{label(claim.quote)}}}"
    return ""


def _rolled(claim: Check | Save, printer: Printer) -> str:
    """Return the roll under the text's own words; several ways or DCs follow them, each by its name."""
    if isinstance(claim, Check) and claim.form != "check":
        return ""
    rolls = [(roll, dc) for roll in rolls_of(claim, printer.language, printer.ruleset) for dc in roll.dcs]
    told = [(text, roll, dc) for roll, dc in rolls if (text := command(roll, dc))]
    if len(told) == 1:
        return f"{told[0][0]}{{{label(claim.quote)}}}"
    names = (f"{text}{{{label(named(roll, dc, printer))}}}" for text, roll, dc in told)
    return f"{inert(claim.quote)} ({', '.join(names)})" if told else ""


def named(roll: Roll, dc: int, printer: Printer) -> str:
    """Return a roll with one DC in words."""
    return f"{printer.roll(roll)} {printer.dc(replace(roll, dcs=(dc,)))}"


def command(roll: Roll, dc: int) -> str:
    """Return the inline roll of a check or saving throw; empty where the system has none such."""
    if roll.kind == "save":
        return f"[[/save ability={roll.ability} dc={dc}]]" if roll.ability in ABILITIES else ""
    if roll.skill is not None:
        return f"[[/check skill={SKILLS[roll.skill]} dc={dc}]]" if roll.skill in SKILLS else ""
    return f"[[/check ability={roll.ability} dc={dc}]]" if roll.ability in ABILITIES else ""


def text_html(text: str) -> Markup:
    """Return a plain text as HTML without anything for Foundry in it."""
    return Markup("<br>").join(escape(inert(line)) for line in text.split("\n"))
