"""The process's own limits on calls, one limiter a provider, shared by every gateway.

Bound to no event loop: counts under a lock, and wakes whoever waits in whatever loop it runs.
Each caller brings its own limits and holds them against the shared counts.
"""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from concilio.gateway.clock import Clock
from concilio.gateway.settings import Limits
from concilio.gateway.tokens import Spend, TokenWindow
from concilio.store.journal import Reply

WINDOW_S = 60.0


@dataclass(eq=False)
class _Waiter:
    limit: int
    loop: asyncio.AbstractEventLoop
    turn: "asyncio.Future[None]"
    granted: bool = False


class Place:
    """A call's place among those in flight."""

    def __init__(self, characters: int = 0) -> None:
        self.characters = characters
        """Of its prompt."""
        self.reply: Reply | None = None
        """What came of it; who has the place sets it."""


class Limiter:
    """Counts calls in flight, and calls and tokens of the last minute."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[_Waiter] = deque()
        self._starts: deque[float] = deque()
        self._tokens = TokenWindow()
        self.in_flight = 0

    @asynccontextmanager
    async def place(self, limits: Limits, clock: Clock, characters: int = 0) -> AsyncGenerator[Place]:
        """Hold a place among the calls in flight, once the caller's limits allow it.

        Args:
            limits: the caller's.
            clock: what it waits by.
            characters: of the prompt, for the limit on tokens.
        """
        await self._enter(max(1, limits.concurrency))
        place = Place(characters)
        try:
            await self._wait_for_start(limits.requests_per_minute, clock)
            if limits.tokens_per_minute is None:
                yield place
            else:
                async with self._share(limits.tokens_per_minute, clock, place):
                    yield place
        finally:
            self._leave()

    @asynccontextmanager
    async def _share(self, per_minute: int, clock: Clock, place: Place) -> AsyncGenerator[None]:
        """Wait until a call's tokens fit, and count what it took in the end."""
        with self._lock:
            now = clock.monotonic()
            spend = self._tokens.take(now, place.characters, per_minute)
        try:
            if spend.start > now:
                await clock.sleep(spend.start - now)
            yield
        finally:
            self._settle(spend, place.reply)

    def _settle(self, spend: Spend, reply: Reply | None) -> None:
        with self._lock:
            if reply is None:
                self._tokens.drop(spend)
            else:
                self._tokens.settle(spend, reply.tokens_in, reply.tokens_out)

    async def _enter(self, limit: int) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if self.in_flight < limit and not self._waiting:
                self.in_flight += 1
                return
            waiter = _Waiter(limit, loop, loop.create_future())
            self._waiting.append(waiter)
            self._grant()
        try:
            await waiter.turn
        except asyncio.CancelledError:
            self._give_up(waiter)
            raise

    def _give_up(self, waiter: _Waiter) -> None:
        with self._lock:
            if waiter.granted:
                self.in_flight -= 1
            else:
                self._waiting.remove(waiter)
            self._grant()

    def _leave(self) -> None:
        with self._lock:
            self.in_flight -= 1
            self._grant()

    def _grant(self) -> None:
        """Wake those who wait, in order, as far as their limits allow; the lock is held."""
        while self._waiting and self.in_flight < self._waiting[0].limit:
            waiter = self._waiting.popleft()
            if waiter.loop.is_closed():
                continue
            waiter.granted = True
            self.in_flight += 1
            waiter.loop.call_soon_threadsafe(_wake, waiter.turn)

    async def _wait_for_start(self, per_minute: int | None, clock: Clock) -> None:
        with self._lock:
            now = clock.monotonic()
            while self._starts and self._starts[0] <= now - WINDOW_S:
                self._starts.popleft()
            start = now
            if per_minute is not None and len(self._starts) >= max(1, per_minute):
                start = max(now, self._starts[-max(1, per_minute)] + WINDOW_S)
            self._starts.append(start)
        if start > now:
            await clock.sleep(start - now)


def _wake(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_result(None)


class Limiters:
    """One limiter a provider."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_provider: dict[str, Limiter] = {}

    def of(self, provider: str) -> Limiter:
        """Return the limiter of a provider."""
        with self._lock:
            return self._by_provider.setdefault(provider, Limiter())


PROCESS = Limiters()
"""The limits of this process."""
