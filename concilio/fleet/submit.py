"""A batch into the queue: all of it or nothing."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

import procrastinate
from procrastinate.tasks import configure_task

from concilio.batch.job import Job
from concilio.fleet.link import Connection, Link, as_bytes, database_errors
from concilio.fleet.parcel import pack
from concilio.fleet.queue import QUEUE, TASK
from concilio.store.run import slug

_BATCH: LiteralString = "INSERT INTO concilio_batches (id, budget_usd) VALUES (%(batch)s, %(budget)s)"
_RUN: LiteralString = (
    "INSERT INTO concilio_runs (id, batch, position, path, title, job, problem)"
    " VALUES (%(run)s, %(batch)s, %(position)s, %(path)s, %(title)s, %(job)s, %(problem)s)"
)
_CHAPTER: LiteralString = (
    "INSERT INTO concilio_chapters (run, number, position) VALUES (%(run)s, %(number)s, %(position)s)"
)
_JOB: LiteralString = (
    "UPDATE concilio_chapters SET job_id = %(job)s, status = NULL, problem = NULL"
    " WHERE run = %(run)s AND number = %(number)s"
)


@dataclass(frozen=True)
class Item:
    """One adventure that is handed in."""

    path: str
    job: Job | None
    problem: str = ""
    """Why it cannot be run, in words, where there is no job."""

    @property
    def title(self) -> str:
        """Return the adventure's title, or its file."""
        return self.job.adventure.title if self.job else self.path


def new_batch_id(now: datetime) -> str:
    """Return the id of a batch that is handed in now; nobody else's is the same."""
    return f"batch-{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"


async def submit(
    link: Link, app: procrastinate.App, batch: str, items: Sequence[Item], budget_usd: float | None
) -> None:
    """Hand a batch in.

    First chapters come before second ones, so that many adventures go side by side; those of one adventure
    follow each other.

    Raises:
        StoreError: the database cannot be reached, or an adventure's own files cannot travel.
    """
    runs = [_run_values(batch, position, item) for position, item in enumerate(items)]
    chapters = [
        {"run": run["run"], "number": number, "position": position}
        for run, item in zip(runs, items, strict=True)
        if item.job
        for position, number in enumerate(item.job.numbers)
    ]
    with database_errors(link.url):
        async with link.pool.connection() as connection, connection.transaction():
            await connection.execute(_BATCH, {"batch": batch, "budget": budget_usd})
            async with connection.cursor() as cursor:
                await cursor.executemany(_RUN, runs)
                await cursor.executemany(_CHAPTER, chapters)
            await queue_chapters(app, connection, sorted(chapters, key=lambda c: c["position"]))


def _run_values(batch: str, position: int, item: Item) -> dict[str, Any]:
    return {
        "run": f"{batch}-{position + 1:03d}-{slug(item.title)}",
        "batch": batch,
        "position": position,
        "path": as_bytes(item.path),
        "title": as_bytes(item.title),
        "job": pack(item.job).encode() if item.job else b"",
        "problem": as_bytes(item.problem) if item.problem else None,
    }


async def queue_chapters(
    app: procrastinate.App, connection: Connection, chapters: Sequence[dict[str, Any]]
) -> None:
    """Put chapters into the queue, in this order; `run` and `number` say which."""
    jobs = [
        configure_task(name=TASK, job_manager=app.job_manager, queue=QUEUE, lock=chapter["run"]).job.evolve(
            task_kwargs={"run": chapter["run"], "number": chapter["number"]}
        )
        for chapter in chapters
    ]
    if not jobs:
        return
    queued = await app.job_manager.batch_defer_jobs_async(jobs, connection=connection)
    async with connection.cursor() as cursor:
        await cursor.executemany(
            _JOB,
            [
                {"job": job.id, "run": chapter["run"], "number": chapter["number"]}
                for job, chapter in zip(queued, chapters, strict=True)
            ],
        )
