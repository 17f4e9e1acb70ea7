"""Combate · Ventanas decisivas; Un rival que te sigue; Rondas en escenas tensas; Lo que dice la spec."""

import pytest

from rules.fights.model import Ammunition, Fighter, Intent, Scenario
from rules.fights.setup import ScenarioError
from tests.fights.staging import all_of, does, end, fight, foe, hero, kinds, one, other

WAIT = does("Cat", "wait")


def window(turn: int = 1, target: str = "Cat", enemy: str = "Hugo", **more: object) -> Intent:
    values = {
        "turn": turn,
        "target": target,
        "enemy": enemy,
        "risk": ["real", "immediate"],
        "item": "the axe falls",
    }
    return does("master", "window", **{**values, **more})


# Ventanas decisivas


def test_ventanas_decisivas_1_60_seconds_with_suggested_actions() -> None:
    log = fight(hero(), foe(), script=(window(suggested=["duck"]), WAIT), rounds=1)
    assert one(log, "window_opens").values == {
        "target": "Cat",
        "enemy": "Hugo",
        "threat": "the axe falls",
        "seconds": 60,
        "suggested": ["duck"],
    }


BANDS = [
    (0, "advantage_or_acts_first"),
    (14.9, "advantage_or_acts_first"),
    (15, "both_at_once"),
    (59.9, "both_at_once"),
    (60, "both_at_once"),
    (60.1, "threat_in_full"),
    (None, "threat_in_full"),
]


@pytest.mark.parametrize(("seconds", "effect"), BANDS)
def test_ventanas_decisivas_2_three_bands(seconds: float | None, effect: str) -> None:
    answer = (
        does("Cat", "silent") if seconds is None else does("Cat", "attack", target="Hugo", after_s=seconds)
    )
    log = fight(hero(hp=90), foe(), script=(window(), answer), rounds=1)
    assert one(log, "window_answer").values["effect"] == effect


def test_ventanas_decisivas_2_in_time_is_with_advantage_and_first() -> None:
    script = (window(), does("Cat", "attack", target="Hugo", after_s=5))
    log = fight(hero(), foe(), script=script, dice=(2, 15, 4), rounds=1)
    assert one(log, "attack", who="Cat").values["mode"] == "advantage"
    assert one(log, "averted").values["who"] == "Cat"
    assert not all_of(log, "attack", who="Hugo")


def test_ventanas_decisivas_2_in_between_both_happen_even_where_the_enemy_falls() -> None:
    script = (window(), does("Cat", "attack", target="Hugo", after_s=30))
    log = fight(
        hero(),
        foe(hp=1, weapons=({"name": "club", "damage": "1d4", "attack": 9, "damage_type": "bludgeoning"},)),
        script=script,
        dice=(20, 4, 4, 15, 3),
        rounds=1,
    )
    assert one(log, "attack", who="Cat").values["mode"] == "normal"
    assert one(log, "attack", who="Hugo").values["hits"]


def test_ventanas_decisivas_2_late_the_threat_comes_to_pass_in_full() -> None:
    script = (window(), does("Cat", "attack", target="Hugo", after_s=61))
    log = fight(hero(), foe(), script=script, dice=(15, 6), rounds=1)
    assert not all_of(log, "attack", who="Cat")
    assert one(log, "damage", who="Cat").values["amount"] == 8


@pytest.mark.parametrize("risk", [[], ["real"], ["immediate"]])
def test_ventanas_decisivas_a_1_only_with_real_and_immediate_risk(risk: list[str]) -> None:
    log = fight(hero(), foe(), script=(window(risk=risk), WAIT), rounds=1)
    assert one(log, "window_refused").values["reason"] == "no_risk"


def test_ventanas_decisivas_b_1_never_two_in_a_row_for_one_character() -> None:
    people = (hero(hp=90), foe(), foe("Ana"), foe("Eva"))
    script = (window(1), window(2, enemy="Ana"), window(3, enemy="Eva"), WAIT, WAIT, WAIT)
    log = fight(*people, script=script, dice=(1,) * 12, rounds=3)
    assert one(log, "window_refused").values == {"target": "Cat", "enemy": "Ana", "reason": "in_a_row"}
    assert [e.values["enemy"] for e in all_of(log, "window_opens")] == ["Hugo", "Eva"]


