"""One writer a run: a lock that the system itself lets go when the process dies, however it dies."""

import fcntl
import os
import time
from pathlib import Path
from typing import BinaryIO

from concilio.store.errors import RunLocked, StoreError, from_os_error
from concilio.store.own import open_own, require_own

LOCK_NAME = "lock"
LOOKING_S = 0.05
"""Seconds in which somebody who only looks whether a run is held has long let go."""


class Lease:
    """The right to write in a run's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK_NAME
        self._file: BinaryIO | None = None

    def take(self) -> None:
        """Take the lease.

        Raises:
            RunLocked: another process has it.
            StoreError: the lock file cannot be written, or is none of the run's.
        """
        require_own(self.path, self.path.parent)
        try:
            file = self.path.open("a+b")
        except OSError as error:
            raise from_os_error(error, self.path) from error
        try:
            _lock(file)
        except OSError as error:
            pid = _written_pid(file)
            file.close()
            if isinstance(error, BlockingIOError):
                raise RunLocked(self.path.parent, pid) from None
            raise from_os_error(error, self.path) from error
        self._sign(file)
        self._file = file

    def _sign(self, file: BinaryIO) -> None:
        try:
            file.truncate(0)
            file.write(str(os.getpid()).encode())
            file.flush()
        except OSError as error:
            file.close()
            raise from_os_error(error, self.path) from error

    def release(self) -> None:
        """Give the lease back; a second call does nothing."""
        if self._file:
            self._file.close()
            self._file = None


def _lock(file: BinaryIO) -> None:
    """Lock the file, in a second try where somebody was just looking (`is_held`)."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(LOOKING_S)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(folder: Path) -> bool:
    """Tell whether a process works on a run now. A folder without a lock file has no writer."""
    try:
        file = open_own(folder / LOCK_NAME, folder)
    except StoreError:
        return False
    if file is None:
        return False
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
    return False


def _written_pid(file: BinaryIO) -> str:
    file.seek(0)
    text = file.read(20).decode("ascii", "replace").strip()
    return text if text.isdigit() else "?"
