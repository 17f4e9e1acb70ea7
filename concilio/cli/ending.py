"""The end of the process: what dies with it, or is torn down by Ctrl-C, is not told on the user's terminal.

Python prints what a destructor or an exit handler raises (`Exception ignored in …`, with a traceback), since
nobody can catch it. Libraries do so, or log, when their event loop is gone. It goes to the crash file, and at
the end to nobody.
"""

import _thread
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SOON_S = 0.05
"""Seconds until an interruption that a destructor swallowed comes again: by then that one is through."""


def watch() -> None:
    """From now on, keep what nobody can catch from the terminal; with `CONCILIO_DEBUG=1` it is shown."""
    if os.environ.get("CONCILIO_DEBUG") != "1":
        sys.unraisablehook = _Keeper()


class _Keeper:
    """Keeps the first of what nobody can catch in a crash file; a Ctrl-C among it comes again."""

    def __init__(self) -> None:
        self._kept = False

    def __call__(self, unraisable: "sys.UnraisableHookArgs", /) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            _again()
        elif isinstance(unraisable.exc_value, Exception) and not self._kept:
            self._kept = True
            with suppress(Exception):  # it may come at any moment, in the middle of an import as well
                from concilio.cli.crash import write_crash_file

                write_crash_file(unraisable.exc_value)


def _again() -> None:
    """Interrupt once more: the user's Ctrl-C hit a destructor, from which nothing gets out."""
    from threading import Timer

    timer = Timer(SOON_S, _thread.interrupt_main)
    timer.daemon = True
    timer.start()


def leave(status: int) -> None:
    """Make ready for the process to end with a status: nothing more is told, and Ctrl-C ends it at once."""
    if os.environ.get("CONCILIO_DEBUG") != "1":
        sys.unraisablehook = lambda _unraisable, /: None  # it outlives all modules, and so needs none
        if "logging" in sys.modules:
            sys.modules["logging"].disable()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _at_once(status, os._exit))


def _at_once(status: int, end: "Callable[[int], None]") -> "Callable[[int, FrameType | None], None]":
    def handler(_signal: int, _frame: FrameType | None) -> None:
        end(status)

    return handler
