"""Attacks: criticals, cover, resistance; exact, by the rules of 2014."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.odds.attacks import Attack, Takes, Target, attack_odds, taken, takes_of
from rules.odds.checks import RollMode
from rules.odds.dice import spread
from rules.odds.errors import OddsError
from rules.odds.parser import parse

HITS = [
    # bonus, AC, cover, mode, critical from, hit, critical
    (5, 15, 0, "normal", 20, 11 / 20, 1 / 20),
    (5, 15, 2, "normal", 20, 9 / 20, 1 / 20),
    (5, 15, 5, "normal", 20, 6 / 20, 1 / 20),
    (5, 40, 0, "normal", 20, 1 / 20, 1 / 20),  # a natural 20 hits whatever the AC
    (30, 10, 0, "normal", 20, 19 / 20, 1 / 20),  # a natural 1 misses whatever the bonus
    (5, 15, 0, "normal", 19, 11 / 20, 2 / 20),
    (5, 40, 0, "normal", 18, 3 / 20, 3 / 20),
    (5, 15, 0, "advantage", 20, 1 - (9 / 20) ** 2, 1 - (19 / 20) ** 2),
    (5, 15, 0, "disadvantage", 20, (11 / 20) ** 2, (1 / 20) ** 2),
]


@pytest.mark.parametrize(("bonus", "ac", "cover", "mode", "critical", "hit", "crit"), HITS)
def test_hits_and_criticals(
    bonus: int, ac: int, cover: int, mode: RollMode, critical: int, hit: float, crit: float
) -> None:
    found = attack_odds(Attack(bonus, parse("1d8+3"), mode, critical), Target(ac, cover))
    assert (found.hit, found.critical) == (pytest.approx(hit), pytest.approx(crit))
    assert found.damage.chance(0) == pytest.approx(1 - hit)


def test_a_blessing_adds_its_die_to_the_attack_roll() -> None:
    cases = list(product(range(1, 21), range(1, 5)))
    hits = sum(n == 20 or (n != 1 and n + d + 5 >= 18) for n, d in cases) / len(cases)
    assert attack_odds(Attack(5, parse("1d8"), dice=parse("1d4")), Target(18)).hit == pytest.approx(hits)


MEANS: list[tuple[str, Takes, float]] = [
    # 11 hits in 20 against AC 15 at +5, of which one is critical
    ("1d8+3", "normal", (10 * 7.5 + 12) / 20),
    ("2d6+3", "normal", (10 * 10 + 17) / 20),
    ("7", "normal", 11 * 7 / 20),
    ("1d8+3", "vulnerability", 2 * (10 * 7.5 + 12) / 20),
    ("1d8+3", "immunity", 0.0),
    ("1d4", "resistance", (10 * 1.0 + sum((a + b) // 2 for a in range(1, 5) for b in range(1, 5)) / 16) / 20),
    (
        "1d4-3",
        "normal",
        (10 * 0.25 + sum(max(0, a + b - 3) for a in range(1, 5) for b in range(1, 5)) / 16) / 20,
    ),
]


@pytest.mark.parametrize(("damage", "takes", "mean"), MEANS)
def test_the_mean_damage_of_an_attack(damage: str, takes: Takes, mean: float) -> None:
    found = attack_odds(Attack(5, parse(damage)), Target(15, takes=takes))
    assert found.damage.mean == pytest.approx(mean)


def test_resistance_halves_what_each_attack_deals_and_rounds_down() -> None:
    found = attack_odds(Attack(5, parse("1d8")), Target(10, takes="resistance"))
    critical = [sum((a + b) // 2 == n for a in range(1, 9) for b in range(1, 9)) / 64 for n in range(1, 9)]
    plain = [2 / 8, 2 / 8, 2 / 8, 1 / 8, 0, 0, 0, 0]
    wanted = [15 / 20 * p + 1 / 20 * c for p, c in zip(plain, critical, strict=True)]
    assert [found.damage.chance(n) for n in range(1, 9)] == pytest.approx(wanted)


BOTH: list[tuple[str, float]] = [("3", 2.0), ("4", 4.0), ("1", 0.0), ("1d8", 4.0)]


@pytest.mark.parametrize(("damage", "mean"), BOTH)
def test_resistance_and_then_vulnerability(damage: str, mean: float) -> None:
    """Half, rounded down, and that twice: an odd amount loses a point."""
    assert taken(spread(parse(damage)), "both").mean == pytest.approx(mean)


@given(resistant=st.booleans(), vulnerable=st.booleans(), immune=st.booleans(), dice=st.integers(1, 6))
def test_traits_of_a_target_apply_in_the_srds_order(
    resistant: bool, vulnerable: bool, immune: bool, dice: int
) -> None:
    whole = spread(parse(f"{dice}d6"))
    wanted = {n: n // (1 + resistant) * (1 + vulnerable) * (not immune) for n, _ in whole.items()}
    found = taken(whole, takes_of(resistant, vulnerable, immune))
    assert found.mean == pytest.approx(sum(wanted[n] * weight for n, weight in whole.items()) / whole.total)


@given(bonus=st.integers(-5, 15), ac=st.integers(5, 30), faces=st.sampled_from([4, 6, 8, 12]))
def test_a_hits_mean_times_its_chance_is_the_attacks_mean(bonus: int, ac: int, faces: int) -> None:
    found = attack_odds(Attack(bonus, parse(f"1d{faces}+2")), Target(ac))
    assert found.mean_on_hit * found.hit == pytest.approx(found.damage.mean)
    assert found.mean_on_hit > 2 + (faces + 1) / 2


@pytest.mark.parametrize("critical", [1, 0, 21, -5])
def test_a_critical_range_that_is_none_is_refused(critical: int) -> None:
    with pytest.raises(OddsError, match="bad_critical"):
        attack_odds(Attack(5, parse("1d8"), critical_from=critical), Target(15))
