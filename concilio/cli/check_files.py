"""The files that `concilio check` reads and mends: found in folders, read whole, written back whole."""

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from concilio.catalogue import say
from concilio.cli.check_setup import STDIN
from concilio.printable import printable

MOST_BYTES = 64_000_000
_WRITABLE = 0o222
_REASONS = {
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EROFS: "denied",
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
}


class CannotReadError(Exception):
    """A file cannot be checked or mended; the message is one line for people."""

    exit_code = 2


def files_of(named: Sequence[str]) -> list[str]:
    """Return the files to check: a folder stands for its Markdown files, in order of name.

    A folder that has none, or that cannot be read, is among them itself: reading it says what is wrong.
    """
    return [file for name in named for file in (sorted(_inside(name)) if is_folder(name) else ()) or (name,)]


def _inside(folder: str) -> Iterator[str]:
    """Give the Markdown files below a folder, and the folders below it that cannot be read."""
    unread: list[OSError] = []
    for place, _, names in os.walk(folder, onerror=unread.append):
        yield from (
            str(Path(place, name)) for name in names if name.endswith(".md") and _is_file(place, name)
        )
    yield from (str(Path(error.filename)) for error in unread)


def _is_file(place: str, name: str) -> bool:
    """Tell whether a name may be read as a file: what cannot be looked at is tried, and told."""
    try:
        return Path(place, name).is_file()
    except OSError:
        return True


def is_folder(name: str) -> bool:
    """Tell whether what the user names is a folder."""
    try:
        return name not in ("", STDIN) and Path(name).is_dir()
    except (OSError, ValueError):  # a name that no file can have; reading it says so
        return False


def read_source(file: str) -> str:
    """Return the text of a file, or of the standard input for `-`.

    Raises:
        CannotReadError: it cannot be read, is empty, or is no UTF-8 text.
    """
    data = _bytes(file)
    if not data.strip():
        raise _cannot(file, say("check.empty"))
    if len(data) > MOST_BYTES:
        raise _cannot(file, say("check.too_large", megabytes=MOST_BYTES // 1_000_000))
    if b"\0" in data:
        raise _cannot(file, say("check.binary"))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _cannot(file, say("check.not_utf8", position=error.start)) from None


def _bytes(file: str) -> bytes:
    if not file:
        raise _cannot('""', say("check.no_name"))
    if file == STDIN:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    path = Path(file)
    try:
        if is_folder(file):
            list(path.iterdir())  # fails where it cannot be read
            raise _cannot(file, say("check.no_markdown"))
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _cannot(file, say("check.missing")) from None
    except (OSError, ValueError) as error:
        raise _cannot(file, _reason(error)) from None


def _cannot(file: str, problem: str) -> CannotReadError:
    return CannotReadError(say("check.unreadable", file=printable(file), problem=problem))


def write_source(file: str, text: str) -> None:
    """Write a file's text back; one that is read-only stays as it is.

    Raises:
        CannotReadError: it may not be written, or the system refuses.
    """
    if file == STDIN:
        raise CannotReadError(say("check.cannot_fix_stdin"))
    from concilio.store.errors import StoreError
    from concilio.store.files import write_atomic

    path = Path(file).resolve()
    try:
        mode = path.stat().st_mode
        if not mode & _WRITABLE or not os.access(path, os.W_OK):
            raise _unwritable(file, say("check.read_only"))
        write_atomic(path, text)
        path.chmod(mode)
    except StoreError as error:
        raise _unwritable(file, _reason(error.__cause__ or error)) from None
    except OSError as error:
        raise _unwritable(file, _reason(error)) from None


def _unwritable(file: str, problem: str) -> CannotReadError:
    return CannotReadError(say("check.unwritable", file=printable(file), problem=problem))


def _reason(error: BaseException) -> str:
    """Return why the system refuses, in the user's language where it is one of the usual reasons."""
    name = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    return say(f"check.{name}") if name else getattr(error, "strerror", None) or str(error)
