"""The prose agent writes scenes, rewrites what is at fault, and reads the whole chapter once."""

from agents.plan_text import scene_text
from agents.prose_reading import read_continuity, read_prose, read_rewrite
from agents.seat import Seat, embedded_payload, without_live_references
from agents.types import (
    ContinuityReply,
    ContinuityTask,
    EditReply,
    ParagraphReply,
    RewriteReply,
    RewriteTask,
    WriteTask,
)
from concilio.gateway.errors import ReplyUnusable

PROSE_TOKENS = 1600
CONTINUITY_TOKENS = 1500


async def write(seat: Seat, key: str, task: WriteTask) -> str:
    """Return one scene's prose, with its mechanics by reference.

    Raises:
        GatewayError: the model could not be reached, or gave no prose that ends.
    """
    answered = await seat.ask(
        key,
        "prose.write",
        task,
        read_prose,
        max_tokens=PROSE_TOKENS,
        payload=without_live_references(embedded_payload(task)),
        scene=scene_text(task.scene, seat.language),
    )
    return answered.value


async def rewrite(seat: Seat, key: str, task: RewriteTask) -> tuple[ParagraphReply, ...]:
    """Return the paragraphs that change.

    Raises:
        GatewayError: as `write`.
    """
    source = task.write
    payload = embedded_payload(task)
    payload["payload"]["write"] = without_live_references(payload["payload"]["write"])
    answered = await seat.ask(
        key,
        "prose.rewrite",
        task,
        read_rewrite,
        schema=RewriteReply,
        max_tokens=PROSE_TOKENS,
        payload=payload,
        canon=source.canon,
        outline=source.outline,
        scene=scene_text(source.scene, seat.language),
        mechanics=source.mechanics,
        starts_in=source.starts_in,
        ends_in=source.ends_in,
        next_title=source.next_title,
    )
    return tuple(answered.value.paragraphs)


async def read_whole(seat: Seat, key: str, task: ContinuityTask) -> tuple[EditReply, ...]:
    """Return the edits for continuity; an unreadable reply means none, for the scenes stand as they are.

    Raises:
        GatewayError: the model could not be reached.
    """
    try:
        answered = await seat.ask(
            key,
            "prose.continuity",
            task,
            read_continuity,
            schema=ContinuityReply,
            max_tokens=CONTINUITY_TOKENS,
        )
    except ReplyUnusable:
        return ()
    return tuple(answered.value.edits)
