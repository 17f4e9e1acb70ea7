"""Batches of a fleet from the command line: hand in, watch, show, take back."""

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from concilio.adventure.problems import AdventureErrors
from concilio.batch.job import JobError, job_from_file
from concilio.batch.outcome import ChapterResult
from concilio.batch.summary import batch_status, cells_of, summary_data, summary_markdown
from concilio.catalogue import say
from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.json_file import load_chapter
from concilio.cli.batch_display import Display, display_for
from concilio.fleet import local, status
from concilio.fleet.errors import FleetError
from concilio.fleet.link import Link, checked_url, linked, shown
from concilio.fleet.queue import queue_app
from concilio.fleet.schema import be_set_up, needs_tables
from concilio.fleet.status import FleetRun, RunStatus, item_of
from concilio.fleet.submit import Item, new_batch_id, submit
from concilio.settings import Settings
from concilio.store.errors import StoreError, from_os_error
from concilio.store.events import utc_now
from concilio.store.files import write_atomic
from rules.ruleset import RulesetError

INTERRUPTED = 130
LOOK_S = 0.5
"""Seconds between two looks at a batch."""
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,150}\Z")
"""A name of a folder or a file that the database may choose."""


def bring_up(folder: Path, workers: int, jobs: int) -> int:
    """Run a database and workers on this machine until Ctrl-C.

    Raises:
        StoreError: the database does not start.
    """
    return local.run_local(
        folder,
        workers,
        jobs,
        lambda url: click.echo(say("fleet.is_up", where=url, workers=workers), err=True),
    )


def run_fleet_batch(url: str, paths: Sequence[Path], settings: Settings, form: str) -> int:
    """Hand adventures in, watch them to their end, and return the exit status.

    Raises:
        StoreError: the database cannot be reached, or the batch's folder cannot be written.
    """
    batch = submit_batch(url, paths, settings)
    return watch_batch(url, batch, settings.out, form)


def submit_batch(url: str, paths: Sequence[Path], settings: Settings) -> str:
    """Hand adventures in, and return the batch's id.

    Raises:
        StoreError: the database cannot be reached.
    """
    distinct = tuple(dict.fromkeys(path.resolve() for path in paths))
    items = [_item(path, settings) for path in distinct]
    batch = new_batch_id(utc_now())
    asyncio.run(_submit(checked_url(url), batch, items, settings.budget_usd))
    click.echo(
        say("fleet.submitted", batch=batch, count=sum(item.job is not None for item in items)), err=True
    )
    return batch


def _item(path: Path, settings: Settings) -> Item:
    try:
        return Item(str(path), job_from_file(path, (), settings))
    except (AdventureErrors, RulesetError, StoreError, JobError) as error:
        return Item(str(path), None, str(error).strip())


async def _submit(url: str, batch: str, items: Sequence[Item], budget_usd: float | None) -> None:
    async with linked(url) as link:
        await be_set_up(link)
        app = queue_app(url)
        async with app.open_async():
            await submit(link, app, batch, items, budget_usd)


def watch_batch(url: str, batch: str, out: Path, form: str) -> int:
    """Show how a batch goes, write its files as they come, and return the exit status.

    Raises:
        StoreError: there is no such batch, the database cannot be reached, or a file cannot be written.
    """
    if not _PLAIN.match(batch):
        raise FleetError("no_batch", batch)
    folder = out / batch
    click.echo(say("batch.folder", folder=folder), err=True)
    try:
        runs = asyncio.run(_watched(checked_url(url), batch, folder))
    except KeyboardInterrupt:
        click.echo(say("fleet.left_alone", batch=batch), err=True)
        return INTERRUPTED
    return _tell(runs, folder, batch, form)


async def _watched(url: str, batch: str, folder: Path) -> list[FleetRun]:
    async with linked(url, 2) as link:
        await needs_tables(link)
        first = await status.batch_status(link, batch)
        watch = Watch(link, folder, batch, display_for(len(first)))
        with watch.display:
            while not await watch.look():
                await asyncio.sleep(LOOK_S)
        return list(watch.runs.values())


