"""A reviewer's reply, JSON or Markdown, read into a `Review`.

The verdict is read only from a line of its own that says so (`VEREDICTO: aceptar`), never from praise, a
quotation or a sentence in passing; two different verdicts are none. A Markdown reply in the shape that is
asked for is read line by line; in one of free form each paragraph that opens with a scene is an objection.
"""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from agents.types import Marks, ReviewReply, RowReply, VerdictReply
from agents.vocabulary import folded, meaning, words
from concilio.catalogue import say
from concilio.domain.base import fold
from concilio.domain.debate import (
    AgentId,
    Dimension,
    Mark,
    ObjectionDraft,
    Review,
    SceneRow,
    Severity,
    Verdict,
)
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid, ReplyProblem
from concilio.gateway.structured import NoJson, read_model

LONGEST_OBJECTION = 1200
"""Characters of a free-form objection that are kept."""
FEWEST_MARKS = 2
"""Marks that contradict an acceptance, if all of them are bad."""
LONGEST_TAG = 80
"""Characters at a line's beginning in which a severity set off by marks is looked for."""
LONGEST_HEAD = 160
"""Characters of a line in which its label, or the scene that it opens with, is looked for."""
ROW_LABELS = 3
"""From this many labelled lines on, a paragraph is a checker's row and not an objection."""

_VERDICT_LINE = re.compile(r"^[\s*_#`-]*([^\W\d_]+)[\s*_`]*:[\s*_`]*([^\W\d_]+(?: [^\W\d_]+)?)[\s*_`.!]*$")
_SCENE_ID = re.compile(r"\d{1,3}\.\d{1,3}")
_OBJECTION_ID = re.compile(r"\bO\d{1,4}\b")
_SCENE_OPENING = re.compile(r"^[\s#*_>-]*(?:\d{1,2}[.)]\s+)?[*_]*\w+ (?P<id>\d{1,3}\.\d{1,3})\b", re.UNICODE)
_SCENE_TAG = re.compile(
    r"^(?P<sign>[\s#*_>•-]*)(?:\d{1,2}[.)]\s+)?(?P<mark>[*_\[(]*)(?P<id>\d{1,3}\.\d{1,3})(?:-[a-z]{1,2})?(?P<after>[\])*_]*\s*[:—–|-]?)"
)
"""A line that opens with a scene's number alone: `### [1.1-a]`, `**1.1**`, `- 1.1:`."""
_SEVERITY_TAG = re.compile(
    r"(?:^[\s#>•-]*|[\[\](*_|:—–)]\s*)(?P<word>[^\W\d_]{4,20})\s*(?=[\])*_|:—–]|$)", re.MULTILINE
)
"""A word set off by marks: `[grave]`, `(blocker)`, `**major**`, `leve:`."""
_LABELLED = re.compile(r"^\s*[-*•]\s*[*_]*([^:*_\n]{2,40})[*_]*\s*:[\s*_]*")
_WHOLE_FENCE = re.compile(r"`{3,}[^\n`]*\n((?:(?!`{3}).)*)`{3,}\Z", re.DOTALL)
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_JSON_VERDICT = re.compile(r'"verdict"\s*:\s*"(\w+)"')
_FIRST_WORDS = re.compile(r"[,.;]")
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
    if review.verdict is None and not _states_verdict(text) and looks_cut(text):
        raise ReplyIncomplete(say("replies.verdict"), review)
    return review


def read_verdict(text: str) -> Verdict | None:
    """Return the verdict of a reply to the question for it alone, or None."""
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


def find_verdict(text: str) -> Verdict | None:
    """Return the verdict stated on a line of its own; None where there is none, or where two differ."""
    own = _own_words(text)
    found: set[Verdict] = {verdict for line in own.splitlines() if (verdict := _verdict_of(line))}
    verdict = found.pop() if len(found) == 1 else None
    return None if verdict == "accept" and refuses(own) else verdict


def _states_verdict(text: str) -> bool:
    return any(_verdict_of(line) for line in text.splitlines())


def refuses(text: str) -> bool:
    """Tell whether a text says in so many words that it does not accept: a verdict beside it is in doubt."""
    plain = folded(text)
    return any(phrase in plain for phrase in words("refusal"))


def _own_words(text: str) -> str:
    """Return a reply without what it only shows: code blocks, unless all of it is one, and comments."""
    stripped = text.strip()
    if match := _WHOLE_FENCE.match(stripped):
        stripped = match.group(1)
    return _COMMENT.sub("", "\n".join(_outside_fences(stripped)))


