"""How a batch of a fleet stands, and taking it back or trying again what was left."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, LiteralString

import procrastinate

from concilio.batch.engine import ItemRun
from concilio.batch.outcome import BUDGET_SPENT, DONE, UNREACHABLE, UNRESOLVED
from concilio.batch.plan import BatchItem
from concilio.figures import add_tokens
from concilio.fleet.errors import FleetError
from concilio.fleet.link import Link, Row, as_text, database_errors
from concilio.fleet.submit import queue_chapters

ChapterState = Literal["waiting", "running", "ended", "cancelled", "failed"]
_BY_JOB: Mapping[str | None, ChapterState] = {
    "todo": "waiting",
    "doing": "running",
    "cancelled": "cancelled",
    "aborted": "cancelled",
}
OVER: tuple[ChapterState, ...] = ("ended", "cancelled", "failed")

_STATUS: LiteralString = (
    "SELECT r.id AS run, r.path, r.title, r.problem AS run_problem, c.number, c.status, c.ending, c.problem,"
    " c.job_id, j.status::text AS job, j.abort_requested, coalesce(p.calls, 0) AS calls,"
    " coalesce(p.tokens, 0)::bigint AS tokens, coalesce(p.uncounted, 0) AS uncounted, p.cost,"
    " coalesce(p.unknown, 0) AS unknown"
    " FROM concilio_runs r LEFT JOIN concilio_chapters c ON c.run = r.id"
    " LEFT JOIN procrastinate_jobs j ON j.id = c.job_id"
    " LEFT JOIN (SELECT run, chapter, count(*) AS calls,"
    " sum(tokens_in + tokens_out) AS tokens,"
    " count(*) FILTER (WHERE tokens_in IS NULL OR tokens_out IS NULL) AS uncounted, sum(cost_usd) AS cost,"
    " count(*) FILTER (WHERE cost_usd IS NULL) AS unknown"
    " FROM concilio_replies WHERE run IN (SELECT id FROM concilio_runs WHERE batch = %(batch)s)"
    " GROUP BY run, chapter) p ON p.run = c.run AND p.chapter = c.number"
    " WHERE r.batch = %(batch)s ORDER BY r.position, c.position"
)
_BATCHES: LiteralString = (
    "SELECT b.id, b.created, count(c.*) AS chapters, count(c.status) AS ended,"
    " count(*) FILTER (WHERE c.status IS NULL AND j.status = 'doing') AS running,"
    " count(*) FILTER (WHERE c.status IS NULL AND j.status = 'todo') AS waiting"
    " FROM concilio_batches b LEFT JOIN concilio_runs r ON r.batch = b.id"
    " LEFT JOIN concilio_chapters c ON c.run = r.id LEFT JOIN procrastinate_jobs j ON j.id = c.job_id"
    " GROUP BY b.id ORDER BY b.created"
)
_WORKERS: LiteralString = (
    "SELECT count(*) AS workers FROM procrastinate_workers"
    " WHERE last_heartbeat > now() - %(seconds)s * interval '1 second'"
)
_RESULT: LiteralString = (
    "SELECT result FROM concilio_chapters WHERE run = %(run)s AND number = %(number)s AND result IS NOT NULL"
)
_EVENTS: LiteralString = "SELECT line FROM concilio_events WHERE run = %(run)s ORDER BY id"


@dataclass(frozen=True)
class ChapterStatus:
    """How one chapter stands."""

    number: int
    state: ChapterState
    status: int | None
    """Exit status; None while it has none."""
    ending: str
    problem: str
    job_id: int | None
    calls: int
    tokens: int | None
    """None where a model does not tell them."""
    cost_usd: float | None
    """US dollars; None where a price is unknown."""


@dataclass(frozen=True)
class RunStatus:
    """How one adventure stands."""

    id: str
    path: str
    title: str
    problem: str
    """Why it could not be begun, in words."""
    chapters: tuple[ChapterStatus, ...]

    @property
    def over(self) -> bool:
        """Tell whether nothing more will come of it."""
        return all(chapter.state in OVER for chapter in self.chapters)

    @property
    def status(self) -> int | None:
        """Return the exit status, the gravest of its chapters'; None while it goes on."""
        if self.problem:
            return 2
        if not self.over:
            return None
        statuses = {UNRESOLVED if c.status is None else c.status for c in self.chapters}
        grave = next((s for s in (UNREACHABLE, BUDGET_SPENT) if s in statuses), None)
        return grave or (DONE if statuses <= {DONE} else UNRESOLVED)


@dataclass
class FleetRun(ItemRun):
    """An adventure of a fleet's batch, as displays and the summary show it."""

    name: str = ""

    @property
    def title(self) -> str:
        """Name of the adventure."""
        return self.name


