"""Acceptance is decided by code, and every doubt counts against it."""

import pytest

from concilio.domain.debate import Ledger, ObjectionDraft, Review, Severity, Verdict
from graphs.judging import MISSING_VERDICT_FIELD, RoundRecord, judge
from graphs.ledger import raise_objections


def _record(
    verdicts: tuple[Verdict | None, ...] = ("accept", "accept"),
    open_severity: Severity | None = None,
    *,
    complete: bool = True,
    number: int = 1,
    repeats: bool = False,
    field: str = "x",
) -> RoundRecord:
    ledger = Ledger()
    if open_severity:
        draft = ObjectionDraft(scene="5.1", field=field, severity=open_severity, text="t")
        ledger = raise_objections(ledger, "ruben", [draft], number)
    authors = ("damian", "ruben")
    reviews = tuple(Review(author=a, verdict=v) for a, v in zip(authors, verdicts, strict=False))  # pyright: ignore
    return RoundRecord(number, complete, reviews, ledger, repeats)


@pytest.mark.parametrize(
    ("record", "ending", "why"),
    [
        (_record(), "accepted", "whole plan, two verdicts, nothing open"),
        (_record(open_severity="major"), "accepted", "a major may stand: it is listed"),
        (_record(open_severity="blocker"), None, "a blocker never"),
        (_record(("accept", "refine")), None, "one verdict is not two"),
        (_record(("accept", None)), None, "a missing verdict is not a verdict"),
        (_record((None, None)), None, "silence"),
        (_record(()), None, "nobody was asked"),
        (_record(complete=False), None, "a plan that is not whole"),
        (_record(("accept", "refine"), number=3), "max_rounds", "rounds used up"),
        (_record(("accept", None), number=3), "max_rounds", "no verdict at the end"),
        (_record(("refine", "refine"), "major", repeats=True), "stalled", "the same twice"),
        (_record(number=3), "accepted", "accepted in the last round"),
    ],
)
def test_how_a_round_ends(record: RoundRecord, ending: str | None, why: str) -> None:
    assert judge(record, 3).ending == ending, why


def test_a_missing_verdict_is_not_for_iris_to_mend() -> None:
    record = _record((None, "accept"), "blocker", field=MISSING_VERDICT_FIELD)
    assert judge(record, 3).step == "review_again"


def test_an_incomplete_plan_is_the_worst_round() -> None:
    assert (
        judge(_record(complete=False), 3).weight > judge(_record(("refine", "refine"), "blocker"), 3).weight
    )
