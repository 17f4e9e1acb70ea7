"""Where the details of an unforeseen error go: a file that a user can send, without keys in it."""

import os
import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path

from concilio import __version__

SECRET_MARKS: tuple[str, ...] = ("KEY", "TOKEN", "SECRET", "PASSWORD")
SHORTEST_SECRET = 6
"""Characters; shorter values of such variables stand in too many innocent texts."""

_folders: list[Path] = []


def report_into(folder: Path) -> None:
    """From now on, write crash files into this run's folder."""
    _folders.append(folder)


def forget_folders() -> None:
    """Write crash files into the temporary folder again."""
    _folders.clear()


def without_secrets(text: str) -> str:
    """Return the text with the values of secret environment variables struck out."""
    for name, value in os.environ.items():
        secret = len(value) >= SHORTEST_SECRET and any(mark in name.upper() for mark in SECRET_MARKS)
        if secret:
            text = text.replace(value, f"[{name}]")
    return text


def crash_report(error: BaseException) -> str:
    """Return versions, arguments and the traceback."""
    head = (
        f"concilio {__version__}\npython {platform.python_version()} {platform.platform()}\n"
        f"arguments: {sys.argv[1:]!r}\n\n"
    )
    return without_secrets(head + "".join(traceback.format_exception(error)))


def write_crash_file(error: BaseException) -> Path | None:
    """Write the report into the run's folder, else the temporary one; None where neither can be written."""
    name = f"concilio-crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for folder in (*reversed(_folders), Path(tempfile.gettempdir())):
        try:
            (folder / name).write_text(crash_report(error), encoding="utf-8")
        except OSError:
            continue
        return folder / name
    return None
