"""Progress of a run: a live line with time left on a terminal, plain lines elsewhere. Written to stderr."""

import sys
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Protocol

import click

from concilio.catalogue import say
from concilio.domain.base import Language
from concilio.store.events import Event

LONG_WAIT_S = 2.0
"""Seconds from which a wait for a provider is told."""
STEPS_PER_ROUND = 3
"""Calls of a round: a proposal or revision, a check, a critique."""


class Progress(Protocol):
    """A display that follows a run's events."""

    def __enter__(self) -> "Progress":
        """Begin."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, whatever happened."""
        ...

    def __call__(self, event: Event) -> None:
        """Show an event."""
        ...


def progress_for(
    language: Language, names: Mapping[str, str], spent: Callable[[], str], steps: int
) -> Progress:
    """Return the display that suits where stderr goes.

    Args:
        language: language of the lines.
        names: agent id to name at the table.
        spent: tells calls, tokens and cost so far, in words.
        steps: about how many calls the run will make.
    """
    if sys.stderr.isatty():
        return LiveProgress(language, names, spent, steps)
    return PlainProgress(language, names)


class PlainProgress:
    """One line an event."""

    def __init__(self, language: Language, names: Mapping[str, str]) -> None:
        self._language: Language = language
        self._names = names

    def __enter__(self) -> "PlainProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __call__(self, event: Event) -> None:
        """Print the event's line, if it has one."""
        if line := line_of(event, self._language, self._names):
            click.echo(line, err=True)


class LiveProgress:
    """The same lines above a bar with elapsed time, time left and what was spent."""

    def __init__(
        self, language: Language, names: Mapping[str, str], spent: Callable[[], str], steps: int
    ) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self._language: Language = language
        self._names, self._spent = names, spent
        self._progress = RichProgress(
            SpinnerColumn(),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("", total=steps)

    def __enter__(self) -> "LiveProgress":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, event: Event) -> None:
        """Print the event's line above the bar and move the bar."""
        from rich.text import Text

        if line := line_of(event, self._language, self._names):
            self._progress.console.print(Text(line))
        done = 1 if event["kind"] in ("reply", "reviewed", "scene") else 0
        self._progress.update(self._task, advance=done, description=self._spent())


def line_of(event: Event, language: Language, names: Mapping[str, str]) -> str:
    """Return the line that tells an event, or an empty text for one that people need not see."""
    key = _key_of(event)
    if key is None:
        return ""
    values: dict[str, Any] = dict(event)
    values["name"] = names.get(str(event.get("agent", "iris")), "")
    values["verdict"] = say(f"run.verdict_{event.get('verdict') or 'none'}", language)
    if wait := event.get("wait_s"):
        values["wait_s"] = f"{wait:.0f}"
    if event.get("ending"):
        values["ending"] = say(f"run.ending.{event['ending']}", language)
    return say(f"run.{key}", language, **values)


def _key_of(event: Event) -> str | None:
    kind = event["kind"]
    if kind == "retry" and event["wait_s"] >= LONG_WAIT_S:
        return "retry"
    if kind == "lint":
        if event.get("bounced"):
            return "lint_bounced"
        return "lint_faults" if event.get("faults") else "lint_clean"
    if kind == "judged":
        return "judged_ending" if event.get("ending") else "judged"
    if kind == "scene":
        return "scene_done" if event.get("done") else "scene_again"
    return {"round": "round", "reviewed": "reviewed", "chapter": "chapter_done"}.get(kind)


def expected_steps(chapters: int, rounds: int, scenes: int) -> int:
    """Return about how many calls a run makes: most debates end before their last round."""
    return chapters * (max(1, rounds * 2 // 3) * STEPS_PER_ROUND + 1) + scenes
