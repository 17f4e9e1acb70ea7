"""One run from the command line: read, check the models, run the chapters, tell the end."""

import asyncio
import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from concilio.batch.job import Job, JobError, begin_run, job_from_file
from concilio.batch.outcome import UNRESOLVED, ChapterResult
from concilio.batch.perform import chapter_rows, finish, gateway_for, perform, store_errors, table_for
from concilio.catalogue import follow, message_language, say
from concilio.cli import review_terminal
from concilio.cli.crash import report_into
from concilio.cli.progress import expected_steps, progress_for
from concilio.cli.summary import as_json, print_summary, usage_line
from concilio.domain.adventure import Adventure
from concilio.domain.base import Language
from concilio.domain.debate import Ending
from concilio.gateway.gateway import Gateway
from concilio.gateway.preflight import check_models
from concilio.gateway.wire import unpriced, warm_up
from concilio.review import Pending, ReviewFolder
from concilio.review.folder import UnusableDecisionError
from concilio.settings import EMBEDDED, Settings
from concilio.store.run import RunStore
from graphs.seating import SEATS
from graphs.table import Table

INTERRUPTED = 130


def run_file(file: Path, chapters: Sequence[int], settings: Settings, form: str) -> int:
    """Run chapters of an adventure and return the exit status.

    Raises:
        AdventureErrors, RulesetError, GatewayError, StoreError: each carries its exit status and its words.
        click.BadParameter: a chapter or a model that does not exist.
    """
    with bad_parameters():
        job = job_from_file(file, chapters, settings)
    follow(job.adventure.language)
    click.echo(first_line(job), err=True)
    check_models(job.models.needed(SEATS))
    warm_up()
    with begin_run(job) as store:
        return run_job(job, store, form)


def run_job(job: Job, store: RunStore, form: str) -> int:
    """Run a job in its folder, or go on with it, show how it goes, and return the exit status."""
    report_into(store.folder)
    language = message_language(job.adventure.language)
    click.echo(say("run.run_folder", language, folder=store.folder), err=True)
    warn_of_unpriced(job.models.needed(SEATS), job.settings.budget_usd, language)
    results, status = _reviewed(job, store, language)
    if form == "json":
        click.echo(as_json(store.folder, results, status))
    else:
        print_summary(results, language)
    return status


def _reviewed(job: Job, store: RunStore, language: Language) -> tuple[list[ChapterResult], int]:
    """Run a job, and ask whoever sits at the terminal where it pauses; return results and exit status."""
    seat = ReviewFolder(store.folder)
    asks = review_terminal.somebody_is_there() or seat.has_asked
    while True:
        gateway = gateway_for(job, store)
        table = table_for(job, gateway, store, _unasked(job.adventure), seat, asks)
        ended = _watched(store, table, gateway, job.numbers)
        if ended.status is not None:
            return ended.results, ended.status
        if ended.pause is None:
            seat.withdraw()
            return ended.results, finish(store, ended.results)
        store.update(status="waiting", chapters=chapter_rows(ended.results))
        if not review_terminal.ask_at_terminal(store.folder, ended.pause, language):
            return ended.results, UNRESOLVED
        store.update(status="running")


@dataclass(frozen=True)
class _Ended:
    """How far a run came."""

    results: list[ChapterResult]
    pause: Pending | None = None
    status: int | None = None
    """Exit status, where it was broken off."""


@contextmanager
def bad_parameters() -> Generator[None]:
    """Tell what cannot be run as the option that asked for it.

    Raises:
        click.BadParameter: in place of JobError.
    """
    try:
        yield
    except JobError as error:
        raise click.BadParameter(str(error), param_hint=error.hint or None) from error


def first_line(job: Job) -> str:
    """Return the run's first line: who will answer."""
    language, settings = message_language(job.adventure.language), job.settings
    named = {agent: job.models.first(agent) for agent in SEATS}
    if set(named.values()) == {EMBEDDED}:
        return say("run.embedded_chosen" if settings.model else "run.embedded_first", language)
    listed = ", ".join(f"{agent}={model}" for agent, model in named.items())
    return say("run.models_first", language, models=listed)


def warn_of_unpriced(models: Iterable[str], budget_usd: float | None, language: Language | None) -> None:
    """Say which models a budget cannot hold, since nobody knows their price; nothing where there is none."""
    if budget_usd is None:
        return
    unknown = unpriced(models)
    if unknown:
        click.echo(say("run.budget_unpriced", language, models=", ".join(unknown)), err=True)


def _watched(store: RunStore, table: Table, gateway: Gateway, numbers: Sequence[int]) -> _Ended:
    results: list[ChapterResult] = []
    language = message_language(table.language)
    scenes = sum(table.scene_target(number) for number in numbers)
    names = {agent: seat.name for agent, seat in table.seats.items()}
    display = progress_for(
        language,
        names,
        lambda: usage_line(gateway.ledger.use(), language),
        expected_steps(len(numbers), table.options.rounds, scenes),
    )
    leave = store.events.subscribe(display)
    try:
        with display, quiet_threads(), store_errors(store):
            pause = asyncio.run(perform(store, table, gateway, numbers, results))
    except KeyboardInterrupt:
        store.update(status="interrupted")
        click.echo(say("run.interrupted", language, folder=store.folder, run=store.info.id), err=True)
        return _Ended(results, status=INTERRUPTED)
    except UnusableDecisionError:
        store.update(status="waiting", chapters=chapter_rows(results))
        raise
    finally:
        leave()
    return _Ended(results, pause)


@contextmanager
def quiet_threads() -> Generator[None]:
    """Say nothing of a checkpointer's thread that finds its event loop closed: that is how Ctrl-C ends it."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if not isinstance(args.exc_value, RuntimeError):
            before(args)

    threading.excepthook = hook
    yield
    threading.excepthook = before  # not after Ctrl-C: the thread may notice late, when all else is over


def _unasked(adventure: Adventure) -> Any:
    """Return the answer of nobody to `on_unresolved: ask`: no, and why."""

    def answer(chapter: int, ending: Ending) -> bool:
        language = message_language(adventure.language)
        click.echo(say("run.cannot_ask", language, chapter=chapter), err=True)
        return False

    return answer
