"""What was used and what it cost, and the budget that ends it."""

from collections.abc import Iterable
from dataclasses import dataclass

from concilio.domain.chapter import AgentUse
from concilio.gateway.ask import Usage
from concilio.gateway.errors import BudgetSpent
from concilio.store.journal import JournalRow, Reply


def add_known(values: Iterable[int | None]) -> int | None:
    """Return the sum of the values that are known, None where none is."""
    known = [v for v in values if v is not None]
    return sum(known) if known else None


def add_costs(values: Iterable[float | None]) -> float | None:
    """Return the sum of costs, None where there is none or any is unknown: a part is not the price."""
    total = 0.0
    counted = False
    for value in values:
        if value is None:
            return None
        total, counted = total + value, True
    return round(total, 10) if counted else None


def usage_of(replies: Iterable[Reply]) -> Usage:
    """Return what several replies used together."""
    kept = tuple(replies)
    return Usage(
        tokens_in=add_known(r.tokens_in for r in kept),
        tokens_out=add_known(r.tokens_out for r in kept),
        cost_usd=add_costs(r.cost_usd for r in kept),
    )


class Ledger:
    """Every reply once, by the id of its request: a reply found again in the journal is not counted again."""

    def __init__(self) -> None:
        self._rows: dict[str, JournalRow] = {}

    def add(self, row: JournalRow) -> bool:
        """Count a reply; False where it was counted before."""
        if row.request_id in self._rows:
            return False
        self._rows[row.request_id] = row
        return True

    def use(self, prefix: str = "") -> tuple[AgentUse, ...]:
        """Return calls, tokens and cost per agent and model, in order of their names.

        Args:
            prefix: count only questions whose key begins with it (`ch5/`).
        """
        groups: dict[tuple[str, str], list[Reply]] = {}
        for row in self._rows.values():
            if row.key.startswith(prefix):
                groups.setdefault((row.agent, row.reply.model), []).append(row.reply)
        return tuple(_use(agent, model, groups[agent, model]) for agent, model in sorted(groups))

    def total(self, prefix: str = "") -> Usage:
        """Return what was used in all; `prefix` as in `use`."""
        return usage_of(row.reply for row in self._rows.values() if row.key.startswith(prefix))

    def calls(self, prefix: str = "") -> int:
        """Return the number of replies."""
        return sum(row.key.startswith(prefix) for row in self._rows.values())


def _use(agent: str, model: str, replies: list[Reply]) -> AgentUse:
    used = usage_of(replies)
    return AgentUse(
        agent=agent,
        model=model,
        calls=len(replies),
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        cost_usd=used.cost_usd,
    )


@dataclass
class Budget:
    """US dollars that may be spent; shared by every gateway that is given it."""

    limit_usd: float | None = None
    """None: no limit."""
    spent_usd: float = 0.0
    """Sum of the known prices."""
    unknown_calls: int = 0
    """Replies whose price nobody knows; they are not zero, but they cannot be held against the limit."""
    in_flight: int = 0
    dearest_usd: float = 0.0
    """Highest price of a call so far: what each call in flight is taken to cost."""

    def begin(self, agent: str, model: str) -> None:
        """Count a call as in flight.

        Raises:
            BudgetSpent: what is spent, with what is in flight, reaches the limit.
        """
        bound = self.spent_usd + self.in_flight * self.dearest_usd
        if self.limit_usd is not None and bound >= self.limit_usd:
            raise BudgetSpent(spent_usd=self.spent_usd, limit_usd=self.limit_usd, agent=agent, model=model)
        self.in_flight += 1

    def end(self) -> None:
        """Count a call as back, with or without a reply."""
        self.in_flight -= 1

    def charge(self, cost_usd: float | None) -> None:
        """Count the price of a reply."""
        if cost_usd is None:
            self.unknown_calls += 1
            return
        self.spent_usd += cost_usd
        self.dearest_usd = max(self.dearest_usd, cost_usd)
