"""LangGraph's PostgreSQL saver for one chapter: writes while it is ours, texts first, and in bundles.

Between two calls of models a chapter takes many small steps. Their checkpoints come together and go to the
database together, each graph's last one alone: what a killed worker loses are steps whose replies are in the
journal, and which cost nothing to take again.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from concilio.fleet.link import Pool
from concilio.fleet.store import FleetStore

LAG_S = 0.3
"""Seconds in which checkpoints wait for those that follow."""
Space = tuple[str, str]
"""A thread, and the graph's name space in it."""


@dataclass
class _Put:
    """The last checkpoint of a graph that is not in the database yet."""

    config: RunnableConfig
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    versions: ChannelVersions
    """Channels that changed since the last one that is in the database."""


@dataclass
class _Bundle:
    """What waits for the database."""

    puts: dict[Space, _Put] = field(default_factory=dict[Space, _Put])
    writes: list[tuple[RunnableConfig, Sequence[tuple[str, Any]], str, str]] = field(
        default_factory=list[tuple[RunnableConfig, Sequence[tuple[str, Any]], str, str]]
    )

    def put(self, put: _Put) -> None:
        """Add a graph's checkpoint, in place of the one before it and of what was written on top of that."""
        space = _space(put.config)
        before = self.puts.pop(space, None)
        if before is not None:
            put.versions = {**before.versions, **put.versions}
            self.writes = [w for w in self.writes if not _is_on(w[0], space, before.checkpoint["id"])]
        self.puts[space] = put

    def holds(self, config: RunnableConfig) -> bool:
        """Tell whether anything of a graph waits."""
        space = _space(config)
        return space in self.puts or any(_space(write[0]) == space for write in self.writes)


def _space(config: RunnableConfig) -> Space:
    values = config.get("configurable", {})
    return str(values.get("thread_id")), str(values.get("checkpoint_ns", ""))


def _is_on(config: RunnableConfig, space: Space, checkpoint: str) -> bool:
    return _space(config) == space and config.get("configurable", {}).get("checkpoint_id") == checkpoint


class FleetSaver(AsyncPostgresSaver):
    """Saves checkpoints a little later, after the texts that they refer to. Use it with `async with`.

    Raises:
        StoreError: from each method, where an earlier checkpoint or a text could not be written.
    """

    def __init__(self, pool: Pool, store: FleetStore, lag_s: float = LAG_S) -> None:
        super().__init__(pool)
        self._store = store
        self._lag_s = lag_s
        self._bundle = _Bundle()
        self._sending: asyncio.Task[None] | None = None

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Take a checkpoint, and return where it will be."""
        thread, space = _space(config)
        self._bundle.put(_Put(config, checkpoint, metadata, new_versions))
        self._send_soon()
        where = {"thread_id": thread, "checkpoint_ns": space, "checkpoint_id": checkpoint["id"]}
        return {"configurable": where}

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
        return await super().aget_tuple(config)

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a chapter's checkpoints, if it is ours."""
        await self._stop()
        self._bundle = _Bundle()
        await self._store.flush()
        await super().adelete_thread(thread_id)

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
        while self._bundle.puts or self._bundle.writes:
            await asyncio.sleep(self._lag_s)
            await self._send()

    async def _send(self) -> None:
        bundle, self._bundle = self._bundle, _Bundle()
        await self._store.flush()
        for put in bundle.puts.values():
            await super().aput(put.config, put.checkpoint, put.metadata, put.versions)
        for write in bundle.writes:
            await super().aput_writes(*write)

    async def _stop(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            with suppress(asyncio.CancelledError):
                await self._sending
            self._sending = None

    async def __aenter__(self) -> "FleetSaver":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop what waits: the chapter is at its end, or begins again from the journal."""
        await self._stop()
