"""What happened, line by line: `events.jsonl`, for people, programs and the progress display."""

import errno
import itertools
import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from concilio.store.errors import from_os_error
from concilio.store.own import open_own
from concilio.store.scrub import scrub_value

Event = Mapping[str, Any]
"""`at` (ISO 8601, UTC), `kind`, and the fields of that kind."""
Subscriber = Callable[[Event], None]


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


class EventLog:
    """Appends events to a file, one JSON object a line; secrets are taken out first.

    A thread of its own writes and flushes what has come meanwhile, so that nobody who tells something waits
    for the disk.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = utc_now) -> None:
        self.path = path
        self._now = now
        self._subscribers: list[Subscriber] = []
        self._lines: deque[str] = deque()
        self._thread: ThreadPoolExecutor | None = None
        self._file: TextIO | None = None
        self._failure: OSError | None = None
        self._called = False
        """The thread has been told that there is something, and has not looked yet."""

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function with every event from now on; returns a function that ends it."""
        self._subscribers.append(subscriber)

        def leave() -> None:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

        return leave

    def emit(self, kind: str, **fields: Any) -> None:
        """Write an event and tell the subscribers.

        Raises:
            StoreError: the file could not be written; this event or one before it is lost.
        """
        event: dict[str, Any] = {"at": self._now().isoformat(timespec="milliseconds"), "kind": kind}
        event |= scrub_value(fields)
        self._lines.append(json.dumps(event, ensure_ascii=False, default=str) + "\n")
        self._raise_failure()
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="concilio-events")
        if not self._called:
            self._called = True
            self._thread.submit(self._drain)
        for subscriber in tuple(self._subscribers):
            subscriber(event)

    def _drain(self) -> None:
        """Write what waits; what cannot be written waits on."""
        self._called = False
        count = len(self._lines)
        if not count:
            return
        try:
            file = self._file or self._open()
            file.write("".join(itertools.islice(self._lines, count)))
            file.flush()
        except OSError as error:
            self._failure = error
            return
        for _ in range(count):
            self._lines.popleft()

    def _open(self) -> TextIO:
        broken = _ends_in_mid_line(self.path)
        self._file = self.path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")
        if broken:
            self._file.write("\n")
        return self._file

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise from_os_error(failure, self.path) from failure

    def flush(self) -> None:
        """Return when every event is in the file.

        Raises:
            StoreError: it cannot be written.
        """
        if self._thread is not None:
            self._thread.submit(self._drain).result()
        self._raise_failure()

    def close(self) -> None:
        """Write what waits and close the file; a later event opens it again.

        Raises:
            StoreError: it cannot be written.
        """
        if self._thread is None:
            return
        thread, self._thread = self._thread, None
        thread.submit(self._drain)
        thread.shutdown()
        if self._file:
            with suppress(OSError):  # what it holds was flushed, or has failed already
                self._file.close()
            self._file = None
        self._raise_failure()


def _ends_in_mid_line(path: Path) -> bool:
    """Tell whether a process died while it wrote the last line."""
    if not path.exists() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) != b"\n"


def read_events(path: Path) -> Iterator[Event]:
    """Yield the events of a file in order; a line that a killed process left half written is passed over.

    Raises:
        StoreError: the file cannot be read, or is no file of its folder's.
    """
    return (event for line in read_lines(path) if (event := _parsed(line)) is not None)


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file of events as they are.

    Raises:
        StoreError: the file cannot be read, or is no file of its folder's.
    """
    opened = open_own(path, path.parent)
    if opened is None:
        raise from_os_error(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)), path)
    try:
        with TextIOWrapper(opened, encoding="utf-8", errors="replace") as file:
            yield from file
    except OSError as error:
        raise from_os_error(error, path) from error


def _parsed(line: str) -> Event | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and "kind" in event else None  # pyright: ignore[reportUnknownVariableType]
