"""The checkpointer: what it refers to is on the disk before it is, and what waits arrives."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from concilio.store.run import RunStore, new_run_id
from graphs.checkpoints import BundledSaver

CONFIG: Any = {"configurable": {"thread_id": "t"}}


class State(TypedDict, total=False):
    """A reference to a text."""

    ref: str


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    """Return the folder of a run."""
    with RunStore.create(tmp_path, new_run_id("x", datetime(2026, 1, 1, tzinfo=UTC)), {}) as made:
        yield made


def references(store: RunStore) -> list[str]:
    """Return the reference in each checkpoint, newest first, as another process would read them now."""
    with closing(sqlite3.connect(store.checkpoints)) as other:
        found = SqliteSaver(other).list(CONFIG)
        return [ref for one in found if (ref := one.checkpoint["channel_values"].get("ref"))]


def texts(store: RunStore) -> set[str]:
    """Return the references of the texts that another process would find now."""
    with closing(sqlite3.connect(store.folder / "store.sqlite")) as other:
        return {row[0] for row in other.execute("SELECT ref FROM texts")}


def three_steps(store: RunStore, saver: Any, rest_s: float) -> Any:
    """Return a graph whose steps each put a text into the store, and rest."""

    async def write(state: State) -> State:
        ref = store.put_text("el plan" + state.get("ref", ""))
        await asyncio.sleep(rest_s)
        return {"ref": ref}

    graph: Any = StateGraph(State)
    names = ("one", "two", "three")
    for name in names:
        graph.add_node(name, write)
    for before, after in zip((START, *names), (*names, END), strict=True):
        graph.add_edge(before, after)
    return graph.compile(checkpointer=saver)


async def test_a_checkpoint_never_refers_to_a_text_that_is_not_there(store: RunStore) -> None:
    """Whenever another process looks, all texts of the checkpoints that it sees are in the file."""
    seen: set[str] = set()
    async with BundledSaver(store, lag_s=0) as saver:
        async for _ in three_steps(store, saver, 0.02).astream({}, CONFIG, durability="async"):
            now = references(store)
            assert set(now) <= texts(store)
            seen.update(now)
    assert seen, "checkpoints arrive while the graph runs"


async def test_what_waits_arrives_at_the_end_and_only_the_last_of_a_graph(store: RunStore) -> None:
    """A run's end is kept; steps that came together are one checkpoint."""
    async with BundledSaver(store, lag_s=60) as saver:
        state = await three_steps(store, saver, 0).ainvoke({}, CONFIG, durability="async")
        assert references(store) == []
    assert references(store) == [state["ref"]]
    assert texts(store) >= {state["ref"]}


async def test_what_waits_is_seen_by_who_asks(store: RunStore) -> None:
    """The state is that of the last step, in the file or not."""
    async with BundledSaver(store, lag_s=60) as saver:
        app = three_steps(store, saver, 0)
        state = await app.ainvoke({}, CONFIG, durability="async")
        found = await app.aget_state(CONFIG)
        assert (found.values, found.next) == (state, ())
        await saver.adelete_thread("t")
        assert (await app.aget_state(CONFIG)).values == {}
    assert references(store) == []


async def spoilt(store: RunStore, spoil: Callable[[BundledSaver], None]) -> None:
    """Run the steps, then spoil something before what waits is written."""
    async with BundledSaver(store, lag_s=60) as saver:
        await three_steps(store, saver, 0).ainvoke({}, CONFIG, durability="async")
        spoil(saver)


async def test_a_file_that_cannot_be_written_is_told(store: RunStore) -> None:
    """At the end, where no later checkpoint would tell."""
    with pytest.raises(sqlite3.Error):
        await spoilt(store, lambda saver: saver.conn.close())


async def test_an_error_that_ends_the_run_is_the_one_that_is_told(store: RunStore) -> None:
    """What waits is left."""

    def fail(saver: BundledSaver) -> None:
        saver.conn.execute("PRAGMA query_only=ON")
        raise LookupError

    with pytest.raises(LookupError):
        await spoilt(store, fail)
    assert references(store) == []
