"""A whole adventure: its chapters in order, each remembering those before it."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from concilio.domain.chapter import Chapter
from concilio.review.model import Pending
from concilio.store.run import RunStore
from graphs.chapter import build_chapter, chapter_of
from graphs.memory import remembered
from graphs.reviewing import DesignerAwaitedError
from graphs.seated import seated
from graphs.state import ChapterState
from graphs.table import Table

RECURSION_LIMIT = 400
"""Steps of one graph: far above 50 rounds of 6 steps, and not langgraph's ten thousand."""

DURABILITY = "async"
"""A step's checkpoint is written while the next step waits for its model.

A process killed meanwhile goes on one step earlier, and finds that step's replies in the journal.
"""


@dataclass(frozen=True)
class ChapterRun:
    """A finished chapter, and what went wrong on the way."""

    chapter: Chapter
    troubles: dict[str, str]
    """Scene id or step to the message of the error."""
    trouble_kinds: dict[str, str]
    """Scene id or step to the class of the error."""


def always(run: ChapterRun) -> bool:
    """Leave every ended chapter as it is."""
    return True


async def run_chapter(
    table: Table,
    number: int,
    checkpointer: Any = None,
    goes_on_from: Callable[[ChapterRun], bool] = always,
) -> ChapterRun:
    """Run one chapter to its end, or go on with it where the checkpointer has it already.

    Args:
        goes_on_from: whether an ended chapter is left as it is; else it begins anew, and finds in the
            journal what was answered before.

    Raises:
        StoreError: the run's folder cannot be written.
        DesignerAwaitedError: it pauses, and nobody has decided yet.
    """
    with seated(table):
        return await _run_seated(table, number, checkpointer, goes_on_from)


@cache
def _workflow() -> Any:
    return build_chapter().compile()


async def _run_seated(
    table: Table, number: int, checkpointer: Any, goes_on_from: Callable[[ChapterRun], bool]
) -> ChapterRun:
    graph = _workflow().copy({"checkpointer": checkpointer})
    thread = f"{table.store.info.id}/ch{number}"
    config = {"configurable": {"thread_id": thread}, "recursion_limit": RECURSION_LIMIT}
    if checkpointer is None:
        return _chapter_run(table, await graph.ainvoke({"chapter": number}, config))
    known = await graph.aget_state(config)
    # `next` leaves out steps that were done and whose checkpoint was not written: they are tasks still.
    if known.values and not known.tasks:
        ended = _chapter_run(table, known.values)
        if goes_on_from(ended):
            return ended
        await checkpointer.adelete_thread(thread)
        known = None
    begun = bool(known and known.values)
    state = await _reviewed(table, graph, config, None if begun else {"chapter": number})
    run = _chapter_run(table, state)
    if not begun or goes_on_from(run):
        return run
    # The steps that it went on from may have been those of a provider that did not answer, or of no money.
    await checkpointer.adelete_thread(thread)
    return _chapter_run(table, await _reviewed(table, graph, config, {"chapter": number}))


async def _reviewed(table: Table, graph: Any, config: Any, given: Any) -> Any:
    """Run a chapter's graph, through each pause on which the designer has decided.

    Raises:
        DesignerAwaitedError: on one of them nobody has.
    """
    from langgraph.types import Command

    state = await graph.ainvoke(given, config, durability=DURABILITY)
    while waits := state.get("__interrupt__"):
        pause = table.get(Pending, waits[0].value)
        decision = table.designer(pause)
        if decision is None:
            raise DesignerAwaitedError(pause)
        answer = Command(resume={waits[0].id: table.put(decision)})
        state = await graph.ainvoke(answer, config, durability=DURABILITY)
    return state


def _chapter_run(table: Table, values: Any) -> ChapterRun:
    state = cast(ChapterState, values)
    trouble = state["debate"].get("proposer_trouble")
    troubles = {**state.get("troubles", {}), **({"debate": trouble["message"]} if trouble else {})}
    kinds = {**state.get("trouble_kinds", {}), **({"debate": trouble["kind"]} if trouble else {})}
    return ChapterRun(chapter_of(table, state), troubles, kinds)


async def run_chapters(
    table: Table,
    numbers: Sequence[int],
    checkpointer: Any = None,
    goes_on_from: Callable[[ChapterRun], bool] = always,
) -> AsyncIterator[ChapterRun]:
    """Yield the chapters as they finish, in order; each receives what those before it left."""
    for number in numbers:
        run = await run_chapter(table, number, checkpointer, goes_on_from)
        yield run
        left = remembered(number, run.chapter.plan)
        table = replace(table, remembered=(*table.remembered, *left))


@asynccontextmanager
async def sqlite_checkpointer(store: RunStore) -> AsyncGenerator[Any]:
    """Open the run's checkpoint store. State holds plain values only, so no type needs to be allowed."""
    from graphs.checkpoints import BundledSaver

    async with BundledSaver(store) as saver:
        yield saver