class Watch:
    """A batch while somebody looks at it: what changed is shown, what ended is written."""

    def __init__(self, link: Link, folder: Path, batch: str, display: Display) -> None:
        self.display = display
        self.runs: dict[str, FleetRun] = {}
        """By their ids, as of the last look."""
        self._link = link
        self._folder = folder
        self._batch = batch
        self._results: dict[tuple[str, int], ChapterResult] = {}
        self._finished: set[str] = set()

    async def look(self) -> bool:
        """Look once; True where nothing more will come.

        Raises:
            StoreError: the database cannot be reached, or a file cannot be written.
        """
        found = await status.batch_status(self._link, self._batch)
        for run in found:
            await self._take(run)
        return all(run.over for run in found)

    async def _take(self, run: RunStatus) -> None:
        item, before = item_of(run), self.runs.get(run.id)
        item.results = before.results if before else []
        self.runs[run.id] = item
        for chapter in run.chapters:
            key = (run.id, chapter.number)
            if chapter.state == "ended" and chapter.ending and key not in self._results:
                self._results[key] = await self._write(run.id, chapter.number)
                item.results.append(self._results[key])
                self.display(item, {"kind": "chapter", "chapter": chapter.number, "ending": chapter.ending})
        if before is None or before.state != item.state:
            self.display(item, None)
        if run.over and run.id not in self._finished:
            self._finished.add(run.id)
            await self._write_events(run.id)

    async def _write(self, run: str, number: int) -> ChapterResult:
        kept = await status.result_of(self._link, run, number)
        files = {str(name): str(text) for name, text in kept.get("files", {}).items()}
        written = tuple(self._put(run, name, text) for name, text in files.items())
        source = next((text for name, text in files.items() if name.endswith(".json")), "")
        try:
            chapter = load_chapter(source)
        except ChapterFileError as error:
            raise FleetError("bad_parcel", run, cause=error) from error
        return ChapterResult(chapter, written, kept.get("troubles", {}), kept.get("trouble_kinds", {}))

    async def _write_events(self, run: str) -> None:
        if lines := await status.events_of(self._link, run):
            self._put(run, "events.jsonl", lines)

    def _put(self, run: str, name: str, text: str) -> Path:
        short = run.removeprefix(self._batch + "-")
        if not (_PLAIN.match(short) and _PLAIN.match(name)):
            raise StoreError("bad_name", f"{short}/{name}")
        path = self._folder / short / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise from_os_error(error, path.parent) from error
        write_atomic(path, text)
        return path


def _tell(runs: Sequence[FleetRun], folder: Path, batch: str, form: str) -> int:
    """Leave the summary in the batch's folder, print it, and return the exit status."""
    code = batch_status(runs)
    data = json.dumps(summary_data(runs, code), ensure_ascii=False, indent=2) + "\n"
    table = summary_markdown(runs)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise from_os_error(error, folder) from error
    write_atomic(folder / "summary.json", data)
    write_atomic(folder / "summary.md", table)
    click.echo(data if form == "json" else table, nl=False)
    if form == "text":
        click.echo(say("batch.summary_file", path=folder / "summary.md"))
        if code not in (0, 2):
            click.echo(say("fleet.try_again", batch=batch))
    return code


def show_batch(url: str, batch: str, form: str) -> int:
    """Print how a batch stands.

    Raises:
        StoreError: there is no such batch, or the database cannot be reached.
    """
    found = asyncio.run(_looked(url, batch))
    if form == "json":
        click.echo(json.dumps([_run_data(run) for run in found], ensure_ascii=False, indent=2))
        return 0
    chapters = [chapter for run in found for chapter in run.chapters]
    over = sum(chapter.state in status.OVER for chapter in chapters)
    click.echo(say("fleet.batch_line", batch=batch, over=over, count=len(chapters)))
    for run in found:
        click.echo("  ".join(_cells(run)))
    return 0


def _cells(run: RunStatus) -> list[str]:
    told = [
        f"{c.number}: {say(f'run.ending.{c.ending}') if c.ending else say(f'fleet.state.{c.state}')}"
        for c in run.chapters
    ]
    cells = cells_of(item_of(run))
    return [cells[0], cells[1], ", ".join(told) or "–", *cells[3:]]


def _run_data(run: RunStatus) -> dict[str, Any]:
    return {
        "run": run.id,
        "path": run.path,
        "title": run.title,
        "problem": run.problem,
        "exit": run.status,
        "chapters": [vars(chapter) for chapter in run.chapters],
    }


async def _looked(url: str, batch: str) -> tuple[RunStatus, ...]:
    async with linked(url, 1) as link:
        await needs_tables(link)
        return await status.batch_status(link, batch)


def show_fleet(url: str, form: str) -> int:
    """Print the batches of a fleet, and how many workers are alive.

    Raises:
        StoreError: the database cannot be reached.
    """
    batches, workers = asyncio.run(_fleet(url))
    if form == "json":
        rows = [{**row, "created": row["created"].isoformat()} for row in batches]
        click.echo(json.dumps({"workers": workers, "batches": rows}, ensure_ascii=False, indent=2))
        return 0
    click.echo(say("fleet.fleet_line", where=shown(url), workers=workers))
    for row in batches:
        values = {name: row[name] for name in ("ended", "running", "waiting", "chapters")}
        click.echo(say("fleet.batch_row", batch=row["id"], **values))
    return 0


async def _fleet(url: str) -> tuple[list[dict[str, Any]], int]:
    async with linked(url, 1) as link:
        await needs_tables(link)
        return await status.list_batches(link), await status.workers_alive(link)


def cancel_batch(url: str, batch: str) -> int:
    """Take a batch back.

    Raises:
        StoreError: there is no such batch, or the database cannot be reached.
    """
    click.echo(say("fleet.cancelled", batch=batch, count=asyncio.run(_change(url, batch, None, "cancel"))))
    return 0


def retry_batch(url: str, batch: str, budget_usd: float | None) -> int:
    """Try again what was left of a batch.

    Raises:
        StoreError: there is no such batch, or the database cannot be reached.
    """
    click.echo(say("fleet.retried", batch=batch, count=asyncio.run(_change(url, batch, budget_usd, "retry"))))
    return 0


async def _change(url: str, batch: str, budget_usd: float | None, what: str) -> int:
    async with linked(url, 2) as link:
        await needs_tables(link)
        app = queue_app(url)
        async with app.open_async():
            if what == "cancel":
                return await status.cancel(link, app, batch)
            return await status.retry(link, app, batch, budget_usd)
