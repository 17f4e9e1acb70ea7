"""The lines of a Markdown outline, and which of them begin a chapter."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from concilio.adventure.labels import MARKER, label_of, number_of
from concilio.adventure.words import fold, listed, table

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_RULE = re.compile(r"([-*_][ \t]*){3,}")
_FENCE = re.compile(r"(```+|~~~+)")
_COMMENT = re.compile(r"<!--.*-->")
_CHAPTER = re.compile(r"(?P<word>[^\W\d_]+)\.? ?(?:n[.ºo°]{1,2} ?)?(?P<number>\d{1,4}|[^\W\d_]+)(?P<rest>.*)")
_FIGURES = re.compile(
    r"(?P<word>[^\W\d_]{1,20})\.? {1,3}(?:n[.ºo°]{1,2} ?)?(?P<number>[-−]?\d{1,300})\b(?!\.\d)"
)
_MOST_FIGURES = 3
_SEPARATORS = " \t·:.—–-|,"
_QUOTES = {"«": "»", "“": "”", '"': '"', "‘": "’", "'": "'", "„": "“"}
_SCENE_ID = re.compile(r"\d{1,4}\.\d{1,4}")
_LEADING_NUMBER = re.compile(r"(\d{1,3})\s*[.)·:—–-]\s*(?=\S)")
_HEAD = 400
"""Characters of a line within which a heading is looked for."""

Kind = Literal["blank", "heading", "item", "text", "raw"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line, taken apart."""

    number: int
    """From 1, in the file."""
    kind: Kind
    """`raw`: inside a code fence, nothing in it has a meaning."""
    raw: str
    indent: int = 0
    """Columns before its first character; a tab counts four."""
    content: str = ""
    """Without indent, list marker and heading marks."""
    level: int = 0
    """1 to 6 for a heading."""
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class ChapterStart:
    """A heading that begins a chapter."""

    line: int
    number: int | None
    """None for an epilogue: it follows the last."""
    title: str
    """Empty where the heading has none."""


def lines_of(text: str, first_line: int = 1) -> tuple[Line, ...]:
    """Return the lines of a Markdown text; comments of one line and thematic breaks are blank."""
    raws = text.split("\n")
    fenced = _fenced(raws)
    underlined = {i - 1 for i in range(1, len(raws)) if _underlines(raws[i], raws[i - 1])}
    found: list[Line] = []
    for i, raw in enumerate(raws):
        number = first_line + i
        if i in fenced:
            found.append(Line(number, "raw", raw, content=raw.strip()))
        elif i in underlined:
            found.append(Line(number, "heading", raw, content=raw.strip(), level=1))
        elif i - 1 in underlined:
            found.append(Line(number, "blank", raw))
        else:
            found.append(_line(number, raw))
    return tuple(found)


def _line(number: int, raw: str) -> Line:
    raw = raw.rstrip()
    quoted = raw.lstrip()
    content = quoted.lstrip("> ") if quoted.startswith(">") else quoted
    indent = len(raw[: len(raw) - len(quoted)].expandtabs(4))
    if (
        not content
        or _RULE.fullmatch(content[:_HEAD])
        or _COMMENT.fullmatch(content)
        or _FENCE.match(content)
    ):
        return Line(number, "blank", raw)
    heading = _HEADING.match(content)
    if heading:
        return Line(number, "heading", raw, indent, _heading_text(heading[2]), len(heading[1]))
    row = _table_row(content) if content.startswith("|") else None
    if row is not None:
        return Line(number, "item" if row else "blank", raw, indent, row)
    marker = MARKER.match(content)
    if marker:
        return Line(
            number, "item", raw, indent, content[marker.end() :], numbered=marker["number"] is not None
        )
    return Line(number, "text", raw, indent, content)


def _table_row(content: str) -> str | None:
    """Return `label: text` of a table's row that begins with a label, empty for a rule; else None."""
    cells = [cell.strip() for cell in content.strip("| ").split("|")]
    if all(cell and set(cell) <= set("-: ") for cell in cells):
        return ""
    label = label_of(f"{cells[0]}:")
    return f"{cells[0]}: {' | '.join(cells[1:])}" if label and label.certain else None


def _heading_text(text: str) -> str:
    return text.strip().rstrip("#").strip()


def _underlines(raw: str, above: str) -> bool:
    return len(raw) >= 3 and set(raw.rstrip()) == {"="} and bool(above.strip())


def _fenced(raws: list[str]) -> frozenset[int]:
    """Return the indexes of the lines within closed code fences; a fence left open is no fence."""
    marks = [i for i, raw in enumerate(raws) if _FENCE.match(raw.lstrip())]
    pairs = zip(marks[::2], marks[1::2], strict=False)
    return frozenset(i for start, end in pairs for i in range(start + 1, end))


def chapter_starts(lines: tuple[Line, ...]) -> tuple[ChapterStart, ...]:
    """Return the chapters' headings in order.

    Headings and bold lines that name a chapter; where there are none, those that name a part or an act, then
    plain lines that do so; where there are none either, the headings directly under which labels stand,
    numbered in order.
    """
    for read in (_strong_start, _like_start, _plain_start):
        starts = _starts(lines, read)
        if any(start.number for start in starts):
            return starts
    return _labelled_headings(lines) or _starts(lines, _strong_start)


