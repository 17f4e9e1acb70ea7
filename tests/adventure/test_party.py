"""A party by class and level alone gets the sheets that such characters mostly have; stated figures win."""

from pathlib import Path

import pytest

from concilio.adventure import default_sheet, facts_of, load_adventure, party_of
from concilio.adventure.facts import metres
from concilio.domain.adventure import Adventure, PartyMember
from rules.ruleset import load_ruleset
from tests.adventure.writing import load_text

RULESET = load_ruleset()
SCORES = "str", "dex", "con", "int", "wis", "cha"

SHEETS = [
    # (class, level, modifiers in the order of SCORES, armor class, hit points, a skill and its bonus)
    ("fighter", 1, (2, 1, 2, -1, 1, 0), 18, 12, ("athletics", 4)),
    ("guerrera", 4, (3, 1, 2, -1, 1, 0), 18, 36, ("athletics", 5)),
    ("pícaro", 5, (-1, 3, 2, 1, 0, 1), 15, 38, ("stealth", 9)),
    ("Mago", 5, (-1, 1, 2, 3, 1, 0), 11, 32, ("arcana", 6)),
    ("wizard", 20, (-1, 1, 4, 5, 1, 0), 11, 162, ("investigation", 11)),
]


@pytest.mark.parametrize(("class_", "level", "modifiers", "ac", "hp", "skill"), SHEETS)
def test_a_class_and_a_level_make_a_sheet(
    class_: str, level: int, modifiers: tuple[int, ...], ac: int, hp: int, skill: tuple[str, int]
) -> None:
    member = PartyMember.model_validate({"name": "A", "class": class_})
    sheet = default_sheet(member, level, RULESET)
    assert tuple(sheet.abilities[ability] for ability in SCORES) == modifiers
    assert (sheet.ac, sheet.hp, sheet.level) == (ac, hp, level)
    assert sheet.bonus(skill[0]) == skill[1]
    assert sheet.proficiency == (2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6)[level - 1]


@pytest.mark.parametrize("class_", sorted(RULESET.classes))
@pytest.mark.parametrize("level", [1, 4, 11, 20])
def test_every_class_has_a_sheet_at_every_level(class_: str, level: int) -> None:
    member = PartyMember.model_validate({"name": "A", "class": RULESET.word("class", class_, "es")})
    sheet = default_sheet(member, level, RULESET)
    assert sheet.class_id == class_
    assert set(sheet.skills) == set(RULESET.skills)
    assert max(sheet.abilities.values()) <= 5
    assert sheet.hp >= level
    assert 10 <= sheet.ac <= 20
    assert set(sheet.saves) == set(RULESET.classes[class_].saves)


def test_what_is_stated_wins_and_the_rest_follows_from_it() -> None:
    member = PartyMember.model_validate(
        {"name": "A", "class": "rogue", "abilities": {"dex": 20}, "skills": {"arcana": 9}, "hp": 7, "ac": 11}
    )
    sheet = default_sheet(member, 1, RULESET)
    assert (sheet.abilities["dex"], sheet.skills["acrobatics"], sheet.skills["stealth"]) == (5, 5, 9)
    assert (sheet.skills["arcana"], sheet.hp, sheet.ac) == (9, 7, 11)
    assert sheet.save_bonus("dex") == 7


def test_a_member_of_no_class_is_plain() -> None:
    sheet = default_sheet(PartyMember(name="A"), 3, RULESET)
    assert (sheet.class_id, set(sheet.abilities.values()), set(sheet.skills.values())) == (None, {0}, {0})
    assert (sheet.hp, sheet.ac) == (18, 10)


NAMES = [
    (
        "[{class: pícaro}, {class: maga}, {class: pícaro}]",
        [("Pícaro", "pícaro"), ("Maga", "maga"), ("Pícaro 2", "pícaro")],
    ),
    ("[guerrero, Kaelen]", [("Guerrero", "guerrero"), ("Kaelen", None)]),
    ("[{level: 2}]", [("Personaje", None)]),
]


@pytest.mark.parametrize(("party", "expected"), NAMES)
def test_who_has_no_name_is_named_after_the_class(
    tmp_path: Path, party: str, expected: list[tuple[str, str | None]]
) -> None:
    adventure = load_text(tmp_path, f"---\nparty: {party}\n---\n# Capítulo 1: De la luz\nx\n")
    assert [(m.name, m.class_) for m in adventure.party] == expected


