"""How a chapter's warnings are told: exit 0 is not said to leave something unresolved."""

from typing import Any, Literal

import pytest

from concilio.batch.outcome import ChapterResult
from concilio.cli.summary import print_summary, usage_line
from concilio.domain.base import Language
from concilio.domain.chapter import AgentUse
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


def use(**values: Any) -> AgentUse:
    return AgentUse(agent="iris", model="m", calls=1, **values)


@pytest.mark.parametrize(
    ("uses", "es", "en"),
    [
        ([], "0 llamadas, 0 tokens, 0,00 $", "0 calls, 0 tokens, $0.00"),
        (
            [use(tokens_in=0, tokens_out=0, cost_usd=0.0)],
            "1 llamada, 0 tokens, 0,00 $",
            "1 call, 0 tokens, $0.00",
        ),
        (
            [use(tokens_in=90, tokens_out=10, cost_usd=0.25), use(tokens_in=9, tokens_out=1, cost_usd=1)],
            "2 llamadas, 110 tokens, 1,25 $",
            "2 calls, 110 tokens, $1.25",
        ),
        (
            [use(tokens_in=9, tokens_out=1, cost_usd=0.5), use(tokens_in=9)],
            "2 llamadas, tokens desconocidos, coste desconocido",
            "2 calls, tokens unknown, cost unknown",
        ),
    ],
)
def test_what_was_used_is_told_in_the_languages_figures(uses: list[AgentUse], es: str, en: str) -> None:
    assert (usage_line(uses, "es"), usage_line(uses, "en")) == (es, en)
