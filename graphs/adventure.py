"""A whole adventure: its chapters in order, each remembering those before it."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from concilio.domain.chapter import Chapter
from graphs.chapter import build_chapter, chapter_of
from graphs.memory import remembered
from graphs.state import ChapterState
from graphs.table import Table

RECURSION_LIMIT = 400
"""Steps of one graph: far above 20 rounds of 6 steps, and not langgraph's ten thousand."""

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


async def run_chapter(table: Table, number: int, checkpointer: Any = None) -> ChapterRun:
    """Run one chapter to its end, or go on with it where the checkpointer has it already.

    Raises:
        StoreError: the run's folder cannot be written.
    """
    graph = build_chapter(table).compile(checkpointer=checkpointer)
    config = {
        "configurable": {"thread_id": f"{table.store.info.id}/ch{number}"},
        "recursion_limit": RECURSION_LIMIT,
    }
    options: dict[str, Any] = {"durability": DURABILITY} if checkpointer else {}
    begun = checkpointer is not None and (await graph.aget_state(config)).values
    state = cast(
        ChapterState,
        await graph.ainvoke(None if begun else {"chapter": number}, config, **options),
    )
    trouble = state["debate"].get("proposer_trouble")
    troubles = {**state.get("troubles", {}), **({"debate": trouble["message"]} if trouble else {})}
    kinds = {**state.get("trouble_kinds", {}), **({"debate": trouble["kind"]} if trouble else {})}
    return ChapterRun(chapter_of(table, state), troubles, kinds)


async def run_chapters(
    table: Table, numbers: Sequence[int], checkpointer: Any = None
) -> AsyncIterator[ChapterRun]:
    """Yield the chapters as they finish, in order; each receives what those before it left."""
    for number in numbers:
        run = await run_chapter(table, number, checkpointer)
        yield run
        left = remembered(number, run.chapter.plan)
        table = replace(table, remembered=(*table.remembered, *left))


@asynccontextmanager
async def sqlite_checkpointer(table: Table) -> AsyncGenerator[Any]:
    """Open the run's checkpoint store. State holds plain values only, so no type needs to be allowed."""
    import aiosqlite

    from graphs.checkpoints import TextsFirstSaver

    async with aiosqlite.connect(table.store.checkpoints) as connection:
        saver = TextsFirstSaver(connection, table.store)
        await saver.setup()
        yield saver