def test_ventanas_decisivas_b_1_but_after_a_success_between() -> None:
    script = (window(1), window(2, enemy="Ana"), does("Cat", "attack", target="Hugo", after_s=5), WAIT)
    log = fight(hero(hp=90), foe(), foe("Ana"), script=script, dice=(15, 15, 2), rounds=2)
    assert [e.values["enemy"] for e in all_of(log, "window_opens")] == ["Hugo", "Ana"]


def test_ventanas_decisivas_b_2_one_for_each_enemy_in_a_fight_and_then_it_acts() -> None:
    script = (window(1), WAIT, window(3), WAIT, WAIT)
    log = fight(hero(hp=90), foe(), script=script, rounds=3)
    assert one(log, "window_refused").values["reason"] == "enemy_had_one"
    third = all_of(log, "turn")[2].number
    assert [e for e in all_of(log, "attack", who="Hugo") if e.number > third]


def test_ventanas_decisivas_b_2_and_in_the_next_fight_it_may_again() -> None:
    calm = does("Cat", "cow", target="Hugo", skill="str", dc=1)
    script = (window(2), window(5), WAIT, WAIT, calm, does("Cat", "attack", target="Hugo"), WAIT)
    log = fight(hero(hp=90), foe(), script=script, dice=(1, 15, 1, 1, 1), rounds=5)
    assert [e.values["fight"] for e in all_of(log, "fight_begins")] == [1, 2]
    assert len(all_of(log, "window_opens")) == 2


def test_ventanas_decisivas_c_1_and_c_2_the_engine_carries_the_threat_out() -> None:
    log = fight(hero(hp=90), foe(), script=(window(), does("Cat", "silent")), dice=(19, 5), rounds=1)
    assert one(log, "attack", who="Hugo").values["by"] == "engine"
    guard = fight(
        hero(),
        other("Guard", authority=True),
        script=(window(enemy="Guard"), does("Cat", "silent")),
        rounds=1,
    )
    assert end(guard).states["Cat"].tied
    assert "attack" not in kinds(guard)


def test_ventanas_decisivas_c_4_the_notice_is_marked_as_an_expired_turn() -> None:
    log = fight(hero(hp=90), foe(), script=(window(), does("Cat", "silent")), rounds=1)
    assert one(log, "threat").values["expired"] is True


def test_ventanas_decisivas_d_2_who_is_away_has_armour_class_and_saves() -> None:
    missed = fight(hero(), foe(), script=(window(), does("Cat", "silent")), dice=(2,), rounds=1)
    assert one(missed, "attack", who="Hugo").values["hits"] is False
    bridge = window(enemy="", damage="4d6", save="dex", dc=12)
    saved = fight(hero(), script=(bridge, does("Cat", "silent")), dice=(10,), rounds=1)
    fell = fight(hero(hp=90), script=(bridge, does("Cat", "silent")), dice=(9, 6, 6, 6, 6), rounds=1)
    assert one(saved, "save").values["success"] is True
    assert "damage" not in kinds(saved)
    assert one(fell, "damage").values["amount"] == 24


def test_ventanas_decisivas_d_1_who_says_nothing_at_all_has_lost_it() -> None:
    """No intent, and a policy that gives none, is no answer either."""
    log = fight(hero(hp=90), foe(), script=(window(),), rounds=1)
    assert one(log, "window_answer").values["seconds"] is None
    assert one(log, "threat").values["expired"] is True


def test_ventanas_decisivas_c_2_who_is_arrested_is_fought_no_longer() -> None:
    guard = foe("Guard", authority=True)
    log = fight(hero(), guard, script=(window(enemy="Guard"), does("Cat", "silent")), rounds=5)
    assert end(log).outcome == "lost"
    assert not all_of(log, "attack")


def test_ventanas_decisivas_1_windows_are_for_characters() -> None:
    log = fight(hero(), foe(), script=(window(target="Hugo", enemy=""), WAIT), rounds=1)
    assert one(log, "window_refused").values["reason"] == "nobody"


