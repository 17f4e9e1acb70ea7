"""I&A, Part 6 · called shots, limbs, flanking, elevation, overflow, moving through others."""

from typing import Any

import pytest

from rules.fights.clock import StoryClock
from rules.fights.ia.checks import rolls
from rules.fights.ia.sides import agility, flying_speed
from rules.fights.model import Scenario, Weapon
from rules.fights.rolling import WrittenDice
from rules.fights.setup import first_status, make_table
from rules.ruleset import load_ruleset
from tests.fights.staging import all_of, does, end, kinds, one
from tests.fights.test_ia_order import BOW, HIT, goblin, hero, ia

HEAVY = Weapon(name="maul", damage="2d12", hands=2, size="large")


def aimed(limb: str, **more: Any) -> Any:
    return does("Asha", "attack", target="Goblin", limb=limb, **more)


def crippled(
    *script: Any, sever: bool = False, limb: str = "arm", dice: tuple[int, ...] = (), **more: Any
) -> Any:
    """A blow of 16 at a limb of the goblin, and what follows."""
    people = (hero(weapons=(HEAVY,)), goblin(hp=100, **more), hero("Healer", weapons=()))
    return ia(*people, script=(aimed(limb, sever=sever), *script), dice=(8, 8, 8, 8, *dice), rounds=6)


# Called shots


def test_ia_12_1_and_12_2_a_called_shot_is_at_disadvantage_and_disables_for_seconds() -> None:
    log = ia(hero(), goblin(), script=(aimed("leg"),), dice=(4, 4, 3, 3), rounds=4)
    assert one(log, "strike").values["mode"] == "disadvantage"
    assert one(log, "disabled").values == {"who": "Goblin", "limb": "leg", "seconds": 6}
    assert one(log, "limb_back").at_s == 6


@pytest.mark.parametrize(("faces", "what"), [((8, 7), "disabled"), ((8, 8), "crippled")])
def test_ia_12_3_a_hard_blow_cripples_or_severs_as_the_attacker_chooses(
    faces: tuple[int, int], what: str
) -> None:
    for sever in (False, True):
        log = ia(
            hero(weapons=(HEAVY,)),
            goblin(hp=90),
            script=(aimed("arm", sever=sever),),
            dice=faces * 2,
            rounds=1,
        )
        expected = "severed" if sever and what == "crippled" else what
        assert expected in kinds(log)


def table_of(**limbs: Any) -> Any:
    """A table with one goblin whose limbs are so."""
    sheet = goblin(
        abilities={"agi": 3, "dex": 2, "str": 2},
        scores={"wings": 4},
        weapons=(HEAVY, BOW.model_copy(update={"hands": 1})),
    )
    rules = load_ruleset("ia")
    table = make_table(
        Scenario(ruleset="ia", fighters=(sheet,)), rules, WrittenDice((15, 4, 15, 4)), StoryClock()
    )
    table.tell("made", {"Goblin": {"limbs": limbs}})
    return table


@pytest.mark.parametrize("state", [{"disabled_s": 3}, {"crippled": True}, {"severed": True}])
def test_ia_13_1_arm_no_two_handed_grip_and_disadvantage(state: dict[str, Any]) -> None:
    table = table_of(arm=state)
    assert rolls(table, "Goblin", "str", "arm") == 4 + 2
    assert rolls(table, "Goblin", "str") == 15 + 2
    log = ia(
        hero(), goblin(policy="nearest", weapons=(HEAVY,)), script=(aimed("arm"),), dice=(4,) * 4, rounds=1
    )
    assert [e.values["weapon"] for e in all_of(log, "strike", who="Goblin")] == ["fists"]


AGI = [(4.0, False, 1.0), (0.5, False, 0.0), (1.0, False, 1.0), (4.0, True, 3.0)]


@pytest.mark.parametrize(("agi", "prosthetic", "left"), AGI)
def test_ia_13_2_leg_agility_falls_to_1_or_by_1_with_a_prosthetic(
    agi: float, prosthetic: bool, left: float
) -> None:
    sheet = goblin(abilities={"agi": agi}, scores={"prosthetic": prosthetic})
    whole = first_status(sheet)
    assert agility(sheet, whole) == agi
    table = table_of(leg={"disabled_s": 3})
    assert agility(sheet, table["Goblin"]) == left


