"""LangGraph's SQLite saver for a run: texts before what refers to them, and checkpoints in bundles."""

import asyncio
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver

from concilio.store.errors import StoreError
from concilio.store.run import RunStore
from graphs.bundling import LAG_S, Bundle, Put

_PARTS = frozenset({"id", "channel_values", "channel_versions", "versions_seen"})
"""What a checkpoint of every version of LangGraph has."""


def _require(checkpoint: Checkpoint) -> None:
    """See that a checkpoint has its parts.

    Raises:
        KeyError: one of them is missing.
    """
    if missing := _PARTS - set(checkpoint):
        raise KeyError(*missing)


class BundledSaver(SqliteSaver):
    """Saves checkpoints a little later, after the texts that they refer to. Use it with `async with`.

    Raises:
        StoreError, sqlite3.Error: from each method, where a text or an earlier checkpoint could not be kept.
    """

    def __init__(self, store: RunStore, lag_s: float = LAG_S) -> None:
        super().__init__(sqlite3.connect(store.checkpoints, check_same_thread=False))
        self._store = store
        self._lag_s = lag_s
        self._bundle = Bundle()
        self._together = False
        self._turn = asyncio.Lock()
        self._hurry = asyncio.Event()
        self._sending: asyncio.Task[None] | None = None

    def setup(self) -> None:
        """Make the tables. A checkpoint need not outlast a power cut: the replies that led to it do."""
        if not self.is_setup:
            super().setup()
            self.conn.execute("PRAGMA synchronous=NORMAL")

    @contextmanager
    def cursor(self, transaction: bool = True) -> Generator[sqlite3.Cursor]:
        """Give a cursor; what is written by it is committed at once, but for a bundle's parts."""
        with super().cursor(transaction and not self._together) as cursor:
            yield cursor

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
        """Return a graph's checkpoint, the last one where none is named.

        Raises:
            StoreError: what is kept is damaged.
        """
        if self._bundle.holds(config):
            await self._send()
        async with self._turn:
            return await asyncio.to_thread(self._read, config)

    def _read(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Read a checkpoint, and see that it is one.

        Raises:
            StoreError: what is kept is damaged.
        """
        try:
            found = self.get_tuple(config)
            if found is not None:
                _require(found.checkpoint)
        except (ValueError, TypeError, LookupError, AttributeError, NotImplementedError) as error:
            raise StoreError("damaged", self._store.checkpoints, cause=error) from error
        return found

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a chapter's checkpoints."""
        await self._send()
        async with self._turn:
            await asyncio.to_thread(self.delete_thread, thread_id)

    def _send_soon(self) -> None:
        """Let what waits go in a moment; tell why what went before it did not arrive."""
        if self._sending is not None and self._sending.done():
            self._sending.result()
            self._sending = None
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_later())

    async def _send_later(self) -> None:
        while self._bundle:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), self._lag_s)
            await self._send()

    async def _send(self) -> None:
        async with self._turn:
            bundle, self._bundle = self._bundle, Bundle()
            if bundle:
                await self._store.flush()
                await asyncio.to_thread(self._write, bundle)

    def _write(self, bundle: Bundle) -> None:
        self._together = True
        try:
            for put in bundle.puts.values():
                self.put(put.config, put.checkpoint, put.metadata, put.versions)
            for write in bundle.writes:
                self.put_writes(*write)
        finally:
            self._together = False
            with self.lock:
                self.conn.commit()

    async def __aenter__(self) -> "BundledSaver":
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write what waits, unless an error ends the run, and close the file."""
        try:
            if kind is None:
                self._hurry.set()
                if self._sending is not None:
                    await self._sending
            elif self._sending is not None:
                self._sending.cancel()
                await asyncio.gather(self._sending, return_exceptions=True)
        finally:
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self.lock:
            self.conn.close()
