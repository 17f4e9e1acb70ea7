"""Objections are closed by their author alone, and silence closes nothing."""

import pytest

from concilio.domain.debate import Answer, Ledger, ObjectionDraft, Review
from graphs.ledger import (
    answer_objections,
    apply_review,
    close_objections,
    raise_objections,
    set_engine_objections,
    signature,
)

DRAFT = ObjectionDraft(scene="5.1", field="resultados", severity="blocker", text="no hay salida")


def _raised() -> Ledger:
    return raise_objections(Ledger(), "damian", [DRAFT], 1)


def test_an_objection_gets_an_id_and_is_open() -> None:
    (objection,) = _raised().open()
    assert (objection.id, objection.author, objection.raised_in) == ("O1", "damian", 1)


def test_the_same_objection_is_not_raised_twice_while_open() -> None:
    again = DRAFT.model_copy(update={"text": "No hay salida"})
    assert len(raise_objections(_raised(), "damian", [again], 2).objections) == 1
    assert len(raise_objections(_raised(), "ruben", [again], 2).objections) == 2


def test_an_answer_alone_closes_nothing() -> None:
    ledger = answer_objections(_raised(), [Answer(objection="O1", kind="fixed", text="hay puerta")])
    assert ledger.open()[0].answer == "hay puerta"


@pytest.mark.parametrize(
    ("answer", "state"), [("fixed", "fixed"), ("rebutted", "rebutted"), (None, "withdrawn")]
)
def test_the_author_closes_and_the_state_tells_how(answer: str | None, state: str) -> None:
    ledger = _raised()
    if answer:
        ledger = answer_objections(ledger, [Answer.model_validate({"objection": "O1", "kind": answer})])
    closed = close_objections(ledger, "damian", ["O1"], 2)
    assert (closed.objections[0].state, closed.objections[0].closed_in) == (state, 2)


@pytest.mark.parametrize("closer", ["ruben", "iris", "engine"])
def test_nobody_else_closes_it(closer: str) -> None:
    assert close_objections(_raised(), closer, ["O1"], 2).open()  # pyright: ignore[reportArgumentType]


def test_a_review_that_does_not_mention_it_leaves_it_open() -> None:
    ledger = apply_review(_raised(), Review(author="damian", verdict="accept"), 2)
    assert [o.id for o in ledger.open()] == ["O1"]


def test_the_engines_objections_follow_its_findings() -> None:
    ledger = set_engine_objections(Ledger(), [DRAFT], 1)
    assert ledger.open()[0].author == "engine"
    assert set_engine_objections(ledger, [DRAFT], 2) == ledger
    assert set_engine_objections(ledger, [], 2).objections[0].state == "fixed"


def test_a_blocker_outweighs_two_majors() -> None:
    majors = [ObjectionDraft(scene=s, severity="major", text=s) for s in ("5.1", "5.2")]
    assert _raised().weight() > raise_objections(Ledger(), "ruben", majors, 1).weight()


def test_signatures_ignore_ids_and_rounds() -> None:
    later = raise_objections(raise_objections(Ledger(), "ruben", [DRAFT], 1), "damian", [DRAFT], 3)
    only = close_objections(later, "ruben", ["O1"], 3)
    assert signature(only) == signature(_raised())
