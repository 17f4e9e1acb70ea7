"""Combate · Atacar. Numbers 1 to 4 are its list; letters are its bullets, in order."""

from typing import Any

import pytest

from rules.fights.model import Ammunition, Weapon
from rules.fights.setup import ScenarioError
from tests.fights.staging import (
    BOW,
    CLUB,
    KNIFE,
    SWORD,
    all_of,
    does,
    end,
    fight,
    foe,
    hero,
    kinds,
    one,
    other,
)

HIT = does("Cat", "attack", target="Hugo")


def test_atacar_1_an_attack_has_a_target() -> None:
    with pytest.raises(ScenarioError) as raised:
        fight(hero(), foe(), script=(does("Cat", "attack"),))
    assert [f.code for f in raised.value.faults] == ["no_target"]


def test_atacar_2_the_roll_is_asked_for_with_its_target() -> None:
    log = fight(hero(), foe(), script=(HIT,), rounds=1)
    assert one(log, "roll_asked").values == {"who": "Cat", "target": "Hugo"}
    assert kinds(log).index("roll_asked") < kinds(log).index("attack")


ROLLS: list[tuple[int, bool, int]] = [(8, False, 0), (9, True, 8), (1, False, 0), (20, True, 13)]


@pytest.mark.parametrize(("face", "hits", "damage"), ROLLS)
def test_atacar_3_rolls_against_ac_deals_the_weapons_damage_and_20_is_critical(
    face: int, hits: bool, damage: int
) -> None:
    log = fight(hero(proficiency=0), foe(ac=12), script=(HIT,), dice=(face, 5, 5), rounds=1)
    attack = all_of(log, "attack", who="Cat")[0].values
    assert (attack["total"], attack["ac"], attack["hits"]) == (face + 3, 12, hits)
    assert attack["critical"] is (face == 20)
    assert [e.values["amount"] for e in all_of(log, "damage", who="Hugo")] == ([damage] if damage else [])


SUMS: list[tuple[dict[str, Any], dict[str, Any], dict[str, int]]] = [
    ({}, {}, {"ability": 3, "proficiency": 2, "magic": 0}),
    ({"proficient": False}, {}, {"ability": 3, "proficiency": 0, "magic": 0}),
    ({"magic": 2}, {}, {"ability": 3, "proficiency": 2, "magic": 2}),
    ({"ability": "dex"}, {"proficiency": 4}, {"ability": 2, "proficiency": 4, "magic": 0}),
]


@pytest.mark.parametrize(("weapon", "sheet", "parts"), SUMS)
def test_atacar_a_1_ability_proficiency_and_magic_are_added(
    weapon: dict[str, Any], sheet: dict[str, Any], parts: dict[str, int]
) -> None:
    blade = SWORD.model_copy(update=weapon)
    log = fight(hero(weapons=(blade,), **sheet), foe(), script=(HIT,), dice=(10,), rounds=1)
    attack = one(log, "attack", who="Cat").values
    assert attack["parts"] == parts
    assert attack["total"] == 10 + sum(parts.values())


def test_atacar_a_1_magic_of_the_ammunition_is_added_too() -> None:
    bow = BOW.model_copy(update={"magic": 1})
    archer = hero(weapons=(bow,), ammunition=(Ammunition(name="arrow", count=3, magic=1),))
    log = fight(archer, foe(x=10, speed_m=0), script=(HIT,), dice=(10, 4), rounds=1)
    assert one(log, "attack", who="Cat").values["parts"]["magic"] == 2
    assert one(log, "damage", who="Hugo").values["amount"] == 4 + 2 + 2


@pytest.mark.parametrize(("mode", "natural"), [("advantage", 17), ("disadvantage", 4)])
def test_atacar_a_1_equipment_gives_advantage_or_takes_it(mode: str, natural: int) -> None:
    log = fight(hero(equipment_mode=mode), foe(), script=(HIT,), dice=(4, 17), rounds=1)
    attack = one(log, "attack", who="Cat").values
    assert attack["rolls"] == [4, 17]
    assert attack["total"] == natural + 5


PIKE = Weapon(name="pike", damage="1d10", damage_type="piercing", kind="reach")
ARROWS = (Ammunition(name="arrow", count=5),)
REACHES: list[tuple[Weapon, float, str]] = [
    (SWORD, 0, "normal"), (SWORD, 1, ""), (PIKE, 3, "normal"), (PIKE, 3.5, ""), (KNIFE, 6, "normal"),
    (KNIFE, 7, "disadvantage"), (KNIFE, 18, "disadvantage"), (KNIFE, 18.5, ""), (BOW, 24, "normal"),
    (BOW, 25, "disadvantage"), (BOW, 97, ""),
]  # fmt: skip


@pytest.mark.parametrize(("weapon", "metres", "mode"), REACHES, ids=lambda v: getattr(v, "name", str(v)))
def test_atacar_b_1_and_b_2_how_far_weapons_reach(weapon: Weapon, metres: float, mode: str) -> None:
    still = foe(x=metres, speed_m=0, weapons=(), attacks=0)
    log = fight(hero(weapons=(weapon,), ammunition=ARROWS), still, script=(HIT,), rounds=1)
    found = [e.values["mode"] for e in all_of(log, "attack", who="Cat")]
    assert found == ([mode] if mode else [])
    if not mode:
        assert one(log, "cannot_attack").values["reason"] == "out_of_reach"


def test_atacar_b_2_who_does_not_reach_comes_near_first() -> None:
    script = (does("Cat", "move", target="Hugo"), HIT)
    log = fight(hero(), foe(x=6, speed_m=0), script=script, rounds=2)
    assert all_of(log, "attack", who="Cat")


