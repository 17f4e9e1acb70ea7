"""How a chapter's warnings are told: exit 0 is not said to leave something unresolved."""

from typing import Literal

import pytest

from concilio.batch.outcome import ChapterResult
from concilio.cli.summary import print_summary
from concilio.domain.base import Language
from concilio.domain.debate import Ledger
from rules.findings import Finding
from tests.chapterfile.samples import chapter

Severity = Literal["warning", "error"]
CASES: list[tuple[Language, Severity, str]] = [
    ("en", "warning", "Warnings about chapter"),
    ("en", "error", "Unresolved in chapter"),
    ("es", "warning", "Avisos en el capítulo"),
    ("es", "error", "Sin resolver en el capítulo"),
]


@pytest.mark.parametrize(("language", "severity", "title"), CASES)
def test_what_is_only_warned_of_is_not_unresolved(
    capsys: pytest.CaptureFixture[str], language: Language, severity: Severity, title: str
) -> None:
    found = Finding(
        rule="encounter-difficulty", severity=severity, scene="5.1", part="plan", line=1, column=1,
        quote="Vool", message="too much", expected="", source="",
    )  # fmt: skip
    whole = chapter(language=language)
    scenes = tuple(s.model_copy(update={"findings": ()}) for s in whole.scenes)
    whole = whole.model_copy(update={"plan_findings": (found,), "scenes": scenes, "ledger": Ledger()})
    print_summary([ChapterResult(whole, ())], language)
    told = capsys.readouterr().out
    assert [t for _, _, t in CASES if t in told] == [title]
    assert "too much" in told
