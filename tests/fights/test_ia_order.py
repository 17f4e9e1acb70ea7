"""I&A, Part 6 · initiative, latecomers, surprise, rounds, actions, melee and ranged attacks."""

from typing import Any

import pytest

from rules.fights.ia.order import order
from rules.fights.model import Ammunition, Fighter, Weapon
from tests.fights.staging import all_of, does, end, fight, kinds, one

BLADE = Weapon(name="blade", damage="2d6")
DIRK = Weapon(name="dirk", damage="1d6", size="small")
BOW = Weapon(name="bow", damage="2d6", kind="ranged", range_m=30, long_m=60, hands=2, family="archery")
GUN = Weapon(name="gun", damage="2d6", kind="ranged", range_m=30, long_m=60, hands=2, family="firearm")
PISTOL = GUN.model_copy(update={"name": "pistol", "hands": 1})


def hero(name: str = "Asha", **more: Any) -> Fighter:
    values: dict[str, Any] = {
        "name": name,
        "kind": "character",
        "hp": 30,
        "weapons": (BLADE,),
        "place": "mill",
        "policy": "passive",
        "abilities": {"agi": 4, "dex": 3, "str": 3, "con": 2, "fortitude": 2},
    }
    return Fighter.model_validate({**values, **more})


def goblin(name: str = "Goblin", **more: Any) -> Fighter:
    values: dict[str, Any] = {
        "name": name,
        "hp": 30,
        "attitude": "hostile",
        "weapons": (DIRK,),
        "place": "mill",
        "policy": "passive",
        "abilities": {"agi": 2, "dex": 1, "str": 1, "con": 1},
    }
    return Fighter.model_validate({**values, **more})


def ia(*fighters: Fighter, **more: Any) -> Any:
    values: dict[str, Any] = {"ruleset": "ia", "rounds": 3, **more}
    return fight(*fighters, **values)


HIT = does("Asha", "attack", target="Goblin")


def test_ia_1_1_combat_begins_where_diplomacy_is_abandoned() -> None:
    assert one(ia(hero(), goblin()), "fight_begins").values["cause"] == "diplomacy_abandoned"
    quiet = ia(hero(), goblin(attitude="neutral"), script=(does("Asha", "wait"),))
    assert "fight_begins" not in kinds(quiet)
    struck = ia(hero(), goblin(attitude="neutral"), script=(HIT,))
    assert kinds(struck).index("strike") < kinds(struck).index("fight_begins")


@pytest.mark.parametrize(("dr", "outcome"), [(5, "peace"), (90, "broken_off")])
def test_ia_1_1_it_can_still_be_settled_in_peace(dr: int, outcome: str) -> None:
    log = ia(hero(), goblin(), script=(does("Asha", "wait"), does("Asha", "parley", skill="cha", dc=dr)))
    assert one(log, "fight_begins")
    assert end(log).outcome == outcome


def sheets(**scores: tuple[float, float, str, str]) -> dict[str, Fighter]:
    return {
        name: hero(name, abilities={"agi": agi, "dex": dex}, scores={"initiative_by": by, "group": group})
        for name, (agi, dex, by, group) in scores.items()
    }


ORDERS: list[tuple[dict[str, tuple[float, float, str, str]], list[list[str]], str]] = [
    ({"A": (1, 2, "", ""), "B": (5, 1, "", "")}, [["B"], ["A"]], "the higher score first"),
    ({"A": (1, 6, "agi", ""), "B": (5, 1, "", "")}, [["B"], ["A"]], "the score that was chosen"),
    ({"A": (1, 6, "dex", ""), "B": (5, 1, "", "")}, [["A"], ["B"]], "the score that was chosen"),
    ({"A": (3, 3, "", ""), "B": (3, 2, "", "")}, [["A"], ["B"]], "who ties agrees: as they stand"),
    (
        {"A": (3, 1, "", ""), "B": (6, 1, "", "g"), "C": (1, 1, "", "g")},
        [["B", "C"], ["A"]],
        "a group's average",
    ),
    (
        {"A": (4, 1, "", ""), "B": (6, 1, "", "g"), "C": (1, 1, "", "g")},
        [["A"], ["B", "C"]],
        "a group's average",
    ),
]


