"""The checkpointer: what it refers to is on the disk before it is."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from concilio.store.run import RunStore, new_run_id
from graphs.checkpoints import TextsFirstSaver


class State(TypedDict, total=False):
    """A reference to a text."""

    ref: str


def rows(path: Path, query: str) -> list[Any]:
    """Return what another process would read of a database now."""
    with sqlite3.connect(path) as other:
        found = other.execute(query).fetchall()
    other.close()
    return found


async def test_a_checkpoint_never_refers_to_a_text_that_is_not_there(tmp_path: Path) -> None:
    """At every checkpoint, all texts that were put before are in the file already."""
    with RunStore.create(tmp_path, new_run_id("x", datetime(2026, 1, 1, tzinfo=UTC)), {}) as store:

        async def write(state: State) -> State:
            return {"ref": store.put_text("el plan" + state.get("ref", ""))}

        async with aiosqlite.connect(store.checkpoints) as connection:
            saver = TextsFirstSaver(connection, store)
            await saver.setup()
            graph: Any = StateGraph(State)
            for name in ("one", "two"):
                graph.add_node(name, write)
            graph.add_edge(START, "one")
            graph.add_edge("one", "two")
            graph.add_edge("two", END)
            app = graph.compile(checkpointer=saver)
            config = {"configurable": {"thread_id": "t"}}
            async for _ in app.astream({}, config, durability="sync"):
                held = {row[0] for row in rows(store.folder / "store.sqlite", "SELECT ref FROM texts")}
                said = (await app.aget_state(config)).values.get("ref")
                assert not said or said in held
        assert len(rows(store.folder / "store.sqlite", "SELECT ref FROM texts")) == 2
