"""Objections and rows in a reviewer's Markdown: lines between pipes, marked lines, paragraphs on a scene.

What says that it is an objection, or names a severity at its beginning, is one, however it is written: an
objection that nobody could read would be consent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from agents.verdict_reading import verdict_of
from agents.vocabulary import folded, meaning, words
from concilio.domain.base import fold
from concilio.domain.debate import Dimension, Mark, ObjectionDraft, SceneRow, Severity, Verdict

LONGEST_OBJECTION = 1200
"""Characters of a free-form objection that are kept."""
LONGEST_SEVERITY = 30
"""Characters of a cell that is a severity."""
LONGEST_TAG = 80
"""Characters at a line's beginning in which a severity set off by marks is looked for."""
LONGEST_HEAD = 160
"""Characters of a line in which its label, or the scene that it opens with, is looked for."""
ROW_LABELS = 3
"""From this many labelled lines on, a paragraph is a checker's row and not an objection."""
ROW_MARKS = 2
"""From this many marks in brackets on, a line is a checker's row."""

SCENE_ID = re.compile(r"\d{1,3}\.\d{1,3}")
_SCENE_OPENING = re.compile(r"^[\s#*_>-]*(?:\d{1,2}[.)]\s+)?[*_]*\w+ (?P<id>\d{1,3}\.\d{1,3})\b", re.UNICODE)
_SCENE_TAG = re.compile(
    r"^(?P<sign>[\s#*_>•-]*)(?:\d{1,2}[.)]\s+)?(?P<mark>[*_\[(]*)(?P<id>\d{1,3}\.\d{1,3})(?:-[a-z]{1,2})?"
    r"(?P<after>[\])*_]*\s*[:—–|-]?)"
)
"""A line that opens with a scene's number alone: `### [1.1-a]`, `**1.1**`, `- 1.1:`."""
_SEVERITY_TAG = re.compile(
    r"(?:^[\s#>•*_\[(-]*|[\[\](*_|:—–)]\s*)(?P<word>[^\W\d_]{4,20})\s*(?=[\])*_|:—–]|$)", re.MULTILINE
)
"""A word set off by marks: `[grave]`, `(blocker)`, `**major**`, `leve:`."""
_FIRST_WORD = re.compile(
    r"^[\s#>•*_\[(-]*(?:\d{1,2}[.)]\s+)?[*_\[(]*(?P<word>[^\W\d_]+)(?P<number> ?\d{1,3})?[*_\])]*\s*[:—–.-]"
)
_NUMBERED = re.compile(r"^\d{1,2}[.)]\s*")
_HEADING = re.compile(
    r"^\s*(?:#{1,6}\s*(?P<title>[^#:]{3,40}?)|[*_]{2}(?P<bold>[^*_:]{3,40}):?[*_]{2}|(?P<plain>[^\W\d_]{4,20}))\s*:?\s*$"
)
_ITEM = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+\S")
_LABELLED = re.compile(r"^\s*[-*•]\s*[*_]*([^:*_\n]{2,40})[*_]*\s*:[\s*_]*")
_BRACKETS = re.compile(r"\(([^()]{3,200})\)")
_FIRST_WORDS = re.compile(r"[,.;]")
_MINUTES = re.compile(r"\b(\d{1,3}) ?min")


@dataclass
class Found:
    """What a reviewer's Markdown says about scenes."""

    rows: list[SceneRow] = field(default_factory=list[SceneRow])
    objections: list[ObjectionDraft] = field(default_factory=list[ObjectionDraft])
    marks: dict[Dimension, Mark] = field(default_factory=dict[Dimension, Mark])


def read_objections(text: str, chapter: int, verdict: Verdict | None) -> Found:
    """Return the rows, objections and marks in a reply.

    Args:
        text: the whole reply.
        chapter: its chapter's number: an objection that names no scene is one on the chapter.
        verdict: the reply's; remarks beside an acceptance are minor where they say nothing else.
    """
    found = Found()
    for name, cells in _piped_lines(text):
        if name.rstrip(" 0123456789") in words("objection"):
            found.objections.extend(_piped_objection(cells, chapter))
        elif name in words("marks"):
            found.marks |= _marks_in(cells)
        elif (match := SCENE_ID.search(name)) and name.split()[0] in words("scene"):
            found.rows.append(_piped_row(match.group(), cells))
    in_shape = bool(found.rows or found.objections)
    usual: Severity = "minor" if verdict == "accept" else "major"
    for paragraph in _paragraphs(text, chapter, only_marked=in_shape):
        _take(found, paragraph, usual)
    return found


