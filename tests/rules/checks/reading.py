"""What the tests of the rules share: the right chapters, and checking a text."""

from pathlib import Path

from concilio.chapterfile.reader import read_document
from rules.engine import Config, check
from rules.facts import Facts
from rules.findings import Finding
from rules.ruleset import load_ruleset

HERE = Path(__file__).parent
SHARED = HERE.parents[3] / "shared"


def right_chapter(language: str) -> str:
    """A chapter without a fault."""
    return (HERE / f"chapter.{language}.md").read_text(encoding="utf-8")


def findings(
    source: str, facts: Facts | None = None, config: Config | None = None, language: str | None = None
) -> tuple[Finding, ...]:
    """What the engine finds in a text."""
    return check(read_document(source, "text.md", language), load_ruleset(), facts, config)


def rules_found(source: str, facts: Facts | None = None, language: str | None = None) -> set[str]:
    """The ids of the rules that a text breaks."""
    return {f.rule for f in findings(source, facts, language=language)}
