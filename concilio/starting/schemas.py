"""The published JSON Schemas: adventure, chapter, the report of `check`, the summary of a batch.

`python -m concilio.starting.schemas` (`make schemas`) writes all of them to `concilio/schemas`.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, RootModel

from concilio.adventure import schema as adventure
from concilio.catalogue import user_language
from concilio.chapterfile import json_file as chapter
from rules.findings import Finding

FOLDER = Path(__file__).parents[1] / "schemas"
PUBLISHED_IN = "en"
"""Language of the descriptions in the published files."""
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CheckSummary(_Closed):
    """How many findings of a file are grave."""

    errors: int = Field(ge=0)
    warnings: int = Field(ge=0)


class CheckedFile(_Closed):
    """One file that was checked."""

    file: str = Field(description="Path as it was given.")
    ruleset: str
    findings: list[Finding]
    summary: CheckSummary


class CheckReport(RootModel[CheckedFile | list[CheckedFile]]):
    """What `concilio check --format json` prints: an object for one file, a list for several or a folder."""


class BatchChapter(_Closed):
    """One chapter that was written."""

    number: int = Field(ge=0)
    ending: str = Field(
        description="How its debate ended: accepted, max_rounds, stalled, budget, stopped, failed."
    )
    resolved: bool = Field(description="Whether nothing is left open.")
    files: list[str]


class BatchItem(_Closed):
    """One adventure of a batch."""

    path: str
    title: str
    run: str = Field(description="Folder of its run in the batch's; empty while it has not begun.")
    state: str
    exit: int | None = Field(description="Exit status of its run; null where it has not ended.")
    problem: str
    calls: int = Field(ge=0)
    tokens: Annotated[int, Field(ge=0)] | None = Field(
        description="Of all replies; null where a model does not tell them."
    )
    cost_usd: float | None = Field(description="US dollars; null where a price is unknown.")
    chapters: list[BatchChapter]


class BatchAgent(_Closed):
    """What one agent used over a whole batch."""

    calls: int = Field(ge=0)
    tokens: Annotated[int, Field(ge=0)] | None = Field(
        description="Of all replies; null where a model does not tell them."
    )
    cost_usd: float | None = Field(description="US dollars; null where a price is unknown.")


class BatchSummary(_Closed):
    """The `summary.json` of a batch."""

    exit: int = Field(description="Exit status of the batch.")
    adventures: int = Field(ge=0)
    calls: int = Field(ge=0)
    tokens: Annotated[int, Field(ge=0)] | None = Field(
        description="Of all replies; null where a model does not tell them."
    )
    cost_usd: float | None = Field(description="US dollars; null where a price is unknown.")
    agents: dict[str, BatchAgent]
    items: list[BatchItem]


def _of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of what a program reads: every key is there."""
    return {"$schema": _DRAFT, **model.model_json_schema(mode="serialization")}


_MAKERS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "adventure": adventure.schema,
    "chapter": lambda _: chapter.schema(),
    "check": lambda _: _of(CheckReport),
    "batch": lambda _: _of(BatchSummary),
}
KINDS = tuple(_MAKERS)


def schema_text(kind: str, language: str | None = None) -> str:
    """Return a schema as JSON text.

    Args:
        kind: one of `KINDS`.
        language: of its descriptions, where they exist in several; None for the user's.
    """
    made = _MAKERS[kind](language or user_language())
    return json.dumps(made, ensure_ascii=False, indent=2, sort_keys=kind != "adventure") + "\n"


def write_schemas() -> None:
    """Write the published files."""
    for kind in KINDS:
        text = schema_text(kind, PUBLISHED_IN)
        (FOLDER / f"{kind}.schema.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_schemas()
