"""Going on with a run: find it, say what is different, and run what is left."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from concilio.batch.job import Job, job_of_run
from concilio.batch.plan import is_batch
from concilio.batch.runs import find_run
from concilio.catalogue import follow, say
from concilio.cli.batching import run_batch
from concilio.cli.running import first_line, run_job
from concilio.gateway.preflight import check_models
from concilio.gateway.wire import warm_up
from concilio.store.run import RunInfo, RunStore, read_info
from graphs.assembling import versions
from graphs.seating import SEATS


def resume_run(name: str | None, out: Path, changes: Mapping[str, Any], form: str) -> int:
    """Go on with a run and return the exit status.

    Args:
        name: id or folder of the run; None for the last one under `out`.
        out: where runs land.
        changes: settings that are other than they were; None leaves one as it was.
        form: `text` or `json`.

    Raises:
        StoreError: there is no such run, another process has it, or it does not say enough.
    """
    folder = find_run(name, out)
    if is_batch(folder):
        return run_batch(folder, changes, form)
    info = read_info(folder)
    job = job_of_run(info, folder, changes)
    follow(job.adventure.language)
    with RunStore.open(folder) as store:
        if info.status == "done":
            click.echo(say("resume.finished", job.adventure.language), err=True)
        _tell(job, info)
        click.echo(first_line(job), err=True)
        check_models(job.models.needed(SEATS))
        warm_up()
        store.update(status="running")
        return run_job(job, store, form)


def _tell(job: Job, info: RunInfo) -> None:
    """Say what has changed since the run began: other versions may ask other questions."""
    language, now = job.adventure.language, versions()
    changed = [
        f"{name} {then} → {now[name]}" for name, then in info.versions.items() if now.get(name) != then
    ]
    if changed:
        click.echo(say("resume.versions", language, changed=", ".join(changed)), err=True)