def test_ventanas_decisivas_e_2_time_up_is_told_before_what_follows() -> None:
    log = fight(hero(hp=90), foe(), script=(window(), does("Cat", "silent")), rounds=1)
    told = kinds(log)
    assert told.index("time_up") < told.index("threat") < told.index("attack")
    assert one(log, "time_up").at_s == 60


def test_ventanas_decisivas_e_3_an_answer_stops_the_counter() -> None:
    log = fight(hero(hp=90), foe(), script=(window(), does("Cat", "wait", after_s=7)), rounds=1)
    assert "time_up" not in kinds(log)
    assert one(log, "window_answer").at_s == 7


# Un rival que te sigue a otro sitio


def test_un_rival_que_te_sigue_1_it_is_the_same_fight_and_the_round_goes_on() -> None:
    script = (WAIT, WAIT, does("Cat", "go", to="alley"), WAIT)
    log = fight(hero(hp=90), foe(), script=script, rounds=4)
    assert one(log, "fight_goes_on").values == {"fight": 1, "place": "alley", "who": "Hugo"}
    assert len(all_of(log, "fight_begins")) == 1
    assert one(log, "fight_goes_on").round == 3


def test_un_rival_que_te_sigue_2_each_change_of_place_leaves_its_line() -> None:
    log = fight(
        hero(hp=90), foe(), script=(does("Cat", "go", to="alley"), does("Cat", "go", to="door")), rounds=2
    )
    assert [(e.values["who"], e.values["to"]) for e in all_of(log, "crosses")] == [
        ("Cat", "alley"),
        ("Hugo", "alley"),
        ("Cat", "door"),
        ("Hugo", "door"),
    ]


def test_un_rival_que_te_sigue_who_is_slower_is_left_and_the_fight_ends() -> None:
    log = fight(hero(), foe(speed_m=6), script=(WAIT, does("Cat", "go", to="alley")), dice=(1,), rounds=3)
    assert one(log, "left_behind").values["who"] == "Hugo"
    assert "fight_ends" in kinds(log)


# Rondas en escenas tensas

TWO = (hero(hp=90), hero("Lys", hp=90))


def test_rondas_1_two_active_players_in_one_place_and_a_fight_make_a_round() -> None:
    log = fight(*TWO, foe(), script=(WAIT, does("Lys", "wait")), rounds=1)
    assert one(log, "round_opens").values == {"waiting_for": ["Cat", "Lys"], "seconds": 30}
    apart = fight(TWO[0], hero("Lys", place="inn"), foe(), script=(WAIT, does("Lys", "wait")), rounds=1)
    assert "round_opens" not in kinds(apart)


def test_rondas_a_1_and_a_2_a_fight_a_hostile_or_a_window_and_not_the_story_alone() -> None:
    script = (WAIT, does("Lys", "wait"))
    bridge = window(enemy="", damage="1d6")
    assert "round_opens" in kinds(fight(*TWO, script=(*script, bridge), rounds=1))
    assert "round_opens" not in kinds(fight(*TWO, other(), script=script, tense=True, rounds=1))


@pytest.mark.parametrize(("seconds", "why", "at_s"), [(8, "all", 8), (31, "clock", 30)])
def test_rondas_b_1_all_have_acted_or_30_seconds_have_passed(seconds: float, why: str, at_s: float) -> None:
    log = fight(*TWO, foe(), script=(WAIT, does("Lys", "wait", after_s=seconds)), rounds=1)
    assert one(log, "round_resolved").values["why"] == why
    assert one(log, "round_resolved").at_s == at_s


def test_rondas_c_1_who_did_not_act_loses_the_round_and_blocks_nobody() -> None:
    script = (does("Cat", "attack", target="Hugo"), does("Lys", "silent"))
    log = fight(*TWO, foe(), script=script, rounds=1)
    assert one(log, "hesitates").values["who"] == "Lys"
    assert {e.values["who"] for e in all_of(log, "attack")} == {"Cat", "Hugo"}


def test_rondas_d_1_the_notice_says_round_whom_is_waited_for_and_the_time() -> None:
    log = fight(*TWO, foe(), script=(WAIT, does("Lys", "wait")), rounds=2)
    second = all_of(log, "round_opens")[1]
    assert second.round == 2
    assert second.values["waiting_for"] == ["Cat", "Lys"]


