"""The one retry layer: which failures may heal, and how long to wait for them."""

import math
import random
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity import RetryCallState

from concilio.catalogue import say
from concilio.gateway.failures import CallFailed
from concilio.gateway.settings import Limits

LONGEST_TOLD_S = 1_000_000
"""Seconds above which the number of them says nothing."""
JITTER = 0.25
"""Share by which a wait that the provider asks for is stretched at most: callers must not return as one."""


def may_heal(error: BaseException) -> bool:
    """Tell whether the same request may succeed a little later."""
    return isinstance(error, CallFailed) and error.kind == "transient"


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """Return the seconds that a `Retry-After` header asks for, None where it cannot be read.

    Args:
        header: seconds (`2`, `0.5`) or an HTTP date.
        now: time now, with its zone.
    """
    text = (header or "").strip()
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def patient(failed: CallFailed, limits: Limits, now: datetime) -> CallFailed:
    """Return a failure as it is, or as one not to wait for where its provider asks for too long a wait."""
    asked = retry_after_s(failed.retry_after, now)
    if failed.kind != "transient" or asked is None or not asked > limits.longest_wait_s:
        return failed
    wait = "∞" if math.isinf(asked) else f"{asked:.0f}" if asked < LONGEST_TOLD_S else f"> {LONGEST_TOLD_S}"
    cause = say("gateway.cause.long_wait", asked=wait, most=f"{limits.longest_wait_s:g}", cause=failed.cause)
    return CallFailed("unreachable", cause, status=failed.status, retry_after=failed.retry_after)


def wait_s(
    error: BaseException | None, tries: int, limits: Limits, now: datetime, rng: random.Random
) -> float:
    """Return the seconds to wait after the given number of failed tries (from 1)."""
    asked = retry_after_s(error.retry_after, now) if isinstance(error, CallFailed) else None
    if asked is not None and asked == asked:  # a `nan` is no wish
        return min(asked * (1 + rng.random() * JITTER), limits.longest_wait_s)
    backoff = limits.backoff_s * 2 ** min(tries, 10)
    return min(backoff * (0.5 + rng.random() / 2), limits.longest_wait_s)


def tenacity_wait(
    limits: Limits, rng: random.Random, now: Callable[[], datetime]
) -> Callable[[RetryCallState], float]:
    """Return `wait_s` as tenacity wants it."""

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return wait_s(error, state.attempt_number, limits, now(), rng)

    return wait
