"""State of the graphs: ids and small values. Long texts lie in the run's store, under the references here."""

from typing import Annotated, NotRequired, TypedDict

from concilio.domain.debate import Ending


class Trouble(TypedDict):
    """An error of the gateway, carried as data so that no branch cancels its siblings."""

    kind: str
    """Name of the error's class."""
    message: str


class DebateState(TypedDict):
    """One chapter's debate. Every value is replaced, never accumulated.

    A graph begins with `chapter` alone; what is required here is there once the first node has run.
    """

    chapter: int
    round: int
    """From 1."""
    plan: str
    """Reference of the current `PlanState`."""
    bounced: NotRequired[bool]
    """Lint has sent this round's plan back to Iris once already."""
    review: str
    """Reference of Damián's `Review` of this round; empty where there is none."""
    critique: str
    """Reference of Rubén's."""
    ledger: str
    """Reference of the `Ledger`."""
    last: NotRequired[str]
    """What was open and planned after the last round, as one digest."""
    best_round: NotRequired[int]
    best_weight: NotRequired[int]
    best_plan: NotRequired[str]
    best_ledger: NotRequired[str]
    log: str
    """Reference of the last `LogEntry`; each entry names the one before."""
    step: NotRequired[str]
    """Where the judge, or the designer after it, sends the debate."""
    pause: str
    """The designer is asked before it goes there: `round`, `plan`, or empty."""
    edited: NotRequired[list[str]]
    """Ids of the scenes that the designer wrote and nobody has seen yet."""
    fixed_fields: NotRequired[dict[str, list[str]]]
    """Of each of those scenes: the fields that the designer wrote, which stand while nobody has seen them."""
    granted: NotRequired[int]
    """Rounds that the designer added to those of the settings."""
    ending: NotRequired[Ending | None]
    proposer_trouble: NotRequired[Trouble | None]
    checker_trouble: NotRequired[Trouble | None]
    critic_trouble: NotRequired[Trouble | None]


class SceneState(TypedDict):
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
    best: NotRequired[str]
    """Reference of the best `DraftVerdict` so far."""
    best_weight: int
    rewrites: int
    done: NotRequired[bool]
    trouble: NotRequired[Trouble | None]


def merge(left: dict[str, str], right: dict[str, str]) -> dict[str, str]:
    """Reducer of the scenes written side by side: idempotent, so that a resumed branch doubles nothing."""
    return {**left, **right}


class ChapterState(TypedDict):
    """One chapter from outline to file."""

    chapter: int
    debate: DebateState
    """The debate's last state."""
    plan: str
    """Reference of the plan that is written."""
    write: bool
    """Prose is written."""
    written: NotRequired[Annotated[dict[str, str], merge]]
    """Scene id to the reference of its `DraftVerdict`."""
    troubles: NotRequired[Annotated[dict[str, str], merge]]
    """Scene id (or step) to what went wrong there, in the adventure's language."""
    trouble_kinds: NotRequired[Annotated[dict[str, str], merge]]
    """Scene id (or step) to the class of that error."""
    reading: NotRequired[str]
    """Reference of the reader's `ReaderReply`; missing where nobody read."""
    unread: NotRequired[str]
    """Why the reader's reading is missing, in the adventure's language."""
    pause: NotRequired[str]
    """What follows the designer's look at the prose: `again`, or empty."""
    looks: NotRequired[int]
    """How often the designer has looked at the prose."""
    file: str
    """Reference of the finished `Chapter` as JSON."""
