"""What happened, line by line: `events.jsonl`, for people, programs and the progress display."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

from concilio.store.errors import from_os_error
from concilio.store.scrub import scrub_value

Event = Mapping[str, Any]
"""`at` (ISO 8601, UTC), `kind`, and the fields of that kind."""
Subscriber = Callable[[Event], None]


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


class EventLog:
    """Appends events to a file, one JSON object a line, flushed; secrets are taken out first."""

    def __init__(self, path: Path, *, now: Callable[[], datetime] = utc_now) -> None:
        self.path = path
        self._now = now
        self._file: TextIO | None = None
        self._subscribers: list[Subscriber] = []

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
            StoreError: the file cannot be written.
        """
        event: dict[str, Any] = {"at": self._now().isoformat(timespec="milliseconds"), "kind": kind}
        event |= scrub_value(fields)
        line = json.dumps(event, ensure_ascii=False, default=str) + "\n"
        try:
            file = self._file or self._open()
            file.write(line)
            file.flush()
        except OSError as error:
            raise from_os_error(error, self.path) from error
        for subscriber in tuple(self._subscribers):
            subscriber(event)

    def _open(self) -> TextIO:
        broken = _ends_in_mid_line(self.path)
        self._file = self.path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")
        if broken:
            self._file.write("\n")
        return self._file

    def close(self) -> None:
        """Close the file; a later event opens it again."""
        if self._file:
            self._file.close()
            self._file = None


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
        StoreError: the file cannot be read.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                event = _parsed(line)
                if event is not None:
                    yield event
    except OSError as error:
        raise from_os_error(error, path) from error


def _parsed(line: str) -> Event | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and "kind" in event else None  # pyright: ignore[reportUnknownVariableType]
