"""Who begins when, of many runs in one process.

Runs that begin together share the processor until all of them are ready, and then all send their first
request late, at once. Here one after the other comes to its first request: the first one's answer is on its
way while the last one is still being made ready, and so it stays from call to call.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

_leave: ContextVar[Callable[[], None] | None] = ContextVar("concilio_start", default=None)


class Starts:
    """The turn to begin; one belongs to one event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for the turn, and have it until the first request goes out, or to the end of the block."""
        await self._turn.acquire()
        held = True

        def leave() -> None:
            nonlocal held
            if held:
                held = False
                self._turn.release()

        before = _leave.set(leave)
        try:
            yield
        finally:
            _leave.reset(before)
            leave()


def has_begun() -> None:
    """Give the turn to begin to the next run, where this one has it still."""
    leave = _leave.get()
    if leave is not None:
        leave()
