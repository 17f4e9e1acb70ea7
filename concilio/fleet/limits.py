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
from concilio.gateway.limiter import PROCESS, Limiter, Limiters, Place
from concilio.gateway.settings import Limits
from concilio.gateway.tokens import TokenWindow
from concilio.store.journal import Reply

SPACING = 1.08
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
class Account:
    """What a worker's calls of one provider take of the fleet's time."""

    _tokens: TokenWindow = field(default_factory=TokenWindow)
    _owed_s: float = 0.0
    """Seconds that replies took beyond what was guessed of them; the next call waits for them."""

    def interval(self, limits: Limits, characters: int) -> float:
        """Return the seconds that a call keeps others from beginning; 0 where nothing is limited."""
        spacing = 60 / limits.requests_per_minute * SPACING if limits.requests_per_minute else 0.0
        if not limits.tokens_per_minute:
            return spacing
        share = self._tokens.guess(characters) * 60 / limits.tokens_per_minute + self._owed_s
        self._owed_s = min(share, 0.0)
        return max(spacing, share)

    def settle(self, limits: Limits, characters: int, reply: Reply | None) -> None:
        """Note what a reply took beyond what was guessed of it."""
        if limits.tokens_per_minute and reply is not None and reply.tokens_out is not None:
            more = (reply.tokens_in or 0) + reply.tokens_out - self._tokens.guess(characters)
            self._owed_s += more * 60 / limits.tokens_per_minute
            self._tokens.learn(reply.tokens_out)


@dataclass
class Turns:
    """One lock and one account a provider: within a process, one call at a time waits for its turn."""

    _locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])
    _accounts: dict[str, Account] = field(default_factory=dict[str, Account])

    def account(self, provider: str) -> Account:
        """Return the provider's account."""
        return self._accounts.setdefault(provider, Account())

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

    async def admit(self, provider: str, interval: float) -> None:
        """Return when a call may begin.

        Args:
            provider: who is called.
            interval: seconds until the next call of the provider may begin; 0 where there is no limit.

        Raises:
            BudgetSpent: the batch's budget is.
            StoreError: the database cannot be reached; the chapter is another's.
        """
        loop = asyncio.get_running_loop()
        if interval <= 0:
            asked = float("-inf")
            while loop.time() - asked > STALE_S:  # who slept meanwhile asks again
                asked = loop.time()
                await self._turn(provider, 0.0)
            return
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
    async def place(self, limits: Limits, clock: Clock, characters: int = 0) -> AsyncGenerator[Place]:
        """Hold a place among the calls in flight, once the process and the fleet allow it."""
        own = replace(limits, requests_per_minute=None, tokens_per_minute=None)
        account = self._gate.turns.account(self._provider)
        async with PROCESS.of(self._provider).place(own, clock, characters) as place:
            interval = account.interval(limits, characters)
            await self._gate.admit(self._provider, interval)
            yield place
            account.settle(limits, characters, place.reply)


class FleetLimiters(Limiters):
    """One limiter a provider, for one chapter."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    def of(self, provider: str) -> Limiter:
        """Return the limiter of a provider."""
        return FleetLimiter(provider, self._gate)
