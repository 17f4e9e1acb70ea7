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


CHAPTER = """# Chapter 1 · “x”

# Chapter 1 · Scene 1.1 — “x”

## Agreed plan

- PLACE: The docks.
- PRESENT: PCs{first}.
- INITIAL SITUATION: The crew waits at the docks.
- PLAYER ACTION: Talk to them.
- POSSIBLE OUTCOMES:
    - Success: The crew leaves.
- STATE CHANGE: The docks are free.

## Approved prose

The crew surrounds Valerius and Lyra, and {told}. On a success, the crew leaves.

# Chapter 1 · Scene 1.2 — “y”

## Agreed plan

- PLACE: The cell.
- PRESENT: PCs, Vaelen.
- INITIAL SITUATION: Behind the bars Vaelen waits.
- PLAYER ACTION: Talk to him.
- POSSIBLE OUTCOMES:
    - Success: He goes with them.
- STATE CHANGE: The cell is empty.

## Approved prose

He goes with them on a success.
"""


@pytest.mark.parametrize(
    ("first", "told", "drifts"),
    [
        ("", "Kaelen", False),  # another first letter, and the only one like it is in another scene
        (", Vaelen", "Kaelen", True),  # the scene's own plan has the one that is meant
        ("", "Vaelon", True),  # a slip inside the name
        ("", "Vaelen", False),
    ],
)
def test_a_name_with_another_first_letter_is_somebody_else(first: str, told: str, drifts: bool) -> None:
    source = CHAPTER.format(first=first, told=told)
    rules = {f.rule for f in check(read_document(source, "x.md", "en"), load_ruleset("srd5e"))}
    assert ("name-drift" in rules) is drifts
