"""Saving throws: the chance, and the damage that is halved or negated; exact, by the rules of 2014."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.odds.attacks import TAKES, Takes
from rules.odds.checks import FACES, RollMode
from rules.odds.errors import OddsError
from rules.odds.objects import save_object
from rules.odds.parser import parse
from rules.odds.rolls import Check
from rules.odds.saves import Harm, Share, save_odds

FIREBALL = Harm(parse("8d6"))
SAVES: list[tuple[int, int, RollMode, float, float]] = [
    # bonus, DC, mode, chance, mean of 2d6: 7 on a failure, 3.25 where halved and rounded down
    (3, 15, "normal", 9 / 20, (11 * 7 + 9 * 3.25) / 20),
    (3, 15, "advantage", 1 - (11 / 20) ** 2, 3.25 + 3.75 * (11 / 20) ** 2),
    (3, 15, "disadvantage", (9 / 20) ** 2, 7 - 3.75 * (9 / 20) ** 2),
    (20, 15, "normal", 1.0, 3.25),  # a natural 1 does not fail
    (-6, 15, "normal", 0.0, 7.0),  # a natural 20 does not succeed
]


@pytest.mark.parametrize(("bonus", "dc", "mode", "chance", "mean"), SAVES)
def test_the_chance_and_the_expected_damage(
    bonus: int, dc: int, mode: RollMode, chance: float, mean: float
) -> None:
    found = save_object(Check(bonus, mode), dc, Harm(parse("2d6")), None)
    assert (found["p"], found["mean"]) == (pytest.approx(chance), pytest.approx(mean))


SHARES: list[tuple[Share, Share, Takes, float, float]] = [
    # on success, on failure, what the target does with damage, means of 1d4 on success and on failure
    ("half", "full", "normal", 1.0, 2.5),
    ("none", "full", "normal", 0.0, 2.5),
    ("none", "half", "normal", 0.0, 1.0),  # evasion
    ("half", "full", "resistance", 0.25, 1.0),  # halved twice, rounded down each time
    ("half", "full", "vulnerability", 2.0, 5.0),
    ("half", "full", "immunity", 0.0, 0.0),
]


@pytest.mark.parametrize(("success", "failure", "takes", "saved", "failed"), SHARES)
def test_what_is_left_of_the_damage(
    success: Share, failure: Share, takes: Takes, saved: float, failed: float
) -> None:
    found = save_odds(Check(0), 11, Harm(parse("1d4"), success, failure, takes))
    assert (found.on_success.mean, found.on_failure.mean) == (saved, failed)
    assert found.damage.mean == pytest.approx((saved + failed) / 2)


@given(
    st.integers(-5, 25),
    st.integers(1, 35),
    st.sampled_from(("half", "none")),
    st.sampled_from(("full", "half")),
    st.sampled_from(TAKES),
    st.integers(1, 6),
    st.integers(-3, 3),
)
def test_it_is_what_counting_all_cases_gives(
    bonus: int, dc: int, success: Share, failure: Share, takes: Takes, sides: int, more: int
) -> None:
    def taken(shown: int, saved: bool) -> int:
        share = success if saved else failure
        left = 0 if share == "none" else shown // 2 if share == "half" else shown
        left = 0 if takes == "immunity" else max(0, left)
        left = left // 2 if takes in ("resistance", "both") else left
        return left * 2 if takes in ("vulnerability", "both") else left

    rolls = list(product(range(1, FACES + 1), range(1, sides + 1), range(1, sides + 1)))
    counted: dict[int, Fraction] = {}
    for natural, one, other in rolls:
        value = taken(one + other + more, natural + bonus >= dc)
        counted[value] = counted.get(value, Fraction()) + Fraction(1, len(rolls))
    harm = Harm(parse(f"2d{sides} + {more}"), success, failure, takes)
    damage = save_odds(Check(bonus), dc, harm).damage
    assert {value: Fraction(w, damage.total) for value, w in damage.items()} == counted


def test_without_damage_it_is_a_check() -> None:
    found = save_object(Check(2), 14, None, None)
    assert (found["p"], "mean" in found) == (pytest.approx(0.45), False)


@pytest.mark.parametrize("hp", [0, -1, 5001])
def test_hit_points_out_of_bounds_are_refused(hp: int) -> None:
    with pytest.raises(OddsError):
        save_object(Check(2), 14, FIREBALL, hp)
