"""Dice that are rolled: from a seed, or in an order that a test has written down."""

import random
from collections import deque
from collections.abc import Iterable
from typing import Protocol

from rules.odds.checks import FACES, RollMode
from rules.odds.dice import Dice, Number, Roll, Scaled, Sum


class Source(Protocol):
    """Where faces come from."""

    def face(self, sides: int) -> int:
        """Return a face from 1 to `sides`."""
        ...


class SeededDice:
    """Dice whose faces follow from a seed alone, on every machine."""

    def __init__(self, seed: int) -> None:
        # Seeded by a whole number, `random()` gives the same everywhere and in every version.
        self._random = random.Random(seed)  # noqa: S311 - dice, no secrets

    def face(self, sides: int) -> int:
        """Return a face from 1 to `sides`."""
        return int(self._random.random() * sides) + 1


class WrittenDice:
    """Faces in an order that was written down; when they run out, the middle one."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = deque(faces)

    def face(self, sides: int) -> int:
        """Return the next face, never more than the die has."""
        return min(sides, self._faces.popleft()) if self._faces else (sides + 1) // 2


def rolled(roll: Roll, dice: Source) -> int:
    """Return what a roll shows."""
    match roll:
        case Number(value):
            return value
        case Dice():
            return _pool(roll, dice)
        case Sum(parts):
            return sum(sign * rolled(part, dice) for sign, part in parts)
        case Scaled(inner, factor, divisor):
            return rolled(inner, dice) * factor // divisor


def _pool(pool: Dice, dice: Source) -> int:
    faces = sorted(_face(pool, dice) for _ in range(pool.count))
    if pool.keep is None:
        return sum(faces)
    return sum(faces[-pool.keep :] if pool.highest else faces[: pool.keep])


def _face(pool: Dice, dice: Source) -> int:
    face = dice.face(pool.sides)
    if face <= pool.reroll:
        face = dice.face(pool.sides)
    whole = face
    for _ in range(pool.again):
        if face < pool.sides:
            break
        face = dice.face(pool.sides)
        whole += face
    return max(whole, pool.least)


def d20(dice: Source, mode: RollMode) -> tuple[int, tuple[int, ...]]:
    """Return the natural roll that counts, and all that were rolled."""
    faces = tuple(dice.face(FACES) for _ in range(1 if mode == "normal" else 2))
    return (max(faces) if mode == "advantage" else min(faces)), faces


def mode_of(for_it: int, against_it: int) -> RollMode:
    """Return how a roll is made with so many grounds for and against: one of each cancel all.

    Source: SRD 5.1, Advantage and Disadvantage.
    """
    if bool(for_it) == bool(against_it):
        return "normal"
    return "advantage" if for_it else "disadvantage"