@pytest.mark.parametrize(("scores", "turns", "why"), ORDERS)
def test_ia_2_1_to_2_5_order_of_the_turns(
    scores: dict[str, tuple[float, float, str, str]], turns: list[list[str]], why: str
) -> None:
    assert [list(turn) for turn in order(sheets(**scores))] == turns, why


def test_ia_2_3_and_2_4_everybody_in_turn_and_from_the_top_again() -> None:
    log = ia(hero(policy="nearest"), goblin(policy="nearest"), dice=(1,) * 9)
    assert [e.values["who"] for e in all_of(log, "strike")] == ["Asha", "Goblin"] * 3
    assert [e.round for e in all_of(log, "strike", who="Asha")] == [1, 2, 3]


def test_ia_3_1_latecomers_act_after_the_round_in_which_they_come() -> None:
    log = ia(hero(), goblin(policy="nearest"), goblin("Ork", joins_round=2, policy="nearest"))
    assert one(log, "arrives", who="Ork").round == 2
    assert [e.round for e in all_of(log, "strike", who="Ork")] == [3]


def test_ia_4_1_and_4_2_the_surprised_lose_the_first_round_and_are_attacked_with_advantage() -> None:
    log = ia(hero(policy="nearest"), goblin(surprised=True, policy="nearest"))
    assert [e.round for e in all_of(log, "strike", who="Goblin")] == [2, 3]
    assert [e.values["mode"] for e in all_of(log, "strike", who="Asha")] == ["advantage", "normal", "normal"]
    assert one(log, "order").values["turns"] == [["Asha"], ["Goblin"]]


def test_ia_5_1_positions_are_those_that_were_stated() -> None:
    log = ia(hero(x=-4, height=2), goblin(x=9), rounds=1)
    assert (end(log).states["Asha"].x, end(log).states["Asha"].height, end(log).states["Goblin"].x) == (
        -4,
        2,
        9,
    )


def test_ia_6_2_a_round_lasts_three_seconds() -> None:
    log = ia(hero(), goblin(), rounds=3)
    assert [e.at_s for e in all_of(log, "turn")] == [0, 3, 6]


@pytest.mark.parametrize(("actions", "costs", "strikes"), [(1, 1, 1), (3, 1, 3), (3, 2, 1), (1, 2, 0)])
def test_ia_7_1_attacks_cost_actions(actions: int, costs: int, strikes: int) -> None:
    blade = BLADE.model_copy(update={"actions": costs})
    attacker = hero(weapons=(blade,), policy="nearest", scores={"max_actions": actions})
    log = ia(attacker, goblin(hp=900), rounds=1)
    assert len(all_of(log, "strike", who="Asha")) == strikes


@pytest.mark.parametrize(("metres", "mode"), [(2, "normal"), (2.1, None)])
def test_ia_8_1_and_8_2_melee_reaches_two_metres(metres: float, mode: str | None) -> None:
    log = ia(hero(), goblin(x=metres), script=(HIT,), rounds=1)
    assert [e.values["mode"] for e in all_of(log, "strike")] == ([mode] if mode else [])


@pytest.mark.parametrize(("reach", "metres", "reached"), [(1, 1.5, False), (3, 3, True)])
def test_ia_8_2_but_short_and_long_weapons(reach: float, metres: float, reached: bool) -> None:
    log = ia(
        hero(weapons=(BLADE.model_copy(update={"reach_m": reach}),)),
        goblin(x=metres),
        script=(HIT,),
        rounds=1,
    )
    assert bool(all_of(log, "strike")) is reached


@pytest.mark.parametrize(
    ("weapon", "x", "scores", "final"),
    [
        (BLADE, 0, {"m_def": 3, "r_def": 9}, 5),
        (BOW, 9, {"m_def": 9, "r_def": 2}, 6),
        (BLADE, 0, {"m_def": 9}, 0),
    ],
)
def test_ia_8_3_and_9_6_defences_take_from_attacks(
    weapon: Weapon, x: float, scores: dict[str, float], final: float
) -> None:
    log = ia(hero(weapons=(weapon,)), goblin(x=x, scores=scores), script=(HIT,), dice=(4, 4), rounds=1)
    assert one(log, "strike").values["final"] == final
    assert [e.values["amount"] for e in all_of(log, "damage")] == ([final] if final else [])


