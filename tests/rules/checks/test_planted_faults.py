"""One fault at a time in a chapter that is right: found with its rule, its scene and its place."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from rules.catalogue import READER, RULES
from rules.facts import Facts
from tests.rules.checks.reading import findings, right_chapter

CASES: list[tuple[str, dict[str, Any]]] = [
    (language, case)
    for language, cases in yaml.safe_load(
        (Path(__file__).parent / "planted.yaml").read_text(encoding="utf-8")
    ).items()
    for case in cases
]
NEED_FACTS = {
    "stat-block-drift",
    "save-not-attack",
    "dc-for-level",
    "damage-for-level",
    "encounter-difficulty",
}


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_right_chapter_has_no_finding(language: str) -> None:
    assert findings(right_chapter(language)) == ()


@pytest.mark.parametrize(
    ("language", "case"), CASES, ids=[f"{lang}-{i}-{c['rule']}" for i, (lang, c) in enumerate(CASES)]
)
def test_a_planted_fault_is_found(language: str, case: dict[str, Any]) -> None:
    right = right_chapter(language)
    assert case["old"] in right
    source = right.replace(case["old"], case["new"])
    everything = findings(source)
    found = [f for f in everything if f.rule == case["rule"]]
    assert [
        f for f in found if f.scene == case["scene"] and f.part == case["part"] and case["quote"] in f.quote
    ]
    assert all(f.severity in RULES[f.rule].severities for f in everything)
    assert len(everything) <= 3, "a fault may show in two ways (a cut plan was also accepted), not in many"


def test_every_rule_has_a_planted_fault_in_both_languages() -> None:
    for language in ("es", "en"):
        planted = {c["rule"] for lang, c in CASES if lang == language}
        judged = {rule for rule, info in RULES.items() if info.group not in (READER, "house-rules")}
        assert judged - planted - NEED_FACTS - {"term-variant"} == set()


def words(number: int) -> str:
    return "> " + " ".join(f"The lamp {n} burns low." for n in range(number // 5)) + "\n"


UNUSUAL = [
    ("read-aloud-length", words(900), Facts()),
    ("damage-type", "The blade deals 2d6 negative energy damage.", Facts()),
    ("dc-for-level", "A DC 35 Strength (Athletics) check opens the gate.", Facts(level=1)),
    ("damage-for-level", "The dart trap deals 1d4 piercing damage.", Facts(level=20)),
]


@pytest.mark.parametrize(("rule", "text", "facts"), UNUSUAL, ids=[rule for rule, *_ in UNUSUAL])
def test_a_severity_that_comes_is_one_that_is_listed(rule: str, text: str, facts: Facts) -> None:
    found = [f for f in findings(text, facts, language="en") if f.rule == rule]
    assert found
    assert {f.severity for f in found} <= set(RULES[rule].severities)
