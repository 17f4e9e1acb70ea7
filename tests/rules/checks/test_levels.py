"""Checks, traps and fights against the level of the party."""

import pytest

from rules.facts import Facts, PartySheet, StatFacts
from rules.ruleset import load_ruleset
from tests.rules.checks.reading import findings, right_chapter

WEAK = {"str": -1, "dex": 0, "con": 0, "int": 1, "wis": 0, "cha": 0}


def party(level: int) -> Facts:
    """Four characters of a level, of whom one is good at some things; all of them are steady."""
    strong = PartySheet(
        "Berta",
        level,
        abilities={"str": 3, "dex": 4, "con": 2, "int": 0, "wis": 1, "cha": 0},
        skills={"athletics": 5, "stealth": 6},
        saves={"dex": 6},
    )
    others = [PartySheet(name, level, abilities=WEAK) for name in ("Ana", "Carlos", "Dora")]
    ogla = StatFacts("Ogla", ac=14, hp=60, cr=4.0)
    return Facts(level=level, party=(strong, *others), names=("Ogla",), stat_blocks={"Ogla": ogla})


WRONG = [
    # rule, language, level, text, quote
    ("dc-for-level", "es", 1, "Hace falta una prueba de Fuerza (Atletismo) CD 25.", "CD 25"),
    ("dc-for-level", "en", 1, "It takes a DC 26 Dexterity (Stealth) check.", "DC 26"),
    ("dc-for-level", "es", 20, "Una prueba de Atletismo CD 35 la abre.", "CD 35"),
    ("dc-for-level", "en", 5, "Climbing out takes a DC 21 Wisdom or Intelligence check.", "DC 21"),
    ("dc-for-level", "es", 3, "Cualquiera lo nota: prueba de Inteligencia CD 1.", "CD 1"),
    ("dc-for-level", "es", 3, "Es una trampa mortal: salvación de Destreza CD 11 o 4d10 de daño.", "CD 11"),
    ("dc-for-level", "en", 3, "This deadly trap calls for a DC 12 Dexterity saving throw.", "DC 12"),
    ("damage-for-level", "en", 3, "The dart trap (setback) deals 4d10 piercing damage.", "4d10"),
    ("damage-for-level", "es", 2, "La trampa causa 10d10 de daño perforante.", "10d10"),
    ("damage-for-level", "en", 4, "The pressure plate releases darts: 9d6 piercing damage.", "9d6"),
    ("damage-for-level", "en", 3, "The rockslide deals 10d6 bludgeoning damage.", "10d6"),
    ("damage-for-level", "es", 3, "Una trampa mortal: 1d10 de daño de fuego.", "1d10"),
    ("damage-for-level", "en", 17, "The trap deals 2d6 fire damage.", "2d6"),
    ("encounter-difficulty", "es", 1, "Cuatro ogros atacan desde la loma.", "Cuatro ogros"),
    ("encounter-difficulty", "en", 1, "Six ghouls ambush the party.", "Six ghouls"),
    ("encounter-difficulty", "en", 1, "Ogla attacks, with 2 ogres behind her.", "Ogla attacks, with 2 ogres"),
    ("encounter-difficulty", "es", 3, "El mago lucha junto a un dragón rojo adulto.", "dragón rojo adulto"),
]


@pytest.mark.parametrize(
    ("rule", "language", "level", "text", "quote"), WRONG, ids=[f"{w[0]}: {w[4]}" for w in WRONG]
)
def test_what_does_not_fit_the_level_is_found(
    rule: str, language: str, level: int, text: str, quote: str
) -> None:
    found = [f for f in findings(text, party(level), language=language) if f.rule == rule]
    assert len(found) == 1
    assert quote.split()[-1] in found[0].quote
    assert found[0].severity != "error"


