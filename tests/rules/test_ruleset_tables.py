"""Rulesets of users: tables beside the adventure, over those of the parents; faults say file and key."""

import json
from pathlib import Path

import pytest

from rules.ruleset import RulesetError, load_ruleset


def write(folder: Path, files: dict[str, str]) -> None:
    """Write the files of a ruleset, by path in its folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


MARSH = "{ac: 13, hp: 9, cr: 0.25, xp: 50, names: {es: {word: trasgo del pantano}, en: {word: marsh goblin}}}"


def test_a_user_adds_creatures_and_spells_and_changes_single_figures(tmp_path: Path):
    spell = {
        "names": {"es": {"word": "lluvia de sal"}, "en": {"word": "salt rain"}},
        "level": 2,
        "save": "con",
    }
    write(
        tmp_path / "mesa",
        {
            "ruleset.yaml": "id: mesa\nextends: srd5e\n",
            "own.yaml": f"creatures:\n  marsh_goblin: {MARSH}\n  goblin: {{hp: 10}}\n  tarrasque: null\n",
            "tables/spells.json": json.dumps({"salt_rain": spell, "fireball": {"level": 4}}),
        },
    )
    own, srd = load_ruleset("mesa", tmp_path), load_ruleset()
    marsh = own.find_creature("trasgos del pantano", "es")
    assert marsh is not None
    assert (marsh.ac, marsh.hp) == (13, 9)
    assert (own.creatures["goblin"].hp, own.creatures["goblin"].ac) == (10, 15)
    assert "tarrasque" not in own.creatures
    assert own.find("spell", "lluvia de sal", "es") == "salt_rain"
    assert (own.spells["fireball"].level, own.spells["fireball"].damage) == (4, "8d6")
    assert (srd.creatures["goblin"].hp, srd.spells["fireball"].level) == (7, 3)
    assert "tarrasque" in srd.creatures


@pytest.mark.parametrize("parent", ["srd5e", "combate", "ia"])
def test_a_user_extends_any_of_those_that_ship(tmp_path: Path, parent: str):
    write(
        tmp_path / "mesa",
        {
            "ruleset.yaml": f"id: mesa\nextends: {parent}\n",
            "own.yaml": "combat: {turns: {round_seconds: 10}}\n"
            "terms: {luck: {names: {es: {word: suerte}, en: {word: luck}}}}\n",
        },
    )
    own, base = load_ruleset("mesa", tmp_path), load_ruleset(parent)
    assert own.combat.turns.round_seconds == 10
    assert own.combat.turns.order == base.combat.turns.order
    assert own.find("term", "suerte", "es") == "luck"
    assert set(base.terms) < set(own.terms)
    assert dict(own.units) == dict(base.units)


def test_a_users_ruleset_extends_another_one_of_the_same_folder(tmp_path: Path):
    write(tmp_path / "casa", {"ruleset.yaml": "id: casa\nextends: combate\ncreatures: {goblin: {hp: 8}}\n"})
    write(tmp_path / "mesa", {"ruleset.yaml": "id: mesa\nextends: casa\ncreatures: {goblin: {ac: 12}}\n"})
    goblin = load_ruleset("mesa", tmp_path).creatures["goblin"]
    assert (goblin.ac, goblin.hp, goblin.xp) == (12, 8, 50)


def test_a_ruleset_from_nothing_has_empty_tables(tmp_path: Path):
    write(tmp_path / "nada", {"ruleset.yaml": "id: nada\n"})
    own = load_ruleset("nada", tmp_path)
    assert (dict(own.creatures), dict(own.spells), own.encounter, own.typical) == ({}, {}, None, {})
    assert own.find_creature("goblin", "es") is None
    assert own.dc_ladder.nearest(12) is None
    assert own.combat.turns.order == "roll"


FAULTS = [
    # files, the faulty file, the key
    ({"own.yaml": "creatures: {marsh_goblin: {ac: 13}}\n"}, "own.yaml", "creatures.marsh_goblin"),
    ({"own.yaml": "creatures: {goblin: {hp: many}}\n"}, "own.yaml", "creatures.goblin.hp"),
    ({"own.yaml": "creatures: {goblin: {armour: 3}}\n"}, "own.yaml", "creatures.goblin.armour"),
    ({"own.yaml": "creatures: [goblin]\n"}, "own.yaml", "creatures"),
    ({"own.yaml": "spells: {fireball: {level: 12}}\n"}, "own.yaml", "spells.fireball.level"),
    ({"tables/spells.json": "{"}, "spells.json", ""),
    ({"tables/spells.json": "[]"}, "spells.json", ""),
    ({"tables/spells.yaml": "fireball: {school: [1]}\n"}, "spells.yaml", "spells.fireball.school"),
    ({"tables/monsters.json": "{}"}, "monsters.json", ""),
    ({"own.yaml": "combat: {turns: {round_seconds: 0}}\n"}, "own.yaml", "combat.turns.round_seconds"),
    ({"own.yaml": "encounters: {'2014': {budgets: [[1]]}}\n"}, "own.yaml", "encounters.2014.budgets"),
    ({"own.yaml": "conditions: {prone: {effects: {implies: [dizzy]}}}\n"}, "own.yaml", "conditions.prone"),
    ({"own.yaml": "burning: {damage_type: sunshine}\n"}, "own.yaml", "burning.damage_type"),
    ({"own.yaml": "suffocation: {held: {ability: luck}}\n"}, "own.yaml", "suffocation.held"),
    ({"tables/lights.json": "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")}, "lights.json", ""),
]


@pytest.mark.parametrize(("files", "file", "key"), FAULTS)
def test_a_fault_in_a_table_is_told_at_once_with_its_file_and_key(
    tmp_path: Path, files: dict[str, str], file: str, key: str
):
    write(tmp_path / "mesa", {"ruleset.yaml": "id: mesa\nextends: srd5e\n", **files})
    with pytest.raises(RulesetError) as caught:
        load_ruleset("mesa", tmp_path)
    assert caught.value.file.endswith(file)
    assert caught.value.key.startswith(key)
    assert "\n" not in str(caught.value)


def test_a_table_too_deep_to_be_read_is_refused(tmp_path: Path):
    deep = '{"goblin":' + "[" * 100_000 + "]" * 100_000 + "}"
    write(tmp_path / "mesa", {"ruleset.yaml": "id: mesa\nextends: srd5e\n", "tables/creatures.json": deep})
    with pytest.raises(RulesetError) as caught:
        load_ruleset("mesa", tmp_path)
    assert caught.value.file.endswith("creatures.json")


@pytest.mark.parametrize(
    ("dc", "nearest", "at_least"),
    [
        (-3, "very_easy", "very_easy"),
        (12, "easy", "medium"),
        (13, "medium", "medium"),
        (15, "medium", "medium"),
        (17, "medium", "hard"),
        (18, "hard", "hard"),
        (30, "nearly_impossible", "nearly_impossible"),
        (31, "nearly_impossible", None),
    ],
)
def test_a_dc_has_a_place_on_the_ladder(dc: int, nearest: str, at_least: str | None):
    ladder = load_ruleset().dc_ladder
    assert (ladder.nearest(dc), ladder.at_least(dc)) == (nearest, at_least)
