"""The tables of the SRD: what they hold, that the source's errors stay corrected, that reading is late."""

import re
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
import yaml

from rules.bestiary import Creature, CreatureAction
from rules.figures import Encounters
from rules.ruleset import load_ruleset
from rules.tables import name_key

ROOT = Path(__file__).parents[2]
SRD = load_ruleset()
CORRECTIONS: dict[str, Any] = yaml.safe_load(
    (ROOT / "tools" / "srd" / "corrections.yaml").read_text(encoding="utf-8")
)
PRODUCT_IDENTITY = (
    "beholder",
    "mind flayer",
    "illithid",
    "displacer beast",
    "githyanki",
    "githzerai",
    "umber hulk",
    "yuan-ti",
    "carrion crawler",
    "kuo-toa",
    "slaad",
)


def our_id(index: str) -> str:
    return index.replace("-", "_")


def action(creature: str, name: str, **fields: object) -> CreatureAction | None:
    """The action of that name whose fields are these."""
    rows = (a for a in SRD.creatures[our_id(creature)].actions if a.name == name)
    return next((a for a in rows if all(getattr(a, key) == value for key, value in fields.items())), None)


def test_all_creatures_and_spells_of_the_srd_are_there():
    assert len(SRD.creatures) == 334
    assert len(SRD.spells) == 319


@pytest.mark.parametrize("row", CORRECTIONS["creatures"], ids=lambda r: f"{r['id']} {r['field']}")
def test_a_wrong_figure_of_the_source_stays_corrected(row: dict[str, Any]):
    value: Any = SRD.creatures[our_id(row["id"])].model_dump(mode="json")
    for key in row["field"].split("."):
        value = value[key]
    assert value == row["right"]
    assert value != row["source"]


ATTACKS_A_TURN = {
    1: "grick/2 mummy mummy_lord gibbering_mouther",
    2: """
        air_elemental androsphinx animated_armor ape assassin balor bearded_devil behir black_bear
        brown_bear centaur chain_devil chuul clay_golem cloaker cloud_giant cult_fanatic death_dog deva
        doppelganger dretch earth_elemental efreeti ettercap ettin fire_elemental fire_giant flesh_golem
        frost_giant gargoyle giant_ape giant_badger giant_crocodile giant_eagle giant_vulture griffon
        gynosphinx harpy hill_giant hippogriff invisible_stalker iron_golem knight lamia lizardfolk
        merrow oni owlbear planetar polar_bear purple_worm rakshasa roc sahuagin salamander scout
        shambling_mound shield_guardian solar spy stone_giant stone_golem storm_giant thug treant
        tyrannosaurus_rex unicorn vampire_spawn vampire_vampire violet_fungus vrock water_elemental
        werebear_human wereboar_human wererat_human weretiger_human werewolf_hybrid wight wyvern
    """,
    3: """
        aboleth adult_red_dragon ancient_gold_dragon bandit_captain barbed_devil bone_devil chimera
        djinni dragon_turtle drider erinyes giant_scorpion gladiator half_red_dragon_veteran hezrou
        horned_devil ice_devil kraken manticore medusa nalfeshnee otyugh troll veteran
        young_white_dragon
    """,
    4: "glabrezu pit_fiend xorn roper/5",
    5: "hydra tarrasque",
    7: "marilith",
}
"""How many attacks the SRD's sentence of each multiattack counts, as a person reads it; after a stroke: with
those that it makes only under a condition."""


def test_a_turn_has_as_many_attacks_as_the_sentence_counts():
    for number, names in ATTACKS_A_TURN.items():
        for name in names.split():
            key, _, other = name.partition("/")
            attacks = {a.name for a in SRD.creatures[key].attacks}
            ways = [sum(n for a, n in way.items() if a in attacks) for way in SRD.creatures[key].multiattack]
            assert max(ways) == int(other or number), key


ACTIONS = [row for group in CORRECTIONS["actions"] for row in group["rows"]]


@pytest.mark.parametrize("row", [r for r in ACTIONS if r["field"] == "save"], ids=lambda r: str(r["id"]))
def test_a_saving_throw_that_the_source_lacks_stays_corrected(row: dict[str, Any]):
    dc, ability, *half = row["right"].split()
    replaced = {(r["id"], r["action"]): r["row"] for r in CORRECTIONS["replaced"]}.get(
        (row["id"], row["action"])
    )
    halved = bool(half) if replaced is None else replaced["save"].get("half", False)
    saves = [a.save for a in SRD.creatures[our_id(row["id"])].actions if a.name == row["action"] and a.save]
    assert [(s.dc, s.ability, s.half) for s in saves] == [(int(dc), ability, halved)] * len(saves)
    assert saves


