"""When a call may begin, over all workers: the chapter is ours, money is left, it is the call's turn.

One row a provider in the database says when its next call may begin (GCRA, without a burst).
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import LiteralString

from concilio.fleet.link import Link
from concilio.fleet.tenure import Tenure
from concilio.gateway.clock import Clock
from concilio.gateway.errors import BudgetSpent
from concilio.gateway.limiter import PROCESS, Limiter, Limiters
from concilio.gateway.settings import Limits

SPACING = 1.04
"""How much wider than the limit asks calls are spaced: a busy machine sends some of them late."""
LATE_S = 0.02
"""Seconds after which a call that slept too long waits for another turn."""
STALE_S = 5.0
"""Seconds after which the answer that a chapter is ours is asked for again."""
TURNS = 5
"""Turns that a call may miss before it goes all the same: where a machine is that busy, it is slow enough."""

_ADMIT: LiteralString = (
    "WITH mine AS MATERIALIZED (SELECT concilio_mine(%(job)s, %(worker)s, %(attempts)s) AS owned),"
    " turn AS (INSERT INTO concilio_limits AS l (provider, free_at)"
    " SELECT %(provider)s, clock_timestamp() + %(interval)s * interval '1 second' FROM mine"
    " WHERE owned AND %(interval)s > 0 ON CONFLICT (provider) DO UPDATE SET free_at ="
    " greatest(l.free_at, clock_timestamp()) + %(interval)s * interval '1 second'"
    " RETURNING free_at - %(interval)s * interval '1 second' AS start)"
    " SELECT owned, (SELECT extract(epoch FROM start - clock_timestamp())::float8 FROM turn) AS wait_s,"
    " b.spent_usd, b.budget_usd FROM mine, concilio_runs r JOIN concilio_batches b ON b.id = r.batch"
    " WHERE r.id = %(run)s"
)


@dataclass
class Turns:
    """One lock a provider: within a process, one call at a time waits for its turn."""

    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])

    def of(self, provider: str) -> asyncio.Lock:
        """Return the provider's lock."""
        return self._locks.setdefault(provider, asyncio.Lock())


@dataclass(frozen=True)
class Gate:
    """Lets the calls of one chapter begin."""

    link: Link
    run: str
    tenure: Tenure
    turns: Turns

    async def admit(self, provider: str, per_minute: int | None) -> None:
        """Return when a call may begin.

        Raises:
            BudgetSpent: the batch's budget is.
            StoreError: the database cannot be reached; the chapter is another's.
        """
        loop = asyncio.get_running_loop()
        if per_minute is None:
            asked = float("-inf")
            while loop.time() - asked > STALE_S:  # who slept meanwhile asks again
                asked = loop.time()
                await self._turn(provider, 0.0)
            return
        interval = 60 / per_minute * SPACING
        async with self.turns.of(provider):
            for _ in range(TURNS):
                wait_s = await self._turn(provider, interval)
                start = loop.time() + wait_s
                if wait_s > 0:
                    await asyncio.sleep(wait_s)
                if loop.time() - start <= LATE_S:
                    return

    async def _turn(self, provider: str, interval: float) -> float:
        """Take a turn, and return the seconds until it comes."""
        values = {"provider": provider, "interval": interval, "run": self.run, **self.tenure.values}
        row = await self.link.row(_ADMIT, values)
        if not row or not row["owned"]:
            await self.tenure.lose()
            return 0.0
        spent, limit = row["spent_usd"], row["budget_usd"]
        if limit is not None and spent >= limit:
            raise BudgetSpent(spent_usd=spent, limit_usd=limit, agent="", model=provider)
        return row["wait_s"] or 0.0


class FleetLimiter(Limiter):
    """The process's limit on calls in flight, then the fleet's on when they begin."""

    def __init__(self, provider: str, gate: Gate) -> None:
        super().__init__()
        self._provider = provider
        self._gate = gate

    @asynccontextmanager
    async def place(self, limits: Limits, clock: Clock) -> AsyncGenerator[None]:
        """Hold a place among the calls in flight, once the process and the fleet allow it."""
        own = replace(limits, requests_per_minute=None)
        async with PROCESS.of(self._provider).place(own, clock):
            await self._gate.admit(self._provider, limits.requests_per_minute)
            yield


class FleetLimiters(Limiters):
    """One limiter a provider, for one chapter."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    def of(self, provider: str) -> Limiter:
        """Return the limiter of a provider."""
        return FleetLimiter(provider, self._gate)
