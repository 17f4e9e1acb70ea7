"""Combate · Lo que dice la spec y aún no está: spells by name, with their areas and their effects."""

from typing import Any

import pytest

from rules.fights.clock import StoryClock
from rules.fights.events import Log
from rules.fights.house import spells
from rules.fights.house.areas import OF_ONE
from rules.fights.house.effects import RESOLVERS
from rules.fights.model import Fighter, Intent, Scenario
from rules.fights.rolling import WrittenDice
from rules.fights.setup import make_table
from rules.ruleset import load_ruleset
from tests.fights.staging import CLUB, all_of, does, end, fight, foe, hero, kinds, one, other

SPELLS = (
    "fireball", "burning hands", "lightning bolt", "thunderwave", "magic missile", "sleep", "hold person",
    "healing word", "mass healing word", "heal", "aid", "shield of faith", "barkskin", "invisibility",
    "grease", "lesser restoration", "power word kill", "fly",
)  # fmt: skip


def mage(**more: Any) -> Fighter:
    values: dict[str, Any] = {
        "spells": SPELLS, "slots": dict.fromkeys(range(1, 10), 3), "spell_attack": 5, "spell_dc": 13,
        "spell_ability": "int", "abilities": {"int": 3, "dex": 3}, "hp": 40,
    }  # fmt: skip
    return hero(**{**values, **more})


def cast(spell: str, target: str = "Hugo", **more: object) -> Intent:
    return does("Cat", "cast", spell=spell, target=target, **more)


def hurt(log: Log) -> set[str]:
    return {e.values["who"] for e in all_of(log, "damage")}


def far(name: str, x: float, **more: object) -> Fighter:
    return foe(name, x=x, hp=90, speed_m=0, weapons=(CLUB,), **more)


# Areas: fireball, 6 m around; burning hands, a cone of 4.5 m; lightning bolt, a line of 30 m by 1.5;
# thunderwave, a cube of 4.5 m

AREAS: list[tuple[str, list[tuple[str, float, float]], set[str]]] = [
    ("fireball", [("Hugo", 30, 0), ("Near", 36, 0), ("Far", 36.1, 0), ("Up", 30, 6)], {"Hugo", "Near", "Up"}),
    ("burning hands", [("Hugo", 3, 0), ("Near", 4.5, 0), ("Far", 5, 0), ("Behind", -3, 0)], {"Hugo", "Near"}),
    ("burning hands", [("Hugo", 4, 0), ("Low", 4, 2), ("High", 4, 2.1)], {"Hugo", "Low"}),
    ("lightning bolt", [("Hugo", 9, 0), ("Far", 30, 0), ("Aside", 9, 1)], {"Hugo", "Far"}),
    ("thunderwave", [("Hugo", 1, 0), ("Near", 4.5, 2), ("Far", 5, 0)], {"Hugo", "Near"}),
    ("thunderwave", [("Hugo", 0, 0), ("Beside", 0, 0), ("Far", 1, 0)], {"Hugo", "Beside"}),
    ("magic missile", [("Hugo", 9, 0), ("Beside", 9, 0)], {"Hugo"}),
]


@pytest.mark.parametrize(("spell", "people", "struck"), AREAS)
def test_spec_a_1_an_area_strikes_all_who_are_in_it(
    spell: str, people: list[tuple[str, float, float]], struck: set[str]
) -> None:
    foes = [far(name, x, height=height) for name, x, height in people]
    log = fight(mage(), *foes, script=(cast(spell),), rounds=1)
    before = log[: next(i for i, e in enumerate(log) if e.kind == "acts")]
    assert hurt(before) == struck


def test_spec_a_1_one_roll_for_all_and_a_save_for_each() -> None:
    dice = (*(2,) * 8, 15, 3)
    log = fight(mage(), far("Hugo", 30), far("Other", 32), script=(cast("fireball"),), dice=dice, rounds=1)
    assert [(e.values["who"], e.values["amount"]) for e in all_of(log, "damage")][:2] == [
        ("Hugo", 8),
        ("Other", 16),
    ]


