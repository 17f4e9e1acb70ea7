"""Exact odds of checks."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.odds.checks import RollMode, any_succeeds, best_probability, group_check, success_probability


@pytest.mark.parametrize(
    ("bonus", "dc", "mode", "expected"),
    [
        (0, 1, "normal", 1.0),
        (0, 11, "normal", 0.5),
        (5, 15, "normal", 0.55),
        (0, 20, "normal", 0.05),
        (0, 21, "normal", 0.0),
        (20, 5, "normal", 1.0),
        (-1, 20, "normal", 0.0),
        (0, 11, "advantage", 0.75),
        (0, 11, "disadvantage", 0.25),
        (0, 20, "advantage", 0.0975),
        (9, 10, "normal", 1.0),  # a natural 1 is no failure of its own
        (0, 25, "advantage", 0.0),  # a natural 20 is no success of its own
    ],
)
def test_a_check_succeeds_with_this_probability(bonus: int, dc: int, mode: RollMode, expected: float):
    assert success_probability(bonus, dc, mode) == pytest.approx(expected)


@given(st.integers(-10, 20), st.integers(1, 40), st.sampled_from(["normal", "advantage", "disadvantage"]))
def test_odds_agree_with_counting_every_roll(bonus: int, dc: int, mode: RollMode):
    rolls = list(product(range(1, 21), repeat=2))
    counted = [max(r) if mode == "advantage" else min(r) if mode == "disadvantage" else r[0] for r in rolls]
    wins = sum(roll + bonus >= dc for roll in counted)
    assert success_probability(bonus, dc, mode) == pytest.approx(float(Fraction(wins, len(rolls))))


@given(st.lists(st.integers(-3, 12), min_size=1, max_size=3), st.integers(5, 25))
def test_group_and_any_agree_with_counting_every_outcome(bonuses: list[int], dc: int):
    chances = [success_probability(b, dc) for b in bonuses]
    some = half = 0.0
    for outcome in product((True, False), repeat=len(bonuses)):
        weight = 1.0
        for won, chance in zip(outcome, chances, strict=True):
            weight *= chance if won else 1 - chance
        some += weight if any(outcome) else 0
        half += weight if 2 * sum(outcome) >= len(outcome) else 0
    assert any_succeeds(tuple(bonuses), dc) == pytest.approx(some)
    assert group_check(tuple(bonuses), dc) == pytest.approx(half)


def test_nobody_never_succeeds_and_the_best_counts():
    assert group_check((), 10) == any_succeeds((), 10) == best_probability((), 10) == 0.0
    assert best_probability((0, 5, 3), 15) == success_probability(5, 15)
