"""What the store may raise.

::

    StoreError          path                  not readable or writable: full disk, read-only, damaged, newer
    └── RunLocked       path, pid             another process works on the run
"""

import errno
from pathlib import Path
from typing import Any

from concilio.catalogue import say
from concilio.store.scrub import scrub

_BY_ERRNO = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EACCES: "read_only",
    errno.EPERM: "read_only",
    errno.EROFS: "read_only",
}


class StoreError(Exception):
    """The run's folder cannot be used as asked."""

    exit_code = 2
    """Exit status of a command that ends by it."""

    def __init__(self, problem: str, path: Path | str, **values: Any) -> None:
        self.problem = problem
        """Name of the text in `gateway.store`: `full`, `read_only`, `no_file`, `no_run`, `damaged`, …"""
        self.path = str(path)
        self.values = {n: v if type(v) is int else scrub(str(v)) for n, v in values.items()}
        super().__init__(problem, self.path)

    def explain(self, language: str | None = None) -> str:
        """Return what happened and what to do, in one line in the user's language."""
        return say(f"gateway.store.{self.problem}", language, path=self.path, **self.values)

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
