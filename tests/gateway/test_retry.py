"""How long to wait for a provider."""

import random
from datetime import UTC, datetime

import pytest

from concilio.gateway.retry import may_heal, retry_after_s, wait_s
from concilio.gateway.settings import Limits
from concilio.gateway.wire import CallFailed

NOW = datetime(2026, 11, 5, 12, 0, 0, tzinfo=UTC)

HEADERS = [
    ("2", 2.0, "seconds"),
    (" 0.5 ", 0.5, "a part of a second"),
    ("-3", 0.0, "never back in time"),
    ("Thu, 05 Nov 2026 12:00:30 GMT", 30.0, "an HTTP date"),
    ("Thu, 05 Nov 2026 13:00:30 +0100", 30.0, "a date in another zone"),
    ("Thu, 05 Nov 2026 11:00:00 GMT", 0.0, "a date that is past"),
    ("mañana", None, "nonsense"),
    ("", None, "nothing"),
    (None, None, "no header"),
]


@pytest.mark.parametrize(("header", "seconds", "why"), HEADERS)
def test_retry_after(header: str | None, seconds: float | None, why: str) -> None:
    """Both forms of the header are read."""
    assert retry_after_s(header, NOW) == seconds, why


@pytest.mark.parametrize("header", ["inf", "1e300", "99999", "nan"])
def test_no_header_makes_the_wait_endless(header: str) -> None:
    """Our own longest wait bounds it."""
    limits = Limits(longest_wait_s=60)
    wait = wait_s(CallFailed("transient", "", retry_after=header), 1, limits, NOW, random.Random(1))
    assert 0 <= wait <= 60


def test_backoff_grows_with_jitter_up_to_the_bound() -> None:
    """Each wait lies between half and the whole of a doubling scale."""
    rng = random.Random(3)
    limits = Limits(backoff_s=1, longest_wait_s=20)
    for tries, scale in [(1, 2), (2, 4), (3, 8), (9, 20)]:
        waits = [wait_s(CallFailed("transient", ""), tries, limits, NOW, rng) for _ in range(50)]
        assert all(scale / 2 <= w <= scale for w in waits)
        assert len(set(waits)) > 1 or scale == 20


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (CallFailed("transient", ""), True),
        (CallFailed("refused", ""), False),
        (CallFailed("no_key", ""), False),
        (CallFailed("bad_params", ""), False),
        (ValueError(), False),
    ],
)
def test_only_passing_faults_are_tried_again(error: BaseException, expected: bool) -> None:
    """A refusal does not heal by asking again."""
    assert may_heal(error) is expected
