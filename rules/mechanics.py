"""A plan's mechanics: the claims that its prose must place, each with the reference by which it does."""

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase

from rules.claims.extract import extract
from rules.claims.model import Claim, Condition, Distance, Duration, HitPoints, Roll
from rules.claims.phrase import phrase
from rules.document import FieldKey, Passage, PlanScene
from rules.ruleset import Ruleset

ALWAYS_PLACED = frozenset(
    {
        "check",
        "save",
        "dc",
        "dc_change",
        "attack",
        "armor_class",
        "armor_bonus",
        "hit_points",
        "damage",
        "cover",
        "condition",
        "advantage",
    }
)
"""Kinds that count wherever the plan's situation, action, outcomes or change of state say them."""
PLACED_IN_PLAY = frozenset({"roll", "distance", "duration"})
"""Kinds that count only where something is done or follows; elsewhere they are scenery."""
PLAY: tuple[FieldKey, ...] = ("player_action", "outcomes")
FIELDS: tuple[FieldKey, ...] = ("situation", "player_action", "outcomes", "state_change")
PLAIN_DICE = (20, 100)
"""Sides of dice that only make a roll, not an amount."""


@dataclass(frozen=True, slots=True)
class PlannedMechanic:
    """One mechanical statement of a plan."""

    ref: str
    """`scene-letter`: `5.1-a`, … `5.1-z`, `5.1-aa`."""
    kind: str
    text: str
    """Words and numbers to print."""
    claim: Claim
    """The first place where the plan says it."""


def letters(number: int) -> str:
    """Return the letters of a number from 0: `a` … `z`, `aa`, `ab` …"""
    found = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, len(ascii_lowercase))
        found = ascii_lowercase[rest] + found
    return found


def _passages(plan: PlanScene) -> Iterator[tuple[FieldKey, Passage]]:
    for key in FIELDS:
        if (field := plan.field(key)) is not None:
            yield key, field.text
        elif key == "outcomes":
            for outcome in plan.outcomes:
                yield key, outcome.text


def is_placed(claim: Claim, key: FieldKey) -> bool:
    """Tell whether prose must place a claim that stands in that field of the plan."""
    if isinstance(claim, Condition) and (claim.negated or not claim.mechanical):
        return False
    if isinstance(claim, HitPoints) and claim.value == 0:
        return False  # `cae a 0 PG` is a state, not a figure
    if claim.kind in ALWAYS_PLACED:
        return not claim.in_speech
    if claim.kind not in PLACED_IN_PLAY or key not in PLAY:
        return False
    if isinstance(claim, Roll):
        return claim.dice.sides not in PLAIN_DICE
    if isinstance(claim, Duration):
        return not claim.until
    return not (isinstance(claim, Distance) and claim.converted)


def placed_claims(plan: PlanScene, language: str, ruleset: Ruleset) -> Iterator[Claim]:
    """Yield the claims of a plan that its prose must place, in the order of its fields.

    Raises:
        UnknownLanguageError: text in that language cannot be read.
    """
    for key, passage in _passages(plan):
        yield from (c for c in extract(passage, language, ruleset) if is_placed(c, key))


def mechanics(plan: PlanScene, language: str, ruleset: Ruleset) -> tuple[PlannedMechanic, ...]:
    """Return the mechanics of a plan, in order, each once.

    Raises:
        UnknownLanguageError: text in that language cannot be read.
    """
    first: dict[tuple[str, str], Claim] = {}
    for claim in placed_claims(plan, language, ruleset):
        first.setdefault((claim.kind, phrase(claim, language, ruleset)), claim)
    return tuple(
        PlannedMechanic(f"{plan.id}-{letters(n)}", kind, text, claim)
        for n, ((kind, text), claim) in enumerate(first.items())
    )
