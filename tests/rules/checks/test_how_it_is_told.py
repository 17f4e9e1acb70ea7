"""How findings are told: in the text's own units, once for one fault, in the reader's language."""

import pytest

from concilio.chapterfile.reader import read_document
from rules.catalogue import RULES, explain
from rules.engine import replacements
from rules.ruleset import load_ruleset
from tests.rules.checks.reading import findings


def of(rule: str, text: str, language: str) -> list[tuple[str, str]]:
    return [(f.message, f.expected) for f in findings(f"{text}\n", language=language) if f.rule == rule]


@pytest.mark.parametrize(
    ("language", "text", "height"),
    [
        ("en", "They fall 40 feet and take 2d6 bludgeoning damage.", "40 feet"),
        ("en", "They fall 12 metres and take 2d6 bludgeoning damage.", "12 metres"),
        ("es", "Caen 40 pies y reciben 2d6 de daño contundente.", "40 pies"),
        ("es", "Caen doce metros y reciben 2d6 de daño contundente.", "12 metros"),
    ],
)
def test_a_fall_is_told_in_the_unit_of_the_text(language: str, text: str, height: str) -> None:
    ((message, expected),) = of("fall-damage", text, language)
    assert height in message
    assert expected == "4d6"


@pytest.mark.parametrize(
    ("language", "text", "times"),
    [
        ("en", "On a natural 1 (a critical failure) on the DC 12 Stealth check the bell rings.", 1),
        (
            "es",
            "Si en la prueba de Sigilo CD 12 sale un 1 natural, es un fallo crítico y suena la campana.",
            1,
        ),
        ("en", "DC 12 Stealth check: on a natural 20 the dog sleeps, on a natural 1 it barks.", 2),
    ],
)
def test_one_extreme_result_is_one_finding(language: str, text: str, times: int) -> None:
    assert len(of("crit-on-check", text, language)) == times


def test_the_end_of_the_ladder_is_told_as_a_limit() -> None:
    ((_, expected),) = of("dc-for-level", "A DC 40 Strength (Athletics) check lifts it.", "en")
    assert expected == "DC 30 at most"


@pytest.mark.parametrize(
    "text",
    ["The captain casts Fireballs of Doom at the gate.", "La bruja lanza Bolas de Fuego de Ormún al muro."],
)
def test_a_proper_name_is_not_mended(text: str) -> None:
    language = "en" if text.startswith("The") else "es"
    assert replacements(read_document(f"{text}\n", "x.md", language), load_ruleset()) == ()


def test_a_rule_is_explained_in_the_readers_language() -> None:
    for rule, info in RULES.items():
        assert explain(rule, "en").source == info.source
        assert explain(rule, "es").source != info.source, rule


@pytest.mark.parametrize(
    ("language", "text", "quote"),
    [
        ("en", "The target is flat-footed until the end of its next turn.", "flat-footed"),
        ("en", "The target is dazed (DC 13 Wisdom save ends).", "dazed"),
        ("es", "La criatura sufre el estado mareado durante 1 minuto.", "mareado"),
        ("es", "La ciudad sufre el estado de sitio durante dos semanas.", ""),
    ],
)
def test_an_unknown_condition_is_quoted_whole(language: str, text: str, quote: str) -> None:
    told = [f.quote for f in findings(f"{text}\n", language=language) if f.rule == "unknown-condition"]
    assert told == ([quote] if quote else [])
