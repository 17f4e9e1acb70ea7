"""I&A, Part 6 · falling, drowning, burning, cover, underwater, the five kinds of encounter."""

from typing import Any

import pytest

from rules.fights.model import Weapon
from tests.fights.staging import all_of, does, end, kinds, one
from tests.fights.test_ia_order import GUN, HIT, goblin, hero, ia


def fell(metres: float, *script: Any, dice: tuple[int, ...] = (), rounds: int = 3, **more: Any) -> Any:
    push = does("master", "fall", enemy="Asha", metres=metres, **more.pop("into", {}))
    sheet: dict[str, Any] = {"hp": 900, **more}
    return ia(hero(**sheet), goblin(x=50), script=(push, *script), dice=dice, rounds=rounds)


# Falling

DICE = [(2.9, 0), (3, 1), (8.9, 2), (9, 3), (30, 10), (3_000, 190)]


@pytest.mark.parametrize(("metres", "dice"), DICE)
def test_ia_20_1_a_die_for_each_three_metres_190_at_most(metres: float, dice: int) -> None:
    log = fell(metres, rounds=40, scores={"fall_die": "1d4"})
    assert one(log, "fall_damage").values["dice"] == dice


def test_ia_20_1_of_the_die_of_its_size() -> None:
    log = fell(9, scores={"fall_die": "1d10"}, dice=(10, 9, 8))
    assert one(log, "damage", who="Asha").values["amount"] == 27


def test_ia_20_2_and_20_3_what_it_lands_on_hurts_and_is_hurt() -> None:
    spikes = fell(3, into={"damage": "2d6"}, dice=(4, 6, 5))
    assert [e.values["amount"] for e in all_of(spikes, "damage", who="Asha")] == [4, 11]
    other = fell(3, into={"target": "Goblin"}, dice=(4,))
    assert [e.values["amount"] for e in all_of(other, "damage")] == [4, 4]


def test_ia_20_4_it_is_over_at_the_end_of_the_next_turn() -> None:
    pushed, jumped = fell(9), ia(hero(hp=90), goblin(x=50), script=(does("Asha", "fall", metres=9),))
    assert one(pushed, "lands").round == 1
    assert one(jumped, "lands").round == 2


@pytest.mark.parametrize(("face", "stops"), [(12, True), (2, False)])
def test_ia_20_4_and_can_be_stopped_meanwhile(face: int, stops: bool) -> None:
    log = fell(9, does("Asha", "hold", dc=10), dice=(face,))
    assert bool(all_of(log, "stops_falling")) is stops
    assert bool(all_of(log, "lands")) is not stops


@pytest.mark.parametrize(("metres", "rounds"), [(30, 1), (31, 1), (91, 2), (181, 3)])
def test_ia_20_5_long_falls_go_on_at_30_metres_a_second(metres: float, rounds: int) -> None:
    assert one(fell(metres, rounds=5), "lands").round == rounds


@pytest.mark.parametrize(("metres", "face", "prone"), [(3, 5, False), (3, 4, True), (10, 20, True)])
def test_ia_21_1_an_agility_check_of_three_times_the_metres_or_prone(
    metres: float, face: int, prone: bool
) -> None:
    log = fell(metres, dice=(*(1,) * int(metres / 3), face))
    assert one(log, "rates").values["dr"] == metres * 3
    assert end(log).states["Asha"].prone is prone


def test_ia_21_4_which_takes_nothing_from_the_damage() -> None:
    stands, falls = fell(3, dice=(6, 20)), fell(3, dice=(6, 1))
    assert one(stands, "damage").values["amount"] == one(falls, "damage").values["amount"] == 6


# Drowning and suffocating

BREATH: list[tuple[float, bool, float]] = [(2, True, 12), (0, True, 3), (2, False, 120), (0, False, 30)]


@pytest.mark.parametrize(("fortitude", "by_surprise", "seconds"), BREATH)
def test_ia_22_1_breath_by_fortitude(fortitude: float, by_surprise: bool, seconds: float) -> None:
    drown = does("Asha", "drown", by_surprise=by_surprise)
    log = ia(hero(abilities={"fortitude": fortitude}), goblin(x=50), script=(drown,), rounds=1)
    assert one(log, "holds_breath").values["seconds"] == seconds


