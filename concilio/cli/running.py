"""One run from the command line: read, check the models, seat the table, run the chapters, tell the end."""

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from concilio.adventure.facts import facts_of
from concilio.adventure.loader import load_adventure
from concilio.catalogue import say
from concilio.chapterfile.json_file import dump_chapter
from concilio.chapterfile.names import chapter_file_stem
from concilio.chapterfile.render import render_chapter
from concilio.cli.crash import report_into
from concilio.cli.outcome import ChapterResult, exit_status
from concilio.cli.progress import expected_steps, progress_for
from concilio.cli.summary import as_json, print_summary, usage_line
from concilio.domain.adventure import Adventure
from concilio.domain.debate import Ending
from concilio.gateway.gateway import Gateway
from concilio.gateway.ledger import Budget
from concilio.gateway.preflight import check_models
from concilio.gateway.settings import Limits, Models, Providers
from concilio.gateway.wire import warm_up
from concilio.settings import AGENTS, EMBEDDED, Settings
from concilio.store.errors import StoreError, from_os_error
from concilio.store.events import utc_now
from concilio.store.run import RunStore, new_run_id
from graphs.adventure import ChapterRun, run_chapters, sqlite_checkpointer
from graphs.assembling import versions
from graphs.seating import SEATS, seat_table
from graphs.table import Options, Table
from rules.ruleset import load_ruleset

INTERRUPTED = 130


def run_file(file: Path, chapters: Sequence[int], settings: Settings, form: str) -> int:
    """Run chapters of an adventure and return the exit status.

    Raises:
        AdventureErrors, RulesetError, GatewayError, StoreError: each carries its exit status and its words.
    """
    adventure = load_adventure(file)
    if settings.ruleset:
        adventure = adventure.model_copy(update={"ruleset": settings.ruleset})
    numbers = chosen_chapters(adventure, chapters)
    models = models_of(settings, adventure)
    refuse_unknown(models.needed(SEATS))
    click.echo(first_line(models, settings, adventure), err=True)
    check_models(models.needed(SEATS))
    warm_up()
    run_id = new_run_id(adventure.title, utc_now())
    inputs = inputs_of(file, numbers, settings)
    with RunStore.create(settings.out, run_id, inputs, versions=versions()) as store:
        report_into(store.folder)
        click.echo(say("run.run_folder", adventure.language, folder=store.folder), err=True)
        gateway = gateway_for(models, settings, store)
        table = table_for(file, adventure, gateway, settings, store)
        results, status = _run(table, gateway, numbers, file)
        if form == "json":
            click.echo(as_json(store.folder, results, status))
        else:
            print_summary(results, adventure.language)
        return status


