"""Time, passed in: tests do not wait."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What the gateway needs of time."""

    def monotonic(self) -> float:
        """Return seconds from a fixed point."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The machine's own time."""

    def monotonic(self) -> float:
        """Return seconds from a fixed point."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
