"""Duels by sampling: seeded, many at once, with the standard error; for what is too large to compute."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.odds.combatants import Combatant, First, can_hurt, check_sides, first_chance, turn_damage
from rules.odds.duel import DuelOdds, opening_turns
from rules.odds.errors import OddsError
from rules.odds.spread import Spread

BATCH = 1 << 15
"""Duels at once: their hit points stay in the processor's cache."""
MOST_TABLE = 1 << 18
"""Equally likely cases up to which damage is drawn from a table of them all, with no rounding."""
MOST_SAMPLES = 100_000_000
MOST_DRAWS = 500_000_000
"""Rounds in all: some twenty seconds."""
USUAL_DRAWS = 20_000_000
"""Rounds in all where nobody says how many duels are wanted: about a second."""
USUAL_SAMPLES = 1_000_000
FEWEST_SAMPLES = 1_000
LONGEST = 20_000
"""Rounds that a duel is expected to last at most."""


class Sampler:
    """Draws damage, many at once."""

    def __init__(self, damage: Spread) -> None:
        outcomes = np.array([outcome for outcome, _ in damage.items()], dtype=np.int32)
        weights = [weight for _, weight in damage.items()]
        self._total = damage.total
        self._outcomes = outcomes
        self._table = np.repeat(outcomes, weights) if damage.total <= MOST_TABLE else None
        self._below = np.cumsum([weight / damage.total for weight in weights])[:-1]

    def draw(self, generator: np.random.Generator, count: int) -> NDArray[np.int32]:
        """Return independent draws."""
        if self._table is not None:
            return self._table[generator.integers(0, self._total, count, dtype=np.uint32)]
        return self._outcomes[np.searchsorted(self._below, generator.random(count), side="right")]


@dataclass(slots=True)
class _Tally:
    """What was counted."""

    duels: int = 0
    wins_a: int = 0
    wins_b: int = 0
    rounds: int = 0
    left_a: int = 0
    left_b: int = 0


@dataclass(frozen=True, slots=True)
class _Side:
    """One side as the loop needs it: who acts `turns[i]` in round `i`, the last one from then on."""

    turns: tuple[Sampler, ...]
    hp: int

    def sampler(self, number: int) -> Sampler:
        return self.turns[min(number, len(self.turns) - 1)]


def sample_duel(
    a: Combatant, b: Combatant, first: First = "a", samples: int = 1_000_000, seed: int = 0
) -> DuelOdds:
    """Return the odds of a duel by playing it so many times; the same seed gives the same odds.

    Raises:
        OddsError: figures, dice or samples out of bounds, or a duel that would last too long.
    """
    check_sides(a, b)
    if not 1 <= samples <= MOST_SAMPLES:
        raise OddsError("bad_samples", found=samples, least=1, most=MOST_SAMPLES)
    _check_length(a, b, samples)
    generator = np.random.Generator(np.random.PCG64(seed))
    side_a, side_b = _sides(a, b)
    tally = _Tally()
    leading = int(generator.binomial(samples, first_chance(a, b, first)))
    for number, one, other, is_a in (
        (leading, side_a, side_b, True),
        (samples - leading, side_b, side_a, False),
    ):
        for begin in range(0, number, BATCH):
            _play(one, other, min(BATCH, number - begin), generator, tally, is_a)
    return _odds(tally)


def usual_samples(a: Combatant, b: Combatant) -> int:
    """Return how many duels take about a second, a million at most.

    Raises:
        OddsError: figures or dice out of bounds, or neither side can hurt the other.
    """
    check_sides(a, b)
    return min(USUAL_SAMPLES, max(FEWEST_SAMPLES, int(USUAL_DRAWS / expected_rounds(a, b))))


def expected_rounds(a: Combatant, b: Combatant) -> float:
    """Return about how many rounds a duel lasts at most.

    Raises:
        OddsError: neither side can hurt the other.
    """
    if not (can_hurt(a, b) or can_hurt(b, a)):
        raise OddsError("endless")
    rates = (turn_damage(a, b).mean / b.hp, turn_damage(b, a).mean / a.hp)
    return 1 / max(rates)


def _check_length(a: Combatant, b: Combatant, samples: int) -> None:
    """Refuse duels that nobody can end, or not soon."""
    rounds = expected_rounds(a, b)
    if rounds > LONGEST or rounds * samples > MOST_DRAWS:
        raise OddsError("endless")


def _sides(a: Combatant, b: Combatant) -> tuple[_Side, _Side]:
    by_a, by_b = opening_turns(a, b)
    turns_a = tuple(map(Sampler, (*by_a, turn_damage(a, b))))
    turns_b = tuple(map(Sampler, (*by_b, turn_damage(b, a))))
    return _Side(turns_a, a.hp), _Side(turns_b, b.hp)


def _play(
    one: _Side, other: _Side, count: int, generator: np.random.Generator, tally: _Tally, one_is_a: bool
) -> None:
    """Play some duels to their end; `one` acts first."""
    hp_one, hp_other = np.full(count, one.hp, np.int32), np.full(count, other.hp, np.int32)
    number = 0
    tally.duels += count
    while len(hp_one):
        tally.rounds += len(hp_one)
        hp_other -= one.sampler(number).draw(generator, len(hp_one))
        hp_one, hp_other = _leave(hp_one, hp_other, hp_other > 0, tally, one_is_a)
        hp_one -= other.sampler(number).draw(generator, len(hp_one))
        hp_other, hp_one = _leave(hp_other, hp_one, hp_one > 0, tally, not one_is_a)
        number += 1


def _leave(
    winner: NDArray[Any], loser: NDArray[Any], goes_on: NDArray[Any], tally: _Tally, winner_is_a: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Count the duels that ended, and return the others."""
    staying = np.flatnonzero(goes_on)
    ended = len(winner) - len(staying)
    if not ended:
        return winner, loser
    rest = winner[staying]
    left = int(winner.sum(dtype=np.int64)) - int(rest.sum(dtype=np.int64))
    if winner_is_a:
        tally.wins_a += ended
        tally.left_a += left
    else:
        tally.wins_b += ended
        tally.left_b += left
    return rest, loser[staying]


def _odds(tally: _Tally) -> DuelOdds:
    p_a = tally.wins_a / tally.duels
    # Who won all or none may still have lost or won the next one.
    guess = p_a if 0 < p_a < 1 else (tally.wins_a + 0.5) / (tally.duels + 1)
    return DuelOdds(
        p_a,
        tally.wins_b / tally.duels,
        tally.rounds / tally.duels,
        tally.left_a / tally.wins_a if tally.wins_a else 0.0,
        tally.left_b / tally.wins_b if tally.wins_b else 0.0,
        sqrt(guess * (1 - guess) / tally.duels),
        tally.duels,
    )
