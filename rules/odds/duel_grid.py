"""The arithmetic of an exact duel: expectations for every pair of hit points, as arrays.

`grid[b, a, k]`: the second side has `b` hit points left, the first `a`; `k` is one of the kinds below. There
are two grids, by whose turn it is. Where both may miss, a position leads back to itself: that is one linear
system a row, the same for all rows, solved once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rules.odds.spread import Spread

Grid = NDArray[Any]
WINS_A, WINS_B, TURNS_A, TURNS_B, LEFT_A, LEFT_B = range(6)
"""Probabilities to win; expected turns of each; expected hit points left, 0 where it loses."""
KINDS = 6
NEGLIGIBLE = 1e-60
"""Smaller chances count as none: processors compute with the smallest floats a hundred times more slowly."""


@dataclass(frozen=True, slots=True)
class Grids:
    """What is expected wherever a duel stands."""

    a_acts: Grid
    b_acts: Grid


def losses(damage: Spread, hp: int) -> Grid:
    """Return the matrix of what hit points (row) become (column) by that damage; 0 stays 0."""
    chances = np.zeros(hp + 1)
    for outcome, weight in damage.items():
        chances[min(outcome, hp)] += weight / damage.total
    chances[chances < NEGLIGIBLE] = 0.0
    before = np.arange(hp + 1)
    taken = before[:, None] - before[None, :]
    matrix = np.where(taken >= 0, chances[np.clip(taken, 0, hp)], 0.0)
    matrix[:, 0] = 1 - matrix[:, 1:].sum(axis=1)
    return matrix


def _one_turn(kind: int) -> Grid:
    row = np.zeros(KINDS)
    row[kind] = 1.0
    return row


def _empty(hp_a: int, hp_b: int) -> Grid:
    """Return a grid of nothing but the ends."""
    grid = np.zeros((hp_b + 1, hp_a + 1, KINDS))
    grid[0, 1:, WINS_A] = 1.0
    grid[0, 1:, LEFT_A] = np.arange(1, hp_a + 1)
    grid[1:, 0, WINS_B] = 1.0
    grid[1:, 0, LEFT_B] = np.arange(1, hp_b + 1)
    return grid


def solve(by_a: Spread, by_b: Spread, hp_a: int, hp_b: int) -> Grids:
    """Return what is expected where both do the same every turn; at least one must be able to hurt."""
    on_b, on_a = losses(by_a, hp_b), losses(by_b, hp_a)
    a_acts, b_acts = _empty(hp_a, hp_b), _empty(hp_a, hp_b)
    stays, dies = on_a[1:, 1:], on_a[1:, :1]
    turn_a, turn_b = _one_turn(TURNS_A), _one_turn(TURNS_B)
    missing = on_b[1, 1]  # the same in every row: the chance of no damage
    inverse = cast(Grid, np.linalg.inv(np.eye(hp_a) - missing * stays))
    for b in range(1, hp_b + 1):
        lost = dies * a_acts[b, :1] + turn_b
        hit = (on_b[b, :b] @ b_acts[:b].reshape(b, -1)).reshape(hp_a + 1, KINDS)[1:]
        a_acts[b, 1:] = inverse @ (hit + turn_a + missing * lost)
        b_acts[b, 1:] = stays @ a_acts[b, 1:] + lost
        b_acts[b][b_acts[b] < NEGLIGIBLE] = 0.0
    return Grids(a_acts, b_acts)


def nothing(hp_a: int, hp_b: int) -> Grids:
    """Return what is expected where nobody can hurt the other."""
    return Grids(_empty(hp_a, hp_b), _empty(hp_a, hp_b))


def after_a(damage: Spread, then: Grid) -> Grid:
    """Return what is expected before a turn of the first side, from what is expected after it."""
    hp_b, hp_a = then.shape[0] - 1, then.shape[1] - 1
    grid = (losses(damage, hp_b) @ then.reshape(hp_b + 1, -1)).reshape(then.shape) + _one_turn(TURNS_A)
    return _with_ends(grid, hp_a, hp_b)


def after_b(damage: Spread, then: Grid) -> Grid:
    """Return the same for a turn of the second side."""
    hp_b, hp_a = then.shape[0] - 1, then.shape[1] - 1
    hit = np.tensordot(losses(damage, hp_a), then, axes=(1, 1)).swapaxes(0, 1)
    return _with_ends(hit + _one_turn(TURNS_B), hp_a, hp_b)


def _with_ends(grid: Grid, hp_a: int, hp_b: int) -> Grid:
    ends = _empty(hp_a, hp_b)
    grid[0], grid[:, 0] = ends[0], ends[:, 0]
    return grid


def before_opening(grids: Grids, by_a: Sequence[Spread], by_b: Sequence[Spread]) -> Grids:
    """Return what is expected at the start, where each round of the opening has its own damage."""
    a_first, b_first = grids.a_acts, grids.b_acts
    for turn_a, turn_b in reversed(list(zip(by_a, by_b, strict=True))):
        a_first = after_a(turn_a, after_b(turn_b, a_first))
        b_first = after_b(turn_b, after_a(turn_a, b_first))
    return Grids(a_first, b_first)