def test_spec_a_1_friends_are_in_it_and_the_caster_is_not() -> None:
    log = fight(mage(), hero("Lys", x=30, hp=90), far("Hugo", 30), script=(cast("fireball"),), rounds=1)
    assert {"Lys", "Hugo"} <= hurt(log)
    near = fight(mage(), far("Hugo", 3), script=(cast("fireball"),), rounds=1)
    assert "Cat" not in hurt(near[: kinds(near).index("acts")])


def test_spec_a_1_neither_cover_nor_another_place_nor_the_fallen() -> None:
    people = (
        far("Hugo", 30),
        far("Wall", 30, behind="total"),
        far("Away", 30, place="mill"),
    )
    log = fight(mage(), *people, script=(cast("fireball"),), rounds=1)
    assert hurt(log) & {"Wall", "Away"} == set()


def test_spec_a_1_who_stood_by_and_is_struck_was_wronged() -> None:
    log = fight(mage(), far("Hugo", 30), other("Ana", x=31, hp=90), script=(cast("fireball"),), rounds=1)
    assert one(log, "attacks_without_cause").values["target"] == "Ana"
    assert one(log, "crime").values["target"] == "Ana"


# Effects


def test_spec_a_1_each_resolver_is_of_a_spell_without_figures() -> None:
    """A spell whose damage is in the table needs none; a name that no spell bears would never be found."""
    known = load_ruleset("combate").spells
    assert set(RESOLVERS) <= set(known)
    assert [name for name in RESOLVERS if known[name].damage] == []
    assert set(known) >= OF_ONE


@pytest.mark.parametrize(
    ("face", "hugo", "other_one"), [(1, False, False), (2, True, False), (4, True, True)]
)
def test_spec_a_1_sleep_takes_who_has_least(face: int, hugo: bool, other_one: bool) -> None:
    """Five dice: 5, 10 and 20 hit points of sleep against 8 and 10."""
    people = foe("Hugo", x=9, hp=8), foe("Other", x=9, hp=10)
    log = fight(mage(), *people, script=(cast("sleep", "Other"),), dice=(face,) * 5, rounds=1)
    asleep = {e.values["who"] for e in all_of(log, "falls_asleep")}
    assert asleep == {*(("Hugo",) if hugo else ()), *(("Other",) if other_one else ())}


def test_spec_a_1_who_sleeps_wakes_of_damage_or_after_a_minute() -> None:
    people = foe("Hugo", x=9, hp=8), far("Other", 9)
    burn = cast("burning hands", "Hugo", turn=2)
    near = foe("Hugo", x=3, hp=30), far("Other", 9)
    log = fight(mage(), *near, script=(cast("sleep"), burn), dice=(8,) * 5, rounds=2)
    assert kinds(log).index("falls_asleep") < kinds(log).index("comes_to")
    long = fight(mage(hp=900), *people, script=(cast("sleep"),), dice=(8,) * 5, rounds=12)
    assert one(long, "comes_to", who="Hugo").round == 11


@pytest.mark.parametrize(("faces", "turns"), [((5, 5, 15), 2), ((5, 15), 1), ((15,), 0)])
def test_spec_a_1_who_is_held_does_nothing_until_a_save(faces: tuple[int, ...], turns: int) -> None:
    log = fight(mage(), foe("Hugo"), script=(cast("hold person"),), dice=faces, rounds=4)
    held = [e for e in all_of(log, "idle") if e.values["reason"] == "held"]
    assert len(held) == turns
    assert bool(all_of(log, "shakes_off")) is bool(turns)


def test_spec_a_1_who_is_held_is_hit_with_advantage_and_critically() -> None:
    hit = does("Lys", "attack", target="Hugo", turn=2)
    log = fight(
        mage(), hero("Lys"), foe("Hugo", hp=90), script=(cast("hold person"), hit), dice=(5, 5, 5), rounds=2
    )
    blow = one(log, "attack", who="Lys")
    assert blow.values["mode"] == "advantage"
    assert blow.values["critical"] is blow.values["hits"] is True


