"""How a run ended, as data, and the exit status that follows."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from concilio.domain.chapter import Chapter
from rules.findings import Finding

DONE, UNRESOLVED, UNREACHABLE, BUDGET_SPENT = 0, 1, 3, 4
_UNREACHABLE_KINDS = {"ModelUnreachable", "MissingKey", "ModelRefused", "OutOfCredit"}


@dataclass(frozen=True)
class ChapterResult:
    """A chapter that was written, and what went wrong on the way."""

    chapter: Chapter
    files: tuple[Path, ...]
    """Markdown and JSON."""
    troubles: dict[str, str] = field(default_factory=dict[str, str])
    """Scene id or step to message."""
    trouble_kinds: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def standing(self) -> tuple[Finding, ...]:
        """What stands against the chapter, notes left out."""
        scenes = (f for scene in self.chapter.scenes for f in scene.findings)
        return tuple(f for f in (*self.chapter.plan_findings, *scenes) if f.severity != "note")

    @property
    def resolved(self) -> bool:
        """Accepted over no open blocker, every scene written, no error-level finding."""
        written = self.chapter.scenes and all(scene.prose for scene in self.chapter.scenes)
        errors = any(f.severity == "error" for f in self.standing)
        agreed = self.chapter.ending == "accepted" and not self.chapter.ledger.blockers()
        return agreed and bool(written) and not errors and not self.troubles


def exit_status(results: Iterable[ChapterResult]) -> int:
    """Return the exit status of a run: the gravest of its chapters'."""
    kept = tuple(results)
    kinds = {kind for result in kept for kind in result.trouble_kinds.values()}
    if kinds & _UNREACHABLE_KINDS:
        return UNREACHABLE
    if "BudgetSpent" in kinds or any(result.chapter.ending == "budget" for result in kept):
        return BUDGET_SPENT
    return DONE if kept and all(result.resolved for result in kept) else UNRESOLVED
