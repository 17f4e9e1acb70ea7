"""The queue: Procrastinate, with ends and retries that only the owner of a chapter may write."""

import datetime
from typing import Any, LiteralString

import procrastinate
from procrastinate import jobs, utils
from procrastinate.manager import JobManager

from concilio.fleet.link import CONNECT_S, LONGEST_TRANSACTION_S, bounded

TASK = "concilio.chapter"
QUEUE = "concilio"
_FINISH: LiteralString = (
    "WITH mine AS MATERIALIZED (SELECT id FROM procrastinate_jobs WHERE id = %(job_id)s"
    " AND worker_id IS NOT DISTINCT FROM %(worker)s::bigint AND attempts = %(attempts)s AND status = 'doing'"
    " FOR UPDATE)"
    " SELECT procrastinate_finish_job_v1(id, %(status)s::procrastinate_job_status, %(delete)s) FROM mine"
)
_RETRY: LiteralString = (
    "WITH mine AS MATERIALIZED (SELECT id FROM procrastinate_jobs WHERE id = %(job_id)s"
    " AND worker_id IS NOT DISTINCT FROM %(worker)s::bigint AND attempts = %(attempts)s AND status = 'doing'"
    " FOR UPDATE)"
    " SELECT procrastinate_retry_job_v2(id, %(at)s, NULL, NULL, NULL) FROM mine"
)


class OwnersManager(JobManager):
    """Ends and retries a job only while it is the attempt that it was fetched as.

    Procrastinate's own would also end a job that another worker has by now.
    """

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        """Set a job to its final state."""
        await self.connector.execute_query_async(
            _FINISH, status=status.value, delete=delete_job, **_attempt(job)
        )

    async def retry_job(
        self,
        job: jobs.Job,
        retry_at: datetime.datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Put a job back into the queue."""
        await self.connector.execute_query_async(_RETRY, at=retry_at or utils.utcnow(), **_attempt(job))


def _attempt(job: jobs.Job) -> dict[str, Any]:
    return {"job_id": job.id, "worker": job.worker_id, "attempts": job.attempts}


def queue_app(url: str, connections: int = 4) -> procrastinate.App:
    """Return the queue of a fleet's database, not opened yet."""
    connector = procrastinate.PsycopgConnector(
        conninfo=url,
        min_size=1,
        max_size=connections,
        kwargs={"connect_timeout": CONNECT_S, "options": bounded(LONGEST_TRANSACTION_S)},
    )
    app = procrastinate.App(connector=connector)
    app.job_manager = OwnersManager(connector)
    return app
