"""How far apart a fleet's calls begin: by their number, by their tokens, or not at all."""

import pytest

pytest.importorskip("psycopg_pool", reason="the extra `fleet` is not installed")

from concilio.fleet.limits import SPACING, Account
from concilio.gateway.settings import Limits
from concilio.store.journal import Reply


@pytest.mark.parametrize("took", [100, 2000, 20_000])
def test_calls_are_as_far_apart_as_their_tokens_need(took: int) -> None:
    """Whatever was guessed of the first ones, in the long run."""
    account, limits = Account(), Limits(tokens_per_minute=60_000)
    apart = 0.0
    for _ in range(200):
        apart += account.interval(limits, characters=350)
        account.settle(limits, 350, Reply("x", tokens_in=took // 2, tokens_out=took - took // 2))
    assert apart == pytest.approx(200 * took / 1000, rel=0.15)


def test_the_stricter_limit_counts() -> None:
    """Requests or tokens; without either nobody waits."""
    account = Account()
    assert account.interval(Limits(), 10_000) == 0
    by_number = account.interval(Limits(requests_per_minute=60), 10_000)
    assert by_number == pytest.approx(SPACING)
    both = Limits(requests_per_minute=60, tokens_per_minute=1_000_000_000)
    assert account.interval(both, 10_000) == pytest.approx(by_number)
    assert account.interval(Limits(requests_per_minute=60, tokens_per_minute=1000), 10_000) > by_number
