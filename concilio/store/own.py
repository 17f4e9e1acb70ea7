"""A run's own files: regular ones, that no link leads out of the run's folder to.

Whoever reads or writes a run asks here first. A pipe or a device is never opened (it may have no end, and
opening it may wait for ever), and a link is followed only to where the run's other files are.
"""

import os
import stat
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from concilio.store.errors import StoreError, from_os_error
from concilio.store.files import write_atomic

MEGABYTE = 1_000_000
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal")
"""Endings of the files that SQLite opens for a database."""


def is_own(path: Path, folder: Path) -> bool:
    """Tell whether a regular file is there that belongs to a run; False, too, where that cannot be told."""
    try:
        return require_own(path, folder)
    except StoreError:
        return False


def require_own(path: Path, folder: Path) -> bool:
    """Tell whether a file is there that may be read or written.

    Args:
        path: the file.
        folder: the run's, or another that holds whatever may be read.

    Raises:
        StoreError: it is no regular file, or a link leads out of the folder, or the system refuses.
    """
    return _real(path, folder) is not None


def require_database(path: Path, folder: Path) -> bool:
    """Tell whether a database is there that may be opened, with whatever SQLite has beside it.

    Raises:
        StoreError: as `require_own`.
    """
    there = [require_own(path.with_name(path.name + end), folder) for end in BESIDE_DATABASE]
    return there[0]


def is_database(path: Path, folder: Path) -> bool:
    """Tell whether a database is there that may be opened; False, too, where that cannot be told."""
    try:
        return require_database(path, folder)
    except StoreError:
        return False


def require_inside(path: Path, folder: Path) -> None:
    """Refuse what a link leads out of a folder to, be it a file, a folder, or not there yet.

    Raises:
        StoreError: it lies elsewhere, or the system refuses to tell.
    """
    _resolved(path, folder)


def write_own(path: Path, folder: Path, content: str | bytes) -> None:
    """Write a file of a run, whole or not at all, as `write_atomic` does.

    Raises:
        StoreError: as `require_own`, or it cannot be written.
    """
    require_own(path, folder)
    write_atomic(path, content)


def make_own(path: Path, folder: Path) -> BinaryIO:
    """Return an empty file opened for writing; what was in it is gone.

    Raises:
        StoreError: as `require_own`, or it cannot be written.
    """
    require_own(path, folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.fdopen(os.open(path, flags, 0o644), "wb")
    except OSError as error:
        raise from_os_error(error, path) from error


def read_own(path: Path, folder: Path, most: int) -> bytes | None:
    """Return what a file holds, or None where there is none.

    Args:
        path: the file.
        folder: as in `require_own`.
        most: bytes that are read; a larger file is none of ours.

    Raises:
        StoreError: as `require_own`, or it is larger.
    """
    file = open_own(path, folder)
    if file is None:
        return None
    with closing(file):
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise from_os_error(error, path) from error
    if len(data) > most:
        raise StoreError("too_large", path, most=most // MEGABYTE)
    return data


def open_own(path: Path, folder: Path) -> BinaryIO | None:
    """Return a file opened for reading, or None where there is none.

    Raises:
        StoreError: as `require_own`.
    """
    real = _real(path, folder)
    if real is None:
        return None
    # Without waiting and without following: whatever has taken the file's place meanwhile.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(real, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise from_os_error(error, path) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise StoreError("not_regular", path)
    return os.fdopen(handle, "rb")


def _real(path: Path, folder: Path) -> Path | None:
    """Return where a file really lies, or None where there is none."""
    real = _resolved(path, folder)
    try:
        mode = real.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise from_os_error(error, path) from error
    if not stat.S_ISREG(mode):
        raise StoreError("not_regular", path)
    return real


def _resolved(path: Path, folder: Path) -> Path:
    try:
        real = path.resolve()
        inside = real.is_relative_to(folder.resolve())
    except RuntimeError:  # links in a circle
        raise StoreError("led_out", path) from None
    except (OSError, ValueError) as error:
        raise StoreError("failed", path, cause=getattr(error, "strerror", None) or error) from error
    if not inside:
        raise StoreError("led_out", path)
    return real