def test_atacar_c_1_to_c_2_shots_cost_ammunition_and_half_of_it_can_be_gathered() -> None:
    shots = (*(HIT for _ in range(5)), does("Cat", "collect"))
    archer = hero(weapons=(BOW,), ammunition=ARROWS)
    log = fight(archer, foe(hp=900, x=10, speed_m=0), script=shots, dice=(10,), rounds=6)
    before = [e for e in log if e.kind == "attack" and e.values["who"] == "Cat"][-1]
    assert before.changes["Cat"]["ammunition"] == {"arrow": 0}
    assert end(log).states["Cat"].ammunition == {"arrow": 2}


def test_atacar_c_1_no_ammunition_no_shot() -> None:
    archer = hero(weapons=(BOW,), ammunition=(Ammunition(name="arrow", count=0),))
    log = fight(
        archer, foe(x=10, speed_m=0), script=(does("Cat", "attack", target="Hugo", weapon="bow"),), rounds=1
    )
    assert one(log, "cannot_attack").values["reason"] == "no_ammunition"


def test_atacar_c_3_what_is_thrown_lies_by_its_target() -> None:
    script = (HIT, does("Cat", "attack", target="Hugo", weapon="knife"), does("Cat", "collect"))
    log = fight(hero(weapons=(KNIFE,)), foe(x=5, speed_m=0), script=script, rounds=3)
    thrown = one(log, "attack", who="Cat")
    assert thrown.changes["@"]["ground"] == (("square", "knife", 1),)
    assert one(log, "cannot_attack").values["reason"] == "not_in_hand"
    assert end(log).states["Cat"].thrown == ()


def test_atacar_d_1_two_light_weapons_give_a_second_attack() -> None:
    script = (does("Cat", "attack", target="Hugo", off_hand=True),)
    log = fight(hero(weapons=(KNIFE, CLUB)), foe(), script=script, dice=(10, 3, 10, 3), rounds=1)
    assert [(e.values["weapon"], e.values["off_hand"]) for e in all_of(log, "attack", who="Cat")] == [
        ("knife", False),
        ("club", True),
    ]
    assert [e.values["amount"] for e in all_of(log, "damage", who="Hugo")] == [6, 3]


def test_atacar_d_1_one_heavy_weapon_gives_none() -> None:
    script = (does("Cat", "attack", target="Hugo", off_hand=True),)
    log = fight(hero(weapons=(SWORD, CLUB)), foe(), script=script, rounds=1)
    assert len(all_of(log, "attack", who="Cat")) == 1
    assert one(log, "cannot_attack").values["reason"] == "no_light_pair"


def test_atacar_e_1_resistance_halves_before_it_is_applied() -> None:
    worn = fight(hero(), foe(resistances=("slashing",)), script=(HIT,), dice=(10, 6), rounds=1)
    assert one(worn, "damage", who="Hugo").values == {
        "who": "Hugo", "amount": 4, "type": "slashing", "left": 16, "changed_by": "resistance"
    }  # fmt: skip
    fire = Weapon(name="torch", damage="1d6", attack=4, damage_type="fire")
    drinker = hero(potions={"red flask": "fire"})
    script = (does("Cat", "drink", item="red flask"),)
    drunk = fight(drinker, foe(weapons=(fire,)), script=script, dice=(18, 5), rounds=1)
    assert one(drunk, "damage", who="Cat").values["amount"] == 2


def test_atacar_f_1_enemies_have_blocks_of_the_srd() -> None:
    log = fight(hero(), foe("Bandit", hp=None, ac=None, weapons=(), creature="thug", xp=None), rounds=1)
    attack = all_of(log, "attack", who="Bandit")[0].values
    assert (end(log).states["Bandit"].ac, end(log).states["Bandit"].max_hp) == (11, 32)
    assert attack["parts"]["block"] == 4


def test_atacar_f_2_their_rolls_are_hidden() -> None:
    log = fight(hero(), foe(), script=(HIT,), rounds=1)
    assert one(log, "attack", who="Cat").values["hidden"] is False
    assert one(log, "attack", who="Hugo").values["hidden"] is True


def test_atacar_g_1_a_dead_hostile_drops_what_it_has_and_gives_experience() -> None:
    script = (does("Cat", "attack", target="Hugo", words="I kill him"), does("Cat", "collect"))
    log = fight(hero(), foe(hp=1, loot=("ring",)), script=script, dice=(20,))
    assert one(log, "drops").changes["@"]["ground"] == (("square", "ring", 1),)
    assert end(log).states["Cat"].xp == 50
    assert end(log).states["Cat"].loot == ("ring",)


def test_atacar_g_2_who_was_not_hostile_gives_infamy_and_it_is_a_crime_with_witnesses() -> None:
    script = (does("Cat", "attack", target="Hugo", words="I kill him"),)
    log = fight(hero(), other(hp=1), other("Ana"), script=script, dice=(20,))
    cat = end(log).states["Cat"]
    assert (cat.xp, cat.infamy) == (0, 1)
    assert one(log, "crime", deed="killing").values["witnesses"] == ["Ana"]


def test_atacar_h_1_to_return_a_first_blow_is_no_crime() -> None:
    script = (does("Hugo", "attack", target="Cat"), does("Cat", "wait"), HIT)
    log = fight(hero(hp=90), foe(), script=script, rounds=2)
    assert "crime" not in kinds(log)
    assert end(log).states["Hugo"].hostile_to == ("Cat",)


def test_atacar_i_1_attitudes_go_to_each_character() -> None:
    log = fight(hero(), hero("Lys"), foe(attitudes={"Cat": "ally"}), rounds=1)
    assert {e.values["target"] for e in all_of(log, "attack", who="Hugo")} == {"Lys"}
