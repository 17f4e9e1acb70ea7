"""Damián checks: is each scene complete and playable?"""

from agents.reviewing import review
from agents.seat import Seat
from agents.types import ReviewTask
from concilio.domain.debate import Review


async def check(seat: Seat, key: str, task: ReviewTask) -> Review:
    """Return Damián's review of a plan.

    Raises:
        GatewayError: the model could not be reached.
    """
    return await review(seat, key, "damian.check", task)
