"""The time in which players answer; given from outside, so that nobody waits in a test."""

from typing import Protocol


class Clock(Protocol):
    """Seconds of the table's time."""

    def now(self) -> float:
        """Return seconds since some fixed moment."""
        ...

    def wait(self, seconds: float) -> None:
        """Let an answer that takes so long arrive."""
        ...


class StoryClock:
    """A clock that goes on only by what the script says that answers take."""

    def __init__(self, start_s: float = 0) -> None:
        self._now = start_s

    def now(self) -> float:
        """Return seconds since the start."""
        return self._now

    def wait(self, seconds: float) -> None:
        """Go on by so much."""
        self._now += seconds
