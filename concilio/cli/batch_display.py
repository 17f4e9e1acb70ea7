"""A batch while it runs: a live table on a terminal, a line a change elsewhere. Written to stderr."""

import sys
from types import TracebackType
from typing import Any, Protocol

import click

from concilio.batch.engine import ItemRun
from concilio.batch.summary import cells_of, state_of
from concilio.catalogue import say
from concilio.store.events import Event

MOST_SHOWN = 20
"""Rows of the live table: the ones that run, then the latest that ended."""


class Display(Protocol):
    """Shows how the items of a batch go."""

    def __enter__(self) -> "Display":
        """Begin."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, whatever happened."""
        ...

    def __call__(self, run: ItemRun, event: Event | None) -> None:
        """Show an event of an item, or (None) a change of its state."""
        ...


def display_for(count: int) -> Display:
    """Return the display that suits where stderr goes; `count` is the number of adventures."""
    return LiveTable(count) if sys.stderr.isatty() else PlainLines(count)


class PlainLines:
    """A line for each adventure that begins or ends, and for each chapter."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._over: set[str] = set()

    def __enter__(self) -> "PlainLines":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def __call__(self, run: ItemRun, event: Event | None) -> None:
        """Print the line of a change, if it has one."""
        if run.state in ("ended", "failed"):
            self._over.add(run.item.path)
        if line := line_of(run, event):
            click.echo(f"[{len(self._over)}/{self._count}] {line}", err=True)


def line_of(run: ItemRun, event: Event | None) -> str:
    """Return the line that tells a change; empty for one that people need not see."""
    if event is None:
        problem = f": {run.item.problem.splitlines()[0]}" if run.item.problem else ""
        return f"{run.title} · {state_of(run)}{problem}"
    if event["kind"] == "judged" and event.get("ending") == "failed":
        cause = str(event.get("cause") or "").partition("\n")[0]
        return say("batch.cause", title=run.title, chapter=event["chapter"], cause=cause)
    if event["kind"] == "chapter":
        ending = say(f"run.ending.{event['ending']}")
        return say("batch.chapter", title=run.title, chapter=event["chapter"], ending=ending)
    return ""


class LiveTable:
    """The items as a table that is drawn anew four times a second."""

    def __init__(self, count: int) -> None:
        from rich.console import Console
        from rich.live import Live

        self._count = count
        self._runs: dict[str, ItemRun] = {}
        self._live = Live(
            console=Console(stderr=True), get_renderable=self._table, refresh_per_second=4, transient=True
        )

    def __enter__(self) -> "LiveTable":
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def __call__(self, run: ItemRun, event: Event | None) -> None:
        """Note an item, the latest last; the table reads it when it is drawn."""
        self._runs.pop(run.item.path, None)
        self._runs[run.item.path] = run

    def _table(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        runs = list(self._runs.values())
        over = sum(run.state in ("ended", "failed") for run in runs)
        table = Table(title=say("batch.progress", over=over, count=self._count))
        for name in ("adventure", "state", "chapters", "calls", "tokens", "cost"):
            table.add_column(say(f"batch.column.{name}"))
        shown = sorted(runs, key=lambda run: run.state == "running")[-MOST_SHOWN:]
        for run in shown:
            table.add_row(*(Text(cell) for cell in cells_of(run)))
        return table
