"""State of the graphs: ids and small values only. Long texts lie in the run's store, under the references kept here."""

from typing import Annotated, TypedDict

from concilio.domain.debate import Ending


class Trouble(TypedDict):
    """An error of the gateway, carried as data so that no branch cancels its siblings."""

    kind: str
    """Name of the error's class."""
    message: str


class DebateState(TypedDict, total=False):
    """One chapter's debate. Every value is replaced, never accumulated."""

    chapter: int
    round: int
    """From 1."""
    plan: str
    """Reference of the current `PlanState`."""
    bounced: bool
    """Lint has sent this round's plan back to Iris once already."""
    review: str
    """Reference of Damián's `Review` of this round; empty where there is none."""
    critique: str
    """Reference of Rubén's."""
    ledger: str
    """Reference of the `Ledger`."""
    last: str
    """What was open and planned after the last round, as one digest."""
    best_round: int
    best_weight: int
    best_plan: str
    best_ledger: str
    log: str
    """Reference of the last `LogEntry`; each entry names the one before."""
    step: str
    """Where the judge sends the debate."""
    ending: Ending | None
    proposer_trouble: Trouble | None
    checker_trouble: Trouble | None
    critic_trouble: Trouble | None


class SceneState(TypedDict, total=False):
    """One scene's way from plan to prose."""

    chapter: int
    scene: str
    """Scene id."""
    plan: str
    """Reference of the agreed `Proposal`."""
    draft: str
    """Reference of the current draft, with live references."""
    verdict: str
    """Reference of the current `DraftVerdict`."""
    best: str
    """Reference of the best `DraftVerdict` so far."""
    best_weight: int
    rewrites: int
    done: bool
    trouble: Trouble | None


def merge(left: dict[str, str], right: dict[str, str]) -> dict[str, str]:
    """Reducer of the scenes written side by side: idempotent, so that a resumed branch doubles nothing."""
    return {**left, **right}


class ChapterState(TypedDict, total=False):
    """One chapter from outline to file."""

    chapter: int
    debate: DebateState
    """The debate's last state."""
    plan: str
    """Reference of the plan that is written."""
    write: bool
    """Prose is written."""
    written: Annotated[dict[str, str], merge]
    """Scene id to the reference of its `DraftVerdict`."""
    troubles: Annotated[dict[str, str], merge]
    """Scene id (or step) to what went wrong there, in the adventure's language."""
    trouble_kinds: Annotated[dict[str, str], merge]
    """Scene id (or step) to the class of that error."""
    file: str
    """Reference of the finished `Chapter` as JSON."""