def drowned(minutes: float) -> Any:
    script = (does("Asha", "drown", by_surprise=True), does("master", "hours", turn=4, hours=minutes / 60))
    people = (hero(abilities={"fortitude": 1, "con": 2}), hero("Bor"), goblin(x=50))
    return ia(*people, script=script, rounds=4)


def test_ia_22_1_who_runs_out_is_unconscious() -> None:
    log = drowned(0.1)
    assert one(log, "out_of_breath").round == 2
    assert end(log).states["Asha"].unconscious


@pytest.mark.parametrize(
    ("minutes", "lost", "dead"), [(0.5, 0, False), (1, 0.5, False), (1.5, 0.5, False), (2, 1, True)]
)
def test_ia_22_2_then_minutes_by_constitution_with_half_a_point_lost_each(
    minutes: float, lost: float, dead: bool
) -> None:
    asha = end(drowned(minutes)).states["Asha"]
    assert (asha.int_lost, asha.dead) == (lost, dead)


def test_ia_22_1_who_surfaces_breathes() -> None:
    script = (does("Asha", "drown", by_surprise=True), does("Asha", "surface"))
    log = ia(hero(abilities={"fortitude": 1}), goblin(x=50), script=script, rounds=3)
    assert "out_of_breath" not in kinds(log)


# Burning


def test_ia_23_1_burns_at_start_and_end_of_each_turn_until_put_out() -> None:
    script = (does("master", "ignite", turn=1, enemy="Asha"), does("Asha", "wait"), does("Asha", "put_out"))
    log = ia(
        hero(scores={"natural_armor": 2, "m_def": 9, "armor": 9}),
        goblin(x=50),
        script=script,
        dice=(6, 5, 4, 1),
        rounds=3,
    )
    assert [(e.round, e.values["amount"]) for e in all_of(log, "burns")] == [(1, 4), (1, 3), (2, 2)]


# Cover


def test_ia_24_1_and_24_2_partial_cover_is_disadvantage_and_total_cover_no_target() -> None:
    partial = ia(hero(), goblin(behind="partial"), script=(HIT,), rounds=1)
    total = ia(hero(), goblin(behind="total"), script=(HIT,), rounds=1)
    assert one(partial, "strike").values["mode"] == "disadvantage"
    assert one(total, "cannot_attack").values["reason"] == "total_cover"
    assert "strike" not in kinds(total)


@pytest.mark.parametrize(
    ("faces", "struck"), [((1, 1, 5, 5, 4, 4), ["Goblin", "Ork"]), ((4, 4, 5, 5), ["Goblin"])]
)
def test_ia_25_1_a_creature_as_cover_is_struck_where_the_first_attack_does_nothing(
    faces: tuple[int, ...], struck: list[str]
) -> None:
    people = (hero(), goblin(shielded_by="Ork", scores={"m_def": 4}), goblin("Ork"))
    log = ia(*people, script=(HIT,), dice=faces, rounds=1)
    strikes = all_of(log, "strike")
    assert [e.values["target"] for e in strikes] == struck
    assert [e.values["mode"] for e in strikes] == ["disadvantage", "normal"][: len(struck)]


# Underwater


@pytest.mark.parametrize(("aquatic", "mode"), [(False, "disadvantage"), (True, "normal")])
def test_ia_26_1_attacks_under_water(aquatic: bool, mode: str) -> None:
    log = ia(
        hero(underwater=True, scores={"aquatic": aquatic}), goblin(underwater=True), script=(HIT,), rounds=1
    )
    assert one(log, "strike").values["mode"] == mode


def test_ia_26_1_swimming_speed_is_swim_and_strength_by_two_each_second() -> None:
    swimmer = hero(underwater=True, abilities={"str": 2.5}, scores={"swim": 3})
    log = ia(swimmer, goblin(x=90), script=(does("Asha", "move", metres=50),), rounds=1)
    assert one(log, "moves").values["metres"] == 2.75 * 3


