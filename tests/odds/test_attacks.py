"""Attacks: criticals, cover, resistance; exact, by the rules of 2014."""

from itertools import product

import pytest

from rules.odds.attacks import Attack, Takes, Target, attack_odds
from rules.odds.checks import RollMode
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
    assert [found.on_hit.chance(n) for n in range(5)] == pytest.approx([1 / 8, 2 / 8, 2 / 8, 2 / 8, 1 / 8])


@pytest.mark.parametrize("critical", [1, 0, 21, -5])
def test_a_critical_range_that_is_none_is_refused(critical: int) -> None:
    with pytest.raises(OddsError, match="bad_critical"):
        attack_odds(Attack(5, parse("1d8"), critical_from=critical), Target(15))
