"""Checks, contests and groups: exact, by the rules of 2014."""

from itertools import product

import pytest

from rules.odds import checks
from rules.odds.parser import parse
from rules.odds.rolls import Check, check_chance, contest, group_chance, mode_of

SINGLE = [
    # bonus, DC, mode, dice, probability
    (7, 15, "normal", "0", 0.65),
    (7, 15, "advantage", "0", 0.8775),
    (7, 15, "disadvantage", "0", 0.4225),
    (0, 21, "normal", "0", 0.0),  # a natural 20 is nothing special on a check
    (0, 1, "normal", "0", 1.0),
    (5, 6, "normal", "0", 1.0),  # nor is a natural 1
    (-1, 20, "normal", "0", 0.0),
    (3, 15, "normal", "1d4", sum(max(0, 21 - (12 - n)) / 20 for n in range(1, 5)) / 4),
    (0, 24, "normal", "1d4", 1 / 80),
]


@pytest.mark.parametrize(("bonus", "dc", "mode", "dice", "chance"), SINGLE)
def test_a_check(bonus: int, dc: int, mode: checks.RollMode, dice: str, chance: float) -> None:
    assert check_chance(Check(bonus, mode, parse(dice)), dc) == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize("mode", ["normal", "advantage", "disadvantage"])
def test_plain_checks_agree_with_the_engine_of_the_debate(mode: checks.RollMode) -> None:
    for bonus, dc in product(range(-3, 13), range(1, 32)):
        expected = checks.success_probability(bonus, dc, mode)
        assert check_chance(Check(bonus, mode), dc) == pytest.approx(expected, abs=1e-12)


MODES = [
    (False, False, "normal"),
    (True, False, "advantage"),
    (False, True, "disadvantage"),
    (True, True, "normal"),
]


@pytest.mark.parametrize(("advantage", "disadvantage", "mode"), MODES)
def test_advantage_and_disadvantage_cancel_out(advantage: bool, disadvantage: bool, mode: str) -> None:
    assert mode_of(advantage, disadvantage) == mode


@pytest.mark.parametrize(("mine", "theirs"), [(0, 0), (5, 0), (2, 4), (-1, 12), (30, 0)])
def test_a_contest_is_what_counting_every_case_gives(mine: int, theirs: int) -> None:
    cases = [(a + mine) - (b + theirs) for a, b in product(range(1, 21), repeat=2)]
    found = contest(Check(mine), Check(theirs))
    assert found.win == pytest.approx(sum(d > 0 for d in cases) / 400)
    assert found.tie == pytest.approx(sum(d == 0 for d in cases) / 400)
    assert found.lose == pytest.approx(sum(d < 0 for d in cases) / 400)


def test_in_a_contest_advantage_is_on_ones_own_die() -> None:
    better, plain = contest(Check(0, "advantage"), Check(0)), contest(Check(0), Check(0))
    assert better.win > plain.win > better.lose
    assert better.win + better.tie + better.lose == pytest.approx(1)


@pytest.mark.parametrize("bonuses", [(0,), (5, 5), (7, 3, 0), (7, 3, 2, 0), (1, 2, 3, 4, 5)])
def test_a_group_succeeds_where_at_least_half_do(bonuses: tuple[int, ...]) -> None:
    expected = 0.0
    for outcome in product((True, False), repeat=len(bonuses)):
        chance = 1.0
        for success, bonus in zip(outcome, bonuses, strict=True):
            single = checks.success_probability(bonus, 13)
            chance *= single if success else 1 - single
        expected += chance if 2 * sum(outcome) >= len(bonuses) else 0.0
    assert group_chance(tuple(Check(bonus) for bonus in bonuses), 13) == pytest.approx(expected)
    assert checks.group_check(bonuses, 13) == pytest.approx(expected)


def test_nobody_succeeds_at_nothing() -> None:
    assert group_chance((), 5) == 0.0
