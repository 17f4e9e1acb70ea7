"""Checkpoints that wait for those that follow them, and go to their database together.

Between two calls of models a chapter takes many small steps. Of each graph only the last checkpoint is kept:
what a killed process loses are steps whose replies are in the journal, and which cost nothing to take again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

LAG_S = 2.0
"""Seconds in which checkpoints wait for those that follow."""
Space = tuple[str, str]
"""A thread, and the graph's name space in it."""


@dataclass
class Put:
    """The last checkpoint of a graph that is not in the database yet."""

    config: RunnableConfig
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    versions: ChannelVersions
    """Channels that changed since the last one that is in the database."""

    @property
    def place(self) -> RunnableConfig:
        """Where it will be."""
        thread, space = space_of(self.config)
        where = {"thread_id": thread, "checkpoint_ns": space, "checkpoint_id": self.checkpoint["id"]}
        return {"configurable": where}


@dataclass
class Bundle:
    """What waits for the database."""

    puts: dict[Space, Put] = field(default_factory=dict[Space, Put])
    writes: list[tuple[RunnableConfig, Sequence[tuple[str, Any]], str, str]] = field(
        default_factory=list[tuple[RunnableConfig, Sequence[tuple[str, Any]], str, str]]
    )

    def __bool__(self) -> bool:
        return bool(self.puts or self.writes)

    def put(self, put: Put) -> None:
        """Add a graph's checkpoint, in place of the one before it and of what was written on top of that."""
        space = space_of(put.config)
        before = self.puts.pop(space, None)
        if before is not None:
            put.versions = {**before.versions, **put.versions}
            self.writes = [w for w in self.writes if not _is_on(w[0], space, before.checkpoint["id"])]
        self.puts[space] = put

    def holds(self, config: RunnableConfig) -> bool:
        """Tell whether anything of a graph waits."""
        space = space_of(config)
        return space in self.puts or any(space_of(write[0]) == space for write in self.writes)


def space_of(config: RunnableConfig) -> Space:
    """Return the graph that a configuration is of."""
    values = config.get("configurable", {})
    return str(values.get("thread_id")), str(values.get("checkpoint_ns", ""))


def _is_on(config: RunnableConfig, space: Space, checkpoint: str) -> bool:
    return space_of(config) == space and config.get("configurable", {}).get("checkpoint_id") == checkpoint
