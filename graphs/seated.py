"""The table of the run that is going on: the graphs are made once a process, and each run brings its own.

Making a graph costs more than a step of it (langgraph inspects every node). So nodes ask here for a table,
instead of being made around it.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from weakref import WeakKeyDictionary

from concilio.store.chapter import ChapterStore
from graphs.linting import PlanLint
from graphs.table import Table

_table: ContextVar[Table] = ContextVar("the table of this task's run")
_lints: WeakKeyDictionary[ChapterStore, PlanLint] = WeakKeyDictionary()


@contextmanager
def seated(table: Table) -> Generator[None]:
    """Within the block, and in the tasks that begin in it, nodes sit at this table."""
    token = _table.set(table)
    try:
        yield
    finally:
        _table.reset(token)


class Seated:
    """Nodes of a graph, at the table that they are given or at that of the run that is going on."""

    def __init__(self, table: Table | None = None) -> None:
        self._given = table

    @property
    def table(self) -> Table:
        """The table of this run.

        Raises:
            LookupError: none was given, and no run is going on.
        """
        return self._given or _table.get()

    @property
    def plan_lint(self) -> PlanLint:
        """The engine's view of this run's plans: one a run, since it remembers what it has read."""
        table = self.table
        if table.store not in _lints:
            _lints[table.store] = PlanLint(table)
        return _lints[table.store]
