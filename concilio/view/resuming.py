"""Going on with a run from the page (`view --resume`): `concilio resume` in a process of its own."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from concilio.batch.runs import run_row
from concilio.children import end_children
from concilio.printable import printable
from concilio.review.folder import FOLDER_NAME, last_asked
from concilio.store.errors import StoreError
from concilio.store.lease import is_held
from concilio.store.own import make_own, open_own

LOG_NAME = "resume.log"
"""In the folder of a run's reviews: what the process said."""
LOOK_EVERY_S = 0.25
"""Seconds between looks at whether whoever works on a run has let go of it."""
PATIENCE_S = 15
"""Seconds that a process has to end at the page's end: its calls are broken off, its texts written."""
LAST_BYTES = 2000
LAST_LINES = 4
STOPPED = (0, 1, 130)
"""Exit statuses of a run that came as far as it could: written, unresolved or waiting, interrupted."""


class Resumer:
    """The processes that go on with runs; all of them end with the page."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Path, subprocess.Popen[bytes]] = {}
        self._awaited: set[Path] = set()
        self._closed = threading.Event()

    def go_on_after(self, folder: Path, version: str) -> None:
        """Go on with a run once nobody else works on it, if it still stands at a decided pause then.

        A `concilio run` that waits at its terminal goes on by itself.
        """
        with self._lock:
            if folder in self._awaited or self._closed.is_set():
                return
            self._awaited.add(folder)
        threading.Thread(target=self._await, args=(folder, version), daemon=True).start()

    def _await(self, folder: Path, version: str) -> None:
        try:
            while self._is_taken(folder):
                if self._closed.wait(LOOK_EVERY_S):
                    return
            if _stands_at(folder, version):
                with suppress(OSError, StoreError):  # the page says how to go on by hand
                    self.start(folder)
        finally:
            with self._lock:
                self._awaited.discard(folder)

    def _is_taken(self, folder: Path) -> bool:
        """Tell whether somebody works on a run, or our own process lives still that has just let go of it."""
        with self._lock:
            return self._is_running(folder) or is_held(folder)

    def start(self, folder: Path) -> None:
        """Go on with a run now, unless somebody does.

        Raises:
            StoreError: what the process says has no place.
            OSError: it cannot be begun.
        """
        with self._lock:
            if self._closed.is_set() or self._is_running(folder) or is_held(folder):
                return
            command = [sys.executable, "-P", "-m", "concilio", "resume", str(folder.resolve())]
            with make_own(folder / FOLDER_NAME / LOG_NAME, folder) as log:
                self._running[folder] = subprocess.Popen(  # noqa: S603 - our own program
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )

    def is_at_work(self, folder: Path) -> bool:
        """Tell whether a run goes on, or will as soon as it is let go of."""
        with self._lock:
            return folder in self._awaited or self._is_running(folder)

    def _is_running(self, folder: Path) -> bool:
        process = self._running.get(folder)
        return process is not None and process.poll() is None

    def last_words(self, folder: Path) -> tuple[str, ...]:
        """Return the last lines that a process said which could not go on; none where it could."""
        with self._lock:
            process = self._running.get(folder)
        if process is None or process.poll() in (None, *STOPPED):
            return ()
        lines = _end_of(folder / FOLDER_NAME / LOG_NAME, folder).splitlines()
        return tuple(printable(line) for line in lines if line.strip())[-LAST_LINES:]

    def close(self) -> None:
        """Interrupt what runs, as Ctrl-C does, and wait for its end."""
        self._closed.set()
        with self._lock:
            running = tuple(self._running.values())
        end_children(running, signal.SIGINT, PATIENCE_S)


def _end_of(log: Path, folder: Path) -> str:
    with suppress(OSError, StoreError):
        if (file := open_own(log, folder)) is not None:
            with file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - LAST_BYTES))
                return file.read(LAST_BYTES).decode("utf-8", "replace")
    return ""


def _stands_at(folder: Path, version: str) -> bool:
    """Tell whether a run waits still at the pause of that version."""
    try:
        asked = last_asked(folder)
    except StoreError:
        return False
    return asked is not None and asked[0].version == version and run_row(folder).state == "waiting"
