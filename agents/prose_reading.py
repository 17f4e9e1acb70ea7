"""The prose agent's replies, JSON or Markdown, read into data."""

import re

from agents.prompting import unescape_reply
from agents.review_reading import looks_cut
from agents.types import ContinuityReply, EditReply, ParagraphReply, RewriteReply
from agents.vocabulary import folded, words
from concilio.catalogue import say
from concilio.domain.base import strip_block
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid
from concilio.gateway.structured import NoJson, read_model

SHORTEST_PROSE = 40
"""Characters below which a reply is no scene."""
_NUMBERED = re.compile(r"^[ \t]*\[(\d{1,3})\][ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"^\s*#{1,6}\s")


def read_prose(text: str) -> str:
    """Return a scene's prose: fences and headings of the reply are left out.

    Raises:
        ReplyInvalid: there is no prose.
        ReplyIncomplete: it ends in the middle of a sentence.
    """
    lines = [line for line in unescape_reply(text).splitlines() if not _FENCE.match(line)]
    prose = strip_block("\n".join(line for line in lines if not _HEADING.match(line)))
    if len(prose) < SHORTEST_PROSE:
        raise ReplyInvalid(say("replies.no_prose"))
    if looks_cut(prose):
        raise ReplyIncomplete(say("replies.end"), prose)
    return prose


def paragraphs_of(prose: str) -> tuple[str, ...]:
    """Return the paragraphs of a prose, which blank lines part."""
    return tuple(p.strip("\n") for p in re.split(r"\n[ \t]*\n", prose) if p.strip())


def replace_paragraphs(prose: str, changes: tuple[ParagraphReply, ...]) -> str:
    """Return the prose with these paragraphs replaced; all others stay byte for byte."""
    paragraphs = list(paragraphs_of(prose))
    added: list[str] = []
    for change in changes:
        text = unescape_reply(change.text).strip()
        if 1 <= change.number <= len(paragraphs):
            paragraphs[change.number - 1] = text
        elif text:
            added.append(text)
    return "\n\n".join(p for p in [*paragraphs, *added] if p)


def read_rewrite(text: str) -> RewriteReply:
    """Return the changed paragraphs.

    Raises:
        ReplyInvalid: no paragraph can be told.
    """
    parts = _NUMBERED.split(text)  # first: `[3]` on a line would be read as a JSON list
    changes = [
        ParagraphReply(number=int(number), text=_unquoted(body))
        for number, body in zip(parts[1::2], parts[2::2], strict=True)
    ]
    if changes:
        return RewriteReply(paragraphs=changes)
    try:
        return read_model(text, RewriteReply)
    except NoJson:
        raise ReplyInvalid(say("replies.no_paragraph")) from None


def read_continuity(text: str) -> ContinuityReply:
    """Return the edits; a reply without any is read as none."""
    try:
        return read_model(text, ContinuityReply)
    except NoJson:
        pass
    edits: list[EditReply] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) >= 4 and folded(cells[0]).strip("-# ") in words("change"):
            scene, quote, replacement, *why = cells[1:]
            edits.append(
                EditReply(scene=scene, quote=quote.strip('«»“”"'), replacement=replacement, why=" ".join(why))
            )
    return ContinuityReply(edits=edits)


def _unquoted(body: str) -> str:
    return "\n".join(line.removeprefix("> ").removeprefix(">") for line in body.strip().splitlines())
