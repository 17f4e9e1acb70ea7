"""A pause and a decision as data."""

from typing import Literal

from pydantic import Field

from concilio.domain.base import Block, Frozen, Language
from concilio.domain.debate import AgentId, Ending, Ledger, ObjectionDraft, Verdict
from concilio.domain.plan import Proposal, ScenePlan
from rules.findings import Finding

Pause = Literal["round", "plan", "prose"]
"""After a round that is not the last, after the debate, after the prose."""
ReviewMode = Literal["none", "plan", "rounds", "prose", "all"]
"""What `--review` may say. Each but `none` pauses after the debate, too."""
Action = Literal["accept", "round", "stop"]
"""Take it as it is; another round (or another writing); end the chapter here."""

PAUSES: dict[str, frozenset[Pause]] = {
    "none": frozenset(),
    "plan": frozenset({"plan"}),
    "rounds": frozenset({"round", "plan"}),
    "prose": frozenset({"plan", "prose"}),
    "all": frozenset({"round", "plan", "prose"}),
}
VERSION = r"[0-9a-f]{32}"


def pauses_of(mode: ReviewMode) -> frozenset[Pause]:
    """Return where a run of that mode pauses."""
    return PAUSES[mode]


class Pending(Frozen):
    """What a run that waits for its designer shows."""

    version: str = Field(pattern=rf"^{VERSION}$")
    """Digest of all that is shown: a decision names the one that it answers."""
    chapter: int
    kind: Pause
    round: int
    look: int = Field(default=1, ge=1)
    """How often this is asked, where the same may be shown twice."""
    language: Language
    """Of the adventure."""
    ending: Ending | None = None
    """How the debate would end; None after a round that is not the last."""
    plan: Proposal
    unfinished: dict[str, str] = {}
    """Scene id to what there is of it."""
    ledger: Ledger = Ledger()
    verdicts: dict[AgentId, Verdict | None] = {}
    prose: dict[str, str] = {}
    """Scene id to its text, after the prose."""
    findings: tuple[Finding, ...] = ()
    """What the engine holds against the prose."""
    known: tuple[str, ...] = ()
    """What the outline asks for and what the engine has reckoned of the plan, a line each."""


class Decision(Frozen):
    """What the designer says to one version of one pause."""

    version: str = Field(pattern=rf"^{VERSION}$")
    action: Action
    scenes: tuple[ScenePlan, ...] = ()
    """Scenes as the designer wrote them."""
    objections: tuple[ObjectionDraft, ...] = ()
    """New ones of the designer's own."""
    waived: tuple[str, ...] = ()
    """Ids of open objections that the designer sets aside."""
    prose: dict[str, Block] = {}
    """Scene id to the text as the designer wrote it, after the prose."""

    def same_as(self, other: "Decision") -> bool:
        """Tell whether two decisions say the same: sending one twice is no conflict."""
        return self == other
