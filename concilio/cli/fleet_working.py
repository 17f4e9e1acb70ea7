"""A worker from the command line: load what every chapter needs, join, tell how it goes."""

import asyncio
import logging
import tempfile
from importlib import import_module
from pathlib import Path

import click

from concilio.batch.job import own_providers
from concilio.catalogue import say
from concilio.cli.crash import report_into, write_crash_file
from concilio.fleet.link import checked_url, shown
from concilio.fleet.schema import set_up
from concilio.fleet.worker import Voice, WorkerOptions, work
from concilio.gateway import language
from concilio.gateway.wire import load_litellm
from rules.ruleset import load_ruleset


def run_setup(url: str) -> int:
    """Make a fleet's tables.

    Raises:
        FleetError: the database cannot be reached.
    """
    asyncio.run(set_up(checked_url(url)))
    click.echo(say("fleet.is_set_up", where=shown(url)))
    return 0


def run_worker(url: str, jobs: int, stalled_after_s: float) -> int:
    """Work until told to stop.

    Raises:
        FleetError: the database cannot be reached.
    """
    report_into(Path(tempfile.gettempdir()))
    options = WorkerOptions(jobs=jobs, stalled_after_s=stalled_after_s)
    voice = Voice(
        joined=lambda: _say("fleet.joined", where=shown(url), jobs=jobs), tell=_tell, crashed=_crashed
    )
    checked_url(url)
    load_all()
    asyncio.run(work(url, options, voice))
    _say("fleet.left")
    return 0


def load_all() -> None:
    """Load what every chapter needs, before chapters wait for it and signs of life are late."""
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    load_litellm()
    language.load()
    own_providers()
    for name in ("langgraph.graph", "langgraph.checkpoint.postgres.aio"):
        import_module(name)
    load_ruleset()


def _tell(run: str, number: int, what: str) -> None:
    _say(f"fleet.worker.{what}", run=run, chapter=number)


def _say(key: str, **values: object) -> None:
    click.echo(say(key, **values), err=True)


def _crashed(error: Exception) -> str:
    return say("batch.crash", kind=type(error).__name__, file=write_crash_file(error) or "–")