def test_rondas_e_1_one_resolution_for_all() -> None:
    log = fight(*TWO, foe(), script=(WAIT, does("Lys", "wait")), rounds=1)
    assert [e.values["acted"] for e in all_of(log, "round_resolved")] == [["Cat", "Lys"]]


# Lo que dice la spec y aún no está

MAGE = hero(
    spells=(
        "magic missile",
        "descarga de fuego",
        "cure wounds",
        "sacred flame",
        "mage armor",
        "burning hands",
    ),
    slots={1: 3},
    spell_attack=5,
    spell_dc=13,
    spell_ability="int",
    abilities={"int": 3, "dex": 3},
)


def cast(spell: str, **more: object) -> Intent:
    return does("Cat", "cast", spell=spell, **{"target": "Hugo", **more})


def test_spec_a_1_spells_are_resolved_by_name() -> None:
    sure = fight(MAGE, foe(), script=(cast("magic missile"),), dice=(2, 2, 2), rounds=1)
    assert one(sure, "damage", who="Hugo").values["amount"] == 9
    assert one(sure, "casts").changes["Cat"]["slots"] == {"1": 2}
    rolled = fight(MAGE, foe(ac=14), script=(cast("fire bolt"),), dice=(9, 7), rounds=1)
    assert one(rolled, "damage", who="Hugo").values["amount"] == 7
    saved = fight(MAGE, foe(), script=(cast("llama sagrada"),), dice=(5, 13), rounds=1)
    assert one(saved, "save").values["success"] is True
    assert not all_of(saved, "damage", who="Hugo")
    half = fight(MAGE, foe(), script=(cast("burning hands"),), dice=(3, 3, 3, 13), rounds=1)
    assert one(half, "damage", who="Hugo").values["amount"] == 4
    healed = fight(
        MAGE, hero("Lys", hp=5), foe(), script=(cast("cure wounds", target="Lys"),), dice=(4,), rounds=1
    )
    assert one(healed, "healed").values["amount"] == 0
    armour = fight(MAGE, foe(), script=(cast("mage armor", target=""),), rounds=1)
    assert end(armour).states["Cat"].ac == 16


REFUSED: list[tuple[str, dict[str, object], str]] = [
    ("magic missile", {"slots": {}}, "no_slot"),
    ("sleep", {}, "not_known"),
    ("sacred flame", {"x": 50}, "out_of_reach"),
]


@pytest.mark.parametrize(("spell", "mage", "reason"), REFUSED)
def test_spec_a_1_what_cannot_be_cast_is_said(spell: str, mage: dict[str, object], reason: str) -> None:
    log = fight(MAGE.model_copy(update=mage), foe(speed_m=0), script=(cast(spell),), rounds=1)
    assert one(log, "cannot_cast").values["reason"] == reason


def test_spec_a_1_a_quick_bar_of_five() -> None:
    log = fight(MAGE, foe(), script=(does("Cat", "cast", target="Hugo", quick=2),), rounds=1)
    assert one(log, "casts").values["spell"] == "fire bolt"
    with pytest.raises(ValueError, match="at most 5"):
        hero(quick_bar=("light",) * 6)
    with pytest.raises(ScenarioError):
        fight(hero(quick_bar=("no such spell",)), foe())


@pytest.mark.parametrize(("written_for", "hp"), [(None, 20), (1, 60), (2, 30), (3, 20), (6, 10)])
def test_spec_b_1_difficulty_goes_with_the_players(written_for: int | None, hp: int) -> None:
    log = fight(hero(), hero("Lys"), hero("Aren"), foe(hp=20), written_for=written_for, rounds=1)
    assert end(log).states["Hugo"].max_hp == hp
    assert ("scaled" in kinds(log)) is (written_for not in (None, 3))


def test_unused_types_are_what_scenarios_are_made_of() -> None:
    """A scenario from plain values is the same as from models: what a file holds is what a test builds."""
    built = Scenario(fighters=(Fighter(name="A", hp=3, ammunition=(Ammunition(name="arrow", count=2),)),))
    read = Scenario.model_validate(
        {"fighters": [{"name": "A", "hp": 3, "ammunition": [{"name": "arrow", "count": 2}]}]}
    )
    assert built == read
