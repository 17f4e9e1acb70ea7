"""Values that the graphs keep in the run's store."""

from concilio.domain.base import Frozen
from concilio.domain.debate import Message
from concilio.domain.plan import Proposal
from rules.findings import Finding


class PlanState(Frozen):
    """A plan as it stands: whole scenes and what there is of the others."""

    proposal: Proposal
    unfinished: dict[str, str] = {}
    """Scene id to fragment."""
    changed: tuple[str, ...] = ()
    """Ids of the scenes that changed since the round before."""

    @property
    def complete(self) -> bool:
        """There is a scene, and every scene is whole."""
        return bool(self.proposal.scenes) and not self.unfinished


class LogEntry(Frozen):
    """One message of the debate, linked to the one before it: a log that grows by one entry a turn."""

    previous: str = ""
    message: Message


class DraftVerdict(Frozen):
    """A scene's draft and what the engine finds in it."""

    draft: str
    """With live references."""
    text: str
    """With the references written out."""
    findings: tuple[Finding, ...] = ()
    weight: int = 0
    """Weighted findings: the lower, the better."""
    rewrites: int = 0
