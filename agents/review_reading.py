"""A reviewer's reply, JSON or Markdown, read into a `Review`.

The verdict is read only from a line of its own that says so (`VEREDICTO: aceptar`), never from praise, a
quotation or a sentence in passing; two different verdicts are none. A Markdown reply in the shape that is
asked for is read line by line; in one of free form each paragraph that opens with a scene is an objection.
"""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from agents.objection_reading import LONGEST_OBJECTION, read_objections
from agents.types import Marks, ReviewReply, RowReply, VerdictReply
from agents.verdict_reading import find_verdict, refuses, states_verdict, verdict_of, verdicts_in
from agents.vocabulary import folded, words
from concilio.catalogue import say
from concilio.domain.base import fold
from concilio.domain.debate import (
    AgentId,
    Dimension,
    Mark,
    ObjectionDraft,
    Review,
    SceneRow,
    Verdict,
)
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid, ReplyProblem
from concilio.gateway.structured import NoJson, read_model

FEWEST_MARKS = 2
"""Marks that contradict an acceptance, if all of them are bad."""

_OBJECTION_ID = re.compile(r"\bO\d{1,4}\b")
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_END = (".", "!", "?", "…", "»", "”", '"', ")", ":", "*", "_", "`", "|", "]")


def read_review(text: str, author: AgentId, chapter: int) -> Review:
    """Return a reviewer's reply as data; `verdict` is None where the reply gives none.

    Raises:
        ReplyIncomplete: the reply ends early (cut JSON, or no verdict and no end to its last sentence).
        ReplyInvalid: it is JSON of another shape.
    """
    try:
        given = _sure(from_reply(read_model(text, ReviewReply), author), text)
        return consistent(_with_objection(given, chapter), chapter)
    except ReplyInvalid as error:
        if not isinstance(error, NoJson) and find_verdict(text) is None:
            raise
    except ReplyIncomplete as cut:
        partial = cut.partial
        raise ReplyIncomplete(
            cut.missing, from_reply(partial, author) if isinstance(partial, ReviewReply) else None
        ) from None
    review = consistent(_from_markdown(text, author, chapter), chapter)
    if review.verdict is None and not states_verdict(text) and looks_cut(text):
        raise ReplyIncomplete(say("replies.verdict"), review)
    return review


def read_verdict(text: str) -> Verdict | None:
    """Return the verdict of a reply to the question for it alone, or None."""
    if len(verdicts_in(text)) > 1:
        return None
    try:
        return read_model(text, VerdictReply).verdict
    except ReplyProblem:
        return find_verdict(text)


def from_reply(reply: ReviewReply, author: AgentId) -> Review:
    """Return a structured reply as a review."""
    return Review(
        author=author,
        rows=tuple(_row(row) for row in reply.rows),
        marks=_marks_of(reply.marks),
        objections=tuple(ObjectionDraft(**o.model_dump()) for o in reply.objections),
        closed=tuple(reply.closed),
        verdict=reply.verdict,
        text=reply.summary,
    )


def _sure(review: Review, text: str) -> Review:
    """Take the verdict away where a reply states two different ones."""
    doubtful = review.verdict == "accept" and refuses(review.text)
    several = len(verdicts_in(text)) > 1
    return review.model_copy(update={"verdict": None}) if several or doubtful else review


def _with_objection(review: Review, chapter: int) -> Review:
    """A demand to refine without an objection is itself one: somebody must be able to answer it."""
    if review.verdict != "refine" or review.objections:
        return review
    return review.model_copy(update={"objections": (_whole_plan_objection(review.text, chapter),)})


def consistent(review: Review, chapter: int) -> Review:
    """Return a review whose verdict agrees with its marks: an acceptance of what is all bad is none.

    Its contradiction becomes an objection, to the scene whose marks are all bad or to the whole plan.
    """
    if review.verdict != "accept":
        return review
    rated = [(str(chapter), review.marks), *((row.scene, row.marks) for row in review.rows)]
    contradictions = tuple(
        ObjectionDraft(
            scene=scene,
            severity="blocker",
            text=say("replies.contradiction", marks=", ".join(say(f"debate.dimension.{d}") for d in bad)),
        )
        for scene, marks in rated
        if (bad := _all_bad(marks))
    )
    if not contradictions:
        return review
    return review.model_copy(
        update={"verdict": "refine", "objections": (*review.objections, *contradictions)}
    )


def _all_bad(marks: Mapping[Dimension, Mark]) -> list[Dimension]:
    """Return the dimensions that were judged, where there are several and all are bad; else none."""
    judged: list[Dimension] = [dimension for dimension, mark in marks.items() if mark != "unknown"]
    return judged if len(judged) >= FEWEST_MARKS and all(marks[d] == "bad" for d in judged) else []


def looks_cut(text: str) -> bool:
    """Tell whether a text ends in the middle of a sentence."""
    stripped = text.rstrip()
    return bool(stripped) and not stripped.endswith(_SENTENCE_END)


def _marks_of(marks: Marks) -> dict[Dimension, Mark]:
    return cast(dict[Dimension, Mark], marks.model_dump())


def _row(row: RowReply) -> SceneRow:
    return SceneRow(scene=row.scene, marks=_marks_of(row.marks), minutes=row.minutes, note=row.note)


# --- Markdown -----------------------------------------------------------------------------------------


def _from_markdown(text: str, author: AgentId, chapter: int) -> Review:
    verdict = find_verdict(text)
    found = read_objections(text, chapter, verdict)
    if verdict == "refine" and not found.objections:
        found.objections.append(_whole_plan_objection(text, chapter))
    return Review(
        author=author,
        rows=tuple(found.rows),
        marks=found.marks,
        objections=tuple(found.objections),
        closed=tuple(_closed_ids(text)),
        verdict=verdict,
        text=text.strip(),
    )


def _closed_ids(text: str) -> Iterator[str]:
    """Yield the objections that a line closes; a line with a negation closes none."""
    for line in text.splitlines():
        label, colon, value = line.partition(":")
        if not colon or folded(label).strip("-# ") not in words("closed"):
            continue
        if not any(word in words("not_closed") for word in _WORD.findall(folded(value))):
            yield from _OBJECTION_ID.findall(value)


def _whole_plan_objection(text: str, chapter: int) -> ObjectionDraft:
    said = fold("\n".join(line for line in text.splitlines() if verdict_of(line) is None))
    return ObjectionDraft(scene=str(chapter), severity="major", text=said[:LONGEST_OBJECTION] or "refine")
