"""Gateways of the tests: closed at the end, with a clock that does not wait."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from concilio.gateway import Gateway, Models
from concilio.gateway.limiter import Limiters
from tests.gateway.support import FakeClock

Make = Callable[..., Gateway]


@pytest.fixture
def clock() -> FakeClock:
    """A clock that does not wait."""
    return FakeClock()


@pytest_asyncio.fixture
async def make_gateway(litellm_loaded: Any, clock: FakeClock) -> AsyncIterator[Make]:
    """Make gateways that are closed after the test."""
    made: list[Gateway] = []

    def make(journal: Any = None, **options: Any) -> Gateway:
        models = options.pop("models", None) or Models("openai/iris", {"damian": "openai/damian"})
        options = {"clock": clock, "limiters": Limiters(), **options}
        made.append(Gateway(models, journal, **options))
        return made[-1]

    yield make
    for gateway in made:
        await gateway.close()
