"""The line that tells how far a long check is."""

import io
from collections.abc import Iterator

import pytest

from concilio.cli.counting import PATIENCE_S, counted


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Gone(Terminal):
    """A terminal that was closed."""

    def write(self, s: str) -> int:
        raise OSError(5, "Input/output error")


def told(stream: io.StringIO, seconds: float, speaking: bool = False) -> list[int]:
    """Count four items, each of which takes so long."""
    ticks: Iterator[float] = iter([seconds * k for k in range(20)])
    return list(counted(range(4), 4, lambda _: speaking, stream, lambda: next(ticks)))


def test_a_quick_check_says_nothing() -> None:
    stream = Terminal()
    assert told(stream, PATIENCE_S / 10) == [0, 1, 2, 3]
    assert stream.getvalue() == ""


def test_a_long_check_counts_and_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCILIO_LANG", "en")
    stream = Terminal()
    assert told(stream, PATIENCE_S) == [0, 1, 2, 3]
    written = stream.getvalue()
    assert "Checked 1 of 4 files" in written
    assert "Checked 4 of 4 files" in written
    assert written.endswith("\r\x1b[K")
    assert "\n" not in written


def test_nothing_is_written_where_nobody_looks() -> None:
    stream = io.StringIO()
    assert told(stream, PATIENCE_S) == [0, 1, 2, 3]
    assert stream.getvalue() == ""


def test_the_line_makes_room_for_what_is_printed() -> None:
    stream = Terminal()
    told(stream, PATIENCE_S, speaking=True)
    assert stream.getvalue().count("\r\x1b[K") == 8, "each look is wiped before the next item speaks"


def test_a_terminal_that_went_away_stops_nothing() -> None:
    assert told(Gone(), PATIENCE_S) == [0, 1, 2, 3]


def test_the_line_is_wiped_where_the_check_is_broken_off() -> None:
    stream = Terminal()
    ticks = iter([PATIENCE_S * k for k in range(20)])
    items = counted(range(4), 4, lambda _: False, stream, lambda: next(ticks))
    next(items)
    next(items)
    items.close()
    assert stream.getvalue().endswith("\r\x1b[K")