@pytest.mark.parametrize("row", [r for r in ACTIONS if r["field"] == "attack"], ids=lambda r: str(r["id"]))
def test_what_is_no_attack_has_no_attack_bonus(row: dict[str, Any]):
    assert action(row["id"], row["action"], attack=0) is None


@pytest.mark.parametrize("row", CORRECTIONS["spells"], ids=lambda r: str(r["id"]))
def test_a_spells_saving_throw_stays_corrected(row: dict[str, Any]):
    spell = SRD.spells[our_id(row["id"])]
    assert (spell.save, spell.half) == (row["save"], row.get("half", False))


def test_experience_points_fit_the_challenge_rating():
    encounter = SRD.encounter
    assert encounter is not None
    table = {key: encounter.xp_by_cr[key] for key in encounter.xp_by_cr}
    written = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}
    odd = [
        key
        for key, c in SRD.creatures.items()
        if c.xp != table[written.get(c.cr, f"{c.cr:g}")] and not (c.cr == 0 and c.xp == 0)
    ]
    assert odd == []


DRAGON = SRD.creatures["adult_red_dragon"]
READ = [
    # creature, action, what the SRD's sentence says: DC, ability, half on a success, damage
    ("adult_red_dragon", "Fire Breath", (21, "dex", True, (("18d6", "fire"),))),
    ("otyugh", "Tentacle Slam", (14, "con", True, (("2d6+3", "bludgeoning"),))),
    ("giant_spider", "Bite", (11, "con", True, (("2d8", "poison"),))),
    ("brass_dragon_wyrmling", "Sleep Breath", (11, "con", False, ())),
    ("purple_worm", "Bite", (19, "dex", False, ())),
    ("androsphinx", "Roar", (18, "wis", False, ())),
]


@pytest.mark.parametrize(("creature", "name", "save"), READ)
def test_saving_throws_are_read_with_what_they_save_from(creature: str, name: str, save: object):
    found = action(creature, name)
    assert found is not None
    assert found.save is not None
    assert (found.save.dc, found.save.ability, found.save.half, found.save.damage) == save


ATTACKS = [
    ("goblin", "Shortbow", (4, None, (80, 320), (("1d6+2", "piercing"),), ())),
    ("adult_red_dragon", "Bite", (14, 10, None, (("2d10+8", "piercing"), ("2d6", "fire")), ())),
    (
        "azer",
        "Warhammer",
        (5, 5, None, (("1d8+3", "bludgeoning"), ("1d6", "fire")), (("1d10+3", "bludgeoning"),)),
    ),
    ("swarm_of_rats", "Bites", (2, 0, None, (("2d6", "piercing"),), (("1d6", "piercing"),))),
    ("bat", "Bite", (0, 5, None, (("1", "piercing"),), ())),
]


@pytest.mark.parametrize(("creature", "name", "figures"), ATTACKS)
def test_attacks_are_read_with_reach_range_and_alternatives(creature: str, name: str, figures: object):
    found = action(creature, name)
    assert found is not None
    assert (found.attack, found.reach_ft, found.range_ft, found.damage, found.instead) == figures


def test_lengths_are_in_metres_too():
    goblin = SRD.creatures["goblin"]
    assert goblin.speeds_m == {"walk": 9}
    assert goblin.senses_m == {"darkvision": 18}
    assert [(a.reach_m, a.range_m) for a in goblin.attacks] == [(1.5, None), (None, (24, 96))]
    assert SRD.spells["fireball"].range_m == 45
    area = SRD.spells["fireball"].area
    assert area is not None
    assert area.metres == 6


def test_a_block_becomes_the_facts_that_the_engine_compares():
    facts = SRD.creatures["thug"].facts
    assert (facts.name, facts.ac, facts.hp, facts.cr) == ("thug", 11, 32, 0.5)
    mace = next(a for a in facts.actions if a.name == "Mace")
    assert (mace.attack, mace.count, mace.reach_m, mace.damage) == (4, 2, 1.5, "1d6+2 bludgeoning")
    breath = next(a for a in DRAGON.facts.actions if a.name == "Fire Breath")
    assert (breath.save_dc, breath.save_ability, breath.damage) == (21, "dex", "18d6 fire")


