"""A limit on tokens a minute: what replies take counts, and nobody who is below it waits."""

import asyncio
from itertools import pairwise

import pytest

from concilio.gateway.limiter import Limiter, Place
from concilio.gateway.settings import Limits
from concilio.gateway.tokens import WINDOW_S, TokenWindow
from concilio.store.journal import Reply
from tests.fake_model import FakeModel
from tests.gateway.conftest import Make
from tests.gateway.support import FakeClock, ask_prose

PER_MINUTE = 10_000


async def call(limiter: Limiter, clock: FakeClock, limits: Limits, tokens: int | None) -> tuple[float, int]:
    """Make a call that takes so many tokens (None: it fails); return when it began, and what it took."""
    async with limiter.place(limits, clock, characters=3500) as place:
        began = clock.time
        if tokens is not None:
            place.reply = Reply("x", tokens_in=tokens // 2, tokens_out=tokens - tokens // 2)
    return began, tokens or 0


@pytest.mark.parametrize("tokens", [200, 1500, 3000, 25_000])
async def test_no_minute_has_more_tokens_than_allowed(tokens: int) -> None:
    """But for a call that is larger than the limit alone: it has a minute of its own."""
    limiter, clock, limits = Limiter(), FakeClock(), Limits(tokens_per_minute=PER_MINUTE)
    calls = [await call(limiter, clock, limits, tokens) for _ in range(40)]
    for began, _ in calls[5:]:  # by then the guess has learnt what replies take
        inside = [took for at, took in calls if began - WINDOW_S < at <= began]
        assert sum(inside) <= PER_MINUTE + tokens
    assert clock.time <= 40 * max(tokens, 1600) / PER_MINUTE * WINDOW_S + 2 * WINDOW_S


async def test_nobody_waits_below_the_limit() -> None:
    """Nor without one, nor for calls that failed."""
    limiter, clock = Limiter(), FakeClock()
    for limits, tokens in ((Limits(tokens_per_minute=100_000), 1000), (Limits(), 90_000)):
        for _ in range(20):
            assert (await call(limiter, clock, limits, tokens))[0] == 0
    fresh = Limiter()
    for _ in range(200):
        await call(fresh, clock, Limits(tokens_per_minute=PER_MINUTE), None)
    assert clock.time == 0


async def test_a_cancelled_call_takes_nothing() -> None:
    """Whoever comes after it need not wait for it."""
    limiter, clock, limits = Limiter(), FakeClock(), Limits(tokens_per_minute=PER_MINUTE)

    async def hang() -> None:
        async with limiter.place(limits, clock, characters=30_000):
            await asyncio.Event().wait()

    hanging = asyncio.create_task(hang())
    await asyncio.sleep(0)
    hanging.cancel()
    await asyncio.gather(hanging, return_exceptions=True)
    assert (await call(limiter, clock, limits, 100))[0] == 0
    assert limiter.in_flight == 0


def test_who_asks_first_begins_first() -> None:
    """A small call does not pass a large one that waits."""
    window = TokenWindow()
    starts = [window.take(0, size, PER_MINUTE).start for size in (30_000, 10, 30_000, 10, 30_000, 10)]
    assert all(a <= b for a, b in pairwise(starts))
    assert starts[-1] > 0


def test_a_place_knows_its_prompt() -> None:
    """By which the guess is made."""
    assert TokenWindow().guess(Place(7000).characters) > TokenWindow().guess(Place().characters)


async def test_what_the_provider_tells_is_what_counts(
    fake_model: FakeModel, make_gateway: Make, clock: FakeClock
) -> None:
    """The next question waits for a reply that took a minute's tokens."""
    usage = {"prompt_tokens": 9000, "completion_tokens": 900, "total_tokens": 9900}
    fake_model.load(
        {"default": {"reply": "La sal cruje bajo la puerta.", "repeat": True, "body": {"usage": usage}}}
    )
    gateway = make_gateway(limits=Limits(tokens_per_minute=PER_MINUTE))
    await gateway.ask(ask_prose("one"))
    assert clock.time == 0
    await gateway.ask(ask_prose("two"))
    assert clock.time == pytest.approx(WINDOW_S, abs=1)
