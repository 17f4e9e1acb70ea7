"""What the store may raise.

::

    StoreError          path, values          not readable or writable: full disk, read-only, damaged, newer
    └── RunLocked       path, pid             another process works on the run
"""

import errno
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from concilio.catalogue import say
from concilio.printable import printable
from concilio.store.scrub import scrub

_BY_ERRNO = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EACCES: "read_only",
    errno.EPERM: "read_only",
    errno.EROFS: "read_only",
}


_ADVICE = {
    "run.json": "info",
    "batch.json": "info",
    "adventure.snapshot": "snapshot",
    "store.sqlite": "journal",
    "checkpoints.sqlite": "checkpoints",
    ".decision.json": "decision",
    ".pause.json": "pause",
    "now.json": "pause",
}
"""What is done about a damaged file, by its name: the cheapest that lets the run go on."""
_RUN_FILES = ("run.json", "batch.json")
_DEEPEST = 4
"""Folders, from a file's own upwards, that may be its run's."""
_BY_SQLITE = {
    "SQLITE_NOTADB": "no_database",
    "SQLITE_CORRUPT": "corrupt",
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
    "SQLITE_IOERR": "unreadable",
}
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises of a file; its own message may quote bytes of a damaged one."""


class StoreError(Exception):
    """The run's folder cannot be used as asked."""

    exit_code = 2
    """Exit status of a command that ends by it."""

    def __init__(self, problem: str, path: Path | str, **values: Any) -> None:
        self.problem = problem
        """Name of the text in `gateway.store`: `full`, `read_only`, `no_file`, `no_run`, `damaged`, …"""
        self.path = str(path)
        """Of the file, where it is one that is wrong; else of the run's folder."""
        self.values = values
        super().__init__(problem, self.path)

    def explain(self, language: str | None = None) -> str:
        """Return what happened and what to do, in one line in the user's language."""
        path = printable(self.path)
        return say(f"gateway.store.{self.problem}", language, path=path, **self.told_values(language))

    def told_values(self, language: str | None) -> dict[str, str | int]:
        """Return what the message is filled with, in words: an error that caused this one, what to do."""
        told = {
            name: value if type(value) is int else scrub(_told(value, language))
            for name, value in self.values.items()
        }
        advice = _ADVICE.get(_kind_of(self.path), "other")
        run = _run_of(self.path)
        resume = say("gateway.store.resume" if run else "gateway.store.resume_any", language, run=run)
        told["resume"] = resume
        return {**told, "advice": say(f"gateway.store_advice.{advice}", language, resume=resume)}

    def __str__(self) -> str:
        return self.explain()


class RunLocked(StoreError):  # noqa: N818 - named for what is found
    """Another process is the run's writer."""

    def __init__(self, path: Path | str, pid: str) -> None:
        self.pid = pid
        """Number of the other process, `?` where it left none."""
        super().__init__("locked", path, pid=pid)


def from_os_error(error: OSError, path: Path | str) -> StoreError:
    """Return the StoreError that says what an operating system's error means for the user."""
    problem = _BY_ERRNO.get(error.errno or 0, "failed")
    values = {"cause": error.strerror or type(error).__name__} if problem == "failed" else {}
    return StoreError(problem, path, **values)


def from_sqlite_error(error: Exception, path: Path | str) -> StoreError:
    """Return the StoreError that says what SQLite's error means for the user."""
    name = getattr(error, "sqlite_errorname", None) or ""
    if name == "SQLITE_FULL" or "disk is full" in str(error):
        return StoreError("full", path)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return StoreError("read_only", path)
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR")):
        return StoreError("failed", path, cause=error)
    return StoreError("damaged", path, cause=error if isinstance(error, sqlite3.Error) else sqlite3.Error())


def _kind_of(path: str) -> str:
    """Return by which part of its name it is known what a file of a run is."""
    name = Path(path).name
    return "." + ".".join(name.split(".")[-2:]) if name.endswith((".decision.json", ".pause.json")) else name


def _run_of(path: str) -> str:
    """Return the folder of the run, or batch, in which a file stands; empty where there is none."""
    for folder in (Path(path), *Path(path).parents)[:_DEEPEST]:
        with suppress(OSError, ValueError):
            if any((folder / name).is_file() for name in _RUN_FILES):
                return str(folder)
    return ""


def _told(value: object, language: str | None) -> str:
    if isinstance(value, sqlite3.Error):
        name = getattr(value, "sqlite_errorname", None) or ""
        key = next((key for start, key in _BY_SQLITE.items() if name.startswith(start)), "corrupt")
        return say(f"faults.sqlite.{key}", language)
    if isinstance(value, Exception):
        from concilio.faults import unread  # here: it costs an import of pydantic

        return unread(value, language)
    return str(value)
