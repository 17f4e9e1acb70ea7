"""Rulesets as data: look-up, inheritance, faults, and the figures of srd5e."""

from pathlib import Path

import pytest

from rules.ruleset import Kind, RulesetError, load_ruleset

SRD = load_ruleset()


@pytest.mark.parametrize(
    ("kind", "text", "language", "expected"),
    [
        ("skill", "Juego de Manos", "es", "sleight_of_hand"),
        ("skill", "JUEGO  DE MANOS", "es", "sleight_of_hand"),
        ("skill", "percepcion", "es", "perception"),
        ("skill", "Furtividad", "es", "stealth"),
        ("skill", "Diplomacia", "es", None),
        ("skill", "Stealth", "es", None),
        ("skill", "Sleight of Hand", "en", "sleight_of_hand"),
        ("ability", "DES", "es", "dex"),
        ("ability", "Dex", "en", "dex"),
        ("condition", "apresadas", "es", "restrained"),
        ("condition", "Prone", "en", "prone"),
        ("class", "pícara", "es", "rogue"),
        ("class", "wizard", "en", "wizard"),
        ("damage_type", "punzante", "es", "piercing"),
        ("cover", "cobertura total", "es", "total"),
        ("cover", "cobertura parcial", "es", None),
        ("action", "acción bonus", "es", "bonus_action"),
        ("term", "PV", "es", "hp"),
        ("unit", "pies", "es", "foot"),
        ("skill", "", "es", None),
    ],
)
def test_words_are_found_in_their_language(kind: Kind, text: str, language: str, expected: str | None):
    assert SRD.find(kind, text, language) == expected


@pytest.mark.parametrize(
    ("kind", "text", "language", "expected"),
    [
        ("skill", "Juego Manual", "es", "Juego de Manos"),
        ("skill", "Percepcionn", "es", "Percepción"),
        ("skill", "Diplomacia", "es", "Persuasión"),
        ("skill", "Stealthh", "en", "Stealth"),
        ("skill", "Acrobático", "es", "Acrobacias"),
        ("skill", "Persepción", "es", "Percepción"),
        ("skill", "Medical", "en", "Medicine"),
        ("skill", "Religious", "en", "Religion"),
        *(
            ("skill", word, "es", None)
            for word in ("Nadar", "Saltar", "Cocinar", "Rastrear", "Regatear", "Equitación")
        ),
        *(("skill", word, "en", None) for word in ("Swim", "Haggle", "Search", "Negotiation", "Seduction")),
        ("class", "piccaro", "es", "pícaro"),
        ("skill", "xyzzy", "es", None),
        ("skill", "", "es", None),
    ],
)
def test_the_nearest_word_is_offered(kind: Kind, text: str, language: str, expected: str | None):
    assert SRD.nearest(kind, text, language) == expected


def test_every_entry_has_words_in_every_language_and_no_two_ids_share_a_canonical_word():
    kinds: tuple[Kind, ...] = (
        "ability",
        "skill",
        "condition",
        "damage_type",
        "cover",
        "action",
        "term",
        "sense",
        "unit",
        "difficulty",
        "class",
        "spell",
    )
    for kind in kinds:
        assert SRD.entries(kind), kind
        for language in SRD.languages:
            words = [SRD.word(kind, key, language) for key in SRD.entries(kind)]
            assert len(set(words)) == len(words), kind


def test_every_canonical_word_is_found_as_itself():
    for kind in ("ability", "skill", "condition", "damage_type", "cover", "class"):
        for key in SRD.entries(kind):
            for language in SRD.languages:
                assert SRD.lookup(kind, SRD.word(kind, key, language), language) == (key, "canonical")


FIGURES = [
    # what, figure, SRD 5.1
    ([d.dc for d in SRD.difficulties.values()], [5, 10, 15, 20, 25, 30]),
    (
        [(c.armor_class, c.saves.get("dex", 0), c.targetable) for c in SRD.cover.values()],
        [(2, 2, True), (5, 5, True), (0, 0, False)],
    ),
    ([SRD.traps[s].save_dc for s in ("setback", "dangerous", "deadly")], [(10, 11), (12, 15), (16, 20)]),
    ([SRD.traps[s].attack for s in ("setback", "dangerous", "deadly")], [(3, 5), (6, 8), (9, 12)]),
    (
        [SRD.traps["setback"].damage_at(n) for n in (1, 4, 5, 10, 11, 16, 17, 20)],
        ["1d10", "1d10", "2d10", "2d10", "4d10", "4d10", "10d10", "10d10"],
    ),
    ([SRD.traps["dangerous"].damage_at(n) for n in (4, 10, 16, 20)], ["2d10", "4d10", "10d10", "18d10"]),
    ([SRD.traps["deadly"].damage_at(n) for n in (4, 10, 16, 20)], ["4d10", "10d10", "18d10", "24d10"]),
    ([len(SRD.abilities), len(SRD.skills), len(SRD.conditions), len(SRD.damage_types)], [6, 18, 15, 13]),
    ([SRD.sheet.proficiency[n - 1] for n in (1, 4, 5, 9, 13, 17)] if SRD.sheet else [], [2, 2, 3, 4, 5, 6]),
    (
        {k: c.hit_die for k, c in SRD.classes.items()},
        {
            "barbarian": 12,
            "bard": 8,
            "cleric": 8,
            "druid": 8,
            "fighter": 10,
            "monk": 8,
            "paladin": 10,
            "ranger": 10,
            "rogue": 8,
            "sorcerer": 6,
            "warlock": 8,
            "wizard": 6,
        },
    ),
    (
        {k: c.saves for k, c in SRD.classes.items() if k in ("bard", "rogue", "wizard")},
        {"bard": ("dex", "cha"), "rogue": ("dex", "int"), "wizard": ("int", "wis")},
    ),
    ([SRD.units[u].metres for u in ("metre", "foot", "square")], [1, 0.3, 1.5]),
    (SRD.units["round"].seconds, 6),
]