RIGHT = [
    ("es", 1, "Una prueba de Fuerza (Atletismo) CD 20 y otra de Sigilo CD 10."),
    ("en", 5, "A DC 15 Intelligence check. A DC 24 Dexterity (Stealth) check crosses the court."),
    ("es", 1, "Una prueba de Sabiduría o Destreza CD 22."),
    ("en", 1, "A character whose passive Wisdom (Perception) score is 30 notices it."),
    ("es", 3, "Es una trampa mortal: salvación de Destreza CD 16 o 4d10 de daño de fuego."),
    ("en", 3, "This dangerous trap calls for a DC 13 Dexterity save, and deals 2d10 piercing damage."),
    ("en", 3, "Avoid the trap. The dragon's breath deals 16d6 fire damage."),
    ("en", 1, "A creature falls 200 feet into the pit trap and takes 20d6 bludgeoning damage."),
    ("es", 2, "Ogla pisa la trampa y golpea: 9d6 de daño contundente."),
    ("es", 1, "Tres trasgos atacan desde la loma."),
    ("en", 1, "Four ogres sleep behind the wall. They do not attack."),
    ("en", 10, "Two ogres attack the party."),
    ("es", 1, "—¡Nos atacan diez ogros! —grita el crío."),
    ("en", 1, "Twelve guards stand in the yard all day long, and the cook sings to them."),
]
RULES = {"dc-for-level", "damage-for-level", "encounter-difficulty"}


@pytest.mark.parametrize(("language", "level", "text"), RIGHT, ids=[t[:45] for _, _, t in RIGHT])
def test_what_fits_the_level_is_right(language: str, level: int, text: str) -> None:
    found = [f for f in findings(text, party(level), language=language) if f.rule in RULES]
    assert [(f.rule, f.quote) for f in found] == []


def test_without_an_adventure_nothing_is_said_of_levels() -> None:
    for _, language, _, text, quote in WRONG:
        rules = {f.rule for f in findings(text, language=language)} & RULES
        assert rules <= ({"dc-for-level"} if quote in ("CD 35", "CD 11", "DC 12") else set())


@pytest.mark.parametrize("level", range(1, 21))
@pytest.mark.parametrize("severity", ["setback", "dangerous", "deadly"])
def test_the_tables_own_damage_fits_at_every_level(level: int, severity: str) -> None:
    dice = load_ruleset().traps[severity].damage_at(level)
    text = f"The trap deals {dice} fire damage."
    assert not [f for f in findings(text, party(level), language="en") if f.rule == "damage-for-level"]


def test_a_fight_is_told_once_where_its_plan_says_who_is_there() -> None:
    source = right_chapter("es").replace("PRESENTES: PJs, dos autómatas,", "PRESENTES: PJs, ocho ogros,")
    source = source.replace(
        "SITUACIÓN INICIAL: Los engranajes", "SITUACIÓN INICIAL: Los ogros atacan. Los engranajes"
    )
    found = [f for f in findings(source, party(2)) if f.rule == "encounter-difficulty"]
    assert [(f.part, f.scene, f.quote) for f in found] == [("plan", "2.2", "ogros")]
    assert "2014" in found[0].source


REACHED = [
    # (DC, a party whose best adds 5 to Athletics, what English says, what Spanish says)
    (24, None, None),
    (25, "(+5) reaches it only with a 20", "(+5) solo la alcanza con un 20"),
    (26, "(+5) reaches it: a 20 gives 25", "(+5) la alcanza: con un 20 saca 25"),
    (30, "(+5) reaches it: a 20 gives 25", "(+5) la alcanza: con un 20 saca 25"),
]


@pytest.mark.parametrize(("dc", "en", "es"), REACHED)
def test_what_a_20_reaches_is_told_right(dc: int, en: str | None, es: str | None) -> None:
    sheet = PartySheet(name="Wren", level=1, abilities={"str": 3}, skills={"athletics": 5})
    facts = Facts(level=1, party=(sheet,))
    texts = {
        "en": f"It takes a DC {dc} Strength (Athletics) check to lift the gate.",
        "es": f"Hace falta una prueba de Fuerza (Atletismo) CD {dc} para levantar la reja.",
    }
    for language, words in (("en", en), ("es", es)):
        told = [f for f in findings(texts[language], facts, language=language) if f.rule == "dc-for-level"]
        assert len(told) == (1 if words else 0)
        assert not words or words in told[0].message
