"""The runs of a folder: which there are, how each stands, what it cost."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from concilio.batch.plan import BATCH_NAME
from concilio.batch.stated import stated_of
from concilio.store.errors import SQLITE_ERRORS, StoreError, from_sqlite_error
from concilio.store.lease import is_held
from concilio.store.own import require_database
from concilio.store.run import DATABASE_NAME, INFO_NAME, RunInfo, list_runs, read_info

State = Literal["running", "stopped", "interrupted", "waiting", "done", "ended", "unreadable"]
"""`stopped`: its process died; `ended`: something is unresolved; `interrupted`: by Ctrl-C; `waiting`: for
the designer."""


@dataclass(frozen=True)
class RunRow:
    """One run as a list shows it."""

    id: str
    folder: Path
    state: State
    created: datetime | None = None
    adventure: str = ""
    title: str = ""
    """The adventure's; empty in runs of earlier versions."""
    chapters: tuple[int, ...] = ()
    """Chapters that were asked for."""
    endings: tuple[tuple[int, str], ...] = ()
    """Number and ending of the chapters that are written."""
    calls: int = 0
    """Replies that were received."""
    tokens: int | None = 0
    """None where a model does not tell them."""
    cost_usd: float | None = None
    """US dollars; None where a price is unknown."""
    exit: int | None = None
    problems: tuple[StoreError, ...] = ()
    """Which of its files could not be read, or not wholly, and why."""

    @property
    def resumable(self) -> bool:
        """Tell whether `resume` has anything to do."""
        return self.state in ("stopped", "interrupted", "waiting") or self.exit in (3, 4)


def find_run(name: str | None, out: Path) -> Path:
    """Return a run's folder.

    Args:
        name: an id under `out`, or a path; None for the last run under `out`.
        out: where runs land.

    Raises:
        StoreError: there is none.
    """
    if name is None:
        runs = [*list_runs(out), *list_batches(out)]
        if not runs:
            below = folders_with_runs(out)
            raise StoreError("runs_below", out, folder=below[0]) if below else StoreError("no_runs", out)
        return max(runs, key=_began)
    for folder in (out / name, Path(name)):
        if folder.is_dir():
            return folder
    raise StoreError("no_run", out / name)


def folders_with_runs(out: Path) -> tuple[Path, ...]:
    """Return the folders just below `out` that hold runs of their own: where else to look."""
    return tuple(sorted({path.parent.parent for path in out.glob(f"*/*/{INFO_NAME}")}))


def _began(folder: Path) -> str:
    """Return the time in the name of a run's or a batch's folder."""
    return folder.name.removeprefix("batch-")


def list_batches(out: Path) -> tuple[Path, ...]:
    """Return the folders under `out` that hold a batch, oldest first."""
    return tuple(sorted(path.parent for path in out.glob(f"batch-*/{BATCH_NAME}")))


def run_rows(out: Path) -> tuple[RunRow, ...]:
    """Return the runs under a folder and in its batches; one that cannot be read is a row of its own."""
    folders = [*list_runs(out), *(run for batch in list_batches(out) for run in list_runs(batch))]
    return tuple(run_row(folder) for folder in sorted(folders, key=lambda folder: folder.name))


def run_row(folder: Path) -> RunRow:
    """Return how one run stands, as far as its files can be read."""
    try:
        info = read_info(folder)
    except StoreError as error:
        return RunRow(folder.name, folder, "unreadable", problems=(error,))
    problems: list[StoreError] = []
    stated = stated_of(info)
    if stated.odd:
        problems.append(StoreError("odd", folder / INFO_NAME, fields=", ".join(stated.odd)))
    calls, tokens, cost = 0, None, None
    try:
        calls, tokens, cost = _spent(folder / DATABASE_NAME)
    except StoreError as error:
        problems.append(error)
    return RunRow(
        id=info.id,
        folder=folder,
        state=_state(info, folder),
        created=info.created,
        adventure=stated.adventure,
        title=stated.title,
        chapters=stated.chapters,
        endings=stated.endings,
        calls=calls,
        tokens=tokens,
        cost_usd=cost,
        exit=stated.exit,
        problems=tuple(problems),
    )


def _state(info: RunInfo, folder: Path) -> State:
    if is_held(folder):
        return "running"
    known: dict[str, State] = {
        "interrupted": "interrupted",
        "waiting": "waiting",
        "done": "done",
        "ended": "ended",
    }
    return known.get(info.status, "stopped")


def _spent(database: Path) -> tuple[int, int | None, float | None]:
    """Return calls, tokens and cost of a run's journal, without taking its lease."""
    query = (
        "SELECT count(*), sum(tokens_in + tokens_out), sum(tokens_in + tokens_out IS NULL), sum(cost_usd),"
        " sum(cost_usd IS NULL) FROM replies"
    )
    if not require_database(database, database.parent):
        return 0, 0, None
    try:
        with closing(
            sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        ) as opened:
            calls, tokens, uncounted, cost, unknown = opened.execute(query).fetchone()
    except SQLITE_ERRORS as error:
        raise from_sqlite_error(error, database) from error
    known = None if uncounted else tokens or 0
    return calls, known, None if unknown or not calls else round(cost, 10)
