"""Fights of a chapter, sampled: against what can be computed, and what cannot be known."""

import pytest

from rules.odds.attacks import Attack
from rules.odds.combatants import Combatant
from rules.odds.duel import exact_duel
from rules.odds.parser import parse
from rules.playtest.fights import Fighter, fought
from tests.playtest.chapters import Scene, play, sheet

DUELS = [
    (22, 14, 5, "1d8+3", 18, 12, 4, "1d6+2"),
    (12, 18, 5, "1d8+3", 22, 12, 4, "1d8+2"),
    (9, 11, 3, "1d10", 27, 15, 6, "2d6+1"),
]


@pytest.mark.parametrize("figures", DUELS)
def test_one_against_one_agrees_with_the_exact_duel(
    figures: tuple[int, int, int, str, int, int, int, str],
) -> None:
    """Who begins is rolled; a tie is the party's: 210 of 400 cases."""
    a_hp, a_ac, a_hit, a_dice, b_hp, b_ac, b_hit, b_dice = figures
    one, other = Attack(a_hit, parse(a_dice)), Attack(b_hit, parse(b_dice))
    sides = Combatant(a_hp, a_ac, one), Combatant(b_hp, b_ac, other)
    first, second = exact_duel(*sides, "a"), exact_duel(*sides, "b")
    begins = 210 / 400
    wanted = begins * first.p_a + (1 - begins) * second.p_a
    samples = 40_000
    win, _, losses, error = fought(
        [Fighter(a_hp, a_ac, 0, (one,))], [Fighter(b_hp, b_ac, 0, (other,))], samples
    )
    assert abs(win - wanted) < 4 * error
    assert losses == pytest.approx(1 - win)


def test_more_on_one_side_win_more_often() -> None:
    one = Fighter(20, 13, 1, (Attack(4, parse("1d8+2")),))
    wins = [fought([one] * n, [one] * 2)[0] for n in (1, 2, 3, 4)]
    assert wins == sorted(wins)
    assert 0.5 < wins[1] < 0.7  # the party strikes one enemy down before the next


def test_the_same_seed_gives_the_same_fight() -> None:
    one = Fighter(20, 13, 1, (Attack(4, parse("1d8+2")),))
    assert fought([one] * 3, [one] * 3) == fought([one] * 3, [one] * 3)


FIGHTS = [
    ("es", "4 goblins.", "Los goblins atacan.", ("Éxito: Vencen.", "Fallo: Caen.")),
    ("en", "4 goblins.", "The goblins attack.", ("Success: They win.", "Failure: They fall.")),
]


@pytest.mark.parametrize(("language", "present", "situation", "outcomes"), FIGHTS)
def test_a_scene_without_a_roll_is_decided_by_its_fight(
    language: str, present: str, situation: str, outcomes: tuple[str, ...]
) -> None:
    found = play(language, [Scene("…", outcomes, present, situation)])
    (met,) = found.encounters
    assert met.foes[0][1] == 4
    assert met.xp == 200
    assert set(met.degrees) == {"2014", "2024"}
    assert met.win is not None
    assert 0.5 < met.win <= 1
    assert found.scenes[0].basis == "fight"
    assert found.scenes[0].ways[0].chance == pytest.approx(met.win)
    assert found.scenes[0].minutes > 15


def test_an_english_encounter_has_both_budgets_and_what_comes_of_it() -> None:
    """Two ogres of 450 and four goblins of 50 against four of level 3: 1,100 experience points.

    2014: 75, 150, 225 and 400 for each of them; six foes count double. 2024: 150, 225 and 400, plainly.
    """
    people, situation = "Two ogres and four goblins.", "Two ogres and four goblins attack."
    strong = tuple(sheet(f"P{n}", str=3, con=2) for n in range(4))
    found = play(
        "en", [Scene("…", ("Success: They win.", "Failure: They fall."), people, situation)], (), strong
    )
    (met,) = found.encounters
    assert met.foes == (("ogre", 2), ("goblin", 4))
    assert met.xp == 1100
    assert met.budgets == {
        "2014": {"easy": 300, "medium": 600, "hard": 900, "deadly": 1600},
        "2024": {"low": 600, "moderate": 900, "high": 1600},
    }
    assert met.degrees == {"2014": "deadly", "2024": "high"}
    assert met.weights == {"2014": 2200, "2024": 1100}
    assert met.win is not None
    assert met.rounds is not None
    assert met.losses is not None
    assert 0 < met.win < 1
    assert 1 <= met.rounds <= 40
    assert 4 * (1 - met.win) <= met.losses <= 4, "who loses has lost all four"
    assert met.samples == 2000


def test_creatures_in_peace_are_no_fight() -> None:
    found = play(
        "es", [Scene("Hablan.", ("Acuerdo: Firman.",), "4 goblins.", "Los goblins cocinan y cantan.")]
    )
    assert found.encounters == ()


def test_what_a_creature_does_besides_attacking_is_told() -> None:
    found = play("es", [Scene("…", ("Éxito: Vencen.", "Fallo: Caen."), "1 mago.", "El mago ataca.")])
    (met,) = found.encounters
    assert met.left_out == ("mago",)