def test_ia_13_2_leg_checks_with_it_are_at_disadvantage() -> None:
    assert rolls(table_of(leg={"crippled": True}), "Goblin", "agi", "leg") == 4 + 1


def test_ia_13_3_tail_is_disabled_like_any_part() -> None:
    log = ia(hero(), goblin(), script=(aimed("tail"),), dice=(4,) * 4, rounds=1)
    assert one(log, "disabled").values["limb"] == "tail"


@pytest.mark.parametrize(("broken", "speed"), [(0, 9), (1, 6.75), (2, 4.5), (3, 0), (4, 0)])
def test_ia_13_4_wings_a_quarter_less_each_and_no_flight_beyond_half(broken: int, speed: float) -> None:
    table = table_of(wing={"crippled": broken > 0, "count": broken})
    assert flying_speed(table.sheets["Goblin"], table["Goblin"]) == speed


MEND = does("Healer", "mend", target="Goblin", limb="arm", turn=2)


@pytest.mark.parametrize(("amount", "mended"), [(10, False), (11, True)])
def test_ia_14_1_crippled_until_magic_restores_over_a_tenth(amount: float, mended: bool) -> None:
    log = crippled(does("Healer", "heal", target="Goblin", amount=amount, turn=2))
    assert bool(all_of(log, "mended")) is mended


@pytest.mark.parametrize(("face", "treated"), [(18, True), (17, False)])
def test_ia_14_1_or_until_a_medicine_kit_and_rest(face: int, treated: bool) -> None:
    rest = does("Goblin", "rest", turn=3)
    log = crippled(MEND, rest, dice=(face,))
    assert one(log, "rates").values["dr"] == 18
    assert bool(all_of(log, "mended")) is treated


@pytest.mark.parametrize(
    ("hours", "treat", "bad"), [(23, False, False), (24.1, False, True), (30, True, False)]
)
def test_ia_14_2_untreated_for_a_day_it_is_for_good(hours: float, treat: bool, bad: bool) -> None:
    script = (*((MEND,) if treat else ()), does("master", "hours", turn=3, hours=hours))
    assert bool(all_of(crippled(*script, dice=(20,)), "permanent")) is bad


def test_ia_15_1_severed_bleeds_and_dr_25_reattaches() -> None:
    log = crippled(
        MEND.model_copy(update={"words": "", "target": "Goblin"}),
        sever=True,
        dice=(20,),
        scores={},
        abilities={"agi": 1},
    )
    assert one(log, "severed").changes["Goblin"]["bleeding"] is True
    assert one(log, "rates").values == {
        "who": "Healer",
        "ability": "medicine_kit",
        "total": 20,
        "dr": 25,
        "result": "partial",
    }
    skilled = hero("Healer", weapons=(), abilities={"medicine_kit": 6})
    log = ia(
        hero(weapons=(HEAVY,)),
        goblin(hp=100),
        skilled,
        script=(aimed("arm", sever=True), MEND),
        dice=(8, 8, 8, 8, 19),
    )
    assert one(log, "reattached").changes["Goblin"]["bleeding"] is False


PARTIAL = [
    ((20, 50, 50), {"infected", "permanent"}),
    ((20, 51, 50), {"permanent"}),
    ((20, 50, 51), {"infected"}),
    ((20, 51, 51), set[str]()),
]


@pytest.mark.parametrize(("dice", "what"), PARTIAL)
def test_ia_15_1_a_partial_success_stops_the_bleeding_with_two_chances_of_half(
    dice: tuple[int, ...], what: set[str]
) -> None:
    log = crippled(MEND, sever=True, dice=dice)
    assert one(log, "bleeding_stops").changes["Goblin"]["bleeding"] is False
    assert {k for k in kinds(log) if k in ("infected", "permanent")} == what


def test_ia_15_1_unless_a_special_art_heals_it() -> None:
    art = does("Healer", "heal", target="Goblin", amount=1, item="restoration of the body", turn=3)
    log = crippled(MEND, art, sever=True, dice=(20, 1, 1))
    assert one(log, "mended").changes["Goblin"]["limbs"]["arm"]["permanent"] is False


# Flanking


