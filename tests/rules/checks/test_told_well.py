"""What a finding says is well said: brackets that close, one full stop, one scene in the singular."""

import re
from pathlib import Path

import pytest

from concilio.adventure import load_adventure
from concilio.adventure.facts import facts_of
from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.findings import Finding
from rules.ruleset import load_ruleset
from tests.rules.checks.reading import right_chapter

SHARED = Path(__file__).parents[4] / "shared"


def found(source: str, language: str, spoken: str | None = None) -> tuple[Finding, ...]:
    return check(read_document(source, "x.md", language), load_ruleset(), language=spoken)


def ugly(text: str) -> str:
    """What is badly said in a text; empty where nothing is."""
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            return "a bracket that nothing opened"
    if depth:
        return "a bracket that nothing closed"
    if re.search(r"(?<!\.)\.\.(?!\.)|[!?…]\.(?:\s|$)", text):
        return "two ends of one sentence"
    if re.search(r"\b(?:escenas|scenes) \d+\.\d+\)", text):
        return "one thing in the plural"
    return "a bare key" if re.search(r"\b[a-z]+_[a-z]+\b", text) else ""


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not there")
@pytest.mark.parametrize("chapter", ["capitulo_04", "capitulo_05"])
@pytest.mark.parametrize("spoken", ["es", "en"])
def test_the_seeds_findings_are_well_said(chapter: str, spoken: str) -> None:
    rules = load_ruleset()
    facts = facts_of(load_adventure(SHARED / "cases" / "banquete.adventure.md"), rules)
    source = (SHARED / "seeds" / f"{chapter}.es.md").read_text(encoding="utf-8")
    told = check(read_document(source, "x.md", "es"), rules, facts, language=spoken)
    texts = [text for f in told for text in (f.message.replace(f.quote, ""), f.expected, f.source)]
    assert [(text, ugly(text)) for text in texts if ugly(text)] == []
    words = ("scene", "plan says", "the") if spoken == "es" else ("escena ", "no tiene", "El ")
    assert not [f.message for f in told if any(re.search(rf"^{w}\b", f.message) for w in words)]


CHANGED = [
    # (language, old, new in the right chapter, rule, what the message holds, what is expected)
    (
        "es",
        "### Capítulo 2 · Escena 2.2",
        "### Capítulo 2 · Escena 2.1",
        "duplicate-scene",
        "da dos veces",
        "",
    ),
    (
        "en",
        "### Chapter 2 · Scene 2.2",
        "### Chapter 2 · Scene 2.1",
        "duplicate-scene",
        "scene 2.1 twice",
        "",
    ),
    ("en", "(approved by the table)", "(not approved)", "outcome-mislabelled", "(“approved”)", "approved"),
    ("en", "APPROX SCENES: 2", "APPROX SCENES: 9", "scene-count", "9 scenes", "about 9 scenes"),
    (
        "en",
        "_Outcome: accepted_",
        "_Outcome: max_rounds_",
        "outcome-mislabelled",
        "out of rounds",
        "not approved: out of rounds",
    ),
    (
        "es",
        "_Outcome: accepted_",
        "_Outcome: max_rounds_",
        "outcome-mislabelled",
        "se agotaron las rondas",
        "sin aprobar: se agotaron las rondas",
    ),
    (
        "en",
        "dodge the sparks: DC 12 Dexterity saving throw or",
        "dodge the sparks: Reflex save DC 15 or",
        "dc-drift",
        "the plan says: Reflex save DC 15.",
        "Dexterity save DC 15",
    ),
    (
        "en",
        "dodge the sparks: DC 12 Dexterity saving throw or",
        "dodge the sparks: Reflex save DC 12 or",
        "unknown-term",
        "its term is “Dexterity saving throw”",
        "Dexterity saving throw",
    ),
    (
        "en",
        "1d8 fire damage. Whoever",
        "2d8 burning damage. Whoever",
        "dice-drift",
        "2d8 burning",
        "2d8 fire damage",
    ),
]


@pytest.mark.parametrize(("language", "old", "new", "rule", "words", "expected"), CHANGED)
def test_a_finding_says_what_is_right_in_the_words_of_the_rules(
    language: str, old: str, new: str, rule: str, words: str, expected: str
) -> None:
    source = right_chapter(language)
    assert old in source
    told = [f for f in found(source.replace(old, new), language) if f.rule == rule]
    assert told, "nothing was found"
    assert any(words in f.message and f.expected == expected for f in told), told
    assert not [f for f in told if ugly(f.message) or ugly(f.expected)]


def test_a_plan_that_breaks_off_in_one_scene_says_so_in_the_singular() -> None:
    source = right_chapter("en").replace("burns.\n\n## Full", "burns and the\n\n## Full", 1)
    told = [f.message for f in found(source, "en") if f.rule == "accepted-unresolved"]
    assert told == ["It says accepted, but the plan is not whole (scene 2.2)."]


VERBS = [
    # (language, what the prose adds, whether it is a mechanic that the plan lacks, why)
    ("en", "A failure poisons for one minute.", True, "a verb and a time"),
    ("en", "The fumes paralyze, and blinds whoever breathes them for 1 round.", False, "no word of the list"),
    ("en", "The flash blinds the nearest for 1 round.", True, "somebody between"),
    ("en", "The smell poisons the mood.", False, "no time"),
    ("en", "The crash stuns everybody for one minute.", False, "the plan has that condition"),
    ("es", "El fallo envenena durante un minuto.", True, "a verb and a time"),
    ("es", "El ruido ensordece durante un asalto.", True, "a verb and a time"),
    ("es", "La duda envenena la sala.", False, "no time"),
    ("es", "«Esto te envenena durante un minuto», dice Ilvara.", False, "somebody says it"),
]


@pytest.mark.parametrize(("language", "added", "is_told", "why"), VERBS)
def test_a_verb_that_imposes_a_condition_for_a_time_is_a_mechanic(
    language: str, added: str, is_told: bool, why: str
) -> None:
    opening = {"en": "The whole room shakes.", "es": "La sala entera tiembla."}[language]
    source = right_chapter(language)
    assert opening in source
    rules = {f.rule for f in found(source.replace(opening, f"{opening} {added}"), language)}
    assert ("mechanic-not-in-plan" in rules) is is_told, why
