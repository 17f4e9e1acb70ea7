"""The result of checking one file."""

from collections.abc import Sequence
from dataclasses import dataclass

from concilio.catalogue import DEFAULT_LANGUAGE, Language
from rules.findings import Finding


@dataclass(frozen=True, slots=True)
class Checked:
    """One file with its findings."""

    file: str
    """Path as the user gave it."""
    ruleset: str
    findings: tuple[Finding, ...]
    language: Language = DEFAULT_LANGUAGE
    """In which the text was read."""
    language_is_told: bool = True
    """False where nothing told it."""

    def count(self, severity: str) -> int:
        """Return how many findings have that severity."""
        return sum(1 for f in self.findings if f.severity == severity)


def totals(checked: Sequence[Checked]) -> tuple[int, int, int]:
    """Return how many errors, warnings and notes there are in all."""
    errors, warnings, notes = (sum(c.count(s) for c in checked) for s in ("error", "warning", "note"))
    return errors, warnings, notes