def test_spec_a_1_a_held_character_does_nothing_either_and_is_freed() -> None:
    grasp = does("Hugo", "cast", spell="hold person", target="Lys")
    wizard = foe("Hugo", hp=90, spells=("hold person",), slots={2: 2}, spell_dc=15)
    free = cast("lesser restoration", "Lys", turn=2, after_s=9)
    strike = does("Lys", "attack", target="Hugo", turn=2)
    people = mage(), hero("Lys", hp=90), wizard
    log = fight(*people, script=(grasp, strike, free), dice=(5, 1), rounds=2)
    assert one(log, "is_held").values["who"] == "Lys"
    assert one(log, "cannot_move").values["who"] == "Lys"
    assert not all_of(log, "attack", who="Lys")
    assert one(log, "shakes_off")


@pytest.mark.parametrize(
    ("spell", "creature"), [("hold person", "wolf"), ("hold person", "skeleton"), ("sleep", "skeleton")]
)
def test_spec_a_1_whom_a_spell_cannot_touch(spell: str, creature: str) -> None:
    log = fight(mage(), foe("Hugo", creature=creature, hp=5), script=(cast(spell),), dice=(8,) * 5, rounds=1)
    assert not all_of(log, "is_held")
    assert not all_of(log, "falls_asleep")


HEALED: list[tuple[str, int | None, tuple[int, ...], float]] = [
    ("healing word", None, (4,), 17),
    ("healing word", 3, (4, 4, 4), 25),
    ("mass healing word", None, (2,), 15),
    ("mass healing word", 4, (2, 3), 18),
    ("heal", None, (), 80),
    ("heal", 7, (), 90),
]


@pytest.mark.parametrize(("spell", "slot", "faces", "hp"), HEALED)
def test_spec_a_1_healing_goes_with_the_slot(
    spell: str, slot: int | None, faces: tuple[int, ...], hp: float
) -> None:
    scenario = Scenario(fighters=(mage(), hero("Lys", hp=200)), language="en")
    table = make_table(scenario, load_ruleset("combate"), WrittenDice(faces), StoryClock())
    table.tell("made", {"Lys": {"hp": 10}})
    assert spells.cast(table, "Cat", cast(spell, "Lys", slot=slot))
    assert table["Lys"].hp == hp


def test_spec_a_1_a_mass_healing_reaches_ones_own_side_alone() -> None:
    people = mage(), hero("Lys"), hero("Away", x=40), foe("Hugo", x=2, weapons=(), attacks=0)
    log = fight(*people, script=(cast("mass healing word", "Lys"),), rounds=1)
    assert [e.values["who"] for e in all_of(log, "healed")] == ["Lys", "Cat"]


def test_spec_a_1_what_protects() -> None:
    script = (cast("shield of faith", "Cat"), cast("shield of faith", "Cat"), cast("aid", "Cat"))
    after = end(fight(mage(ac=12), far("Hugo", 60), script=script, rounds=3)).states["Cat"]
    assert (after.ac, after.hp, after.max_hp) == (14, 45, 45)
    bark = end(fight(mage(ac=12), far("Hugo", 60), script=(cast("barkskin", "Cat"),), rounds=1))
    assert bark.states["Cat"].ac == 16


def test_spec_a_1_who_is_invisible_is_not_attacked() -> None:
    log = fight(mage(), foe("Hugo"), script=(cast("invisibility", "Cat"),), rounds=1)
    assert one(log, "idle").values["reason"] == "cannot_see_the_target"


@pytest.mark.parametrize(("face", "prone"), [(5, True), (15, False)])
def test_spec_a_1_grease_throws_down_who_fails(face: int, prone: bool) -> None:
    log = fight(mage(), far("Hugo", 9), script=(cast("grease"),), dice=(face,), rounds=1)
    assert bool(all_of(log, "drops_prone", who="Hugo")) is prone


@pytest.mark.parametrize(("hp", "dies"), [(100, True), (101, False)])
def test_spec_a_1_a_word_that_kills(hp: int, dies: bool) -> None:
    log = fight(mage(), foe("Hugo", hp=hp), script=(cast("power word kill"),), rounds=1)
    assert end(log).states["Hugo"].dead is dies


def test_spec_a_1_what_has_neither_figures_nor_a_resolver_is_the_masters() -> None:
    log = fight(mage(), far("Hugo", 9), script=(cast("fly", "Cat"),), rounds=1)
    assert one(log, "left_to_master")
