"""The engine as a whole: order, places, severities, allowances, and no text that stops it."""

from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from concilio.chapterfile.reader import read_document
from rules.catalogue import READER, RULES, explain, nearest_rule
from rules.checks import CHECKS
from rules.engine import Config, check
from rules.facts import Facts, PartySheet, StatFacts
from rules.findings import Finding
from rules.ruleset import load_ruleset
from rules.wording import LANGUAGES, texts
from tests.rules.checks.reading import findings, right_chapter

FAULTY = (
    right_chapter("es")
    .replace("Fuerza (Atletismo) CD 13", "Fuerza (Atletismo) CD 18")
    .replace("da cobertura media (+2 a la CA)", "da cobertura ligera")
)


def test_findings_come_in_order_of_place_and_are_the_same_each_time() -> None:
    found = findings(FAULTY)
    assert len(found) >= 2
    assert list(found) == sorted(found, key=lambda f: (f.line, f.column))
    assert found == findings(FAULTY)


def test_line_and_column_point_at_the_quote() -> None:
    lines = FAULTY.split("\n")
    for finding in findings(FAULTY):
        rest = lines[finding.line - 1][finding.column - 1 :]
        assert rest.startswith(finding.quote.split("\n")[0])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_places_hold_with_any_newline(newline: str) -> None:
    source = FAULTY.replace("\n", newline)
    found = next(f for f in findings(source) if f.rule == "dc-drift")
    assert source.split("\n")[found.line - 1][found.column - 1 :].startswith("prueba de Fuerza")


@pytest.mark.parametrize("level", ["error", "warning", "note"])
def test_a_config_sets_severities(level: Literal["error", "warning", "note"]) -> None:
    found = findings(FAULTY, config=Config({"dc-drift": level}))
    assert {f.severity for f in found if f.rule == "dc-drift"} == {level}


def test_a_config_silences_a_rule() -> None:
    rules = {f.rule for f in findings(FAULTY, config=Config({"dc-drift": "off"}))}
    assert rules
    assert "dc-drift" not in rules


PARAGRAPH = "Quien quiera trepar"
ALLOWANCES = [
    ("<!-- concilio: allow dc-drift -->\n", False, "right before the block"),
    ("<!-- concilio: allow dc-drift -->\n\n", False, "a blank line between"),
    ("<!-- concilio: allow cover-degree, dc-drift: a harder wall -->\n", False, "several, with a reason"),
    ("<!-- concilio: allow dice-drift -->\n", True, "another rule"),
    ("<!-- concilio: allow dc-drift -->\nUn párrafo.\n\n", True, "the next block is another one"),
    ("<!-- concilio: permit dc-drift -->\n", True, "no allowance"),
    ("<!-- concilio: allow dc-drift \n", True, "a comment that does not end"),
]


@pytest.mark.parametrize(("comment", "found", "why"), ALLOWANCES, ids=[a[2] for a in ALLOWANCES])
def test_an_allowance_silences_a_rule_for_the_next_block(comment: str, found: bool, why: str) -> None:
    source = FAULTY.replace(PARAGRAPH, comment + PARAGRAPH)
    assert ("dc-drift" in {f.rule for f in findings(source)}) is found, why


def test_every_rule_is_in_the_catalogue_and_every_entry_has_a_rule() -> None:
    assert set(CHECKS) == {rule for rule, info in RULES.items() if info.group != READER}
    assert {"contradicts-outline", "contradicts-scene"} == set(RULES) - set(CHECKS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", list(RULES))
def test_every_rule_is_explained(rule: str, language: str) -> None:
    text = explain(rule, language)
    assert all((text.summary, text.why, text.bad, text.good, RULES[rule].source))
    assert "\n" not in text.summary
    assert text.bad != text.good


def test_both_languages_have_the_same_texts_and_lists() -> None:
    for name in ("rules", "words", "marks", "house", "situations", "variants"):
        spanish, english = texts("es", name), texts("en", name)
        assert spanish.keys() == english.keys()
        for key in spanish if name in ("rules", "words") else ():
            if key != "numbers":
                assert spanish[key].keys() == english[key].keys(), key


def test_a_misspelt_rule_has_a_nearest_one() -> None:
    assert nearest_rule("dc-drfit") == "dc-drift"
    assert nearest_rule("zzzzzzzzzzzz") is None


def assert_sound(source: str, found: tuple[Finding, ...]) -> None:
    lines = source.split("\n")
    for finding in found:
        assert finding.quote in source
        assert 1 <= finding.line <= len(lines)
        assert finding.message


CHUNKS = st.sampled_from(
    [
        *right_chapter("es").split("\n\n"),
        *right_chapter("en").split("\n\n"),
        "CD 15, o CD 12 si",
        "cae cien metros y recibe 99d6 de daño por",
        "cobertura total: puede disparar contra quien",
        "<!-- concilio: allow",
        "```",
        "{0} {quote} %s",
        "\x00\x1b[31m",
        "VEREDICTO:",
        "_Outcome: accepted_",
        "### Capítulo 2 · Escena 2.1 —",
        "- POSIBLES RESULTADOS:",
        "reduce la CD a 1 o 2 o 3 respectivamente",
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CHUNKS | st.text(max_size=40), max_size=25))
def test_any_shuffled_chapter_is_checked(parts: list[str]) -> None:
    source = "\n\n".join(parts)
    assert_sound(source, findings(source))


FIGHTS = st.sampled_from(
    [
        "Se abre una ventana decisiva.",
        "Otra ventana decisiva se abre para regatear.",
        "A decisive window opens, and another decisive window.",
        "El ogro remata al personaje inconsciente. Tirad iniciativa.",
        "The guards stand and watch the fight. Four ogres attack (3",
        "Condition Immunities ,, x, y",
        "queda mareado durante",
        "> > >",
        "The trap deals 99d10 damage of Stealth CD 12",
        "los personajes deciden",
        "12 × Ogla (",
    ]
)
PARTY = Facts(
    level=3,
    party=(PartySheet("Lyra", 3, abilities={"dex": 2}),),
    names=("Ogla",),
    stat_blocks={"Ogla": StatFacts("Ogla", cr=0.5)},
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(FIGHTS | st.text(max_size=12), max_size=15), st.sampled_from(LANGUAGES), st.sampled_from(" \n")
)
def test_any_fight_is_held_against_the_house_rules(parts: list[str], language: str, joint: str) -> None:
    source = joint.join(parts)
    found = check(read_document(source, "t.md", language), load_ruleset("combate"), PARTY)
    assert_sound(source, found)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(LANGUAGES), st.data())
def test_any_cut_or_doubled_chapter_is_checked(language: str, data: st.DataObject) -> None:
    source = right_chapter(language)
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 400)))
    noise = data.draw(st.text(max_size=20) | st.just(source[start:end] * 2))
    mutated = source[:start] + noise + source[end:]
    assert_sound(mutated, findings(mutated))


def test_a_reply_that_was_cut_anywhere_in_its_last_scene_is_noticed() -> None:
    """Wherever a plan's message stops inside its last scene, the file is not taken as whole."""
    source = right_chapter("es")
    begin = source.index("### Capítulo 2 · Escena 2.2")
    plan_end = source.index("## Debate completo")
    for cut in range(begin + 120, plan_end - 3, 23):
        mutated = source[:cut] + "\n\n" + source[plan_end:]
        rules = {f.rule for f in findings(mutated)}
        assert rules & {"field-missing", "truncated"}, source[cut - 30 : cut]
