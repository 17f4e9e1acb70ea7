"""Headings of scenes, chapters and sections, in the shapes that models and people give them."""

import re
from dataclasses import dataclass

from concilio.chapterfile.words import folded, read_words

ATX = re.compile(r"[ \t>]{0,8}(#{1,6})(?:[ \t]+|\Z)")
_OPEN = re.compile(r"[ \t>]{0,12}(?:[-*•][ \t]+)?(#{1,6}[ \t]*|)(\*\*|__|)[ \t]*")
_WORD = r"[^\W\d_]{2,12}\.?"
_NUMBERS = re.compile(
    rf"(?:(?P<cword>{_WORD})[ \t]{{1,8}}(?P<chapter>-?\d{{1,40}})[ \t]{{0,8}}[·:,;|/—–-]{{0,3}}[ \t]{{0,8}})?"
    rf"(?:(?P<sword>{_WORD})[ \t]{{1,8}})?(?P<id>\d{{1,3}}(?:\.\d{{1,3}})?)(?![\d])"
)
_SEPARATOR = re.compile(r"[ \t]{0,8}(?:\*\*|__)?[ \t]{0,8}(?:[—–:·|]|-(?=[ \t]|\Z)|\.(?=[ \t]|\Z))[ \t]*")
_CHAPTER = re.compile(rf"(?P<cword>{_WORD})[ \t]+(?P<chapter>-?\d{{1,40}})[ \t]*(?:[—–:·|.-][ \t]*)?")
_CLOSING_HASHES = re.compile(r"[ \t]#+[ \t]*\Z")
QUOTES: dict[str, str] = {"«": "»", "“": "”", '"': '"'}


@dataclass(frozen=True, slots=True)
class SceneHeading:
    """A scene's heading; offsets count from the line's start."""

    chapter: int | None
    number: str
    """`5.1`, or `1` where the chapter is not repeated."""
    title_start: int
    title_end: int
    marked: bool
    """Whether it is an ATX heading or bold."""

    def scene_id(self, chapter: int | None) -> str:
        """Return `chapter.scene`, or the bare number where no chapter is known."""
        known = self.chapter if self.chapter is not None else chapter
        return self.number if "." in self.number or known is None else f"{known}.{self.number}"


def scene_heading(line: str) -> SceneHeading | None:
    """Return the scene heading that a line is, or None."""
    opened = _OPEN.match(line)
    if opened is None:
        return None
    numbers = _NUMBERS.match(line, opened.end())
    if numbers is None or not _is_scene(numbers, atx=bool(opened[1]), bold=bool(opened[2])):
        return None
    separator = _SEPARATOR.match(line, numbers.end())
    bold_end = _bold_end(line, opened[2]) if opened[2] else len(line)
    if bold_end is None or (separator is None and line[numbers.end() : bold_end].strip(" \t*_#")):
        return None
    start = separator.end() if separator else numbers.end()
    start, end = title_span(line, min(start, bold_end), bold_end)
    chapter = int(numbers["chapter"]) if numbers["chapter"] else None
    return SceneHeading(chapter, numbers["id"], start, end, bool(opened[1] or opened[2]))


def _is_scene(numbers: re.Match[str], atx: bool, bold: bool) -> bool:
    words = read_words()
    if numbers["cword"] and folded(numbers["cword"]) not in words.chapter:
        return False
    if numbers["sword"]:
        return folded(numbers["sword"]) in words.scene
    return (atx or bold) and "." in numbers["id"] and not numbers["cword"]


def _bold_end(line: str, bold: str) -> int | None:
    """Return where the bold of a heading closes; None where the line goes on after it."""
    bare = line.rstrip().rstrip("#").rstrip()
    if bare.endswith(bold):
        return len(bare) - len(bold)
    close = line.find(bold, line.find(bold) + len(bold))
    # `**Escena 5.1** — T`: the bold holds the number alone
    return len(line) if close > 0 and _SEPARATOR.match(line, close) else None


def title_span(line: str, start: int, end: int) -> tuple[int, int]:
    """Return the title's span without closing hashes, outer spaces and one pair of quotes."""
    text = line[start:end]
    hashes = _CLOSING_HASHES.search(text)
    if hashes:
        text = text[: hashes.start()]
    start += len(text) - len(text.lstrip(" \t"))
    text = text.strip(" \t")
    if len(text) >= 2 and QUOTES.get(text[0]) == text[-1]:
        return start + 1, start + len(text) - 1
    return start, start + len(text)


def chapter_heading(line: str) -> tuple[int, int, int] | None:
    """Return (number, title start, title end) where the line is a chapter's ATX heading without a scene."""
    atx = ATX.match(line)
    if atx is None:
        return None
    match = _CHAPTER.match(line, atx.end())
    if match is None or folded(match["cword"]) not in read_words().chapter or scene_heading(line):
        return None
    start, end = title_span(line, match.end(), len(line))
    return int(match["chapter"]), start, end


def section_key(title: str) -> str | None:
    """Return the section that a heading's text opens (`plan`, `debate`, `prose`, …), or None."""
    name = folded(title[:120])
    for start, key in read_words().sections:
        if name.startswith(start) and (len(name) == len(start) or not name[len(start)].isalnum()):
            return key
    return None
