"""One fault at a time in a chapter that is right: found with its rule, its scene and its place."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from rules.catalogue import READER, RULES
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
    assert len(everything) <= 3, "a fault may show in two ways (a cut plan was also accepted), not in many"


def test_every_rule_has_a_planted_fault_in_both_languages() -> None:
    for language in ("es", "en"):
        planted = {c["rule"] for lang, c in CASES if lang == language}
        judged = {rule for rule, info in RULES.items() if info.group not in (READER, "house-rules")}
        assert judged - planted - NEED_FACTS - {"term-variant"} == set()
