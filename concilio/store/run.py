"""A run's folder and all that is written in it."""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import Field, ValidationError

from concilio.domain.base import Frozen
from concilio.store.database import Database
from concilio.store.errors import StoreError, from_os_error
from concilio.store.events import EventLog, utc_now
from concilio.store.files import write_atomic
from concilio.store.lease import LOCK_NAME, Lease
from concilio.store.own import read_own, require_database, require_inside, require_own
from concilio.store.scrub import scrub_value

FORMAT = 1
"""Version of the folder's layout; a run of a later one is not opened."""
INFO_NAME = "run.json"
EVENTS_NAME = "events.jsonl"
DATABASE_NAME = "store.sqlite"
CHECKPOINTS_NAME = "checkpoints.sqlite"
REVIEW_NAME = "review"
"""Folder of what a designer is asked and decides (`concilio.review`)."""
LARGEST_INFO = 20_000_000
"""Bytes of a `run.json` that is read."""
LONGEST_SLUG = 40

_RUN_ID = re.compile(r"\d{8}-\d{6}-[a-z0-9-]{1,60}\Z")
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,120}\Z")


class RunInfo(Frozen):
    """`run.json`: what was asked for, by which versions, and how it stands."""

    format: int = FORMAT
    id: str
    created: datetime
    status: str = "running"
    """`running` until the end is written; a run that was killed stays `running` and can be resumed."""
    inputs: dict[str, Any] = Field(default_factory=dict)
    """Files, settings, seed: all that is needed to run it again. Never a key."""
    versions: dict[str, str] = Field(default_factory=dict)
    result: dict[str, Any] = Field(default_factory=dict)
    """Endings, costs, names of the chapter files."""


def slug(title: str) -> str:
    """Return a title as `a-z`, `0-9` and single hyphens: what is safe in a folder's name; never empty."""
    plain = unicodedata.normalize("NFKD", title[:200]).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))
    return words[:LONGEST_SLUG].strip("-") or "run"


def new_run_id(title: str, now: datetime) -> str:
    """Return the id of a run that starts now: `YYYYMMDD-HHMMSS-slug`."""
    return f"{now:%Y%m%d-%H%M%S}-{slug(title)}"


