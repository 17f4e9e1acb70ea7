"""What readers of findings saw: right sentences that were blamed, and wrong ones that were let pass."""

from pathlib import Path

import pytest
import yaml

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.findings import Finding
from rules.ruleset import load_ruleset

HERE = Path(__file__).parent
TABLE = yaml.safe_load((HERE / "reviewed.yaml").read_text(encoding="utf-8"))
FOUND = [
    (rule, language, text)
    for rule, languages in TABLE["found"].items()
    for language, texts in languages.items()
    for text in texts
]
SILENT = [
    (rule, language, text)
    for rule, languages in TABLE["silent"].items()
    for language, texts in languages.items()
    for text in texts
]


def told(text: str, language: str, ruleset: str = "srd5e") -> tuple[Finding, ...]:
    """What the engine finds in a text in a language, whatever the language looks like."""
    return check(read_document(f"{text}\n", "x.md", language), load_ruleset(ruleset))


@pytest.mark.parametrize(("rule", "language", "text"), FOUND)
def test_what_was_let_pass_is_found(rule: str, language: str, text: str) -> None:
    assert rule in {f.rule for f in told(text, language)}


@pytest.mark.parametrize("ruleset", ["srd5e", "combate"])
@pytest.mark.parametrize(("rule", "language", "text"), SILENT)
def test_what_was_blamed_is_left_alone(rule: str, language: str, text: str, ruleset: str) -> None:
    assert [(f.rule, f.quote) for f in told(text, language, ruleset)] == [], rule
