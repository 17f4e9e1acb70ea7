"""Where the details of an unforeseen error go: a file that a user can send, without keys in it.

It lies in the run's folder, and in the system's temporary one where there is no run.
"""

import os
import platform
import sys
import tempfile
import time
import traceback
from pathlib import Path

from concilio import __version__
from concilio.store.scrub import scrub

_folders: list[Path] = []


def report_into(folder: Path) -> None:
    """From now on, write crash files into this run's folder."""
    _folders.append(folder)


def forget_folders() -> None:
    """Write crash files into the temporary folder again."""
    _folders.clear()


def crash_report(error: BaseException) -> str:
    """Return versions, arguments and the traceback."""
    head = (
        f"concilio {__version__}\npython {platform.python_version()} {platform.platform()}\n"
        f"arguments: {sys.argv[1:]!r}\n\n"
    )
    return scrub(head + "".join(traceback.format_exception(error)))


def write_crash_file(error: BaseException) -> Path | None:
    """Write the report into the run's folder, else into the temporary one; None where neither can be written.

    A command without a run leaves nothing in the user's folder.
    """
    name = f"concilio-crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for folder in (*reversed(_folders), *_temporary()):
        try:
            (folder / name).write_text(crash_report(error), encoding="utf-8")
        except OSError:
            continue
        return (folder / name).absolute()
    return None


def _temporary() -> tuple[Path, ...]:
    try:
        return (Path(tempfile.gettempdir()),)
    except OSError:  # the disk is full: no folder can be written
        return ()
