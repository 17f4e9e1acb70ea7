"""Duels until one side is at 0 hit points, exactly: dynamic programming over what both have left."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.odds.combatants import (
    Combatant,
    First,
    can_hurt,
    check_sides,
    first_chance,
    opening_damage,
    turn_damage,
)
from rules.odds.errors import OddsError
from rules.odds.spread import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_WORK = 60_000_000
"""Hit points of both, multiplied, times their sum: about a second of work."""

MOST_HP_EXACT = 1_000
"""Hit points of either: the matrices are as wide as that."""


@dataclass(frozen=True, slots=True)
class DuelOdds:
    """What comes of a duel."""

    p_a: float
    """Probability, 0 to 1, that the first side wins."""
    p_b: float
    """The same of the second; the rest is a duel that never ends."""
    turns: float | None
    """Expected rounds, the last one included; None where it may never end."""
    hp_left_a: float
    """Expected hit points of the first side where it wins; 0 where it cannot."""
    hp_left_b: float
    standard_error: float | None = None
    """Of `p_a`, where it was sampled; None where it is exact."""
    samples: int = 0


def is_exact(a: Combatant, b: Combatant) -> bool:
    """Tell whether a duel is small enough to be computed; larger ones are sampled."""
    return max(a.hp, b.hp) <= MOST_HP_EXACT and a.hp * b.hp * (a.hp + b.hp) <= MOST_WORK


def exact_duel(a: Combatant, b: Combatant, first: First = "a") -> DuelOdds:
    """Return the exact odds of a duel: both attack, turn by turn, until one is at 0 hit points.

    Raises:
        OddsError: figures or dice out of bounds, or too many hit points to be exact.
    """
    check_sides(a, b)
    if not is_exact(a, b):
        raise OddsError("not_exact")
    chance = first_chance(a, b, first)
    a_first, b_first = _expectations(a, b)
    return _weighed(chance, a_first, b_first)


def _expectations(a: Combatant, b: Combatant) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Return what is expected at the start, where the first side acts first and where the other does."""
    from rules.odds import duel_grid  # here: it loads numpy

    if can_hurt(a, b) or can_hurt(b, a):
        grids = duel_grid.solve(turn_damage(a, b), turn_damage(b, a), a.hp, b.hp)
    else:
        grids = duel_grid.nothing(a.hp, b.hp)
    grids = duel_grid.before_opening(grids, *opening_turns(a, b))
    return grids.a_acts[b.hp, a.hp], grids.b_acts[b.hp, a.hp]


def opening_turns(a: Combatant, b: Combatant) -> tuple[tuple[Spread, ...], tuple[Spread, ...]]:
    """Return the damage of both in each round until the openings of both are over."""
    rounds = max(len(a.opening), len(b.opening))
    return _padded(a, b, rounds), _padded(b, a, rounds)


def _padded(one: Combatant, other: Combatant, rounds: int) -> tuple[Spread, ...]:
    return opening_damage(one, other) + (turn_damage(one, other),) * (rounds - len(one.opening))


def _weighed(chance: float, a_first: "NDArray[Any]", b_first: "NDArray[Any]") -> DuelOdds:
    """Return the odds where the first side acts first with that chance; a round begins with who does."""
    from rules.odds.duel_grid import LEFT_A, LEFT_B, TURNS_A, TURNS_B, WINS_A, WINS_B

    mixed = [float(x) for x in chance * a_first + (1 - chance) * b_first]
    p_a, p_b = (min(1.0, max(0.0, mixed[kind])) for kind in (WINS_A, WINS_B))
    turns = chance * float(a_first[TURNS_A]) + (1 - chance) * float(b_first[TURNS_B])
    ends = p_a + p_b > 1 - 1e-9
    left_a, left_b = (mixed[k] / p if p else 0.0 for k, p in ((LEFT_A, p_a), (LEFT_B, p_b)))
    return DuelOdds(p_a, p_b, turns if ends else None, left_a, left_b)
