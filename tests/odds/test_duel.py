"""Duels: known figures, exact against sampling, edges, time."""

import random
import time
from functools import cache

import pytest

from rules.odds.attacks import TAKES, Attack, Takes
from rules.odds.checks import RollMode
from rules.odds.combatants import Combatant, First, chance_to_act_first, turn_damage
from rules.odds.duel import exact_duel, is_exact
from rules.odds.errors import OddsError
from rules.odds.parser import parse
from rules.odds.sampling import sample_duel


def side(text_damage: str, hp: int, ac: int, bonus: int, attacks: int = 1, initiative: int = 0) -> Combatant:
    return Combatant(hp, ac, Attack(bonus, parse(text_damage)), attacks, initiative)


FIGHTER = side("1d8+3", 12, 18, 5, initiative=1)
THUG = side("1d6+2", 32, 11, 4, attacks=2)
HUGO = side("1d8+2", 22, 12, 4)
GARRAN = side("1d6+2", 24, 13, 4)

KNOWN = [
    # facts of other computations: enemy, who acts first, the fighter's chance
    (THUG, "a", 0.218),
    (HUGO, "a", 0.667),
    (GARRAN, "a", 0.658),
    (side("1d6+2", 7, 15, 4, initiative=2), "roll", 0.8890),
    (side("1d12+3", 15, 13, 5, initiative=1), "roll", 0.509),
    (side("1d6+2", 24, 13, 3), "a", 0.717),
]


@pytest.mark.parametrize(("enemy", "first", "chance"), KNOWN)
def test_known_duels(enemy: Combatant, first: First, chance: float) -> None:
    assert exact_duel(FIGHTER, enemy, first).p_a == pytest.approx(chance, abs=0.0006)


def _any_side(pick: random.Random) -> Combatant:
    modes: tuple[RollMode, ...] = ("normal", "advantage", "disadvantage")
    takes: Takes = pick.choice([t for t in TAKES if t != "immunity"])
    damage = parse(f"{pick.randint(1, 3)}d{pick.choice([4, 6, 8, 10, 12])}+{pick.randint(0, 5)}")
    attack = Attack(pick.randint(0, 11), damage, pick.choice(modes), pick.choice([18, 19, 20]))
    opening = tuple(parse(text) for text in pick.choice([(), ("3d4+3",), ("3d4+3", "2d8"), ("0",)]))
    return Combatant(
        hp=pick.randint(1, 80),
        ac=pick.randint(8, 22),
        attack=attack,
        attacks=pick.choice([1, 1, 2, 3]),
        initiative=pick.randint(-1, 5),
        takes=takes,
        opening=opening,
    )


@pytest.mark.parametrize("seed", range(30))
def test_exact_and_sampled_duels_agree(seed: int) -> None:
    """Within four standard errors, whoever acts first; so do rounds and hit points left, closely."""
    pick = random.Random(seed)
    orders: tuple[First, ...] = ("a", "b", "roll")
    a, b, first = _any_side(pick), _any_side(pick), pick.choice(orders)
    exact, sampled = exact_duel(a, b, first), sample_duel(a, b, first, samples=100_000, seed=seed)
    spread = (exact.p_a * exact.p_b / sampled.samples) ** 0.5
    assert abs(exact.p_a - sampled.p_a) <= 4 * spread + 1e-12
    assert exact.p_a + exact.p_b == pytest.approx(1)
    assert sampled.turns == pytest.approx(exact.turns, rel=0.02)
    for left, found, p in (
        (exact.hp_left_a, sampled.hp_left_a, exact.p_a),
        (exact.hp_left_b, sampled.hp_left_b, exact.p_b),
    ):
        if p > 0.02:
            assert found == pytest.approx(left, rel=0.05)


def by_recursion(a: Combatant, b: Combatant) -> float:
    """The same chance by another road: positions by recursion, misses by one geometric series each."""
    by_a, by_b = turn_damage(a, b), turn_damage(b, a)

    @cache
    def wins(hp_a: int, hp_b: int) -> float:
        if hp_b <= 0 or hp_a <= 0:
            return float(hp_a > 0)
        total = 0.0
        both_miss = by_a.chance(0) * by_b.chance(0)
        for hit, _ in by_a.items():
            if hp_b - hit <= 0:
                total += by_a.chance(hit)
                continue
            for blow, _ in by_b.items():
                if hit or blow:
                    total += by_a.chance(hit) * by_b.chance(blow) * wins(hp_a - blow, hp_b - hit)
        return total / (1 - both_miss)

    return wins(a.hp, b.hp)


@pytest.mark.parametrize("enemy", [THUG, HUGO, GARRAN])
@pytest.mark.parametrize("hero", [FIGHTER, side("1d4", 5, 12, 2), side("2d6+4", 20, 10, 7, attacks=2)])
def test_a_duel_is_what_a_plain_recursion_gives(hero: Combatant, enemy: Combatant) -> None:
    assert exact_duel(hero, enemy).p_a == pytest.approx(by_recursion(hero, enemy), abs=1e-12)


def test_who_acts_second_sees_the_same_duel() -> None:
    forth, back = exact_duel(FIGHTER, HUGO, "a"), exact_duel(HUGO, FIGHTER, "b")
    assert (forth.p_a, forth.turns) == (pytest.approx(back.p_b), pytest.approx(back.turns))
    assert (forth.hp_left_a, forth.hp_left_b) == (
        pytest.approx(back.hp_left_b),
        pytest.approx(back.hp_left_a),
    )


