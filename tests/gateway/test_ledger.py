"""Accounts: unknown is not zero, and nothing is counted twice."""

import pytest

from concilio.gateway.errors import BudgetSpent
from concilio.gateway.ledger import Budget, Ledger, add_costs, add_known, usage_of
from concilio.store.journal import JournalRow, Reply


def row(number: int, agent: str = "iris", cost: float | None = 0.1, key: str = "ch1/a") -> JournalRow:
    """Return a counted reply."""
    reply = Reply("", tokens_in=10, tokens_out=5, cost_usd=cost, model="m")
    return JournalRow(str(number), agent, key, reply)


@pytest.mark.parametrize(
    ("values", "known", "cost"),
    [
        ([], None, None),
        ([None], None, None),
        ([1, 2], 3, 3),
        ([1, None], 1, None),
        ([0, 0], 0, 0),
    ],
)
def test_sums_of_unknowns(values: list[int | None], known: int | None, cost: float | None) -> None:
    """Tokens sum what is known; a price with a hole is unknown."""
    assert add_known(values) == known
    assert add_costs(values) == cost


def test_use_is_grouped_in_a_fixed_order_and_by_prefix() -> None:
    """Whatever the order of the replies, the same table."""
    rows = [row(1, "ruben"), row(2, "iris"), row(3, "iris", key="ch2/a"), row(4, "iris")]
    one, other = Ledger(), Ledger()
    for r in rows:
        one.add(r)
    for r in reversed(rows):
        other.add(r)
    assert one.use() == other.use()
    assert [(u.agent, u.calls) for u in one.use("ch1/")] == [("iris", 2), ("ruben", 1)]
    assert one.calls() == 4
    assert one.total("ch2/").tokens_in == 10


def test_a_reply_is_counted_once() -> None:
    """However often it is found again."""
    ledger = Ledger()
    assert ledger.add(row(1))
    assert not ledger.add(row(1))
    assert ledger.calls() == 1


def test_a_budget_ends_before_the_call_that_would_pass_it() -> None:
    """Calls in flight are taken to cost what the dearest did."""
    budget = Budget(limit_usd=1.0)
    budget.begin("iris", "m")
    budget.end()
    budget.charge(0.4)
    budget.begin("iris", "m")
    budget.begin("iris", "m")
    with pytest.raises(BudgetSpent):
        budget.begin("iris", "m")
    budget.end()
    budget.begin("iris", "m")


def test_unknown_prices_are_told_apart() -> None:
    """They cannot be held against a limit, but they are not zero either."""
    budget = Budget(limit_usd=1.0)
    budget.charge(None)
    assert (budget.spent_usd, budget.unknown_calls) == (0.0, 1)
    budget.begin("iris", "m")


def test_no_limit_never_ends() -> None:
    """The default."""
    budget = Budget()
    budget.charge(1e9)
    budget.begin("iris", "m")


def test_usage_of_nothing_is_unknown() -> None:
    """No reply, no figures."""
    assert usage_of(()).tokens_in is None
