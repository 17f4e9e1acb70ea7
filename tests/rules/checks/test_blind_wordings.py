"""Faults as authors word them, written before the rules were mended for them; right sentences beside them."""

from pathlib import Path

import pytest
import yaml

from concilio.chapterfile.reader import read_document
from rules.catalogue import RULES
from rules.engine import check
from rules.facts import ActionFacts, Facts, PartySheet, StatFacts
from rules.findings import Finding
from rules.ruleset import load_ruleset

HOUSE = {name for name, rule in RULES.items() if rule.group == "house-rules"}
TABLE = yaml.safe_load((Path(__file__).parent / "blind_wordings.yaml").read_text(encoding="utf-8"))
FAULTS = [
    (rule, language, text)
    for rule, languages in TABLE.items()
    for language, kinds in languages.items()
    for text in kinds["bad"]
]
RIGHT = [
    (rule, language, text)
    for rule, languages in TABLE.items()
    for language, kinds in languages.items()
    for text in kinds["right"]
]
WAIL = ActionFacts(name="Wail", save_dc=14)
HOOK = ActionFacts(name="Hook", attack=5, damage="1d8+3")
FACTS = Facts(
    party=tuple(PartySheet(name, 3) for name in ("Ulla", "Bruno")),
    level=3,
    stat_blocks={
        "Hollow Choir": StatFacts(name="Hollow Choir", actions=(WAIL,)),
        "Coro Hueco": StatFacts(name="Coro Hueco", actions=(WAIL,)),
        "Warden Pell": StatFacts(name="Warden Pell", actions=(HOOK,)),
        "Guarda Pell": StatFacts(name="Guarda Pell", actions=(HOOK,)),
    },
)


def found(text: str, language: str, ruleset: str) -> tuple[Finding, ...]:
    return check(read_document(f"{text}\n", "x.md", language), load_ruleset(ruleset), FACTS)


@pytest.mark.parametrize(("rule", "language", "text"), FAULTS)
def test_a_fault_is_found_by_its_rule(rule: str, language: str, text: str) -> None:
    assert rule in {f.rule for f in found(text, language, "combate" if rule in HOUSE else "srd5e")}


@pytest.mark.parametrize("ruleset", ["srd5e", "combate"])
@pytest.mark.parametrize(("rule", "language", "text"), RIGHT)
def test_what_is_right_beside_it_is_left_alone(rule: str, language: str, text: str, ruleset: str) -> None:
    wrong = [f for f in found(text, language, ruleset) if f.rule == rule or f.severity == "error"]
    assert [(f.rule, f.quote) for f in wrong] == []