def item_of(run: RunStatus) -> FleetRun:
    """Return an adventure's status as the displays of a batch take it, without its results."""
    state: Any = "ended" if run.chapters else "failed"
    if not run.over:
        begun = any(chapter.state != "waiting" for chapter in run.chapters)
        state = "running" if begun else "waiting"
    elif any(chapter.state in ("cancelled", "failed") for chapter in run.chapters):
        state = "failed"
    problems = [run.problem, *(chapter.problem for chapter in run.chapters)]
    unknown = any(chapter.cost_usd is None for chapter in run.chapters if chapter.calls)
    return FleetRun(
        BatchItem(path=run.path, run=run.id, status=run.status, problem=next((p for p in problems if p), "")),
        state=state,
        calls=sum(chapter.calls for chapter in run.chapters),
        tokens=add_tokens(chapter.tokens for chapter in run.chapters),
        cost_usd=None if unknown else sum(chapter.cost_usd or 0.0 for chapter in run.chapters),
        name=run.title,
    )


async def batch_status(link: Link, batch: str) -> tuple[RunStatus, ...]:
    """Return how the adventures of a batch stand, in the order in which they were handed in.

    Raises:
        FleetError: there is no such batch, or the database cannot be reached.
    """
    rows = await link.rows(_STATUS, {"batch": batch})
    if not rows:
        raise FleetError("no_batch", batch)
    return tuple(_runs(rows))


def _runs(rows: Sequence[Row]) -> Iterator[RunStatus]:
    for run, group in groupby(rows, key=lambda row: row["run"]):
        kept = list(group)
        yield RunStatus(
            id=run,
            path=as_text(kept[0]["path"]),
            title=as_text(kept[0]["title"]),
            problem=as_text(kept[0]["run_problem"] or b""),
            chapters=tuple(_chapter(row) for row in kept if row["number"] is not None),
        )


def _chapter(row: Row) -> ChapterStatus:
    ended = row["status"] is not None
    return ChapterStatus(
        number=row["number"],
        state="ended" if ended else _BY_JOB.get(row["job"], "failed"),
        status=row["status"],
        ending=row["ending"],
        problem=as_text(row["problem"] or b""),
        job_id=row["job_id"],
        calls=row["calls"],
        tokens=None if row["uncounted"] else row["tokens"],
        cost_usd=None if row["unknown"] else row["cost"] or 0.0,
    )


async def list_batches(link: Link) -> list[Row]:
    """Return the batches of a fleet, oldest first: id, when, and how many chapters stand how."""
    return await link.rows(_BATCHES)


async def workers_alive(link: Link, seconds: float = 30.0) -> int:
    """Return how many workers gave a sign of life in the last seconds."""
    row = await link.row(_WORKERS, {"seconds": seconds})
    return row["workers"] if row else 0


async def result_of(link: Link, run: str, number: int) -> dict[str, Any]:
    """Return what came of a chapter: `files` by name, `troubles`, `trouble_kinds`; or nothing."""
    row = await link.row(_RESULT, {"run": run, "number": number})
    return json.loads(bytes(row["result"])) if row else {}


async def events_of(link: Link, run: str) -> str:
    """Return the events of an adventure as `events.jsonl` holds them."""
    rows = await link.rows(_EVENTS, {"run": run})
    return "".join(bytes(row["line"]).decode() + "\n" for row in rows)


async def cancel(link: Link, app: procrastinate.App, batch: str) -> int:
    """Take back what waits of a batch, and tell workers to drop what they write; return how many chapters.

    Raises:
        FleetError: there is no such batch, or the database cannot be reached.
    """
    count = 0
    # The last first: no chapter is begun because the one before it was taken back.
    for run in reversed(await batch_status(link, batch)):
        for chapter in reversed(run.chapters):
            if chapter.job_id is not None and chapter.state not in OVER:
                with database_errors(link.url):
                    count += await app.job_manager.cancel_job_by_id_async(chapter.job_id, abort=True)
    return count


def _is_left(chapter: ChapterStatus) -> bool:
    """Tell whether a chapter is to be tried again: it was not written, or not answered, or not paid for."""
    if chapter.state == "ended":
        return not chapter.ending or (chapter.status or 0) >= UNREACHABLE
    return chapter.state in OVER


async def retry(link: Link, app: procrastinate.App, batch: str, budget_usd: float | None) -> int:
    """Put what was cancelled, not answered or not paid for into the queue again; return how many chapters.

    What was received before is found in the journal.

    Raises:
        FleetError: there is no such batch, or the database cannot be reached.
    """
    again = [
        {"run": run.id, "number": chapter.number, "position": position}
        for run in await batch_status(link, batch)
        for position, chapter in enumerate(run.chapters)
        if _is_left(chapter)
    ]
    with database_errors(link.url):
        async with link.pool.connection() as connection, connection.transaction():
            if budget_usd is not None:
                await connection.execute(
                    "UPDATE concilio_batches SET budget_usd = %(budget)s WHERE id = %(batch)s",
                    {"budget": budget_usd, "batch": batch},
                )
            await queue_chapters(app, connection, sorted(again, key=lambda c: c["position"]))
    return len(again)
