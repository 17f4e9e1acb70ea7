"""Runs as a table for people, and as JSON for programs."""

import json
from collections.abc import Sequence
from pathlib import Path

from concilio.batch.runs import RunRow, folders_with_runs
from concilio.catalogue import has_text, say, user_language
from concilio.figures import money, tokens
from concilio.printable import shown_text


def rows_as_json(rows: Sequence[RunRow]) -> str:
    """Return the runs as a JSON list, oldest first."""
    return json.dumps([_as_data(row) for row in rows], ensure_ascii=False, indent=2)


def _as_data(row: RunRow) -> dict[str, object]:
    return {
        "run": row.id,
        "folder": str(row.folder),
        "state": row.state,
        "created": row.created.isoformat() if row.created else None,
        "adventure": row.adventure,
        "title": row.title,
        "chapters": list(row.chapters),
        "endings": [{"number": number, "ending": ending} for number, ending in row.endings],
        "calls": row.calls,
        "tokens": row.tokens,
        "cost_usd": row.cost_usd,
        "exit": row.exit,
        "resumable": row.resumable,
    }


def rows_as_text(rows: Sequence[RunRow], folder: Path) -> str:
    """Return the runs as aligned columns, with a line on how to go on with the last that can be."""
    if not rows:
        below = folders_with_runs(folder)
        return say("runs.below", folder=below[0]) if below else say("runs.none", folder=folder)
    heads = [say(f"runs.column.{name}") for name in ("run", "state", "chapters", "calls", "tokens", "cost")]
    table = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(cells[index]) for cells in table) for index in range(len(heads))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)).rstrip() for cells in table]
    unfinished = [row for row in rows if row.resumable]
    if unfinished:
        last = unfinished[-1]
        lines.append(say("runs.decide" if last.state == "waiting" else "runs.go_on", run=last.folder))
    lines += [shown_text(str(problem)) for row in rows for problem in row.problems]
    return "\n".join(lines)


def _ending(value: str) -> str:
    """Return the word for an ending, or the value itself: it comes from a file."""
    known = f"run.ending.{value}"
    return say(known) if value.isidentifier() and has_text(known, user_language()) else shown_text(value)[:60]


def _cells(row: RunRow) -> list[str]:
    endings = dict(row.endings)
    told = [f"{n}: {_ending(endings[n]) if n in endings else '–'}" for n in row.chapters]
    return [
        row.id,
        say(f"runs.state.{row.state}"),
        ", ".join(told),
        str(row.calls),
        tokens(row.tokens) if row.calls else "–",
        money(row.cost_usd) if row.calls else "–",
    ]