def chosen_chapters(adventure: Adventure, wanted: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the chapters to run, in the adventure's order.

    Raises:
        click.BadParameter: a chapter that the adventure does not have.
    """
    known = tuple(chapter.number for chapter in adventure.chapters)
    for number in wanted:
        if number not in known:
            names = ", ".join(map(str, known))
            raise click.BadParameter(
                say("run.no_chapter", number=number, known=names), param_hint="--chapter"
            )
    return tuple(number for number in known if not wanted or number in wanted)


def models_of(settings: Settings, adventure: Adventure) -> Models:
    """Return who answers for whom: what was typed, then the variables, the adventure, the settings file."""
    stated = {seat: setting.model for seat, setting in adventure.agents.items()}
    by_agent = {seat: settings.model_for(seat, stated.get(seat)) for seat in AGENTS}
    return Models(default=settings.model or EMBEDDED, by_agent=by_agent)


def refuse_unknown(models: Iterable[str]) -> None:
    """Refuse a name without provider that is nearly ours: nobody would answer to it.

    Raises:
        click.BadParameter: names what was meant.
    """
    for model in models:
        if model != EMBEDDED and get_close_matches(model.lower(), [EMBEDDED], cutoff=0.7):
            message = say("run.unknown_model", model=model, near=EMBEDDED)
            raise click.BadParameter(message, param_hint="--model")


def first_line(models: Models, settings: Settings, adventure: Adventure) -> str:
    """Return the run's first line: who will answer."""
    language = adventure.language
    named = {agent: models.first(agent) for agent in SEATS}
    if set(named.values()) == {EMBEDDED}:
        return say("run.embedded_chosen" if settings.model else "run.embedded_first", language)
    listed = ", ".join(f"{agent}={model}" for agent, model in named.items())
    return say("run.models_first", language, models=listed)


def inputs_of(file: Path, numbers: Sequence[int], settings: Settings) -> dict[str, Any]:
    """Return what `run.json` keeps of a run's inputs."""
    return {
        "adventure": str(file),
        "chapters": list(numbers),
        "settings": settings.model_dump(mode="json"),
    }


def gateway_for(models: Models, settings: Settings, store: RunStore) -> Gateway:
    """Return the run's gateway: replies to its journal, calls to its events."""
    limits = Limits(
        concurrency=settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        timeout_s=settings.timeout_s,
        longest_wait_s=settings.longest_wait_s,
        longest_reply=settings.longest_reply,
    )
    return Gateway(
        models,
        store.journal,
        limits=limits,
        budget=Budget(limit_usd=settings.budget_usd),
        events=store.events,
        providers=own_providers(),
    )


def own_providers() -> Providers:
    """Return the providers that are programs of ours."""
    from agents.embedded.author import register

    return {EMBEDDED: register}


def table_for(
    file: Path, adventure: Adventure, gateway: Gateway, settings: Settings, store: RunStore
) -> Table:
    """Return the table of a run."""
    folder = file if file.is_dir() else file.parent
    ruleset = load_ruleset(adventure.ruleset, folder)
    options = Options(
        rounds=settings.rounds,
        max_rewrites=settings.max_rewrites,
        seed=settings.seed,
        on_unresolved=settings.on_unresolved,
    )
    facts = facts_of(adventure, ruleset)
    return seat_table(adventure, facts, ruleset, gateway, store, options, folder, _confirm(adventure))


def write_chapter(store: RunStore, run: ChapterRun) -> ChapterResult:
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


def _run(
    table: Table, gateway: Gateway, numbers: Sequence[int], file: Path
) -> tuple[list[ChapterResult], int]:
    results: list[ChapterResult] = []
    store, language = table.store, table.language
    scenes = sum(table.scene_target(number) for number in numbers)
    names = {agent: seat.name for agent, seat in table.seats.items()}
    display = progress_for(
        language,
        names,
        lambda: usage_line(gateway.ledger.use(), language),
        expected_steps(len(numbers), table.options.rounds, scenes),
    )
    store.events.subscribe(display)
    try:
        with display, _quiet_threads():
            asyncio.run(_run_chapters(table, gateway, numbers, results))
    except KeyboardInterrupt:
        store.update(status="interrupted")
        click.echo(say("run.interrupted", language, folder=store.folder), err=True)
        return results, INTERRUPTED
    except sqlite3.Error as error:
        raise StoreError("full" if "full" in str(error) else "damaged", store.folder, cause=error) from error
    except OSError as error:
        raise from_os_error(error, store.folder) from error
    status = exit_status(results)
    store.update(status="done" if status == 0 else "ended", exit=status, chapters=_ends(results))
    return results, status


@contextmanager
def _quiet_threads() -> Generator[None]:
    """Say nothing of a checkpointer's thread that finds its event loop closed: that is how Ctrl-C ends it."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if not isinstance(args.exc_value, RuntimeError):
            before(args)

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before


async def _run_chapters(
    table: Table, gateway: Gateway, numbers: Sequence[int], results: list[ChapterResult]
) -> None:
    async with gateway, sqlite_checkpointer(table) as saver:
        async for run in run_chapters(table, numbers, saver):
            result = write_chapter(table.store, run)
            results.append(result)
            if exit_status([result]) >= 3:
                break  # nobody answers, or nothing is left to spend: the next chapter would end the same way


def _ends(results: Sequence[ChapterResult]) -> list[dict[str, Any]]:
    return [
        {"number": r.chapter.number, "ending": r.chapter.ending, "files": [path.name for path in r.files]}
        for r in results
    ]


def _confirm(adventure: Adventure) -> Any:
    """Return the question for `on_unresolved: ask`; where nobody sits at a terminal, the answer is no."""

    def confirm(chapter: int, ending: Ending) -> bool:
        if not sys.stdin.isatty():
            return False
        language = adventure.language
        words = say(f"run.ending.{ending}", language)
        return click.confirm(say("run.ask_unresolved", language, chapter=chapter, ending=words), err=True)

    return confirm
