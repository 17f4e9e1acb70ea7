"""I&A, Part 6 · reactions, moves in the air, bleeding, and the space that sizes take up."""

from typing import Any

import pytest

from rules.fights.model import Weapon
from rules.fights.setup import ScenarioError
from tests.fights.staging import all_of, does, end, kinds, one
from tests.fights.test_ia_order import BLADE, HIT, goblin, hero, ia

FALL = does("master", "fall", enemy="Asha", metres=9)


def holds(**more: Any) -> Any:
    return does("Asha", "hold", dc=10, **more)


# Reactions


def test_ia_6_2_a_turn_has_its_actions_and_one_reaction() -> None:
    """The blow costs the action, the fall is stopped by the reaction."""
    log = ia(hero(hp=90), goblin(), script=(FALL, HIT, holds(reaction=True)), dice=(3, 3, 15), rounds=1)
    assert one(log, "strike")
    assert one(log, "reaction").changes["Asha"] == {"reaction": False}
    assert kinds(log).index("strike") < kinds(log).index("reaction") < kinds(log).index("stops_falling")
    assert not all_of(log, "lands")


def test_ia_6_2_and_a_reaction_is_no_second_action() -> None:
    log = ia(hero(hp=90), goblin(), script=(holds(reaction=True), HIT), rounds=1)
    assert not all_of(log, "reaction"), "nothing happens that it could answer"
    assert one(log, "strike")


@pytest.mark.parametrize(("faces", "stops"), [((2, 12), True), ((2, 2), False), ((12,), True)])
def test_ia_20_4_reaction_and_turn_may_both_try(faces: tuple[int, ...], stops: bool) -> None:
    script = (FALL, holds(), holds(reaction=True))
    log = ia(hero(hp=90), goblin(x=50), script=script, dice=faces, rounds=1)
    assert len([e for e in all_of(log, "rates") if e.values["dr"] == 10]) == len(faces)
    assert bool(all_of(log, "stops_falling")) is stops
    assert bool(all_of(log, "lands")) is not stops


def test_ia_6_2_the_reaction_is_back_in_the_next_round() -> None:
    again = does("master", "fall", enemy="Asha", metres=9, turn=2)
    script = (FALL, again, holds(reaction=True), holds(reaction=True))
    log = ia(hero(hp=90), goblin(x=50), script=script, dice=(15, 15), rounds=2)
    assert [e.round for e in all_of(log, "reaction")] == [1, 2]
    assert end(log).states["Asha"].falling_m == 0


def test_ia_6_2_who_cannot_act_cannot_react() -> None:
    script = (FALL, does("Asha", "attack", target="Goblin", reaction=True))
    log = ia(hero(hp=90), goblin(), script=script, rounds=1)
    assert one(log, "cannot_react"), "Part 6 names no other use"
    assert one(log, "lands")


# In the air


def flies(**more: Any) -> Any:
    return does("Asha", "fly", **more)


WINGED: dict[str, Any] = {"scores": {"wings": 2, "max_actions": 2}}


@pytest.mark.parametrize(
    ("way", "x", "height"),
    [
        ({"height": 6}, 0, 6),
        ({"metres": 5}, 5, 0),
        ({"height": 30}, 0, 9),
        ({"metres": 6, "height": 8}, 5.4, 7.2),
        ({"target": "Goblin", "height": 0}, 9, 0),
    ],
)
def test_ia_13_4_flight_goes_as_far_as_the_wings_carry(way: dict[str, Any], x: float, height: float) -> None:
    log = ia(hero(**WINGED), goblin(x=20), script=(flies(**way),), rounds=1)
    status = end(log).states["Asha"]
    assert (status.x, status.height) == (pytest.approx(x), pytest.approx(height))
    assert status.flying is (height > 0)


def test_ia_13_4_without_wings_nobody_flies() -> None:
    log = ia(hero(), goblin(x=20), script=(flies(height=5),), rounds=1)
    assert one(log, "cannot_fly")
    assert end(log).states["Asha"].height == 0


SHOT = Weapon(name="bow", damage="20d1", kind="ranged", range_m=60, long_m=90, hands=2, family="archery")


