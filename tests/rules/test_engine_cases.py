"""What a careful editor found in two real chapters, as far as a program can: the floor for recall."""

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from concilio.adventure.facts import facts_of
from concilio.adventure.loader import load_adventure
from rules.facts import Facts
from rules.findings import Finding
from rules.ruleset import load_ruleset
from tests.rules.checks.reading import SHARED, findings

CHAPTERS = ("capitulo_04", "capitulo_05")
FLOOR = 60
FLOOR_WITHOUT_ADVENTURE = 58

pytestmark = pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="../shared/cases is not there")


def entries(chapter: str) -> Iterator[dict[str, Any]]:
    data = yaml.safe_load((SHARED / "cases" / f"{chapter}.findings.yaml").read_text(encoding="utf-8"))
    yield from (e for e in data["findings"] if e["decided_by"] == "program")


def matches(entry: dict[str, Any], finding: Finding) -> bool:
    same = (entry["rule"], entry["scene"], entry["part"]) == (finding.rule, finding.scene, finding.part)
    return same and entry["quote"] in finding.quote


def recall(facts: Facts | None) -> tuple[int, list[str]]:
    found, missed = 0, list[str]()
    for chapter in CHAPTERS:
        source = (SHARED / "seeds" / f"{chapter}.es.md").read_text(encoding="utf-8")
        told = findings(source, facts)
        for entry in entries(chapter):
            if any(matches(entry, f) for f in told):
                found += 1
            else:
                missed.append(f"{chapter} {entry['scene']} {entry['rule']}: {entry['quote']}")
    return found, missed


def test_recall_with_the_adventure() -> None:
    adventure = load_adventure(SHARED / "cases" / "banquete.adventure.md")
    found, missed = recall(facts_of(adventure, load_ruleset()))
    print(f"\nrecall {found} of {found + len(missed)}; missed:", *missed, sep="\n  ")
    assert found >= FLOOR


def test_recall_of_the_chapters_alone() -> None:
    found, missed = recall(None)
    print(f"\nrecall without the adventure {found} of {found + len(missed)}; missed:", *missed, sep="\n  ")
    assert found >= FLOOR_WITHOUT_ADVENTURE
