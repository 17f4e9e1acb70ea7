"""What a rule returns for one fault, before the engine gives it line, column and severity."""

from dataclasses import dataclass

from rules.findings import FindingSeverity, Part


@dataclass(frozen=True, slots=True)
class Replacement:
    """The right text for a stretch of a quote: only where no person would write another."""

    start: int
    """Offset in the source; never before the quote's."""
    end: int
    """Never after the quote's."""
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One fault at one place."""

    scene: str
    part: Part
    start: int
    """Offset in the source."""
    end: int
    """Offset after the quote; equal to `start` where something is missing."""
    message: str
    expected: str = ""
    source: str = ""
    severity: FindingSeverity | None = None
    """Where it differs from the rule's own."""
    replacement: Replacement | None = None
    """What `--fix` writes; None where the right text is a matter of judgement."""
