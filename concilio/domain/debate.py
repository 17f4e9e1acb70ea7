"""The debate as data: marks, verdicts, objections and their ledger, and how a debate may end."""

from typing import Literal

from pydantic import Field

from concilio.domain.base import Frozen, Line

Verdict = Literal["accept", "refine"]
Severity = Literal["blocker", "major", "minor"]
ObjectionState = Literal["open", "fixed", "rebutted", "waived", "withdrawn"]
Ending = Literal["accepted", "max_rounds", "stalled", "budget", "stopped", "failed"]
Dimension = Literal["action", "state_change", "outcomes", "pacing", "numbers", "time"]
Mark = Literal["good", "fair", "bad", "unknown"]
AgentId = Literal["iris", "damian", "ruben", "prose", "reader", "engine", "designer"]

SEVERITY_WEIGHT: dict[str, int] = {"blocker": 9, "major": 3, "minor": 1}
"""Weights by which rounds are compared: one blocker outweighs any two majors."""


class SceneRow(Frozen):
    """A reviewer's row on one scene."""

    scene: str
    marks: dict[Dimension, Mark] = {}
    minutes: int | None = Field(default=None, ge=0)
    """Expected minutes at the table."""
    note: Line = ""


class ObjectionDraft(Frozen):
    """An objection as its author states it, before it has an id."""

    scene: str
    """Scene id, or the chapter's number for the whole plan."""
    field: Line = ""
    severity: Severity = "major"
    text: Line
    proposal: Line = ""


class Objection(Frozen):
    """An entry of the ledger."""

    id: str
    """`O1`, `O2`, … in order of raising."""
    author: AgentId
    scene: str
    field: Line = ""
    severity: Severity
    text: Line
    proposal: Line = ""
    state: ObjectionState = "open"
    raised_in: int
    """Round, from 1."""
    closed_in: int | None = None
    answer: Line = ""
    """Iris's last answer."""
    answer_kind: Literal["", "fixed", "rebutted"] = ""


class Answer(Frozen):
    """Iris's answer to one objection: it claims a change or argues against."""

    objection: str
    kind: Literal["fixed", "rebutted"]
    text: Line = ""


class Review(Frozen):
    """What Damián or Rubén returned in a round. `verdict` None means that none was given: never consent."""

    author: AgentId
    rows: tuple[SceneRow, ...] = ()
    marks: dict[Dimension, Mark] = {}
    """One mark a dimension for the whole plan."""
    objections: tuple[ObjectionDraft, ...] = ()
    closed: tuple[str, ...] = ()
    """Ids of its own objections that it takes as settled."""
    verdict: Verdict | None = None
    text: str = ""
    """What it said, for people."""


class Ledger(Frozen):
    """All objections of a debate."""

    objections: tuple[Objection, ...] = ()

    def open(self) -> tuple[Objection, ...]:
        """Return the objections that are still open."""
        return tuple(o for o in self.objections if o.state == "open")

    def blockers(self) -> tuple[Objection, ...]:
        """Return the open objections that bar acceptance: only a designer's word goes over them."""
        return tuple(o for o in self.open() if o.severity == "blocker")

    def weight(self) -> int:
        """Return the weighted sum of open objections: the lower, the better the round."""
        return sum(SEVERITY_WEIGHT[o.severity] for o in self.open())


class Message(Frozen):
    """One turn of the debate as it is printed in the chapter file."""

    round: int
    agent: AgentId
    name: Line
    """Name at the table (`Iris Vela`)."""
    text: str
    """Markdown, already whole: never a cut message."""
