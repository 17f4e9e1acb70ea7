"""Rubén criticises: what breaks, bores or gets abused when real people play it?"""

from agents.reviewing import review
from agents.seat import Seat
from agents.types import ReviewTask
from concilio.domain.debate import Review


async def criticise(seat: Seat, key: str, task: ReviewTask) -> Review:
    """Return Rubén's critique of a plan.

    Raises:
        GatewayError: the model could not be reached.
    """
    return await review(seat, key, "ruben.criticise", task)
