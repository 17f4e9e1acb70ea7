"""LangGraph's SQLite saver, which never refers to a text that is not on the disk yet."""

from collections.abc import Sequence
from typing import Any

from aiosqlite import Connection
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from concilio.store.run import RunStore


class TextsFirstSaver(AsyncSqliteSaver):
    """Saves checkpoints after the texts that they refer to.

    Raises:
        StoreError: from both methods, where a text cannot be written.
    """

    def __init__(self, connection: Connection, store: RunStore) -> None:
        super().__init__(connection)
        self._store = store

    async def setup(self) -> None:
        """Make the tables. A checkpoint need not outlast a power cut: the replies that led to it do."""
        await super().setup()
        await self.conn.execute("PRAGMA synchronous=NORMAL")

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint; all that was put into the store before is durable first."""
        await self._store.flush()
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a step wrote; all that was put into the store before is durable first."""
        await self._store.flush()
        await super().aput_writes(config, writes, task_id, task_path)
