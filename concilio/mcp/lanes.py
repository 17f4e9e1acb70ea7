"""Calls beside the event loop: so many at once, each answered in time, small ones never behind large ones."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

T = TypeVar("T")


class Lane:
    """A row of workers. A call that outlasts its time is given up by who waits, and keeps its place until
    its thread ends: no more than the row are ever computed, whatever clients send.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._places = anyio.CapacityLimiter(most)
        self._threads = anyio.CapacityLimiter(inf)
        """The places bound them: those that were given up are counted there."""
        self.seconds = seconds

    async def run(self, call: Callable[[], T]) -> T:
        """Return what a call gives, computed in a thread.

        Raises:
            TimeoutError: not in time; waiting for a place counts.
        """
        with anyio.fail_after(self.seconds):
            return await self._placed(call)

    async def _placed(self, call: Callable[[], T]) -> T:
        holder = object()
        begun = False

        def give_back() -> None:
            with suppress(RuntimeError):  # given back already
                self._places.release_on_behalf_of(holder)

        def work() -> T:
            nonlocal begun
            begun = True
            try:
                return call()
            finally:
                with suppress(RuntimeError):  # the server has ended meanwhile
                    anyio.from_thread.run_sync(give_back)

        await self._places.acquire_on_behalf_of(holder)
        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads)
        finally:
            if not begun:
                give_back()
