"""LangGraph's PostgreSQL saver, which writes for a chapter only while it is ours, and its texts first."""

from collections.abc import Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from concilio.fleet.link import Pool
from concilio.fleet.store import FleetStore


class FleetSaver(AsyncPostgresSaver):
    """Saves checkpoints after the texts that they refer to; one chapter's.

    Raises:
        StoreError: from each method, where a text cannot be written.
    """

    def __init__(self, pool: Pool, store: FleetStore) -> None:
        super().__init__(pool)
        self._store = store

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, if the chapter is ours; all that was put into the store is durable first."""
        await self._store.flush()
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a step wrote, if the chapter is ours; what was put into the store is durable first."""
        await self._store.flush()
        await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a chapter's checkpoints, if it is ours."""
        await self._store.flush()
        await super().adelete_thread(thread_id)
