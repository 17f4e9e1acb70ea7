"""The tool that makes the SRD's tables: how it reads sentences, and that it trusts no source blindly."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tools.make_srd_tables import as_lines
from tools.srd.actions import figures, multiattack
from tools.srd.creatures import challenge, creature_rows, typical_rows
from tools.srd.sentences import Told, read_action
from tools.srd.source import SourceError, rows
from tools.srd.spells import spell_rows

SENTENCES = [
    (
        "Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage.",
        Told("melee", "weapon", 4, 5, None, (("1d6+2", "slashing"),)),
    ),
    (
        "Melee or Ranged Weapon Attack: +6 to hit, reach 5 ft. or range 20/60 ft., one target. Hit: 7 "
        "(1d6 + 4) piercing damage, or 8 (1d8 + 4) piercing damage if used with two hands to make a melee "
        "attack.",
        Told("either", "weapon", 6, 5, (20, 60), (("1d6+4", "piercing"),), (("1d8+4", "piercing"),)),
    ),
    (
        "Each creature in that area must make a DC 15 Constitution saving throw, taking 14 (4d6) cold damage "
        "and 10 (3d6) thunder damage on a failed save, or half as much damage on a successful one.",
        Told(save=(15, "con"), half=True, save_damage=(("4d6", "cold"), ("3d6", "thunder"))),
    ),
    (
        "Melee Weapon Attack: +8 to hit, reach 10 ft., one creature. Hit: 11 (2d6 + 4) slashing damage. The "
        "target takes 7 (2d6) piercing damage at the start of each of its turns.",
        Told("melee", "weapon", 8, 10, None, (("2d6+4", "slashing"),)),
    ),
    (
        "Ranged Spell Attack: +5 to hit, range 120 ft., one target. Hit: 10 (3d6 − 1) fire damage.",
        Told("ranged", "spell", 5, None, (120, None), (("3d6-1", "fire"),)),
    ),
    (
        "Melee Weapon Attack: +0 to hit, reach 5 ft. Hit: 1 piercing damage.",
        Told("melee", "weapon", 0, 5, None, (("1", "piercing"),)),
    ),
    ("The creature sings until it is told to stop.", Told()),
    ("", Told()),
]


@pytest.mark.parametrize(("text", "told"), SENTENCES)
def test_sentences_are_read(text: str, told: Told):
    assert read_action(text) == told


def monster(**fields: Any) -> dict[str, Any]:
    """A record as the source has them."""
    bite = {
        "name": "Bite",
        "desc": "Melee Weapon Attack: +3 to hit, reach 5 ft., one target. Hit: 4 (1d6 + 1) piercing damage.",
        "attack_bonus": 3,
    }
    basis: dict[str, Any] = {
        "index": "moss-hound",
        "name": "Moss Hound",
        "size": "Medium",
        "type": "beast",
        "armor_class": [{"type": "natural", "value": 12}],
        "hit_points": 9,
        "hit_points_roll": "2d8",
        "speed": {"walk": "40 ft.", "fly": "10 ft.", "hover": True},
        "senses": {"passive_perception": 11, "darkvision": "60 ft. (blind beyond this radius)"},
        "proficiencies": [
            {"value": 3, "proficiency": {"index": "skill-perception"}},
            {"value": 4, "proficiency": {"index": "saving-throw-dex"}},
        ],
        "damage_vulnerabilities": ["fire"],
        "damage_resistances": ["bludgeoning and piercing from nonmagical weapons that aren't silvered"],
        "damage_immunities": [],
        "condition_immunities": [{"index": "prone"}],
        "challenge_rating": 0.25,
        "proficiency_bonus": 2,
        "xp": 50,
        "actions": [bite],
    }
    scores = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    return basis | dict.fromkeys(scores, 12) | fields


NONE: dict[str, Any] = {"creatures": [], "replaced": [], "actions": [], "spells": []}


def test_a_creature_becomes_a_row_of_facts():
    row = creature_rows([monster()], {"moss-hound": ["perro de musgo", "can de musgo"]}, NONE)["moss_hound"]
    assert row["names"] == {
        "en": {"word": "moss hound"},
        "es": {"word": "perro de musgo", "also": ["can de musgo"]},
    }
    assert (row["ac"], row["hp"], row["hit_dice"], row["cr"], row["xp"]) == (12, 9, "2d8", 0.25, 50)
    assert (row["speed_ft"], row["hover"], row["senses_ft"]) == (
        {"walk": 40, "fly": 10},
        True,
        {"darkvision": 60},
    )
    assert (row["skills"], row["saves"]) == ({"perception": 3}, {"dex": 4})
    assert row["resistances"] == {
        "bludgeoning": "magical or silvered",
        "piercing": "magical or silvered",
    }
    assert "immunities" not in row


def test_a_creature_without_a_spanish_name_keeps_the_english_one():
    assert set(creature_rows([monster()], {}, NONE)["moss_hound"]["names"]) == {"en"}


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("Moss Hound, Hybrid Form", {"word": "moss hound", "also": ["moss hound in hybrid form"]}),
        ("Moss Hound, Wolf Form", {"word": "moss hound in wolf form"}),
        ("Moss/Stone", {"word": "moss", "also": ["stone"]}),
        ("Moss Hound (Mossling)", {"word": "moss hound", "also": ["mossling"]}),
    ],
)
def test_names_of_the_source_are_those_that_people_write(name: str, names: dict[str, Any]):
    assert creature_rows([monster(name=name)], {}, NONE)["moss_hound"]["names"]["en"] == names


WRONG = {"name": "Bite", "desc": monster()["actions"][0]["desc"], "attack_bonus": 7}


def test_a_difference_that_nobody_has_judged_stops_the_tool():
    with pytest.raises(SourceError, match=r"not in corrections.*moss-hound"):
        creature_rows([monster(actions=[WRONG])], {}, NONE)


def test_a_difference_that_is_corrected_is_the_sentences_figure():
    row = {"id": "moss-hound", "action": "Bite", "field": "attack", "source": 7, "right": 3}
    corrections = NONE | {"actions": [{"why": "…", "rows": [row]}]}
    table = creature_rows([monster(actions=[WRONG])], {}, corrections)
    assert table["moss_hound"]["actions"][0]["attack"] == 3


def test_a_correction_that_finds_nothing_to_correct_stops_the_tool():
    row = {"id": "moss-hound", "action": "Bite", "field": "attack", "source": 7, "right": 3}
    with pytest.raises(SourceError, match="gone"):
        creature_rows([monster()], {}, NONE | {"actions": [{"why": "…", "rows": [row]}]})
    figure = {"id": "moss-hound", "field": "xp", "source": 25, "right": 50, "why": "…"}
    with pytest.raises(SourceError, match="xp"):
        creature_rows([monster()], {}, NONE | {"creatures": [figure]})


def test_one_action_that_offers_several_becomes_several():
    breath = {
        "name": "Breath Weapons",
        "desc": "It uses one of these.\nMist Breath. DC 11 Dexterity saving throw, taking 14 (4d6) cold "
        "damage on a failed save, or half as much damage on a success.\n"
        "Sleep Breath. DC 12 Constitution saving throw or sleep.",
        "usage": {"type": "recharge on roll", "dice": "1d6", "min_value": 5},
        "options": {
            "from": {
                "options": [
                    {
                        "name": "Mist Breath",
                        "dc": {"dc_value": 11, "dc_type": {"index": "dex"}, "success_type": "half"},
                    },
                    {
                        "name": "Sleep Breath",
                        "dc": {"dc_value": 12, "dc_type": {"index": "con"}, "success_type": "none"},
                    },
                ]
            }
        },
    }
    found, differences = figures(monster(actions=[breath]))
    assert differences == []
    assert [(row["name"], row["save"]["dc"], row["recharge"]) for row in found] == [
        ("Mist Breath", 11, 5),
        ("Sleep Breath", 12, 5),
    ]


def test_a_multiattack_names_the_actions_as_they_are_named():
    multi = {
        "name": "Multiattack",
        "desc": "",
        "actions": [{"action_name": "Claws", "count": "2"}, {"action_name": "Bite", "count": 1}],
        "action_options": {"from": {"options": [{"action_name": "Spit", "count": 3}]}},
    }
    ways = multiattack(monster(actions=[multi]), ["Claw (Beast Form Only)", "Bite"])
    assert ways == [{"Claw (Beast Form Only)": 2, "Bite": 1}, {"Spit": 3}]


def test_medians_are_taken_by_challenge_rating():
    source = [
        monster(),
        monster(index="b", hit_points=20, challenge_rating=1),
        monster(index="c", hit_points=31),
    ]
    found = typical_rows(source, creature_rows(source, {}, NONE))
    assert list(found) == ["1/4", "1"]
    assert (found["1/4"]["creatures"], found["1/4"]["hp"], found["1/4"]["damage"]) == (2, 20, 4.5)
    assert (challenge(0), challenge(0.125), challenge(17)) == ("0", "1/8", "17")


SPELL: dict[str, Any] = {
    "index": "moss-rain",
    "name": "Moss Rain",
    "level": 2,
    "school": {"index": "evocation"},
    "ritual": False,
    "concentration": True,
    "casting_time": "1 action",
    "range": "60 feet",
    "damage": {"damage_type": {"index": "acid"}, "damage_at_slot_level": {"3": "5d6", "2": "4d6 + MOD"}},
}
SPELL_NAMES: dict[str, Any] = {"spells": {"moss-rain": "lluvia de musgo"}, "wrong": {}, "also_en": {}}


def test_a_spell_becomes_a_row_of_facts_and_is_corrected_once():
    fix = NONE | {"spells": [{"id": "moss-rain", "save": "dex", "half": True}]}
    row = spell_rows([SPELL], SPELL_NAMES, fix)["moss_rain"]
    assert (row["damage"], row["damage_type"], row["save"], row["half"]) == ("4d6", "acid", "dex", True)
    assert (row["range_ft"], row["casting"], row["concentration"]) == (60, "action", True)
    stated = SPELL | {"dc": {"dc_type": {"index": "dex"}, "dc_success": "none"}}
    with pytest.raises(SourceError, match="moss-rain"):
        spell_rows([stated], SPELL_NAMES, fix)


def test_records_are_read_by_id_and_written_one_a_line(tmp_path: Path):
    database = tmp_path / "source.sqlite3"
    with sqlite3.connect(database) as base:
        base.execute('CREATE TABLE monsters ("index" TEXT, name TEXT, data TEXT)')
        for index in ("b", "a"):
            base.execute(
                "INSERT INTO monsters VALUES (?, ?, ?)", (index, index, json.dumps({"index": index}))
            )
    base.close()
    assert [row["index"] for row in rows(database, "monsters")] == ["a", "b"]
    with pytest.raises(SourceError):
        rows(database, "monsters; DROP TABLE monsters")
    text = as_lines({"a": {"x": "ñ"}, "b": {}})
    assert json.loads(text) == {"a": {"x": "ñ"}, "b": {}}
    assert text.splitlines() == ["{", '"a":{"x":"ñ"},', '"b":{}', "}"]
