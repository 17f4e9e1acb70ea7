"""Exact odds of a check on a d20."""

from typing import Literal

RollMode = Literal["normal", "advantage", "disadvantage"]

FACES = 20


def success_probability(bonus: int, dc: int, mode: RollMode = "normal") -> float:
    """Return the probability, 0 to 1, that d20 + bonus is at least the DC.

    Natural 1 and natural 20 have no special effect: this is for ability checks and (2014) saving throws.

    Source: SRD 5.1, Using Ability Scores: Ability Checks; Advantage and Disadvantage.
    """
    single = min(FACES, max(0, FACES + 1 + bonus - dc)) / FACES
    if mode == "advantage":
        return 1 - (1 - single) ** 2
    if mode == "disadvantage":
        return single**2
    return single


def best_probability(bonuses: tuple[int, ...], dc: int, mode: RollMode = "normal") -> float:
    """Return the probability that the character with the best of these bonuses succeeds; 0 with none."""
    return success_probability(max(bonuses), dc, mode) if bonuses else 0.0


def any_succeeds(bonuses: tuple[int, ...], dc: int, mode: RollMode = "normal") -> float:
    """Return the probability that at least one of several who each roll once succeeds."""
    all_fail = 1.0
    for bonus in bonuses:
        all_fail *= 1 - success_probability(bonus, dc, mode)
    return 1 - all_fail


def group_check(bonuses: tuple[int, ...], dc: int, mode: RollMode = "normal") -> float:
    """Return the probability that at least half of the group succeeds; 0 with nobody.

    Source: SRD 5.1, Using Ability Scores: Group Checks.
    """
    if not bonuses:
        return 0.0
    spread = [1.0]
    for bonus in bonuses:
        chance = success_probability(bonus, dc, mode)
        spread = [
            (spread[k] * (1 - chance) if k < len(spread) else 0.0) + (spread[k - 1] * chance if k else 0.0)
            for k in range(len(spread) + 1)
        ]
    return sum(spread[(len(bonuses) + 1) // 2 :])
