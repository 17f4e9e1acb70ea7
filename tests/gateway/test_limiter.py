"""Limits of the process: calls in flight, and calls begun in a minute."""

import asyncio
import threading

from concilio.gateway.limiter import Limiter, Limiters
from concilio.gateway.settings import Limits
from tests.gateway.support import FakeClock


async def test_calls_in_flight_never_pass_the_limit() -> None:
    """And all get their turn, in order."""
    limiter, clock, seen, order = Limiter(), FakeClock(), [0], list[int]()

    async def call(number: int) -> None:
        async with limiter.place(Limits(concurrency=3), clock):
            order.append(number)
            seen.append(limiter.in_flight)
            await asyncio.sleep(0)

    await asyncio.gather(*(call(i) for i in range(30)))
    assert max(seen) == 3
    assert order == list(range(30))
    assert limiter.in_flight == 0


async def test_each_caller_brings_its_own_limit() -> None:
    """A stricter gateway waits where a laxer one does not, for the same count."""
    limiter, clock = Limiter(), FakeClock()
    async with limiter.place(Limits(concurrency=5), clock):
        strict = asyncio.create_task(enter_and_leave(limiter, Limits(concurrency=1), clock))
        await asyncio.sleep(0)
        assert not strict.done()
    await strict


async def enter_and_leave(limiter: Limiter, limits: Limits, clock: FakeClock) -> None:
    """Hold a place for a moment."""
    async with limiter.place(limits, clock):
        pass


async def test_a_cancelled_waiter_takes_no_place() -> None:
    """Neither before nor after it was granted."""
    limiter, clock, limits = Limiter(), FakeClock(), Limits(concurrency=1)
    async with limiter.place(limits, clock):
        waiting = [asyncio.create_task(enter_and_leave(limiter, limits, clock)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
    waiting[1].cancel()  # it was granted the place a moment ago
    await asyncio.gather(*waiting, return_exceptions=True)
    assert limiter.in_flight == 0
    await enter_and_leave(limiter, limits, clock)


async def test_no_minute_has_more_starts_than_allowed() -> None:
    """Counted over any window of 60 seconds; no wait before the limit is reached."""
    limiter, clock, starts = Limiter(), FakeClock(), list[float]()
    limits = Limits(requests_per_minute=5)
    for _ in range(23):
        async with limiter.place(limits, clock):
            starts.append(clock.time)
        clock.time += 1
    assert starts[:5] == [0, 1, 2, 3, 4]
    assert all(later - earlier >= 60 for earlier, later in zip(starts, starts[5:], strict=False))


def test_the_limit_holds_over_threads_and_loops() -> None:
    """It is the process's, not a loop's."""
    limiter, highest = Limiter(), [0]

    async def call() -> None:
        async with limiter.place(Limits(concurrency=2), FakeClock()):
            highest.append(limiter.in_flight)
            await asyncio.sleep(0.001)

    async def many() -> None:
        await asyncio.gather(*(call() for _ in range(10)))

    threads = [threading.Thread(target=lambda: asyncio.run(many())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert max(highest) <= 2
    assert len(highest) == 31
    assert limiter.in_flight == 0


def test_one_limiter_a_provider() -> None:
    """Providers do not wait for each other."""
    limiters = Limiters()
    assert limiters.of("openai") is limiters.of("openai")
    assert limiters.of("openai") is not limiters.of("anthropic")
