"""How far a long check is: one line on a terminal that is written over, and nothing anywhere else."""

import sys
import time
from collections.abc import Callable, Generator, Iterable
from typing import TextIO, TypeVar

from concilio.catalogue import say

T = TypeVar("T")

PATIENCE_S = 1.0
"""Seconds in which nobody wonders."""
_EVERY_S = 0.1
"""Seconds between two looks of the line."""
_ERASE = "\r\x1b[K"


def counted(
    items: Iterable[T],
    total: int,
    speaks: Callable[[T], bool],
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[T]:
    """Give the items on, and tell on the terminal how many came once that takes longer than `PATIENCE_S`.

    Args:
        items: what is waited for, one after another.
        total: how many there are.
        speaks: whether something will be printed for an item: the line makes room first.
        stream: where the line goes, stderr by itself; where that is no terminal, nothing is written.
        clock: seconds, from any beginning.
    """
    out = stream or sys.stderr
    if total < 2 or not out.isatty():
        yield from items
        return
    line = _Line(out, clock)
    try:
        for number, item in enumerate(items, 1):
            if speaks(item):
                line.erase()
            yield item
            line.show(number, total)
    finally:
        line.erase()


class _Line:
    def __init__(self, out: TextIO, clock: Callable[[], float]) -> None:
        self._out, self._clock = out, clock
        self._next = clock() + PATIENCE_S
        self._shown = False

    def show(self, number: int, total: int) -> None:
        now = self._clock()
        if now >= self._next:
            self._next, self._shown = now + _EVERY_S, True
            self._write(_ERASE + say("check.progress", number=number, total=total))

    def erase(self) -> None:
        if self._shown:
            self._shown = False
            self._write(_ERASE)

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except (OSError, ValueError):  # a terminal that went away is no reason to stop checking
            self._shown, self._next = False, float("inf")