@pytest.mark.parametrize(("figure", "expected"), FIGURES)
def test_figures_are_those_of_the_srd(figure: object, expected: object):
    assert figure == expected


@pytest.mark.parametrize(
    ("metres", "dice"), [(2.9, 0), (3, 1), (9, 3), (9.9, 3), (60, 20), (100, 20), (0.3 * 30, 3)]
)
def test_a_fall_deals_one_die_for_each_three_metres_twenty_at_most(metres: float, dice: int):
    assert SRD.falling is not None
    assert SRD.falling.dice(metres) == dice


ABILITIES = {
    "acrobatics": "dex",
    "animal_handling": "wis",
    "arcana": "int",
    "athletics": "str",
    "deception": "cha",
    "history": "int",
    "insight": "wis",
    "intimidation": "cha",
    "investigation": "int",
    "medicine": "wis",
    "nature": "int",
    "perception": "wis",
    "performance": "cha",
    "persuasion": "cha",
    "religion": "int",
    "sleight_of_hand": "dex",
    "stealth": "dex",
    "survival": "wis",
}


def test_each_skill_has_its_ability():
    assert {skill: SRD.ability_of(skill) for skill in SRD.skills} == ABILITIES


def write(folder: Path, **files: str) -> None:
    """Write the files of a ruleset."""
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


def test_a_users_ruleset_changes_single_keys_and_takes_entries_away(tmp_path: Path):
    write(
        tmp_path / "mesa",
        ruleset="id: mesa\nextends: srd5e\n",
        words="skills:\n  stealth: {names: {es: {word: Furtividad}}}\nconditions: {petrified: null}\n"
        "cover:\n  light: {armor_class: 1, names: {es: {word: cobertura ligera}, en: {word: light cover}}}\n",
    )
    own = load_ruleset("mesa", tmp_path)
    assert own.word("skill", "stealth", "es") == "Furtividad"
    assert own.word("skill", "stealth", "en") == "Stealth"
    assert own.ability_of("stealth") == "dex"
    assert "petrified" not in own.conditions
    assert own.find("cover", "cobertura ligera", "es") == "light"
    assert SRD.word("skill", "stealth", "es") == "Sigilo"


FAULTS = [
    ("id: x\nskils: {}\n", "ruleset.yaml", "skils"),
    ("id: x\nextends: nowhere\n", "nowhere", ""),
    ("id: x\nextends: x\n", "x", "extends"),
    ("id: x\nextends: [srd5e]\n", "ruleset.yaml", "extends"),
    (
        "id: x\nabilities: {str: {names: {es: {wrd: Fuerza}}}}\n",
        "ruleset.yaml",
        "abilities.str.names.es.word",
    ),
    ("id: x\nskills: {s: {ability: luck, names: {}}}\n", "ruleset.yaml", "skills.s.ability"),
    ("id: x\nunits: {ell: {names: {}}}\n", "ruleset.yaml", "units.ell"),
    (
        "id: x\nfalling: {metres_per_die: 0, sides: 6, most_dice: 20, damage_type: b}\n",
        "ruleset.yaml",
        "falling",
    ),
    ("id: [\n", "ruleset.yaml", ""),
    ("- a\n", "ruleset.yaml", ""),
    ("id: !!python/object/apply:os.getcwd []\n", "ruleset.yaml", ""),
]


@pytest.mark.parametrize(("text", "file", "key"), FAULTS)
def test_a_fault_says_file_and_key(tmp_path: Path, text: str, file: str, key: str):
    write(tmp_path / "x", ruleset=text)
    with pytest.raises(RulesetError) as caught:
        load_ruleset("x", tmp_path)
    assert caught.value.file.endswith(file)
    assert caught.value.key.startswith(key)


def test_a_fault_in_a_parent_is_told_of_the_file_that_holds_the_key(tmp_path: Path):
    write(tmp_path / "base", ruleset="id: base\n", skills="skills: {s: {ability: luck, names: {}}}\n")
    write(tmp_path / "child", ruleset="id: child\nextends: base\n")
    with pytest.raises(RulesetError) as caught:
        load_ruleset("child", tmp_path)
    assert caught.value.file.endswith("base/skills.yaml")


@pytest.mark.parametrize("name", ["../srd5e", "srd5e/", "", ".", "..", "/etc", "no_such", "srd5e\x00"])
def test_a_name_that_is_no_ruleset_is_refused(name: str, tmp_path: Path):
    with pytest.raises(RulesetError):
        load_ruleset(name, tmp_path)