# --- between pipes --------------------------------------------------------------------------------------


def _piped_lines(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        if "|" in line:
            first, *cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
            yield _NUMBERED.sub("", folded(first).lstrip("-#> "), count=1), cells


def _piped_objection(cells: list[str], chapter: int) -> Iterator[ObjectionDraft]:
    """Yield an objection: what stands before its severity says where, what stands after it what."""
    filled = [cell for cell in cells if cell]
    at = next((i for i, cell in enumerate(filled) if _severity_cell(cell)), None)
    if at is None:
        where, rest = filled[:3] if len(filled) > 3 else filled[:-1], filled[3:] or filled[-1:]
    else:
        where, rest = filled[:at], filled[at + 1 :]
    if not rest:
        return
    scene = next((match.group() for cell in where if (match := SCENE_ID.search(cell))), str(chapter))
    fields = [cell for cell in where if not SCENE_ID.search(cell) and folded(cell) not in words("scene")]
    yield ObjectionDraft(
        scene=scene,
        field=fields[0] if fields else "",
        severity=(_severity_cell(filled[at]) if at is not None else None) or "major",
        text=rest[0],
        proposal=rest[1] if len(rest) > 1 else "",
    )


def _severity_cell(text: str) -> Severity | None:
    """Return the severity that a short cell is, with its label or without."""
    if len(text) > LONGEST_SEVERITY:
        return None
    return meaning("severity", text.strip(" .!¡")) or _tagged_severity(text)  # pyright: ignore[reportReturnType]


def _severity(text: str) -> Severity:
    found = meaning("severity", text.strip(" .!¡"))
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


# --- paragraphs -----------------------------------------------------------------------------------------


@dataclass
class _Paragraph:
    scene: str
    severity: Severity | None
    """As its first line or its heading states it."""
    is_marked: bool
    """It says of itself that it is an objection."""
    lines: list[str]


def _paragraphs(text: str, chapter: int, *, only_marked: bool) -> Iterator[_Paragraph]:
    current: _Paragraph | None = None
    under: Severity | None = None
    for line in text.splitlines():
        headed = _severity_heading(line)
        if headed or (line.strip() and under and not _ITEM.match(line)):
            under = headed
        opened = None if headed else _opened(line, chapter, under, only_marked=only_marked)
        ends = opened or headed or verdict_of(line) or (only_marked and _is_shaped(line))
        if ends:
            if current:
                yield current
            current = opened
        elif current:
            current.lines.append(line)
    if current:
        yield current


def _is_shaped(line: str) -> bool:
    return "|" in line or not line.strip()


def _opened(line: str, chapter: int, under: Severity | None, *, only_marked: bool) -> _Paragraph | None:
    """Return the paragraph that a line opens, or None."""
    stated = _tagged_severity(line)
    within = SCENE_ID.search(line[:LONGEST_TAG])
    place = within.group() if within and _is_of(within.group(), chapter) else str(chapter)
    if under and _ITEM.match(line) and not _is_nothing(line):
        return _Paragraph(place, stated or under, True, [line])
    if "|" not in line and _is_marked(line):
        return _Paragraph(place, stated, True, [line])
    scene = "" if only_marked else _opened_scene(line, chapter)
    return _Paragraph(scene, stated, False, [line]) if scene else None


def _is_marked(line: str) -> bool:
    """Tell whether a line begins with the word for an objection, or with a severity, and says something."""
    first = _FIRST_WORD.match(line[:LONGEST_TAG])
    if first and folded(first["word"]) in words("objection"):
        return not _is_nothing(line[first.end() :])
    tag = _SEVERITY_TAG.match(_with_dashes(line[:LONGEST_TAG]))
    return bool(tag and meaning("severity", tag["word"]) and not _is_nothing(line[tag.end() :]))


def _is_nothing(rest: str) -> bool:
    """Tell whether a text says that there is nothing to say, or is empty."""
    plain = folded(rest).lstrip(" :—–-|])•.0123456789").strip()
    first = _FIRST_WORDS.split(plain, maxsplit=1)[0].strip(" !")
    return not plain or first in words("nothing")


def _severity_heading(line: str) -> Severity | None:
    """Return the severity that a heading of its own line names, in the singular or plural."""
    match = _HEADING.match(line[:LONGEST_TAG]) if len(line) < LONGEST_TAG else None
    if match is None:
        return None
    title = folded(match["title"] or match["bold"] or match["plain"])
    return meaning("severity", title) or meaning("severity", title.removesuffix("s"))  # pyright: ignore[reportReturnType]


def _opened_scene(line: str, chapter: int) -> str:
    """Return the scene that a line opens a paragraph about; empty where it opens none."""
    head = line[:LONGEST_HEAD]
    named = _SCENE_OPENING.match(head)
    if named and folded(head.split(named["id"])[0]).split(" ")[-1] in words("scene"):
        return named["id"]
    tagged = _SCENE_TAG.match(head)
    if tagged and ("#" in tagged["sign"] or tagged["mark"] or tagged["after"].strip()):
        return tagged["id"] if _is_of(tagged["id"], chapter) else ""
    within = SCENE_ID.search(head[:LONGEST_TAG])
    if within and _is_of(within.group(), chapter) and _tagged_severity(line):
        return within.group()
    return ""


def _is_of(scene: str, chapter: int) -> bool:
    return scene.partition(".")[0] == str(chapter)


def _with_dashes(text: str) -> str:
    return text.replace(" - ", " — ")


def _tagged_severity(line: str) -> Severity | None:
    """Return the severity that a line's beginning states, set off from its sentence."""
    for match in _SEVERITY_TAG.finditer(_with_dashes(line[:LONGEST_TAG])):
        if found := meaning("severity", match["word"]):
            return found  # pyright: ignore[reportReturnType]
    return None


Labelled = tuple[str, str]
"""The label of a checker's line, and what it says."""


def _take(found: Found, paragraph: _Paragraph, usual: Severity) -> None:
    """Add what a paragraph says: a row, or an objection."""
    labelled = [m for line in paragraph.lines if (m := _labelled(line))]
    if not paragraph.is_marked:
        bracketed = _bracketed_row(paragraph)
        if bracketed:
            found.rows.append(bracketed)
            return
        if len(labelled) >= ROW_LABELS:
            found.rows.append(_labelled_row(paragraph.scene, labelled))
            found.objections.extend(_lacking(paragraph.scene, labelled))
            return
    marked_usual: Severity = "major" if paragraph.is_marked else usual
    severity = paragraph.severity or _labelled_severity(paragraph.lines) or marked_usual
    text = fold(" ".join(paragraph.lines))
    found.objections.append(
        ObjectionDraft(
            scene=paragraph.scene,
            severity=severity,
            text=text[:LONGEST_OBJECTION],
            proposal=_proposal_in(paragraph.lines),
        )
    )


def _labelled(line: str) -> Labelled | None:
    match = _LABELLED.match(line[:LONGEST_HEAD])
    return (match.group(1), line[match.end() :]) if match else None


def _labelled_severity(lines: list[str]) -> Severity | None:
    for line in lines:
        label, colon, said = line[:LONGEST_TAG].partition(":")
        if colon and folded(label).strip("-> ") in words("severity_label"):
            return _severity(said.strip(" *_`"))
    return None


def _bracketed_row(paragraph: _Paragraph) -> SceneRow | None:
    """Return the row that a line with its marks in brackets is, as a chapter file prints it."""
    line = paragraph.lines[0]
    for match in _BRACKETS.finditer(line[: LONGEST_HEAD * 2]):
        marks = _marks_in(match.group(1).split(","))
        if len(marks) >= ROW_MARKS:
            rest = line[match.end() :].strip(" ,.")
            minutes = _MINUTES.search(rest)
            return SceneRow(
                scene=paragraph.scene,
                marks=marks,
                minutes=int(minutes.group(1)) if minutes else None,
                note=fold(rest),
            )
    return None


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


def _proposal_in(lines: list[str]) -> str:
    """Return what stands after the word for a proposal, at a line's beginning or within it."""
    for line in lines:
        label, colon, rest = line.partition(":")
        if colon and folded(label).strip("-> ") in words("proposal"):
            return fold(rest).strip("* ")
    for line in lines:
        parts = line.split(":")
        for at, part in enumerate(parts[:-1]):
            if folded(part.rpartition(".")[2]).strip() in words("proposal"):
                return fold(":".join(parts[at + 1 :])).strip("* ")
    return ""
