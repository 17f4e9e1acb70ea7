"""What is to be run: an adventure, its chapters, who answers, how. From a file, or from a run's folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from concilio.adventure.loader import load_adventure
from concilio.catalogue import say
from concilio.domain.adventure import Adventure
from concilio.gateway.settings import Limits, Models, Providers
from concilio.settings import AGENTS, EMBEDDED, Settings
from concilio.store.errors import StoreError
from concilio.store.events import utc_now
from concilio.store.own import read_own
from concilio.store.run import INFO_NAME, RunInfo, RunStore, new_run_id
from graphs.assembling import versions
from graphs.seating import SEATS

SNAPSHOT_NAME = "adventure.snapshot"
"""The adventure as it was read when the run began, as JSON: what a resumed run goes on with."""
LARGEST_ADVENTURE = 20_000_000
"""Bytes of a snapshot that is read."""


class JobError(Exception):
    """What is asked for cannot be run."""

    exit_code = 2

    def __init__(self, key: str, hint: str = "", **values: object) -> None:
        self.key, self.hint, self.values = key, hint, values
        super().__init__(key)

    def __str__(self) -> str:
        return say(f"run.{self.key}", **self.values)


@dataclass(frozen=True)
class Job:
    """A run before it begins, or goes on."""

    file: Path
    """File or folder of the adventure; its prompts and rulesets lie beside it."""
    adventure: Adventure
    numbers: tuple[int, ...]
    """Chapters, in the adventure's order."""
    settings: Settings
    models: Models

    @property
    def folder(self) -> Path:
        """Where the adventure's own prompts and rulesets are."""
        return self.file if self.file.is_dir() else self.file.parent


def job_from_file(file: Path, chapters: Sequence[int], settings: Settings) -> Job:
    """Return what a file and settings ask for.

    Raises:
        AdventureErrors: the file cannot be read.
        JobError: a chapter or a model that does not exist.
    """
    adventure = load_adventure(file)
    if settings.ruleset:
        adventure = adventure.model_copy(update={"ruleset": settings.ruleset})
    numbers = chosen_chapters(adventure, chapters)
    models = models_of(settings, adventure)
    refuse_unknown(models.needed(SEATS))
    return Job(file, adventure, numbers, settings, models)


def begin_run(job: Job, out: Path | None = None) -> RunStore:
    """Make the folder of a new run, with all that is needed to go on with it later.

    Raises:
        StoreError: it cannot be made.
    """
    run_id = new_run_id(job.adventure.title, utc_now())
    store = RunStore.create(out or job.settings.out, run_id, inputs_of(job), versions=versions())
    try:
        store.write(SNAPSHOT_NAME, job.adventure.model_dump_json())
    except BaseException:
        store.close()
        raise
    return store


def inputs_of(job: Job) -> dict[str, Any]:
    """Return what `run.json` keeps of a run's inputs."""
    return {
        "adventure": str(job.file.resolve()),
        "title": job.adventure.title,
        "chapters": list(job.numbers),
        "models": {agent: job.models.first(agent) for agent in SEATS},
        "settings": job.settings.model_dump(mode="json"),
    }


def job_of_run(info: RunInfo, folder: Path, changes: Mapping[str, Any]) -> Job:
    """Return what a run that exists was asked for, some settings changed.

    Args:
        info: its `run.json`.
        folder: its folder.
        changes: settings to replace (`budget_usd`, `concurrency`); None leaves one as it was.

    Raises:
        StoreError: the folder does not say enough to go on.
    """
    inputs, adventure = info.inputs, _snapshot(folder / SNAPSHOT_NAME)
    try:
        stated = dict(inputs["settings"]) | {k: v for k, v in changes.items() if v is not None}
        settings = Settings.model_validate(stated)
        models = Models(default=EMBEDDED, by_agent=dict(inputs["models"]))
        numbers = tuple(int(number) for number in inputs["chapters"])
        return Job(Path(inputs["adventure"]), adventure, numbers, settings, models)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise StoreError("damaged", folder / INFO_NAME, cause=error) from error


def _snapshot(path: Path) -> Adventure:
    """Return the adventure as a run read it.

    Raises:
        StoreError: it is not there, damaged, or cannot be read.
    """
    kept = read_own(path, path.parent, LARGEST_ADVENTURE)
    if kept is None:
        raise StoreError("older", path)
    try:
        return Adventure.model_validate_json(kept)
    except ValueError as error:
        raise StoreError("damaged", path, cause=error) from error


def chosen_chapters(adventure: Adventure, wanted: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the chapters to run, in the adventure's order.

    Raises:
        JobError: a chapter that the adventure does not have.
    """
    known = tuple(chapter.number for chapter in adventure.chapters)
    for number in wanted:
        if number not in known:
            raise JobError("no_chapter", "--chapter", number=number, known=", ".join(map(str, known)))
    return tuple(number for number in known if not wanted or number in wanted)


def models_of(settings: Settings, adventure: Adventure) -> Models:
    """Return who answers for whom: what was typed, then the variables, the adventure, the settings file."""
    stated = {seat: setting.model for seat, setting in adventure.agents.items()}
    by_agent = {seat: settings.model_for(seat, stated.get(seat)) for seat in AGENTS}
    return Models(default=settings.model or EMBEDDED, by_agent=by_agent)


def refuse_unknown(models: Iterable[str]) -> None:
    """Refuse a name without provider that is nearly ours: nobody would answer to it.

    Raises:
        JobError: names what was meant.
    """
    for model in models:
        if model != EMBEDDED and get_close_matches(model.lower(), [EMBEDDED], cutoff=0.7):
            raise JobError("unknown_model", "--model", model=model, near=EMBEDDED)


def own_providers() -> Providers:
    """Return the providers that are programs of ours."""
    from agents.embedded.author import register

    return {EMBEDDED: register}


def limits_of(settings: Settings) -> Limits:
    """Return how calls are limited."""
    return Limits(
        concurrency=settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        timeout_s=settings.timeout_s,
        longest_wait_s=settings.longest_wait_s,
        longest_reply=settings.longest_reply,
        tools=settings.tools,
    )


def adventure_beside(chapter: Path) -> Adventure | None:
    """Return the adventure of the run in whose folder a chapter's file lies, as the run read it, or None."""
    snapshot = chapter.parent / SNAPSHOT_NAME
    if not (chapter.parent / INFO_NAME).is_file() or not snapshot.is_file():
        return None
    try:
        return Adventure.model_validate_json(snapshot.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # pydantic's errors are ValueErrors: a chapter stands without it, too
        return None
