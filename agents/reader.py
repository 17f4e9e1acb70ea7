"""The reader judges what no rule can: whether a chapter contradicts its outline or itself."""

import re

from agents.plan_text import scene_text
from agents.seat import Seat
from agents.types import ContradictionReply, ReaderReply, ReadTask
from agents.vocabulary import folded, words
from concilio.catalogue import say
from concilio.gateway.errors import ReplyInvalid
from concilio.gateway.structured import NoJson, read_model

READER_TOKENS = 1500
MOST_READ = 60
"""Contradictions that are taken of one reply."""
_QUOTES = '«»“”"'
_SCENE = re.compile(r"\d{1,3}\.\d{1,3}")


async def read_chapter(seat: Seat, key: str, task: ReadTask) -> ReaderReply:
    """Return the contradictions that the reader sees; their quotes are not verified yet.

    Raises:
        GatewayError: the model could not be reached, or gave no reply that can be used.
    """
    scenes = [
        {"id": s.plan.id, "plan": scene_text(s.plan, seat.language), "prose": s.prose} for s in task.scenes
    ]
    answered = await seat.ask(
        key,
        "reader.read",
        task,
        read_reply,
        schema=ReaderReply,
        max_tokens=READER_TOKENS,
        scenes=scenes,
    )
    return answered.value


def read_reply(text: str) -> ReaderReply:
    """Return a reader's reply, JSON or one line a contradiction.

    Raises:
        ReplyInvalid: it is neither, and does not say that there is none.
    """
    try:
        reply = read_model(text, ReaderReply)
    except NoJson:
        reply = ReaderReply(contradictions=[c for line in text.splitlines() if (c := _from_line(line))])
        if not reply.contradictions and not _says_none(text):
            raise ReplyInvalid(say("prose.no_contradiction")) from None
    return ReaderReply(contradictions=reply.contradictions[:MOST_READ])


def _says_none(text: str) -> bool:
    lines = {folded(line).strip(" .!-#") for line in text.splitlines()}
    return bool(lines & (words("no_contradictions") | words("no_changes")))


def _from_line(line: str) -> ContradictionReply | None:
    """Read `CONTRADICTION | scene 5.1 | prose | quote | outline | other quote | why`, or return None."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) < 6 or folded(cells[0]).strip("-# ") not in words("contradiction"):
        return None
    scene, part, quote, against, other, *why = cells[1:]
    number = _SCENE.search(scene)
    return ContradictionReply(
        scene=number.group() if number else scene,
        part="plan" if folded(part) in words("plan_part") else "prose",
        quote=quote.strip(_QUOTES),
        against="outline" if folded(against) in words("outline") else "scene",
        other=other.strip(_QUOTES + "-–—"),
        why=" ".join(why),
    )