SPELLS = [
    ("fireball", (3, "evocation", "dex", True, "8d6", "fire", False)),
    ("hold_person", (2, "enchantment", "wis", False, "", "", True)),
    ("fire_bolt", (0, "evocation", "", False, "1d10", "fire", False)),
    ("web", (2, "conjuration", "dex", False, "", "", True)),
    ("cure_wounds", (1, "evocation", "", False, "", "", False)),
]


@pytest.mark.parametrize(("id", "figures"), SPELLS)
def test_spells_have_their_figures(id: str, figures: object):
    s = SRD.spells[id]
    assert (s.level, s.school, s.save, s.half, s.damage, s.damage_type, s.concentration) == figures


NAMES = [
    ("goblin", "es", "goblin"),
    ("Trasgos", "es", "goblin"),
    ("lobos terribles", "es", "dire_wolf"),
    ("OSO LECHUZA", "es", "owlbear"),
    ("esqueletos", "es", "skeleton"),
    ("dragón rojo adulto", "es", "adult_red_dragon"),
    ("dragones rojos adultos", "es", "adult_red_dragon"),
    ("guardias", "es", "guard"),
    ("orcos", "es", "orc"),
    ("orcas", "es", "killer_whale"),
    ("leones", "es", "lion"),
    ("cienos grises", "es", "gray_ooze"),
    ("enjambres de ratas", "es", "swarm_of_rats"),
    ("hombres lobo", "es", "werewolf_hybrid"),
    ("matón", "es", "thug"),
    ("dire wolves", "en", "dire_wolf"),
    ("Harpies", "en", "harpy"),
    ("zombies", "en", "zombie"),
    ("mummies", "en", "mummy"),
    ("Will-o'-Wisps", "en", "will_o_wisp"),
    ("octopuses", "en", "octopus"),
    ("vampire", "en", "vampire_vampire"),
    ("svirfneblin", "en", "deep_gnome_svirfneblin"),
    ("incubus", "en", "succubus_incubus"),
    ("owlbear", "es", "owlbear"),
    ("osgo", "en", "bugbear"),
    ("contemplador", "es", None),
    ("gato con botas", "es", None),
    ("", "es", None),
    ("…", "es", None),
    ("x" * 100_000, "en", None),
]


@pytest.mark.parametrize(("text", "language", "id"), NAMES, ids=lambda v: str(v)[:20])
def test_creatures_are_found_by_name_in_either_language(text: str, language: str, id: str | None):
    found = SRD.find_creature(text, language)
    assert found == (SRD.creatures[id] if id else None)


@pytest.mark.parametrize(
    ("text", "language", "id"),
    [
        ("Bola de fuego", "es", "fireball"),
        ("fireball", "es", "fireball"),
        ("Inmovilizar persona", "en", "hold_person"),
        ("palabra de poder: matar", "es", "power_word_kill"),
        ("Agrandar/Reducir", "es", "enlarge_reduce"),
        ("misil mágico", "es", None),
        ("", "en", None),
    ],
)
def test_spells_are_found_by_name_and_known_errors_are_not(text: str, language: str, id: str | None):
    assert SRD.find_spell(text, language) == (SRD.spells[id] if id else None)


def test_a_known_error_of_a_spells_name_is_known_for_what_it_means():
    assert SRD.lookup("spell", "misil mágico", "es") == ("magic_missile", "wrong")
    assert SRD.word("spell", "magic_missile", "es") == "proyectil mágico"


@pytest.mark.parametrize("language", ["es", "en"])
def test_no_two_creatures_and_no_two_spells_share_a_name(language: str):
    for table, endings in ((SRD.creatures, SRD.plurals[language]), (SRD.spells, ())):
        ids: dict[str, set[str]] = defaultdict(set)
        for key, entry in table.items():
            names = entry.names[language]
            for text in (names.word, *names.also):
                ids[name_key(text, endings)].add(key)
        assert [name for name, those in ids.items() if len(those) > 1] == []


def test_nothing_of_the_product_identity_is_in_the_tables():
    texts = [
        text.lower()
        for table in (SRD.creatures, SRD.spells)
        for entry in table.values()
        for names in entry.names.values()
        for text in (names.word, *names.also)
    ]
    for word in PRODUCT_IDENTITY:
        assert not any(word in text for text in texts), word


def references(creature: Creature) -> dict[str, set[str]]:
    saves = [a.save for a in creature.actions if a.save]
    amounts = [d for a in creature.actions for d in (*a.damage, *a.instead)] + [
        d for s in saves for d in s.damage
    ]
    resisted = (creature.resistances, creature.immunities, creature.vulnerabilities)
    return {
        "damage_type": {kind for _, kind in amounts} | {kind for table in resisted for kind in table},
        "condition": set(creature.condition_immunities),
        "ability": {s.ability for s in saves} | set(creature.saves) | set(creature.abilities),
        "skill": set(creature.skills),
        "sense": set(creature.senses_ft),
        "spell": {s for casting in creature.spellcasting for s in casting.spells},
    }


