"""Claims in canonical words."""

import pytest

from rules.claims.phrase import phrase
from rules.claims.phrasing import opens_with_vowel
from tests.rules.claims import test_extract_en, test_extract_es
from tests.rules.claims.summary import RULESET, read

PHRASES = [
    ("Atletismo CD 15", "es", "una prueba de Fuerza (Atletismo) CD 15"),
    ("Medicina o Fuerza, CD 13", "es", "una prueba de Sabiduría (Medicina) o de Fuerza CD 13"),
    ("Engaño o Persuasión CD 14", "es", "una prueba de Carisma (Engaño o Persuasión) CD 14"),
    ("Sigilo (CD 15, o CD 12 si llueve)", "es", "una prueba de Destreza (Sigilo) CD 15, o CD 12 si llueve"),
    ("TS de CON CD 12", "es", "una tirada de salvación de Constitución CD 12"),
    ("3d6 daño por aplastamiento", "es", "3d6 de daño contundente"),
    ("7 (2d6) de daño de fuego", "es", "7 (2d6) de daño de fuego"),
    ("20 PV", "es", "20 PG"),
    ("4,5 m de radio", "es", "un radio de 4,5 metros"),
    ("media cobertura (+2 CA)", "es", "cobertura media (+2 a la CA)"),
    ("cae prono", "es", "el estado derribado"),
    ("usa su reacción", "es", "una reacción"),
    ("un ataque de oportunidad", "es", "un ataque de oportunidad"),
    ("la CD baja 2", "es", "-2 a la CD"),
    (
        "Destreza (herramientas de ladrón) CD 14",
        "es",
        "una prueba de Destreza (herramientas de ladrón) CD 14",
    ),
    ("Athletics DC 15", "en", "a DC 15 Strength (Athletics) check"),
    ("an Intelligence check", "en", "an Intelligence check"),
    ("a Dexterity check", "en", "a Dexterity check"),
    (
        "DC 13 Arcana check, or DC 10 with the book",
        "en",
        "a DC 13 Intelligence (Arcana) check, or DC 10 with the book",
    ),
    ("Wis save DC 14", "en", "a DC 14 Wisdom saving throw"),
    ("a cone of 8 metres; a 15-foot cone", "en", "8 metres"),
    ("a 30-foot radius", "en", "a 30-foot radius"),
    ("an 80-foot cone", "en", "an 80-foot cone"),
    ("an 18-foot cube", "en", "an 18-foot cube"),
    ("22 (4d8+4) HP", "en", "22 (4d8+4) hit points"),
    ("2d6 fire damage", "en", "2d6 fire damage"),
    ("half-cover", "en", "half cover"),
    ("falls prone", "en", "the prone condition"),
    ("an opportunity attack", "en", "an opportunity attack"),
    ("the DC drops to 12", "en", "the DC becomes 12"),
]


@pytest.mark.parametrize(("text", "language", "expected"), PHRASES)
def test_a_claim_is_printed_in_the_words_of_the_ruleset(text: str, language: str, expected: str):
    assert phrase(read(text, language)[0], language, RULESET) == expected


TEXTS = [
    (text, language)
    for language, table in (("es", test_extract_es), ("en", test_extract_en))
    for text, _ in [*table.CHECKS, *table.SAVES, *table.FIGURES, *table.MEASURES]
]


@pytest.mark.parametrize(("text", "language"), TEXTS)
def test_what_is_printed_is_read_as_the_same_claim(text: str, language: str):
    for claim in read(text, language):
        if claim.kind == "fall":
            continue  # a fall with no height is printed without the words that made it one
        printed = phrase(claim, language, RULESET)
        again = [phrase(c, language, RULESET) for c in read(printed, language) if c.kind == claim.kind]
        assert printed in again


@pytest.mark.parametrize(
    ("number", "vowel"),
    [
        ("8", True),
        ("80", True),
        ("800", True),
        ("8000", True),
        ("11", True),
        ("18", True),
        ("11000", True),
        ("1", False),
        ("100", False),
        ("110", False),
        ("180", False),
        ("1100", False),
        ("18,", True),
        ("7", False),
    ],
)
def test_numbers_take_the_article_by_which_they_are_said(number: str, vowel: bool):
    assert opens_with_vowel(number) is vowel


def test_text_of_the_plan_is_never_a_template():
    (claim,) = read("Sigilo (CD 15, o CD 12 si {options} {0} {a} aún)", "es")
    assert phrase(claim, "es", RULESET).endswith("o CD 12 si {options} {0} {a} aún")