class RunStore:
    """A run's folder, held by one writer. Use it as a context manager, or close it."""

    def __init__(self, folder: Path, info: RunInfo, lease: Lease, now: Callable[[], datetime]) -> None:
        self.folder = folder
        self.info = info
        self._lease = lease
        self._database = Database(folder / DATABASE_NAME, now=lambda: now().timestamp())
        self.events = EventLog(folder / EVENTS_NAME, now=now)

    @classmethod
    def create(
        cls,
        out: Path,
        run_id: str,
        inputs: Mapping[str, Any],
        *,
        versions: Mapping[str, str] | None = None,
        now: Callable[[], datetime] = utc_now,
    ) -> "RunStore":
        """Make the folder of a new run under `out` and take its lease; an id that is taken gets `-2`, `-3`, …

        Raises:
            StoreError: `run_id` is not of `new_run_id`'s form, or the folder cannot be made.
        """
        if not _RUN_ID.match(run_id):
            raise StoreError("bad_name", run_id)
        folder = _make_folder(out, run_id)
        info = RunInfo(
            id=folder.name, created=now(), inputs=scrub_value(dict(inputs)), versions=dict(versions or {})
        )
        lease = Lease(folder)
        lease.take()
        write_atomic(folder / INFO_NAME, _as_json(info))
        return _or_release(folder, lease, lambda: cls(folder, info, lease, now))

    @classmethod
    def open(cls, folder: Path, *, now: Callable[[], datetime] = utc_now) -> "RunStore":
        """Open a run that exists and take its lease.

        Raises:
            RunLocked: another process works on it.
            StoreError: no run there, damaged, written by a newer version, or one of its files is a link that
                leads out of its folder.
        """
        read_info(folder)
        _require_own_files(folder)
        lease = Lease(folder)
        lease.take()
        return _or_release(folder, lease, lambda: cls(folder, read_info(folder), lease, now))

    @property
    def journal(self) -> Database:
        """The journal of replies."""
        return self._database

    @property
    def checkpoints(self) -> Path:
        """Path of the file for LangGraph's SQLite saver."""
        return self.folder / CHECKPOINTS_NAME

    def put_text(self, text: str) -> str:
        """Keep a long text by its content and return its reference (64 hexadecimal digits).

        It is durable after `flush`: whoever keeps the reference for another process awaits that first.
        """
        return self._database.put_text(text)

    async def flush(self) -> None:
        """Return when every text that was put is on the disk.

        Raises:
            StoreError: it cannot be written.
        """
        await self._database.flush()

    def get_text(self, ref: str) -> str:
        """Return the text of a reference.

        Raises:
            StoreError: no such text.
        """
        return self._database.get_text(ref)

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the run, whole or not at all, and return its path.

        Args:
            name: a plain name, or several joined by `/`; letters, digits, `.`, `_` and `-`.
            content: text (written as UTF-8) or bytes.

        Raises:
            StoreError: another kind of name, a link leads out of the folder, or the file cannot be written.
        """
        path = self._inside(name)
        write_atomic(path, content)
        return path

    def _inside(self, name: str) -> Path:
        parts = name.split("/")
        reserved = {INFO_NAME, EVENTS_NAME, DATABASE_NAME, CHECKPOINTS_NAME, LOCK_NAME}
        if not all(_FILE_NAME.match(part) for part in parts) or name in reserved:
            raise StoreError("bad_name", name)
        path = self.folder.joinpath(*parts)
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise StoreError("led_out", path)
        return path

    def update(self, *, status: str | None = None, **result: Any) -> None:
        """Write how the run stands into `run.json`: its status, and fields of its result."""
        changes: dict[str, Any] = {"result": self.info.result | scrub_value(result)}
        if status:
            changes["status"] = status
        self.info = self.info.model_copy(update=changes)
        write_atomic(self.folder / INFO_NAME, _as_json(self.info))

    def close(self) -> None:
        """Close the files and give the lease back; a second call does nothing."""
        with ExitStack() as last:
            last.callback(self._lease.release)
            last.callback(self._database.close)
            self.events.close()

    def __enter__(self) -> "RunStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # What ended the run is the better explanation than that its last texts did not fit either.
        with suppress(StoreError) if error else nullcontext():
            self.close()


def _require_own_files(folder: Path) -> None:
    """Refuse a run in which one of the names that are written to is no file of its own."""
    for name in (INFO_NAME, EVENTS_NAME, LOCK_NAME):
        require_own(folder / name, folder)
    for name in (DATABASE_NAME, CHECKPOINTS_NAME):
        require_database(folder / name, folder)
    require_inside(folder / REVIEW_NAME, folder)


def _or_release(folder: Path, lease: Lease, make: Callable[[], RunStore]) -> RunStore:
    try:
        return make()
    except OSError as error:
        lease.release()
        raise from_os_error(error, folder) from error
    except BaseException:
        lease.release()
        raise


def _make_folder(out: Path, run_id: str) -> Path:
    for number in range(1, 1000):
        folder = out / (run_id if number == 1 else f"{run_id}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise from_os_error(error, folder) from error
        return folder
    raise StoreError("bad_name", run_id)


def _as_json(info: RunInfo) -> str:
    return json.dumps(info.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def read_info(folder: Path) -> RunInfo:
    """Return a run's `run.json`.

    Raises:
        StoreError: no run there, unreadable, damaged, led elsewhere, or written by a newer version.
    """
    path = folder / INFO_NAME
    try:
        content = read_own(path, folder, LARGEST_INFO)
        if content is None:
            raise StoreError("no_run", folder)
        data = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise StoreError("damaged", path, cause=error) from error
    found = data.get("format") if isinstance(data, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if isinstance(found, int) and found > FORMAT:
        raise StoreError("newer", folder, format=found, known=FORMAT)
    try:
        return RunInfo.model_validate(data)
    except ValidationError as error:
        raise StoreError("damaged", path, cause=error) from error


def list_runs(out: Path) -> tuple[Path, ...]:
    """Return the folders under `out` that hold a run, oldest first; none where `out` does not exist.

    What has the name of a `run.json` may be damaged, or no file at all: `read_info` tells.
    """
    try:
        folders = [path for path in out.iterdir() if os.path.lexists(path / INFO_NAME)]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise from_os_error(error, out) from error
    return tuple(sorted(folders, key=lambda path: path.name))


def latest_run(out: Path) -> Path | None:
    """Return the folder of the last run under `out`, or None."""
    runs = list_runs(out)
    return runs[-1] if runs else None
