"""The catalogue of rules: what each one is called, how bad its faults are, why it exists, from where."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from rules.findings import FindingSeverity
from rules.wording import texts

BOOK = Path(__file__).parent / "rulebook" / "rules.toml"
Group = Literal[
    "structure", "prose-against-plan", "words", "mechanics", "house-rules", "style", "needs-a-reader"
]
READER: Group = "needs-a-reader"
"""The group of rules that a model judges: the engine only carries their findings."""


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """What the catalogue says of a rule in every language."""

    id: str
    group: Group
    severity: FindingSeverity
    source: str
    """Where the rule comes from, and where its figures are said."""
    also: FindingSeverity | None = None
    """Severity of those of its findings that are worse or milder."""

    @property
    def severities(self) -> tuple[FindingSeverity, ...]:
        """All severities of its findings, the usual one first."""
        return (self.severity,) if self.also is None else (self.severity, self.also)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the catalogue says of a rule in one language."""

    summary: str
    """One line."""
    why: str
    bad: str
    good: str
    source: str
    """Where the rule comes from, in the reader's language."""


@cache
def _book() -> Mapping[str, RuleInfo]:
    data = tomllib.loads(BOOK.read_text(encoding="utf-8"))
    return {
        rule: RuleInfo(
            rule,
            entry["group"],
            cast(FindingSeverity, entry["severity"]),
            entry["source"],
            cast("FindingSeverity | None", entry.get("also")),
        )
        for rule, entry in data.items()
    }


RULES: Mapping[str, RuleInfo] = _book()
"""Every rule that ships, by id, in the order of the groups."""


def explain(rule: str, language: str) -> Explanation:
    """Return what the catalogue says of a rule.

    Raises:
        KeyError: no such rule.
    """
    entry = texts(language, "rules")[RULES[rule].id]
    return Explanation(entry["summary"], entry["why"], entry["bad"], entry["good"], entry["origin"])


def nearest_rule(text: str, likeness: int = 50) -> str | None:
    """Return the id that a misspelt one most likely means, or None where none is as like (in per cent)."""
    from rapidfuzz import fuzz, process

    best = process.extractOne(text.lower(), list(RULES), scorer=fuzz.ratio, score_cutoff=likeness)
    return best[0] if best else None