@pytest.mark.parametrize(("con", "seconds"), [(2, 120), (0, 30)])
def test_ia_26_2_breath_under_water_by_constitution(con: float, seconds: float) -> None:
    log = ia(hero(abilities={"con": con}), goblin(x=50), script=(does("Asha", "submerge"),), rounds=1)
    assert one(log, "holds_breath").values["seconds"] == seconds
    assert end(log).states["Asha"].underwater


@pytest.mark.parametrize(
    "family", ["hammerlock", "blunderbuss", "firelance", "flamethrower", "archery", "firearm"]
)
def test_ia_26_3_what_cannot_fire_under_water(family: str) -> None:
    weapon = Weapon.model_validate({**GUN.model_dump(), "family": family})
    log = ia(hero(weapons=(weapon,), underwater=True), goblin(x=9, underwater=True), script=(HIT,), rounds=1)
    assert bool(all_of(log, "cannot_attack")) is (family not in ("archery", "firearm"))


# The five kinds of encounter


def goal(kind: str, **more: Any) -> dict[str, Any]:
    return {"goal": {"kind": kind, **more}}


KILL = Weapon(name="bolt", damage="50d1")


def test_ia_27_1_without_a_goal_it_is_last_team_standing() -> None:
    log = ia(
        hero(weapons=(KILL,)), goblin(), goblin("Ork"), script=(HIT, does("Asha", "attack", target="Ork"))
    )
    assert end(log).outcome == "won"
    assert len(all_of(log, "falls")) == 2
    assert end(ia(hero(hp=1), goblin(policy="nearest"))).outcome == "lost"


def test_ia_28_1_a_chase_is_over_with_the_lead_or_the_catch() -> None:
    run = tuple(does("Asha", "move", metres=9) for _ in range(3))
    away = ia(hero(x=10), goblin(policy="nearest", speed_m=3), script=run, **goal("chase", metres=20))
    caught = ia(hero(x=1, hp=1), goblin(policy="nearest"), **goal("chase"))
    assert end(away).outcome == "won"
    assert one(away, "end").round == 2
    assert end(caught).outcome == "lost"


def test_ia_29_1_control_is_held_round_by_round() -> None:
    rules = goal("control", place="mill", rounds=3)
    held = ia(hero(), goblin(place="road"), rounds=9, **rules)
    assert [e.values["rounds"] for e in all_of(held, "held")] == [1, 2, 3]
    assert end(held).outcome == "won"
    lost = ia(hero(place="road"), goblin(), rounds=9, **rules)
    assert end(lost).outcome == "lost"


def test_ia_30_1_survival_lasts_some_rounds() -> None:
    assert end(ia(hero(), goblin(hp=900), rounds=9, **goal("survival", rounds=4))).outcome == "won"
    assert end(ia(hero(hp=1), goblin(policy="nearest"), **goal("survival", rounds=4))).outcome == "lost"


def test_ia_30_2_then_something_comes_and_it_is_about_that() -> None:
    chief = goblin("Chief", place="mill")
    script = (does("Asha", "attack", target="Chief", turn=3),)
    people = (hero(weapons=(KILL,)), goblin(hp=900), chief)
    log = ia(*people, script=script, rounds=9, **goal("survival", rounds=2, then="Chief"))
    assert one(log, "new_goal").round == 2
    assert end(log).outcome == "won"
    assert end(log).states["Goblin"].is_up


@pytest.mark.parametrize("deed", ["attack", "take"])
def test_ia_31_1_a_very_important_target_falls_or_is_taken(deed: str) -> None:
    script = (does("Asha", deed, target="Noble"),)
    log = ia(
        hero(weapons=(KILL,)),
        goblin("Noble"),
        goblin("Guard"),
        script=script,
        **goal("very_important_target", target="Noble"),
    )
    assert end(log).outcome == "won"
    assert end(log).states["Guard"].is_up


def test_ia_31_2_and_lost_where_it_was_ones_own() -> None:
    noble = hero("Noble", hp=1)
    log = ia(hero(x=30), noble, goblin(policy="nearest"), **goal("very_important_target", target="Noble"))
    assert end(log).outcome == "lost"
    assert end(log).states["Asha"].is_up
