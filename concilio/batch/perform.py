"""One run from its job to its files: the gateway, the table, chapter after chapter, and how it stands."""

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from concilio.adventure.facts import facts_of
from concilio.batch.job import Job, limits_of, own_providers
from concilio.batch.outcome import ChapterResult, exit_status
from concilio.batch.traces import traced
from concilio.chapterfile.json_file import dump_chapter
from concilio.chapterfile.names import chapter_file_stem
from concilio.chapterfile.render import render_chapter
from concilio.domain.debate import Ending
from concilio.gateway.gateway import Gateway
from concilio.gateway.ledger import Budget
from concilio.gateway.limiter import PROCESS, Limiters
from concilio.review.model import Decision, Pending, pauses_of
from concilio.store.chapter import ChapterStore
from concilio.store.errors import from_os_error, from_sqlite_error
from concilio.store.run import RunStore
from graphs.adventure import ChapterRun, run_chapters, sqlite_checkpointer
from graphs.reviewing import DesignerAwaitedError
from graphs.seating import seat_table
from graphs.table import Options, Table, never
from rules.ruleset import load_ruleset

Confirm = Callable[[int, Ending], bool]
Designer = Callable[[Pending], Decision | None]


def gateway_for(
    job: Job, store: ChapterStore, budget: Budget | None = None, limiters: Limiters = PROCESS
) -> Gateway:
    """Return the run's gateway: replies to its journal, calls to its events.

    Args:
        budget: one that several runs share; without it, the job's own.
        limiters: who says when a call may begin.
    """
    return Gateway(
        job.models,
        store.journal,
        limits=limits_of(job.settings),
        budget=budget or Budget(limit_usd=job.settings.budget_usd),
        events=store.events,
        providers=own_providers(),
        limiters=limiters,
    )


def table_for(
    job: Job,
    gateway: Gateway,
    store: ChapterStore,
    confirm: Confirm = never,
    designer: Designer | None = None,
    asks_unresolved: bool = False,
) -> Table:
    """Return the table of a run.

    Args:
        job: what is run.
        gateway: the run's.
        store: the run's.
        confirm: says whether an unresolved plan is written where nobody can be asked.
        designer: tells what was decided at the pauses that the settings ask for; None: there are none.
        asks_unresolved: whether it is asked, too, where the settings want that (`on_unresolved: ask`).
    """
    adventure, settings = job.adventure, job.settings
    ruleset = load_ruleset(adventure.ruleset, job.folder)
    options = Options(
        rounds=settings.rounds,
        max_rewrites=settings.max_rewrites,
        seed=settings.seed,
        on_unresolved=settings.on_unresolved,
        pauses=pauses_of(settings.review) if designer else frozenset(),
        asks_unresolved=asks_unresolved and settings.on_unresolved == "ask",
    )
    facts = facts_of(adventure, ruleset)
    table = seat_table(adventure, facts, ruleset, gateway, store, options, job.folder, confirm)
    return replace(table, designer=designer) if designer else table


async def perform(
    store: RunStore,
    table: Table,
    gateway: Gateway,
    numbers: Sequence[int],
    results: list[ChapterResult],
    *,
    charge_recalled: bool = True,
) -> Pending | None:
    """Run chapters in order, or go on with them, and write each one's files as it ends.

    Args:
        store: the run's folder, at whose table is sat.
        results: what has been written; filled as it goes, so that an interrupted run has it too.
        charge_recalled: whether what earlier processes paid is held against the gateway's budget now.

    Returns:
        The pause at which it waits for its designer; None where it ended.

    Raises:
        StoreError: the run's folder cannot be written.
    """
    await gateway.recall(charge=charge_recalled)
    with traced(store.info.id, store.events):
        async with gateway, sqlite_checkpointer(store) as saver:
            try:
                await _chapters(store, table, saver, numbers, results)
            except DesignerAwaitedError as awaited:
                return awaited.pause
    return None


async def _chapters(
    store: RunStore, table: Table, saver: Any, numbers: Sequence[int], results: list[ChapterResult]
) -> None:
    async for run in run_chapters(table, numbers, saver, goes_on_from=is_final):
        result = await asyncio.to_thread(write_chapter, store, run)
        results.append(result)
        if run.chapter.number != numbers[-1]:  # after the last, whoever called writes how the run ended
            await asyncio.to_thread(store.update, chapters=chapter_rows(results))
        if exit_status([result]) >= 3:
            break  # nobody answers, or nothing is left to spend: the next chapter would end the same way


def is_final(run: ChapterRun) -> bool:
    """Tell whether a chapter is done with: one that nobody answered or could pay for is tried again."""
    return run.chapter.ending not in ("budget", "failed") and not run.troubles


def write_chapter(store: ChapterStore, run: ChapterRun) -> ChapterResult:
    """Write a chapter's files, whole or not at all.

    Raises:
        StoreError: a file cannot be written.
    """
    chapter = run.chapter
    stem = chapter_file_stem(chapter.number, chapter.language)
    files = (
        store.write(f"{stem}.md", render_chapter(chapter)),
        store.write(f"{stem}.json", dump_chapter(chapter)),
    )
    return ChapterResult(chapter, files, run.troubles, run.trouble_kinds)


def finish(store: RunStore, results: Sequence[ChapterResult]) -> int:
    """Write how a run ended into its `run.json`, and return its exit status."""
    status = exit_status(results)
    store.update(status="done" if status == 0 else "ended", exit=status, chapters=chapter_rows(results))
    return status


def chapter_rows(results: Sequence[ChapterResult]) -> list[dict[str, Any]]:
    """Return what `run.json` says of the chapters."""
    return [
        {
            "number": r.chapter.number,
            "ending": r.chapter.ending,
            "resolved": r.resolved,
            "files": [path.name for path in r.files],
        }
        for r in results
    ]


@contextmanager
def store_errors(store: RunStore) -> Generator[None]:
    """Turn what a disk or a database may raise during a run into the store's own error.

    Raises:
        StoreError: in place of the other.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise from_sqlite_error(error, store.checkpoints) from error  # the other database has told its own
    except OSError as error:
        raise from_os_error(error, store.folder) from error