LEVELS: list[tuple[str, int, list[int]]] = [
    ("level: 7\nparty: [{name: A}, {name: B, level: 3}]", 7, [7, 3]),
    ("party: [{name: A, level: 4}, {name: B, level: 5}, {name: C, level: 5}]", 5, [4, 5, 5]),
    ("party: [{name: A, level: 3}, {name: B}]", 3, [3, 3]),
    ("party: [{name: A}]", 1, [1]),
    ("level: 6", 6, []),
]


@pytest.mark.parametrize(("front", "level", "levels"), LEVELS)
def test_levels_are_filled_from_each_other(tmp_path: Path, front: str, level: int, levels: list[int]) -> None:
    adventure = load_text(tmp_path, f"---\n{front}\n---\n# Capítulo 1\nx\n")
    assert (adventure.level, [m.level for m in adventure.party]) == (level, levels)


@pytest.mark.parametrize("language", ["es", "en"])
def test_without_a_party_there_are_four_characters_of_the_adventures_level(language: str) -> None:
    adventure = Adventure.model_validate({"title": "A", "language": language, "level": 6})
    party = party_of(adventure, RULESET)
    facts = facts_of(adventure, RULESET)
    assert len({member.name for member in party}) == 4
    assert [sheet.level for sheet in facts.party] == [6, 6, 6, 6]
    assert [sheet.class_id for sheet in facts.party] == ["fighter", "rogue", "cleric", "wizard"]
    assert all(RULESET.find("class", member.class_ or "", language) for member in party)
    assert adventure.party == ()


def test_abilities_and_skills_are_read_in_any_language_and_form(tmp_path: Path) -> None:
    adventure = load_text(
        tmp_path,
        "---\nparty:\n  - name: A\n    abilities: {DES: 18, Strength: 9, con: 12, SABIDURÍA: 13}\n"
        "    skills: {percepción: +7, Stealth: -1, sleight_of_hand: 7}\n---\n# Capítulo 1\nx\n",
    )
    (member,) = adventure.party
    assert member.abilities == {"dex": 18, "str": 9, "con": 12, "wis": 13}
    assert member.skills == {"perception": 7, "stealth": -1, "sleight_of_hand": 7}


def test_the_designers_stat_blocks_become_figures(tmp_path: Path) -> None:
    adventure = load_text(
        tmp_path,
        "---\nlanguage: en\ncast:\n  - name: Ogre\n    count: 2\n    stat_block:\n"
        "      ac: 11\n      cr: 1/2\n      speed: 40 ft\n"
        "      senses: {darkvision: 60 feet, passive_perception: 8}\n"
        "      abilities: {STR: 19}\n      saves: {Constitution: +5}\n      actions:\n"
        "        - {name: Club, attack: +6, reach: 5 ft, damage: 2d8 + 4 bludgeoning}\n"
        "        - {name: Javelin, attack: 6, range: 30/120 ft}\n"
        "        - {name: Roar, save: {dc: 13, ability: Wis}}\n"
        "        - {name: Stare, save: 12}\n  - {name: Guard, stat_block: veteran}\nitems: [Drum]\n"
        "---\n# Chapter 1\nx\n",
    )
    facts = facts_of(adventure, RULESET)
    block = facts.stat_blocks["Ogre"]
    assert (block.ac, block.hp, block.cr, block.count) == (11, None, 0.5, 2)
    assert (block.speeds_m, block.senses) == ({"walk": 12.0}, {"darkvision": 18.0, "passive_perception": 8.0})
    assert (block.abilities, block.saves) == ({"str": 4}, {"con": 5})
    assert [(a.attack, a.reach_m, a.range_m, a.save_dc, a.save_ability) for a in block.actions] == [
        (6, 1.5, None, None, None),
        (6, None, 9.0, None, None),
        (None, None, None, 13, "wis"),
        (None, None, None, 12, None),
    ]
    assert list(facts.stat_blocks) == ["Ogre", "Guard"], "a block may be a name in the ruleset"
    assert (facts.stat_blocks["Guard"].ac, facts.stat_blocks["Guard"].hp) == (17, 58)
    assert facts.items == ("Drum",)
    assert facts.names[-2:] == ("Ogre", "Guard")


LENGTHS = [
    ("36 m", 36.0),
    ("1,5 metros", 1.5),
    ("30 ft.", 9.0),
    ("5 feet", 1.5),
    ("a lo lejos", None),
    ("7", None),
]


@pytest.mark.parametrize(("text", "length"), LENGTHS)
def test_lengths_are_metres(text: str, length: float | None) -> None:
    assert metres(text, RULESET) == length


def test_a_ruleset_of_ones_own_may_be_given(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("---\nruleset: combate_propio\n---\n# Capítulo 1\nx\n", encoding="utf-8")
    assert load_adventure(file, RULESET).ruleset == RULESET.id