def test_every_id_in_the_tables_is_one_of_the_ruleset():
    found: dict[str, set[str]] = defaultdict(set)
    for creature in SRD.creatures.values():
        for kind, ids in references(creature).items():
            found[kind] |= ids
        assert set(creature.forms) <= set(SRD.creatures)
    found["ability"] |= {s.save for s in SRD.spells.values()} - {""}
    found["damage_type"] |= {s.damage_type for s in SRD.spells.values()} - {""}
    known = {
        "damage_type": SRD.damage_types,
        "condition": SRD.conditions,
        "ability": SRD.abilities,
        "skill": SRD.skills,
        "sense": SRD.senses,
        "spell": SRD.spells,
    }
    assert {kind: ids - set(known[kind]) for kind, ids in found.items() if ids - set(known[kind])} == {}


def test_what_is_typical_is_the_median_of_the_table():
    written = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}
    for cr in {c.cr for c in SRD.creatures.values()}:
        those = [c for c in SRD.creatures.values() if c.cr == cr]
        row = SRD.typical[written.get(cr, f"{cr:g}")]
        attacks = [max(a.attack or 0 for a in own) for c in those if (own := own_attacks(c))]
        assert row.creatures == len(those)
        assert (row.ac, row.hp) == (median(c.ac for c in those), median(c.hp for c in those))
        assert row.attack == (median(attacks) if attacks else None)


def own_attacks(creature: Creature) -> list[CreatureAction]:
    return [a for a in creature.attacks if a.group == "action"]


def test_hit_points_are_the_average_of_the_hit_dice():
    for key, c in SRD.creatures.items():
        match = re.fullmatch(r"(\d+)d(\d+)([+-]\d+)?", c.hit_dice)
        assert match, key
        average = int(match[1]) * (int(match[2]) + 1) / 2 + int(match[3] or 0)
        assert c.hp == max(1, int(average)), key


def budgets(year: str) -> Encounters:
    return SRD.encounters[year]


@pytest.mark.parametrize("year", ["2014", "2024"])
def test_budgets_rise_with_the_level_and_with_the_degree(year: str):
    rows = budgets(year).budgets
    assert len(rows) == 20
    for lower, higher in pairwise(rows):
        assert all(a < b for a, b in zip(lower, higher, strict=True))
    assert all(list(row) == sorted(set(row)) for row in rows)


DEGREES = [
    # year, xp of each monster, levels, degree
    ("2014", [50], [5, 5, 5, 5], None),
    ("2014", [50] * 4, [1, 1, 1, 1], "deadly"),
    ("2014", [100], [1, 1, 1, 1], "easy"),
    ("2014", [700], [3, 3, 3, 3], "medium"),
    ("2014", [450, 450], [3, 3, 3, 3], "hard"),
    ("2014", [450, 450], [3] * 6, "medium"),
    ("2014", [450, 450], [3, 3], "deadly"),
    ("2024", [100, 100], [1, 1, 1, 1], "low"),
    ("2024", [100, 100, 50], [1, 1, 1, 1], "moderate"),
    ("2024", [450], [1, 1, 1, 1], "high"),
]


@pytest.mark.parametrize(("year", "xp", "levels", "degree"), DEGREES)
def test_monsters_are_weighed_against_a_party(
    year: str, xp: list[int], levels: list[int], degree: str | None
):
    assert budgets(year).degree(xp, levels) == degree


@pytest.mark.parametrize(("level", "degree"), [(0, "easy"), (21, "easy"), (5, "lethal")])
def test_a_budget_that_is_not_there_is_refused(level: int, degree: str):
    with pytest.raises(ValueError, match=r"level|tuple"):
        budgets("2014").budget(level, degree)


def test_loading_a_ruleset_and_reading_text_leaves_the_creatures_unread():
    script = (
        "import sys; from rules.ruleset import load_ruleset; r = load_ruleset();"
        "assert not {'rules.bestiary', 'rules.spellbook', 'rules.combat'} & set(sys.modules);"
        "from rules.claims.extract import extract; from rules.document import Passage;"
        "extract(Passage('una prueba de Fuerza (Atletismo) CD 15', 0), 'es', r);"
        "assert not {'rules.bestiary', 'rules.spellbook', 'rules.combat'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