def test_a_rolled_initiative_lies_between_both_orders() -> None:
    first, second = exact_duel(FIGHTER, HUGO, "a").p_a, exact_duel(FIGHTER, HUGO, "b").p_a
    chance = chance_to_act_first(FIGHTER, HUGO)
    assert exact_duel(FIGHTER, HUGO, "roll").p_a == pytest.approx(chance * first + (1 - chance) * second)


@pytest.mark.parametrize(
    ("mine", "theirs", "chance"), [(0, 0, 0.5), (1, 2, 0.45125), (30, 0, 1.0), (0, 30, 0.0)]
)
def test_the_chance_to_act_first(mine: int, theirs: int, chance: float) -> None:
    one, other = (side("1d6", 5, 10, 3, initiative=i) for i in (mine, theirs))
    assert chance_to_act_first(one, other) == pytest.approx(chance)


def test_one_blow_ends_it_in_the_first_round() -> None:
    sure = Combatant(5, 10, Attack(0, parse("1")), opening=(parse("99"),))
    found = exact_duel(sure, HUGO)
    assert (found.p_a, found.turns, found.hp_left_a) == (1.0, 1.0, 5.0)
    assert sample_duel(sure, HUGO, samples=100).p_a == 1.0


def test_a_side_that_cannot_hurt_cannot_win() -> None:
    harmless = side("0", 10, 12, 5)
    found = exact_duel(harmless, HUGO)
    assert (found.p_a, found.hp_left_a) == (0.0, 0.0)
    assert found.p_b == pytest.approx(1)


def test_a_duel_of_two_who_cannot_hurt_never_ends() -> None:
    one = Combatant(10, 12, Attack(5, parse("0")), opening=(parse("1d4"),))
    other = Combatant(3, 12, Attack(5, parse("0")))
    found = exact_duel(one, other)
    assert (found.p_a, found.p_b, found.turns) == (pytest.approx(0.5), 0.0, None)
    with pytest.raises(OddsError, match="endless"):
        sample_duel(one, other)


def test_chances_too_small_to_matter_neither_disturb_nor_delay() -> None:
    """They underflow, and arithmetic with the smallest floats is a hundred times slower."""
    blows, dice = parse("5d12+40"), parse("25d6")
    a = Combatant(300, 18, Attack(5, blows), attacks=10)
    b = Combatant(300, 18, Attack(5, dice), attacks=10, opening=(parse("50d20"),) * 6)
    begin = time.process_time()
    exact = exact_duel(a, b)
    assert time.process_time() - begin < 6
    assert exact.p_a + exact.p_b == pytest.approx(1, abs=1e-12)
    sampled = sample_duel(a, b, samples=50_000)
    assert exact.p_a == pytest.approx(sampled.p_a, abs=4 * (sampled.standard_error or 0.0))


def test_immunity_is_on_the_side_that_has_it() -> None:
    immune = Combatant(22, 12, Attack(4, parse("1d8+2")), takes="immunity")
    assert exact_duel(FIGHTER, immune).p_a == 0.0


BAD = [
    (side("1d8", 0, 12, 4), "bad_hp"),
    (side("1d8", 10**9, 12, 4), "bad_hp"),
    (side("1d8", 5, -1, 4), "bad_ac"),
    (side("1d8", 5, 12, 10**6), "bad_bonus"),
    (side("1d8", 5, 12, 4, attacks=99), "bad_attacks"),
    (side("1d8", 5, 12, 4, initiative=10**9), "bad_bonus"),
    (Combatant(5, 12, Attack(4, parse("1d8")), opening=(parse("1"),) * 99), "long_opening"),
]


@pytest.mark.parametrize(("one", "code"), BAD)
def test_figures_out_of_bounds_are_refused_by_both_ways(one: Combatant, code: str) -> None:
    for ask in (exact_duel, sample_duel):
        with pytest.raises(OddsError, match=code):
            ask(FIGHTER, one)


def test_the_largest_exact_duel_and_the_next() -> None:
    a, b = side("2d6+3", 310, 15, 7), side("2d6+3", 310, 15, 7)
    assert is_exact(a, b)
    assert not is_exact(side("1d8", 1001, 15, 7), side("1d8", 1, 15, 7))
    assert not is_exact(side("1d8", 400, 15, 7), a)
    with pytest.raises(OddsError, match="not_exact"):
        exact_duel(side("1d8", 400, 15, 7), a)
    assert sample_duel(side("1d8", 400, 15, 7), a, samples=1000).p_b > 0.9


@pytest.mark.parametrize("samples", [0, -1, 10**12])
def test_samples_out_of_bounds_are_refused(samples: int) -> None:
    with pytest.raises(OddsError, match="bad_samples"):
        sample_duel(FIGHTER, HUGO, samples=samples)


def test_a_sampled_duel_that_would_last_for_hours_is_refused() -> None:
    slow = side("1", 5000, 1000, 0)
    with pytest.raises(OddsError, match="endless"):
        sample_duel(slow, slow, samples=100_000_000)


def test_the_same_seed_gives_the_same_and_another_one_another() -> None:
    once, again, other = (sample_duel(FIGHTER, HUGO, "roll", 50_000, seed) for seed in (7, 7, 8))
    assert once == again != other


def test_an_exact_duel_takes_two_milliseconds() -> None:
    """12 against 22 hit points; `benchmarks/odds.py` measures it, here is what no busy machine explains."""
    exact_duel(FIGHTER, HUGO)
    spent: list[float] = []
    for _ in range(20):
        turn_damage.cache_clear()
        begin = time.process_time()
        exact_duel(FIGHTER, HUGO)
        spent.append(time.process_time() - begin)
    assert min(spent) < 0.002
