"""Mechanics and style in many wordings: each fault is found by its rule, right sentences are left alone."""

from pathlib import Path

import pytest
import yaml

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.facts import Facts, PartySheet
from rules.findings import Finding
from rules.ruleset import load_ruleset

TABLE = yaml.safe_load((Path(__file__).parent / "mechanics_told.yaml").read_text(encoding="utf-8"))
PARTY = Facts(level=3, party=tuple(PartySheet(name, 3) for name in ("Ulla", "Pim", "Bruno", "Aldana")))
FAULTS = [
    (rule, language, text)
    for rule, languages in TABLE["planted"].items()
    for language, texts in languages.items()
    for text in texts
]
RIGHT = [(language, text) for language, texts in TABLE["right"].items() for text in texts]


def found(text: str, language: str, ruleset: str = "srd5e") -> tuple[Finding, ...]:
    code = "es" if language == "es" else "en"
    return check(read_document(f"{text}\n", "x.md", code), load_ruleset(ruleset), PARTY)


@pytest.mark.parametrize(("rule", "language", "text"), FAULTS)
def test_a_fault_is_found_by_its_rule(rule: str, language: str, text: str) -> None:
    assert rule in {f.rule for f in found(text, language)}


@pytest.mark.parametrize("ruleset", ["srd5e", "combate"])
@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_what_is_right_beside_it_is_left_alone(language: str, text: str, ruleset: str) -> None:
    assert [(f.rule, f.quote) for f in found(text, language, ruleset)] == []
