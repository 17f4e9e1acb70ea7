"""One worker of a fleet: takes chapters from the queue, and chapters of workers that died."""

import asyncio
import logging
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

import procrastinate
from procrastinate import exceptions, job_context

from concilio.fleet.chapter import Desk, write_for_fleet
from concilio.fleet.errors import FleetError
from concilio.fleet.limits import Turns
from concilio.fleet.link import Link, database_errors, linked, lock_number
from concilio.fleet.queue import QUEUE, TASK, queue_app
from concilio.fleet.schema import be_set_up
from concilio.fleet.tenure import Tenure
from concilio.store.errors import StoreError

FARTHEST_ATTEMPT = 50
"""Attempts at one chapter after which it is given up: something kills every worker that tries."""
DATABASE_WAIT_S = 5
"""Seconds before a chapter is tried again whose database could not be reached."""
PRUNED_AFTER_S = 86_400.0
"""Seconds without a sign of life after which a worker is forgotten: one that slept so long joins anew."""
_REAP: LiteralString = "SELECT pg_try_advisory_xact_lock(%(number)s) AS mine"

Teller = Callable[[str, int, str], None]
"""Told of a run, a chapter's number and what happened: a key of `fleet.worker` in the catalogue."""


@dataclass(frozen=True)
class WorkerOptions:
    """How a worker works."""

    jobs: int = 16
    """Most chapters at the same time."""
    stalled_after_s: float = 30.0
    """Seconds without a sign of life after which a worker is taken for dead."""
    leaving_s: float = 30.0
    """Seconds that chapters get to end when the worker is told to stop; then they go back into the queue."""

    @property
    def heartbeat_s(self) -> float:
        """Return the seconds between two signs of life."""
        return self.stalled_after_s / 5


class GivenBackError(Exception):
    """The worker leaves: the chapter goes back into the queue."""


class Patience(procrastinate.RetryStrategy):
    """Tries again what the database or this worker's leaving ended."""

    def get_retry_decision(self, *, exception: BaseException, job: Any) -> Any:
        """Return when to try again, or None."""
        if isinstance(exception, GivenBackError):
            return procrastinate.RetryDecision(retry_in={"seconds": 0})
        if isinstance(exception, StoreError) and job.attempts < FARTHEST_ATTEMPT:
            return procrastinate.RetryDecision(retry_in={"seconds": DATABASE_WAIT_S})
        return None


@dataclass(frozen=True)
class Voice:
    """What a worker tells whoever started it."""

    joined: Callable[[], None]
    """Called once the database has been reached."""
    tell: Teller
    crashed: Callable[[Exception], str]
    """Keeps the details of an unforeseen error, and returns it in words."""


async def work(url: str, options: WorkerOptions, voice: Voice) -> None:
    """Join a fleet, and work until told to stop (Ctrl-C, SIGTERM).

    Args:
        url: the fleet's database.
        options: how much at once, and when another worker is taken for dead.
        voice: told how it goes.

    Raises:
        FleetError: the database cannot be reached.
    """
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="concilio-worker-") as folder:
        async with linked(url, min(20, 4 + options.jobs // 4)) as link:
            await be_set_up(link)
            app = queue_app(url)
            desk = Desk(link, Turns(), Path(folder), voice.crashed)
            app.task(name=TASK, queue=QUEUE, pass_context=True, retry=Patience())(_task(desk, voice.tell))
            with database_errors(url):
                await _work(app, link, options, voice)


async def _work(app: procrastinate.App, link: Link, options: WorkerOptions, voice: Voice) -> None:
    async with app.open_async():
        voice.joined()
        reaper = asyncio.create_task(_reap_for_ever(app, link, options))
        try:
            await app.run_worker_async(
                queues=[QUEUE],
                concurrency=options.jobs,
                update_heartbeat_interval=options.heartbeat_s,
                stalled_worker_timeout=PRUNED_AFTER_S,
                shutdown_graceful_timeout=options.leaving_s,
                abort_job_polling_interval=2.0,
                fetch_job_polling_interval=2.0,
            )
        except exceptions.ConnectorException as error:
            raise FleetError("unreachable", "", cause=error) from error
        finally:
            reaper.cancel()
            await asyncio.gather(reaper, return_exceptions=True)


def _task(desk: Desk, tell: Teller) -> Any:
    async def chapter(context: procrastinate.JobContext, run: str, number: int) -> None:
        """Write a chapter; what it raises says whether the queue tries again."""
        job = context.job
        tenure = Tenure(job.id or 0, job.worker_id, job.attempts)
        tell(run, number, "begun")
        try:
            status = await write_for_fleet(desk, run, number, tenure)
        except asyncio.CancelledError:
            if context.abort_reason() is job_context.AbortReason.SHUTDOWN:
                tell(run, number, "back")
                raise GivenBackError from None
            tell(run, number, "cancelled")
            raise exceptions.JobAborted from None
        except Exception:
            tell(run, number, "failed")
            raise
        tell(run, number, "lost" if status is None else "unresolved" if status else "done")

    return chapter


async def _reap_for_ever(app: procrastinate.App, link: Link, options: WorkerOptions) -> None:
    """Put the chapters of dead workers back into the queue; one worker at a time looks."""
    while True:
        await asyncio.sleep(options.heartbeat_s)
        with suppress(StoreError, exceptions.ProcrastinateException):
            await reap(app, link, options.stalled_after_s)


async def reap(app: procrastinate.App, link: Link, stalled_after_s: float) -> int:
    """Put the chapters of workers without a sign of life back into the queue, and return how many there were.

    Raises:
        FleetError: the database cannot be reached.
    """
    with database_errors(link.url):
        async with link.pool.connection() as connection, connection.transaction():
            found = await connection.execute(_REAP, {"number": lock_number("concilio reaper")})
            row = await found.fetchone()
            if not row or not row["mine"]:
                return 0
            stalled = list(
                await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=stalled_after_s)
            )
            for job in stalled:
                await app.job_manager.retry_job(job)
            return len(stalled)
