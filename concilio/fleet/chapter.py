"""One chapter on a worker: the same `run_chapter` as on one machine, at another store."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import LiteralString

from concilio.batch.job import Job, JobError
from concilio.batch.outcome import UNRESOLVED, ChapterResult, exit_status
from concilio.batch.perform import gateway_for, is_final, table_for, write_chapter
from concilio.batch.traces import traced
from concilio.fleet.limits import FleetLimiters, Gate, Turns
from concilio.fleet.link import Link, as_text
from concilio.fleet.parcel import unpack
from concilio.fleet.saver import FleetSaver
from concilio.fleet.store import ChapterFiles, FleetStore, open_store
from concilio.fleet.tenure import Tenure
from concilio.gateway.errors import GatewayError
from concilio.gateway.ledger import Budget
from concilio.store.errors import StoreError
from graphs.adventure import ChapterRun, run_chapter
from graphs.memory import remembered
from rules.ruleset import RulesetError

GIVES_UP = 3
"""Exit status after which no other chapter is begun: nobody answers, or nothing is left to spend."""

_CHAPTERS: LiteralString = (
    "SELECT c.number, c.status, c.remembered, r.job FROM concilio_chapters c"
    " JOIN concilio_runs r ON r.id = c.run WHERE c.run = %(run)s ORDER BY c.position"
)


@dataclass(frozen=True)
class Desk:
    """What a worker has for all its chapters."""

    link: Link
    turns: Turns
    folder: Path
    """Where adventures' own files are unpacked."""
    crashed: Callable[[Exception], str]
    """Keeps the details of an unforeseen error, and returns it in words."""


@dataclass(frozen=True)
class Before:
    """A chapter before it begins."""

    job: str
    """The run's parcel."""
    done: bool
    """Whether its result is there: the worker that wrote it died before it could say so."""
    remembered: tuple[str, ...]
    stopped_by: int | None
    """Exit status of an earlier chapter after which no other is begun."""


async def write_for_fleet(desk: Desk, run: str, number: int, tenure: Tenure) -> int | None:
    """Write a chapter, or go on with it, and keep what came of it.

    Returns:
        Its exit status; None where it is another worker's by now.

    Raises:
        StoreError: the database cannot be reached.
        asyncio.CancelledError: the attempt is to end; what was received is kept.
    """
    work = asyncio.create_task(_write(desk, run, number, tenure))
    lost = asyncio.create_task(tenure.lost.wait())
    try:
        await asyncio.wait({work, lost}, return_when=asyncio.FIRST_COMPLETED)
        return None if tenure.lost.is_set() else await work
    finally:
        work.cancel()
        lost.cancel()
        await asyncio.sleep(0)  # whoever waits for what is lost is told to stop before it is told why
        tenure.end()
        with suppress(BaseException):
            await asyncio.gather(work, lost, return_exceptions=True)


async def _write(desk: Desk, run: str, number: int, tenure: Tenure) -> int:
    before = await _before(desk.link, run, number)
    if before.done:
        return 0
    store = await open_store(desk.link, run, number, tenure)
    if before.stopped_by is not None:
        files = ChapterFiles(before.stopped_by)
    else:
        files = await _files(desk, before, store, number, tenure)
    await store.finish(files)
    return files.status


async def _before(link: Link, run: str, number: int) -> Before:
    rows = await link.rows(_CHAPTERS, {"run": run})
    here = next((i for i, row in enumerate(rows) if row["number"] == number), None)
    if here is None:
        raise StoreError("no_run", run)
    earlier = rows[:here]
    lines: list[str] = []
    for row in earlier:
        lines += _list(row["remembered"])
    stopped = next((r["status"] for r in earlier if r["status"] is None or r["status"] >= GIVES_UP), 0)
    return Before(
        job=as_text(rows[here]["job"]),
        done=rows[here]["status"] is not None,
        remembered=tuple(lines),
        stopped_by=None if stopped == 0 else stopped or UNRESOLVED,
    )


def _list(kept: bytes | None) -> Sequence[str]:
    return [str(line) for line in json.loads(kept)] if kept else []


async def _files(desk: Desk, before: Before, store: FleetStore, number: int, tenure: Tenure) -> ChapterFiles:
    try:
        job = unpack(before.job, desk.folder)
        run = await _run(desk, job, store, number, tenure, before.remembered)
    except (GatewayError, RulesetError, JobError) as error:
        return ChapterFiles(error.exit_code, problem=str(error))
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours in one chapter stops no other
        return ChapterFiles(UNRESOLVED, problem=desk.crashed(error))
    result = write_chapter(store, run)
    return ChapterFiles(
        status=exit_status([result]),
        ending=run.chapter.ending,
        remembered=remembered(number, run.chapter.plan),
        result=_troubles(result),
    )


def _troubles(result: ChapterResult) -> dict[str, dict[str, str]]:
    return {"troubles": result.troubles, "trouble_kinds": result.trouble_kinds}


async def _run(
    desk: Desk, job: Job, store: FleetStore, number: int, tenure: Tenure, left: tuple[str, ...]
) -> ChapterRun:
    gate = Gate(desk.link, store.info.id, tenure, desk.turns)
    gateway = gateway_for(job, store, Budget(), FleetLimiters(gate))
    table = replace(table_for(job, gateway, store), remembered=left)
    await gateway.recall()
    with traced(store.info.id, store.events):
        async with gateway, FleetSaver(desk.link.pool, store) as saver:
            return await run_chapter(table, number, saver, goes_on_from=is_final)
