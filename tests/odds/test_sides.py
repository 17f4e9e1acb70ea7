"""Sides of a duel as people write them, in either language."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.odds.attacks import Attack
from rules.odds.combatants import Combatant, turn_damage
from rules.odds.creatures import creature_side
from rules.odds.dice import Number, render
from rules.odds.dice_tokens import LONGEST
from rules.odds.errors import OddsError
from rules.odds.parser import parse
from rules.odds.sides import integer, parse_side
from rules.ruleset import load_ruleset

FIGHTER = Combatant(12, 18, Attack(5, parse("1d8+3")))
SAME = [
    ("hp=12 ac=18 attack=+5 damage=1d8+3", FIGHTER),
    ("HP = 12, AC = 18, attack = +5, damage = 1d8 + 3", FIGHTER),
    ("damage=1d8+3 slashing; attack=5; ac=18; hp=12", FIGHTER),
    ("pg=12 ca=18 ataque=+5 daño=1d8+3", FIGHTER),
    ("PG=12 CA=18 ataque=5 dano=1d8+3 de daño cortante", FIGHTER),
    ("pv=12 ca=18 ataque=+5 daño=1d8+3 recibe=normal tirada=normal", FIGHTER),
    (
        "hp=32 ac=11 attack=−1 damage=1d6+2 attacks=2 initiative=+2 roll=advantage critical=19 dice=1d4 "
        "takes=resistance opening=3d4+3, 2d6 name=Old Mace",
        Combatant(
            32,
            11,
            Attack(-1, parse("1d6+2"), "advantage", 19, parse("1d4")),
            2,
            2,
            "resistance",
            (parse("3d4+3"), parse("2d6")),
        ),
    ),
    (
        "pg=32 ca=11 ataque=4 daño=1d6+2 ataques=2 iniciativa=1 tirada=desventaja crítico=18 dados=1d4 "
        "recibe=mitad apertura=3d4+3",
        Combatant(
            32,
            11,
            Attack(4, parse("1d6+2"), "disadvantage", 18, parse("1d4")),
            2,
            1,
            "resistance",
            (parse("3d4+3"),),
        ),
    ),
]


@pytest.mark.parametrize(("text", "side"), SAME)
def test_sides_in_either_language(text: str, side: Combatant) -> None:
    assert parse_side(text) == side


def test_a_name_is_what_is_written_else_what_is_given() -> None:
    assert parse_side("hp=1 ac=1 attack=1 damage=1 name=Old Mace", "A").name == "Old Mace"
    assert parse_side("hp=1 ac=1 attack=1 damage=1", "A").name == "A"
    hostile = parse_side("hp=1 ac=1 attack=1 damage=1 name=\x1b[31m\n" + "x" * 200).name
    assert hostile.isprintable()
    assert len(hostile) < 50


REST = "ac=18 attack=+5 damage=1d8+3"
WRONG = [
    ("", "no_pairs", None),
    ("  , ", "no_pairs", None),
    ("gobblin", "unknown_creature", None),
    ("x" * LONGEST, "unknown_creature", None),
    ("gobblin hp=7 " + REST, "unknown_creature", None),
    ("frog", "no_attack", None),
    ("goblin attacks=99", "bad_attacks", None),
    ("goblin hpp=3", "unknown_key", 8),
    ("hp=12", "missing_key", None),
    ("hpp=12 " + REST, "unknown_key", 1),
    ("hp=12 hp=13 " + REST, "repeated_key", 7),
    ("hp=12 pg=13 " + REST, "repeated_key", 7),
    ("hp=twelve " + REST, "bad_number", 4),
    ("hp= " + REST, "bad_number", 5),
    ("hp=1.5 " + REST, "bad_number", 4),
    ("hp=9999999999 " + REST, "bad_number", 4),
    ("hp=999999999 " + REST, "bad_hp", None),
    ("hp=0 " + REST, "bad_hp", None),
    ("hp=12 ac=18 attack=+5 damage=1d8+", "ends_early", 34),
    ("hp=12 ac=18 attack=+5 damage=1d8+x", "unknown_word", 34),
    ("hp=12 takes=bribes " + REST, "bad_word", 13),
    ("hp=12 roll=twice " + REST, "bad_word", 12),
    ("hp=12 critical=1 " + REST, "bad_critical", None),
    ("hp=12 opening=2d6,,1d4 " + REST, "empty", None),
    ("hp=12 opening=2d6,1d " + REST, "ends_early", 21),
    ("hp=12 " + REST + " name=" + "x" * LONGEST, "too_long", None),
    ("=" * LONGEST, "unknown_creature", None),
]


@pytest.mark.parametrize(("text", "code", "column"), WRONG)
def test_what_is_no_side_is_told_with_its_place(text: str, code: str, column: int | None) -> None:
    with pytest.raises(OddsError) as caught:
        parse_side(text)
    assert (caught.value.code, caught.value.values.get("column")) == (code, column)


@given(st.text(max_size=60) | st.text(alphabet="hpac=damge 0123456789d+tk", max_size=80))
def test_any_text_is_a_side_or_an_error_of_ours(text: str) -> None:
    try:
        side = parse_side(text)
    except OddsError:
        return
    assert side.hp > 0


INTEGERS = [("7", 7), ("+7", 7), ("−1", -1), (" -1 ", -1), ("1e3", None), ("", None), ("٣", 3), ("1_0", None)]


@pytest.mark.parametrize(("text", "number"), INTEGERS)
def test_whole_numbers(text: str, number: int | None) -> None:
    assert integer(text) == number


def test_no_dice_are_a_plain_nothing() -> None:
    assert parse_side("hp=1 ac=1 attack=1 damage=0").attack.damage == Number(0)


CREATURES = [
    # as it is written, hit points, AC, attacks with their damage a turn
    ("thug", 32, 11, [(4, "1d6 + 2")] * 2),
    ("matón", 32, 11, [(4, "1d6 + 2")] * 2),
    ("Goblin", 7, 15, [(4, "1d6 + 2")]),
    ("orco", 15, 13, [(5, "1d12 + 3")]),
    ("owlbear", 59, 13, [(7, "1d10 + 5"), (7, "2d8 + 5")]),
    ("goblin hp=12 ac=16", 12, 16, [(4, "1d6 + 2")]),
    ("owlbear, attack=+9 damage=2d6", 59, 13, [(9, "2d6")]),
    ("frog attack=1 damage=1", 1, 11, [(1, "1")]),
    ("owlbear roll=advantage", 59, 13, [(7, "1d10 + 5"), (7, "2d8 + 5")]),
]


@pytest.mark.parametrize(("text", "hp", "ac", "turn"), CREATURES)
def test_a_creature_of_the_srd_by_its_name(text: str, hp: int, ac: int, turn: list[tuple[int, str]]) -> None:
    found = parse_side(text)
    attacks = [found.attack] * found.attacks + list(found.also)
    assert (found.hp, found.ac) == (hp, ac)
    assert sorted((a.bonus, render(a.damage)) for a in attacks) == sorted(turn)
    assert {a.mode for a in attacks} == {"advantage" if "advantage" in text else "normal"}


def test_every_creature_of_the_ruleset_is_a_side_or_has_no_attack() -> None:
    for key, creature in load_ruleset().creatures.items():
        name = creature.names["en"].word
        found = creature_side(name)
        assert (found.attacks > 0) == any(a.damage and a.group == "action" for a in creature.attacks), key
        assert parse_side(f"{name} attack=3 damage=1d4 attacks=1").attack == Attack(3, parse("1d4")), key
        if found.attacks:
            assert parse_side(name) == found, key


def test_all_attacks_of_a_turn_do_damage() -> None:
    one, bear = parse_side("hp=1 ac=13 attack=0 damage=1"), parse_side("owlbear")
    by_hand = 0.7 * 10.5 + 0.05 * 5.5 + 0.7 * 14 + 0.05 * 9
    assert turn_damage(bear, replace(one, ac=14)).mean == pytest.approx(by_hand)