def _outside_fences(text: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        if _FENCE_LINE.match(line):
            inside = not inside
        elif not inside:
            yield line


def _sure(review: Review, text: str) -> Review:
    """Take the verdict away where a reply states two different ones."""
    stated: set[str] = {match.group(1) for match in _JSON_VERDICT.finditer(text)}
    if verdict := find_verdict(text):
        stated.add(verdict)
    doubtful = review.verdict == "accept" and refuses(review.text)
    return review.model_copy(update={"verdict": None}) if len(stated) > 1 or doubtful else review


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


def _verdict_of(line: str) -> Verdict | None:
    match = _VERDICT_LINE.match(line) if len(line) < 120 else None
    if match is None or folded(match.group(1)) not in words("verdict"):
        return None
    said = folded(match.group(2))
    if said in words("accept"):
        return "accept"
    return "refine" if said in words("refine") else None


def _marks_of(marks: Marks) -> dict[Dimension, Mark]:
    return cast(dict[Dimension, Mark], marks.model_dump())


def _row(row: RowReply) -> SceneRow:
    return SceneRow(scene=row.scene, marks=_marks_of(row.marks), minutes=row.minutes, note=row.note)


# --- Markdown -----------------------------------------------------------------------------------------


def _from_markdown(text: str, author: AgentId, chapter: int) -> Review:
    rows: list[SceneRow] = []
    objections: list[ObjectionDraft] = []
    marks: dict[Dimension, Mark] = {}
    closed: list[str] = []
    for name, cells in _piped_lines(text):
        if name in words("objection"):
            objections.extend(_piped_objection(cells, chapter))
        elif name in words("marks"):
            marks |= _marks_in(cells)
        elif (match := _SCENE_ID.search(name)) and name.split()[0] in words("scene"):
            rows.append(_piped_row(match.group(), cells))
    closed.extend(_closed_ids(text))
    verdict = find_verdict(text)
    if not objections and not rows:
        rows, objections = _free_form(text, verdict, chapter)
    if verdict == "refine" and not objections:
        objections = [_whole_plan_objection(text, chapter)]
    return Review(
        author=author,
        rows=tuple(rows),
        marks=marks,
        objections=tuple(objections),
        closed=tuple(closed),
        verdict=verdict,
        text=text.strip(),
    )


def _piped_lines(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        if "|" in line:
            first, *cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
            yield folded(first).lstrip("-#> "), cells


def _piped_objection(cells: list[str], chapter: int) -> Iterator[ObjectionDraft]:
    padded = [*cells, "", "", "", "", ""]
    where, field, severity, text, proposal = padded[:5]
    if not text.strip():
        return
    match = _SCENE_ID.search(where)
    yield ObjectionDraft(
        scene=match.group() if match else str(chapter),
        field=field,
        severity=_severity(severity),
        text=text,
        proposal=proposal,
    )


def _severity(text: str) -> Severity:
    found = meaning("severity", text)
    return found if found in ("blocker", "major", "minor") else "major"  # pyright: ignore[reportReturnType]


def _piped_row(scene: str, cells: list[str]) -> SceneRow:
    minutes = next(
        (_number(value) for label, value in _pairs(cells) if folded(label) in words("minutes")), None
    )
    loose = [cell for cell in cells if ":" not in cell]
    return SceneRow(scene=scene, marks=_marks_in(cells), minutes=minutes, note=" ".join(loose))


def _pairs(cells: list[str]) -> Iterator[tuple[str, str]]:
    for cell in cells:
        label, colon, value = cell.partition(":")
        if colon:
            yield label, value


def _marks_in(cells: list[str]) -> dict[Dimension, Mark]:
    found: dict[Dimension, Mark] = {}
    for label, value in _pairs(cells):
        dimension, mark = meaning("dimensions", label), meaning("mark", value)
        if dimension and mark:
            found[dimension] = mark  # pyright: ignore[reportArgumentType]
    return found


def _number(text: str) -> int | None:
    numbers = re.findall(r"\d{1,3}", text)
    return int(numbers[-1]) if numbers else None


def _closed_ids(text: str) -> Iterator[str]:
    for line in text.splitlines():
        label, colon, value = line.partition(":")
        if colon and folded(label).strip("-# ") in words("closed"):
            yield from _OBJECTION_ID.findall(value)


# --- free form ----------------------------------------------------------------------------------------


def _free_form(
    text: str, verdict: Verdict | None, chapter: int
) -> tuple[list[SceneRow], list[ObjectionDraft]]:
    rows: list[SceneRow] = []
    objections: list[ObjectionDraft] = []
    usual: Severity = "minor" if verdict == "accept" else "major"
    for scene, lines in _scene_paragraphs(text, chapter):
        labelled = [m for line in lines if (m := _labelled(line))]
        if len(labelled) >= ROW_LABELS:
            rows.append(_labelled_row(scene, labelled))
            objections.extend(_lacking(scene, labelled))
        else:
            objections.append(_paragraph_objection(scene, lines, _tagged_severity(lines[0]) or usual))
    return rows, objections


def _scene_paragraphs(text: str, chapter: int) -> Iterator[tuple[str, list[str]]]:
    scene, lines = "", list[str]()
    for line in text.splitlines():
        opened = _opened_scene(line, chapter)
        if opened or _verdict_of(line):
            if scene and lines:
                yield scene, lines
            scene, lines = (opened, [line]) if opened else ("", [])
        elif scene:
            lines.append(line)
    if scene and lines:
        yield scene, lines


def _opened_scene(line: str, chapter: int) -> str:
    """Return the scene that a line opens a paragraph about; empty where it opens none."""
    head = line[:LONGEST_HEAD]
    named = _SCENE_OPENING.match(head)
    if named and folded(head.split(named["id"])[0]).split(" ")[-1] in words("scene"):
        return named["id"]
    tagged = _SCENE_TAG.match(head)
    if tagged and ("#" in tagged["sign"] or tagged["mark"] or tagged["after"].strip()):
        return tagged["id"] if _is_of(tagged["id"], chapter) else ""
    within = _SCENE_ID.search(head[:LONGEST_TAG])
    if within and _is_of(within.group(), chapter) and _tagged_severity(line):
        return within.group()
    return ""


def _is_of(scene: str, chapter: int) -> bool:
    return scene.partition(".")[0] == str(chapter)


def _tagged_severity(line: str) -> Severity | None:
    """Return the severity that a line's beginning states, set off from its sentence."""
    for match in _SEVERITY_TAG.finditer(line[:LONGEST_TAG]):
        if found := meaning("severity", match["word"]):
            return found  # pyright: ignore[reportReturnType]
    return None


Labelled = tuple[str, str]
"""The label of a checker's line, and what it says."""


def _labelled(line: str) -> Labelled | None:
    match = _LABELLED.match(line[:LONGEST_HEAD])
    return (match.group(1), line[match.end() :]) if match else None


def _labelled_row(scene: str, labelled: list[Labelled]) -> SceneRow:
    marks: dict[Dimension, Mark] = {}
    minutes = None
    for label, said in labelled:
        dimension = meaning("dimensions", label)
        if dimension:
            first = _FIRST_WORDS.split(said, maxsplit=1)[0]
            marks[dimension] = meaning("mark", first) or "unknown"  # pyright: ignore[reportArgumentType]
        if folded(label) in words("minutes"):
            minutes = _number(said)
    return SceneRow(scene=scene, marks=marks, minutes=minutes)


def _lacking(scene: str, labelled: list[Labelled]) -> Iterator[ObjectionDraft]:
    """Yield what a checker's row says is missing; not numbers, for those the engine knows better."""
    for label, said in labelled:
        dimension = meaning("dimensions", label)
        lacks = folded(said).startswith(tuple(words("lacking")))
        if lacks and dimension in ("action", "state_change", "outcomes"):
            yield ObjectionDraft(scene=scene, field=label, severity="major", text=said)


def _paragraph_objection(scene: str, lines: list[str], severity: Severity) -> ObjectionDraft:
    text = fold(" ".join(lines))
    return ObjectionDraft(
        scene=scene, severity=severity, text=text[:LONGEST_OBJECTION], proposal=_proposal_in(lines)
    )


def _proposal_in(lines: list[str]) -> str:
    for line in lines:
        label, colon, rest = line.partition(":")
        if colon and folded(label).strip("-> ") in words("proposal"):
            return fold(rest).strip("* ")
    return ""


def _whole_plan_objection(text: str, chapter: int) -> ObjectionDraft:
    said = fold("\n".join(line for line in text.splitlines() if _verdict_of(line) is None))
    return ObjectionDraft(scene=str(chapter), severity="major", text=said[:LONGEST_OBJECTION] or "refine")
