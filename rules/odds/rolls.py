"""Exact odds of ability checks with whatever is added to the d20, and of contests between two."""

from dataclasses import dataclass
from functools import lru_cache

from rules.odds.attacks import NO_DICE, natural_weights
from rules.odds.checks import RollMode
from rules.odds.dice import Roll, spread
from rules.odds.spread import Spread, add, shifted


@dataclass(frozen=True, slots=True)
class Check:
    """One roll of a d20 with what is added; help is advantage (SRD 5.1, Working Together)."""

    bonus: int
    mode: RollMode = "normal"
    dice: Roll = NO_DICE
    """Rolled and added (*guidance*: 1d4)."""


@dataclass(frozen=True, slots=True)
class ContestOdds:
    """What comes of a contest: probabilities, 0 to 1."""

    win: float
    tie: float
    """Nothing changes: who held the door still holds it."""
    lose: float


def mode_of(advantage: bool, disadvantage: bool) -> RollMode:
    """Return how a d20 is rolled; one of each cancel out, however many there are.

    Source: SRD 5.1, Advantage and Disadvantage.
    """
    if advantage == disadvantage:
        return "normal"
    return "advantage" if advantage else "disadvantage"


@lru_cache(maxsize=1024)
def total_spread(check: Check) -> Spread:
    """Return the exact distribution of a check's total.

    Raises:
        OddsError: the dice are too many.
    """
    natural = Spread(1, natural_weights(check.mode))
    return shifted(add(natural, spread(check.dice)), check.bonus)


def check_chance(check: Check, dc: int) -> float:
    """Return the probability, 0 to 1, that a check reaches a DC.

    A natural 1 or 20 has no special effect.

    Source: SRD 5.1, Using Ability Scores: Ability Checks.
    """
    return total_spread(check).at_least(dc)


def contest(one: Check, other: Check) -> ContestOdds:
    """Return the exact odds of a contest, seen from the first side.

    Source: SRD 5.1, Using Ability Scores: Contests.
    """
    mine, theirs = total_spread(one), total_spread(other)
    cases = mine.total * theirs.total
    win = sum(w * (theirs.total - theirs.weight_at_least(n)) for n, w in mine.items())
    lose = sum(w * theirs.weight_at_least(n + 1) for n, w in mine.items())
    return ContestOdds(win / cases, (cases - win - lose) / cases, lose / cases)


def group_chance(checks: tuple[Check, ...], dc: int) -> float:
    """Return the probability, 0 to 1, that at least half of a group succeeds; 0 with nobody.

    Source: SRD 5.1, Using Ability Scores: Group Checks.
    """
    if not checks:
        return 0.0
    counts = Spread(0, (1,))
    for check in checks:
        total = total_spread(check)
        reached = total.weight_at_least(dc)
        counts = add(counts, Spread(0, (total.total - reached, reached)))
    return counts.at_least((len(checks) + 1) // 2)
