"""An allowance that silences nothing says so: with its place, and the rule that was meant."""

import time

import pytest

from tests.rules.checks.reading import findings, right_chapter

TEXT = "\n\nThe door is open.\n"
TOLD = [
    # (comment, quotes of the findings, what is expected, why)
    ("<!-- concilio: allow crit-on-chek -->", ["crit-on-chek"], ["crit-on-check"], "misspelt"),
    ("<!-- concilio: allow DC-Drift -->", ["DC-Drift"], ["dc-drift"], "capitals"),
    ("<!-- concilio: allow dc-drift, dice-drif -->", ["dice-drif"], ["dice-drift"], "one of two"),
    ("<!-- concilio: allow cover_degree -->", ["cover_degree"], ["cover-degree"], "an underscore"),
    ("<!-- concilio: allow zzzz -->", ["zzzz"], [""], "no rule is near"),
    ("<!-- concilio: allow dc-drift because it is hard -->", ["because"], [""], "a reason without a colon"),
    ("<!-- concilio: allow -->", None, ["<!-- concilio: allow dc-drift -->"], "an empty list"),
    ("<!-- concilio: allow : a reason -->", None, ["<!-- concilio: allow dc-drift -->"], "a reason alone"),
    ("<!-- concilio: alow dc-drift -->", None, ["<!-- concilio: allow dc-drift -->"], "another verb"),
    ("<!-- concilio allow dc-drift -->", None, ["<!-- concilio: allow dc-drift -->"], "no colon"),
    ("<!-- Concilio: Allow dc-drift -->", None, ["<!-- concilio: allow dc-drift -->"], "capitals"),
    ("<!-- concilio: ignore dc-drift -->", None, ["<!-- concilio: allow dc-drift -->"], "another verb"),
]
SILENT = [
    "<!-- concilio: allow dc-drift -->",
    "<!-- concilio: allow dc-drift, cover-degree: a harder wall -->",
    "<!-- concilio: allow dc-drift - a harder wall -->",
    "<!-- concilio: allow contradicts-outline -->",
    "<!-- concilio: chapter 4 en -->",
    "<!-- concilio: lines 1 2 3 -->",
    "<!-- concilio is a town in the Veneto -->",
    "<!-- a note of the author -->",
    "Write `<!-- concilio: allow RULE -->` before the block.",
    "```\n<!-- concilio: allow RULE -->\n```",
    "<!-- concilio: allow",
]


@pytest.mark.parametrize(("comment", "quotes", "expected", "why"), TOLD, ids=[t[3] for t in TOLD])
@pytest.mark.parametrize("language", ["es", "en"])
def test_what_silences_nothing_is_told(
    comment: str, quotes: list[str] | None, expected: list[str], why: str, language: str
) -> None:
    told = [
        f for f in findings("One.\n\n" + comment + TEXT, language=language) if f.rule == "unknown-allowance"
    ]
    assert [f.quote for f in told] == (quotes or [comment]), why
    assert [f.expected for f in told] == expected
    assert {(f.severity, f.line, f.part) for f in told} == {("warning", 3, "file")}


@pytest.mark.parametrize("comment", SILENT)
def test_what_silences_a_rule_or_is_no_order_is_right(comment: str) -> None:
    assert not [f for f in findings(comment + TEXT, language="en") if f.rule == "unknown-allowance"]


def test_it_is_told_in_a_chapter_as_well() -> None:
    source = right_chapter("en").replace("The whole room", "<!-- concilio: allow crit -->\nThe whole room")
    assert [(f.rule, f.scene) for f in findings(source)] == [("unknown-allowance", "2")]


def test_many_comments_cost_no_more_than_their_number() -> None:
    def seconds(times: int) -> float:
        text = "<!-- concilio: allow " * times + "\n" + "<!-- concilio: zz dc -->\n" * times
        begin = time.perf_counter()
        findings(text, language="en")
        return time.perf_counter() - begin

    seconds(10)
    assert seconds(4000) < 12 * max(seconds(1000), 0.02)