@pytest.mark.parametrize(("wings", "falls"), [(1, True), (2, False)])
def test_ia_13_4_who_can_fly_no_longer_falls(wings: int, falls: bool) -> None:
    """Over half of one wing is one wing; of two it is two."""
    aim = does("Goblin", "attack", target="Asha", limb="wing")
    log = ia(
        hero(hp=900, scores={"wings": wings}),
        goblin(x=20, weapons=(SHOT,)),
        script=(flies(height=6), aim),
        rounds=2,
    )
    assert one(log, "crippled")
    assert bool(all_of(log, "no_longer_flies")) is falls
    assert [e.values["metres"] for e in all_of(log, "lands")] == ([6] if falls else [])
    assert end(log).states["Asha"].height == (0 if falls else 6)


def test_ia_13_4_who_is_felled_in_the_air_falls() -> None:
    aim = does("Goblin", "attack", target="Asha")
    script = (flies(height=6), aim)
    other = hero("Other", x=40)
    log = ia(hero(hp=5, **WINGED), other, goblin(x=20, weapons=(SHOT,)), script=script, rounds=2)
    assert one(log, "no_longer_flies")
    assert one(log, "lands").values["metres"] == 6


# Bleeding

CUT = Weapon(name="axe", damage="16d1")
SEVER = does("Asha", "attack", target="Goblin", limb="arm", sever=True)


@pytest.mark.parametrize(("dice", "lost"), [("", []), ("1d4", [3, 2]), ("2", [2, 2])])
def test_ia_15_1_external_bleeding_takes_what_the_scenario_says(dice: str, lost: list[int]) -> None:
    faces = (*(1,) * 32, 3, 2)
    people = hero(weapons=(CUT,)), goblin(hp=100)
    log = ia(*people, script=(SEVER,), dice=faces, rounds=2, bleeding=dice)
    assert [e.values["amount"] for e in all_of(log, "bleeds")] == lost
    assert end(log).states["Goblin"].hp == 84 - sum(lost)


def test_ia_15_1_until_it_is_stopped() -> None:
    heal = does("Asha", "heal", target="Goblin", amount=1, item="Restore the Body", turn=2)
    log = ia(
        hero(weapons=(CUT,)), goblin(hp=100), script=(SEVER, heal), dice=(1,) * 32, rounds=4, bleeding="2"
    )
    assert [e.round for e in all_of(log, "bleeds")] == [1]
    assert not end(log).states["Goblin"].bleeding


def test_ia_15_1_what_it_takes_must_be_dice() -> None:
    with pytest.raises(ScenarioError):
        ia(hero(), goblin(), bleeding="much")


# Spaces by size

TROLL: dict[str, Any] = {"scores": {"space_m": 4}}


def test_ia_19_1_what_is_larger_takes_up_more() -> None:
    near = does("Asha", "move", target="Goblin")
    small = ia(hero(), goblin(x=6), script=(near,), rounds=1)
    large = ia(hero(), goblin(x=6, **TROLL), script=(near,), rounds=1)
    assert (end(small).states["Asha"].x, end(large).states["Asha"].x) == (5, 3.5)


def test_ia_19_1_and_is_reached_at_its_edge() -> None:
    for space, x, reaches in ((1, 2.5, False), (4, 3.5, True), (4, 3.6, False)):
        people = hero(weapons=(BLADE,)), goblin(x=x, scores={"space_m": space})
        log = ia(*people, script=(HIT,), rounds=1)
        assert bool(all_of(log, "strike")) is reaches, (space, x)


def test_ia_19_1_its_space_is_passed_and_left_whole() -> None:
    through = does("Asha", "through", target="Other")
    log = ia(hero(), hero("Other", x=4, **TROLL), goblin(x=40), script=(through,), rounds=1)
    assert end(log).states["Asha"].x == 6.5
    push = does("master", "move", enemy="Asha", metres=4)
    pushed = ia(hero(), hero("Other", x=4, **TROLL), goblin(x=40), script=(push,), rounds=1)
    assert abs(end(pushed).states["Asha"].x - 4) >= 2.5
