"""LangGraph's PostgreSQL saver for one chapter: writes while it is ours, texts first, and in bundles."""

import asyncio
from collections.abc import Awaitable, Sequence
from types import TracebackType
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from concilio.fleet.link import Pool
from concilio.fleet.store import FleetStore
from graphs.bundling import LAG_S, Bundle, Put

T = TypeVar("T")


class FleetSaver(AsyncPostgresSaver):
    """Saves checkpoints a little later, after the texts that they refer to. Use it with `async with`.

    Raises:
        StoreError: from each method, where an earlier checkpoint or a text could not be written.
    """

    def __init__(self, pool: Pool, store: FleetStore, lag_s: float = LAG_S) -> None:
        super().__init__(pool)
        self._store = store
        self._lag_s = lag_s
        self._bundle = Bundle()
        self._turn = asyncio.Lock()
        self._sending: asyncio.Task[None] | None = None

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Take a checkpoint, and return where it will be."""
        put = Put(config, checkpoint, metadata, new_versions)
        self._bundle.put(put)
        self._send_soon()
        return put.place

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Take what a step wrote."""
        self._bundle.writes.append((config, writes, task_id, task_path))
        self._send_soon()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a graph's checkpoint, the last one where none is named."""
        if self._bundle.holds(config):
            await self._send()
        return await unbroken(super().aget_tuple(config))

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a chapter's checkpoints, if it is ours."""
        await self._send()
        await unbroken(super().adelete_thread(thread_id))

    def _send_soon(self) -> None:
        """Let what waits go in a moment.

        Raises:
            StoreError: what went before it did not arrive.
        """
        if self._sending is not None and self._sending.done():
            self._sending.result()
            self._sending = None
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_later())

    async def _send_later(self) -> None:
        while self._bundle:
            await asyncio.sleep(self._lag_s)
            await self._send()

    async def _send(self) -> None:
        async with self._turn:
            bundle, self._bundle = self._bundle, Bundle()
            if bundle:
                await unbroken(self._put_all(bundle))

    async def _put_all(self, bundle: Bundle) -> None:
        await self._store.flush()
        for put in bundle.puts.values():
            await super().aput(put.config, put.checkpoint, put.metadata, put.versions)
        for write in bundle.writes:
            await super().aput_writes(*write)

    async def __aenter__(self) -> "FleetSaver":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop what waits: the chapter is at its end, or begins again from the journal."""
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.wait({self._sending})
            self._sending = None


async def unbroken(work: Awaitable[T]) -> T:
    """Await work that is done to its end even where whoever awaits it is cancelled.

    The saver writes through pipelines on connections that all chapters share: one that is broken off would
    leave its connection in the middle of a transaction, and what the next one writes would be lost.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    finally:
        if not task.done():
            await asyncio.wait({task})