RANGED: list[tuple[Weapon, float, dict[str, Any], dict[str, Any], str]] = [
    (BOW, 30, {}, {}, "normal"),
    (BOW, 31, {}, {}, "disadvantage"),
    (BOW, 9, {}, {"prone": True}, "disadvantage"),
    (BOW, 9, {"prone": True}, {}, "disadvantage"),
    (GUN, 9, {"prone": True}, {}, "advantage"),
    (GUN, 1, {}, {}, "disadvantage"),
    (PISTOL, 1, {}, {}, "normal"),
    (BOW, 1, {}, {"weapons": (BOW,)}, "normal"),
]


@pytest.mark.parametrize(("weapon", "x", "mine", "theirs", "mode"), RANGED)
def test_ia_9_1_to_9_5_ranges_prone_firearms_and_foes_in_reach(
    weapon: Weapon, x: float, mine: dict[str, Any], theirs: dict[str, Any], mode: str
) -> None:
    log = ia(hero(weapons=(weapon,), **mine), goblin(x=x, **theirs), script=(HIT,), rounds=1)
    assert one(log, "strike", who="Asha").values["mode"] == mode


def test_ia_9_1_beyond_long_range_nothing_reaches_and_shots_cost_ammunition() -> None:
    bow = BOW.model_copy(update={"ammunition": "arrow"})
    archer = hero(weapons=(bow,), ammunition=(Ammunition(name="arrow", count=1),))
    log = ia(archer, goblin(x=61), script=(HIT,), rounds=1)
    assert one(log, "cannot_attack").values["reason"] == "out_of_reach"
    log = ia(archer, goblin(x=20), script=(HIT, HIT), rounds=2)
    assert len(all_of(log, "strike", who="Asha")) == 1
    assert one(log, "cannot_attack").values["reason"] == "no_ammunition"


RAPIER = Weapon(name="rapier", damage="1d6", size="medium", proficiency=3)
STILETTO = Weapon(name="stiletto", damage="1d4", size="small", proficiency=1)
PIKE = Weapon(name="pike", damage="1d6", size="polearm", proficiency=3)
SWORD = Weapon(name="greatsword", damage="2d6", size="large", hands=2, proficiency=4, needs_str=3)
DUAL: list[tuple[tuple[Weapon, Weapon], dict[str, Any], float, str]] = [
    ((RAPIER, STILETTO), {}, 3, "the better proficiency"),
    ((PIKE, STILETTO), {}, 0, "no polearm"),
    ((SWORD, STILETTO), {}, 0, "a large one needs a big creature"),
    ((SWORD, STILETTO), {"size": "big", "abilities": {"str": 4}}, 4, "big and strong enough"),
    ((SWORD, STILETTO), {"size": "big", "abilities": {"str": 3}}, 0, "big and too weak"),
    ((RAPIER, STILETTO), {"scores": {"hinders_dex": True}}, 0, "armour or a shield that hinders Dexterity"),
]


@pytest.mark.parametrize(("weapons", "more", "bonus", "why"), DUAL)
def test_ia_10_1_to_10_3_two_weapons_add_the_better_proficiency(
    weapons: tuple[Weapon, Weapon], more: dict[str, Any], bonus: float, why: str
) -> None:
    scores = {"grips": [w.name for w in weapons], "m_def": 1, **more.get("scores", {})}
    sheet: dict[str, Any] = {**more, "scores": scores}
    target = goblin(weapons=weapons, **sheet)
    log = ia(hero(), target, script=(HIT,), rounds=1)
    assert one(log, "strike").values["defence"] == 1 + bonus, why


def test_ia_11_1_the_bonus_is_lost_with_the_use_of_an_arm() -> None:
    target = goblin(weapons=(RAPIER, STILETTO), scores={"grips": ["rapier", "stiletto"]})
    script = (does("Asha", "attack", target="Goblin", limb="arm"), HIT)
    log = ia(hero(), target, script=script, dice=(6, 6, 6, 6), rounds=2)
    assert [e.values["defence"] for e in all_of(log, "strike")] == [3, 0]