def wrong_numbers(lines: tuple[Line, ...]) -> Iterator[tuple[int, str]]:
    """Yield line and number of each chapter's heading whose number none can have: 0, below, too large."""
    for line in lines:
        match = _FIGURES.match(line.content[:_HEAD].strip("*_ ")) if _stands_out(line) else None
        if match and fold(match["word"]) in _chapter_words("numbered"):
            figures = match["number"]
            if figures[0] in "-−" or not figures.strip("0") or len(figures.lstrip("0")) > _MOST_FIGURES:
                yield line.number, figures[:20]


def _starts(lines: tuple[Line, ...], read: Callable[[Line], ChapterStart | None]) -> tuple[ChapterStart, ...]:
    """Return the starts that `read` sees; a finished chapter's later parts name it again: no start."""
    starts: list[ChapterStart] = []
    closed = False
    for line in lines:
        if line.kind == "heading" and fold(line.content) in listed("closing_sections"):
            closed = True
        start = read(line) if line.kind in ("heading", "text") else None
        if start and not (closed and starts and start.number == starts[-1].number):
            starts.append(start)
            closed = False
    return tuple(starts)


def _strong_start(line: Line) -> ChapterStart | None:
    return _start(line, "numbered") if _stands_out(line) else None


def _like_start(line: Line) -> ChapterStart | None:
    return _start(line, "like_numbered") if _stands_out(line) else None


def _plain_start(line: Line) -> ChapterStart | None:
    start = None if line.indent or len(line.content) > _HEAD // 2 else _start(line, "numbered", explicit=True)
    return start if start and start.title else None


def _stands_out(line: Line) -> bool:
    content = line.content[:_HEAD]
    bold = content.startswith(("**", "__")) and content.rstrip().endswith(("**", "__")) and not line.indent
    return line.kind == "heading" or bold


def _start(line: Line, words: str, explicit: bool = False) -> ChapterStart | None:
    text = " ".join(line.content[:_HEAD].strip("*_ ").split())
    lone = _lone_start(line.number, text)
    if lone:
        return lone
    match = _CHAPTER.match(text)
    if not match or fold(match["word"]) not in _chapter_words(words):
        return None
    number, rest = number_of(match["number"]), match["rest"]
    if number is None or not _sets_off(rest, explicit) or re.match(r"\.\d", rest) or _is_scene(rest):
        return None
    return ChapterStart(line.number, number, clean_title(rest.lstrip(_SEPARATORS)))


def _sets_off(rest: str, explicit: bool) -> bool:
    """Tell whether a title is set off from the chapter's number: by a sign, where a space is not enough."""
    sign = rest.strip()[:1] if explicit else rest[:1]
    return sign in _SEPARATORS or sign in _QUOTES or sign == "("


def _lone_start(line: int, text: str) -> ChapterStart | None:
    word, _, rest = text.partition(" ")
    if rest and not (word.endswith(":") or _sets_off(rest, explicit=True)):
        return None
    title = clean_title(rest.lstrip(_SEPARATORS)) or word.strip(_SEPARATORS)
    for words, number in (("first", 0), ("last", None)):
        if fold(word) in _chapter_words(words):
            return ChapterStart(line, number, title)
    return None


def _is_scene(rest: str) -> bool:
    words = fold(rest).split(maxsplit=1)
    return bool(words) and words[0] in listed("scene_words") and bool(_SCENE_ID.search(rest[:60]))


@cache
def _chapter_words(which: str) -> frozenset[str]:
    return frozenset(word for word, known in table("chapter").items() if any(k.key == which for k in known))


def _labelled_headings(lines: tuple[Line, ...]) -> tuple[ChapterStart, ...]:
    starts: list[ChapterStart] = []
    heading: Line | None = None
    for line in lines:
        if line.kind == "heading" and not names_part(line.content):
            heading = line
        elif heading is not None and _has_known_label(line):
            number, title = _numbered_title(heading.content)
            lone = _lone_start(heading.number, heading.content)
            starts.append(lone or ChapterStart(heading.number, number or len(starts) + 1, title))
            heading = None
    return tuple(starts)


def names_part(heading: str) -> bool:
    """Tell whether a heading is a label, or introduces the labels or a later part of a finished chapter."""
    label = label_of(heading) or label_of(f"{heading}:")
    known = bool(label and label.key)
    return known or fold(heading) in listed("header_sections") | listed("closing_sections")


def _has_known_label(line: Line) -> bool:
    label = label_of(line.content) or (label_of(f"{line.content}:") if line.kind == "heading" else None)
    return line.kind in ("item", "text", "heading") and label is not None and bool(label.key)


def _numbered_title(heading: str) -> tuple[int | None, str]:
    match = _LEADING_NUMBER.match(heading)
    return (int(match[1]), clean_title(heading[match.end() :])) if match else (None, clean_title(heading))


def clean_title(text: str) -> str:
    """Return a title without the emphasis and the quotation marks around it."""
    title = " ".join(text.strip().strip("*_").split())
    closing = _QUOTES.get(title[:1])
    inner = title[1:-1]
    if (
        closing
        and title.endswith(closing)
        and len(title) > 1
        and closing not in inner
        and title[0] not in inner
    ):
        return inner.strip()
    return title
