"""What Damián and Rubén have in common: one question, and one more where the verdict is missing."""

from agents.plan_text import partial_plan, whole_plan
from agents.review_reading import consistent, read_review, read_verdict
from agents.seat import Seat
from agents.types import ReviewReply, ReviewTask, VerdictReply
from concilio.catalogue import say
from concilio.domain.debate import Review, Verdict
from concilio.gateway.ask import ChatMessage
from concilio.gateway.errors import ReplyUnusable

REVIEW_TOKENS = 2500
VERDICT_TOKENS = 200


async def review(seat: Seat, key: str, prompt: str, task: ReviewTask) -> Review:
    """Return a reviewer's turn. Its verdict is None where it gave none, asked twice.

    Raises:
        GatewayError: the model could not be reached; never for a reply that cannot be read.
    """
    plan = plan_for_review(seat, task)
    given, may_ask = await _first_reply(seat, key, prompt, task, plan)
    if given.verdict is not None or not may_ask:
        return given
    verdict = await _verdict_alone(seat, key, prompt, task, plan, given.text)
    return consistent(given.model_copy(update={"verdict": verdict}), task.outline.number)


def plan_for_review(seat: Seat, task: ReviewTask) -> str:
    """Return the plan for the prompt: whole in the first round, later what changed or is in question."""
    if task.round == 1:
        return whole_plan(task.plan, seat.language)
    return partial_plan(task.plan, {*task.changed, *(o.scene for o in task.objections)}, seat.language)


async def _first_reply(seat: Seat, key: str, prompt: str, task: ReviewTask, plan: str) -> tuple[Review, bool]:
    """Return what the reviewer said, and whether its verdict may be asked for alone.

    It may not where nobody could read the review: in another language, or held back by a filter.
    """
    try:
        answered = await seat.ask(
            key,
            prompt,
            task,
            lambda text: read_review(text, seat.agent, task.outline.number),
            schema=ReviewReply,
            max_tokens=REVIEW_TOKENS,
            tools=seat.tools,
            plan=plan,
        )
    except ReplyUnusable as error:
        if isinstance(error.partial, Review):
            return error.partial, True
        if error.reason in ("language", "filtered"):
            text = say("replies.given_up", seat.language, cause=error.cause)
            return Review(author=seat.agent, text=text), False
        return Review(author=seat.agent, text=error.text), True
    return answered.value, True


async def _verdict_alone(
    seat: Seat, key: str, prompt: str, task: ReviewTask, plan: str, said: str
) -> Verdict | None:
    question = seat.book.message("followup.verdict")
    after = (ChatMessage("assistant", said or "…"), question)
    try:
        answered = await seat.ask(
            f"{key}/verdict",
            prompt,
            task,
            read_verdict,
            schema=VerdictReply,
            max_tokens=VERDICT_TOKENS,
            after=after,
            payload={"task": "verdict", "payload": task.model_dump(mode="json")},
            plan=plan,
        )
    except ReplyUnusable:
        return None
    return answered.value
