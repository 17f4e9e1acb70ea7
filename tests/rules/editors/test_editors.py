"""Faults that editors planted who knew nothing of the engine, and their right texts: what is found stays so.

What each table measured before anybody looked at it stands in docs/decisions.md; here is what is left of it.
"""

import pytest
import yaml

from tests.rules.editors.chapters import FOLDER, bases, findings, is_found, planted, rendered

TABLES = [
    ("first", "faults"),
    ("second", "a"),
    ("second", "b"),
    ("third", "c"),
    ("third", "drift"),
    ("fourth", "d"),
    ("fifth", "f"),
    ("ninth", "t"),
    ("tenth", "t"),
    ("eleventh", "t"),
    ("twelfth", "t"),
]
WITH_RIGHT_TEXTS = (
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
LEFT = frozenset(yaml.safe_load((FOLDER / "left.yaml").read_text(encoding="utf-8")))
"""Ids of faults that are not found yet."""


@pytest.mark.parametrize(("editor", "table"), TABLES)
def test_planted_faults_are_found(editor: str, table: str) -> None:
    missed = [fault.id for fault in planted(editor, table) if not is_found(fault)]
    assert sorted(set(missed) - LEFT) == []


@pytest.mark.parametrize("ruleset", [None, "combate"])
@pytest.mark.parametrize(
    "editor", ["first", "second", "third", "fourth", "fifth", "ninth", "tenth", "eleventh", "twelfth"]
)
def test_right_chapters_have_no_finding(editor: str, ruleset: str | None) -> None:
    for name, base in bases(editor).items():
        found = findings(rendered(base), FOLDER / editor / base["adventure"], ruleset)
        assert [(name, f.rule, f.quote) for f in found] == []


@pytest.mark.parametrize(
    ("editor", "ruleset"),
    [
        *((editor, None) for editor in WITH_RIGHT_TEXTS),
        *((editor, "combate") for editor in ("second", "third", "fourth")),  # the others know no house rules
    ],
)
def test_right_texts_have_no_error(editor: str, ruleset: str | None) -> None:
    for right in yaml.safe_load((FOLDER / editor / "right.yaml").read_text(encoding="utf-8")):
        adventure = FOLDER / editor / right["adventure"] if right.get("adventure") else None
        errors = [f for f in findings(right["text"], adventure, ruleset) if f.severity == "error"]
        assert [(right["id"], f.rule, f.quote) for f in errors] == []
