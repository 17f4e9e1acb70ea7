"""A finding: one fault at one place, as `concilio check --format json` prints it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

FindingSeverity = Literal["error", "warning", "note"]
Part = Literal["file", "debate", "plan", "prose"]


class Finding(BaseModel):
    """One fault. Field names and order are the public JSON contract of `check`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: str
    """Stable id (`dc-drift`)."""
    severity: FindingSeverity
    scene: str
    """Scene id (`5.1`), or the chapter's number, or empty in free prose."""
    part: Part
    line: int
    """From 1, in the file that was checked."""
    column: int
    """From 1, in characters."""
    quote: str
    """Exact text at that place; empty where something is missing."""
    message: str
    """In the language that the user asks for, else in the document's."""
    expected: str = ""
    """What the rules, the plan or the outline say; empty where it cannot be stated."""
    source: str = ""
    """Where that is said (`plan 5.1, line 25`, `SRD 5.1, Falling`)."""