@pytest.mark.parametrize(("attackers", "bonus"), [(1, 0), (2, 2), (3, 4)])
def test_ia_16_1_and_16_2_two_more_for_each_beyond_the_first(attackers: int, bonus: int) -> None:
    heroes = [hero(name, policy="nearest") for name in ("Asha", "Bor", "Cyr")[:attackers]]
    log = ia(*heroes, goblin(hp=500), rounds=1)
    assert [e.values["bonus"] for e in all_of(log, "strike")] == [bonus] * attackers


def test_ia_16_3_archers_have_the_bonus_and_do_not_count() -> None:
    archer = hero("Archer", weapons=(BOW,), x=9, policy="nearest", abilities={"agi": 9})
    pair = ia(hero(), hero("Bor"), archer, goblin(hp=500), rounds=1)
    alone = ia(hero(), archer, goblin(hp=500), rounds=1)
    assert one(pair, "strike", who="Archer").values["bonus"] == 2
    assert one(alone, "strike", who="Archer").values["bonus"] == 0


# Elevation

HEIGHTS = [(3, 0, 1.5), (0, 4, -2), (0, 0, 0), (6, 0, 3), (20, 0, 3), (0, 20, -3), (1.9, 0, 0.5), (0.5, 0, 0)]


@pytest.mark.parametrize(("mine", "theirs", "bonus"), HEIGHTS)
def test_ia_17_1_and_17_2_half_a_point_a_metre_three_at_most(
    mine: float, theirs: float, bonus: float
) -> None:
    log = ia(hero(weapons=(BOW,), height=mine), goblin(x=15, height=theirs), script=(HIT,), rounds=1)
    assert one(log, "strike").values["bonus"] == bonus


def test_ia_17_1_for_ranged_attacks_alone() -> None:
    log = ia(hero(height=1.5), goblin(), script=(HIT,), rounds=1)
    assert one(log, "strike").values["bonus"] == 0


# Overflow


@pytest.mark.parametrize(
    ("chosen", "x", "passes"), [("", 2, True), ("Ork", 2, True), ("Ork", 5, False), ("", 5, False)]
)
def test_ia_18_1_what_is_left_over_passes_to_one_beside(chosen: str, x: float, passes: bool) -> None:
    script = (does("Asha", "attack", target="Goblin", overflow_to=chosen),)
    log = ia(hero(), goblin(hp=3), goblin("Ork", hp=30, x=x), script=script, dice=(5, 5), rounds=1)
    assert [e.values["amount"] for e in all_of(log, "overflows", target="Ork")] == ([7] if passes else [])
    assert end(log).states["Ork"].hp == (23 if passes else 30)


def test_ia_18_1_of_melee_attacks_alone() -> None:
    log = ia(
        hero(weapons=(BOW,)), goblin(hp=3, x=9), goblin("Ork", x=9), script=(HIT,), dice=(5, 5), rounds=1
    )
    assert "overflows" not in kinds(log)


# Moving through others

PASS = does("Asha", "through", target="Other")


def test_ia_19_2_a_friend_lets_one_pass_and_nobody_ends_in_its_space() -> None:
    log = ia(hero(), hero("Other", x=4), goblin(x=40), script=(PASS,), rounds=1)
    assert end(log).states["Asha"].x == 5
    slow = ia(hero(speed_m=4), hero("Other", x=4), goblin(x=40), script=(PASS,), rounds=1)
    assert one(slow, "is_stopped")
    assert end(slow).states["Asha"].x == 3


def test_ia_19_2_who_is_moved_into_a_space_is_shunted_to_the_nearest_free_one() -> None:
    push = does("master", "move", enemy="Asha", metres=4)
    log = ia(hero(), hero("Other", x=4), goblin(x=40), script=(push,), rounds=1)
    assert one(log, "shunted").values["metres"] == 1
    assert end(log).states["Asha"].x in (3, 5)


@pytest.mark.parametrize(("faces", "x"), [((15, 5), 5), ((5, 15), 3), ((10, 13), 3)])
def test_ia_19_3_a_foe_must_be_beaten_by_strength_or_agility_against_strength(
    faces: tuple[int, int], x: float
) -> None:
    log = ia(hero(), goblin("Other", x=4), script=(PASS,), dice=faces, rounds=1)
    assert one(log, "contest").values["success"] is (x == 5)
    assert end(log).states["Asha"].x == x
