"""A batch from the command line: run it or go on with it, show how it goes, leave a summary."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from concilio.batch.engine import Batch
from concilio.batch.plan import load_batch, new_batch
from concilio.batch.summary import batch_status, summary_data, summary_markdown
from concilio.catalogue import say
from concilio.cli.batch_display import display_for
from concilio.cli.crash import report_into, write_crash_file
from concilio.cli.running import INTERRUPTED, quiet_threads, warn_of_unpriced
from concilio.gateway.wire import warm_up
from concilio.report.collecting import SELDOM, rare_collections
from concilio.settings import Settings
from concilio.store.events import utc_now
from concilio.store.files import write_atomic
from graphs.seating import SEATS

SUMMARY_STEM = "summary"


def run_new_batch(paths: Sequence[Path], settings: Settings, jobs: int, form: str) -> int:
    """Run adventures side by side and return the exit status.

    Raises:
        StoreError: the batch's folder cannot be written.
    """
    distinct = tuple(dict.fromkeys(path.resolve() for path in paths))
    return run_batch(new_batch(settings.out, distinct, settings, jobs, utc_now()), {}, form)


def run_batch(folder: Path, changes: Mapping[str, Any], form: str) -> int:
    """Run a batch's folder, or go on with it, and return the exit status.

    Args:
        folder: the batch's.
        changes: settings that are other than they were; None leaves one as it was.
        form: `text` or `json`.

    Raises:
        StoreError: the folder is no batch's, or cannot be written.
    """
    info = load_batch(folder)
    new = {name: value for name, value in changes.items() if value is not None}
    info = info.model_copy(update={"settings": info.settings.model_copy(update=new)})
    report_into(folder)
    click.echo(say("batch.folder", folder=folder), err=True)
    warm_up()
    display = display_for(len(info.items))
    batch = Batch(folder, info, display, _crashed)
    try:
        with display, quiet_threads(), rare_collections(SELDOM):
            batch.prepare()
            needed = [model for run in batch.runs if run.job for model in run.job.models.needed(SEATS)]
            warn_of_unpriced(needed, info.settings.budget_usd, None)
            asyncio.run(batch.run())
    except KeyboardInterrupt:
        _tell(batch, folder, form, INTERRUPTED)
        click.echo(say("batch.interrupted", folder=folder), err=True)
        return INTERRUPTED
    status = batch_status(batch.runs)
    _tell(batch, folder, form, status)
    return status


def _tell(batch: Batch, folder: Path, form: str, status: int) -> None:
    """Leave the summary in the batch's folder, and print it."""
    data = json.dumps(summary_data(batch.runs, status), ensure_ascii=False, indent=2) + "\n"
    table = summary_markdown(batch.runs)
    write_atomic(folder / f"{SUMMARY_STEM}.json", data)
    write_atomic(folder / f"{SUMMARY_STEM}.md", table)
    click.echo(data if form == "json" else table, nl=False)
    if form == "text":
        click.echo(say("batch.summary_file", path=folder / f"{SUMMARY_STEM}.md"))
        if status not in (0, 2):
            click.echo(say("batch.go_on", folder=folder))


def _crashed(error: Exception, folder: Path) -> str:
    report_into(folder)
    return say("batch.crash", kind=type(error).__name__, file=write_crash_file(error) or "–")
