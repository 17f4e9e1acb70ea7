"""Free prose cut into paragraphs; front matter, code fences and comments are left out."""

import re
from collections.abc import Iterator

from concilio.chapterfile.lines import passage
from rules.document import Passage

_LINE = re.compile(r"[^\r\n]+")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_OPENING = re.compile(r"---[ \t]*(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_ONE_BREAK = 2
"""Characters of the longest single line end (CRLF); more, or two line feeds, are a blank line."""


def paragraphs_of(source: str) -> tuple[Passage, ...]:
    """Return the paragraphs of a text, in order."""
    return tuple(_paragraphs(source))


def _paragraphs(source: str) -> Iterator[Passage]:
    start = end = -1
    for line_start, line_end in _readable(source):
        if start >= 0 and not _adjoin(source, end, line_start):
            yield passage(source, 0, start, end)
            start = -1
        start = line_start if start < 0 else start
        end = line_end
    if start >= 0:
        yield passage(source, 0, start, end)


def _adjoin(source: str, end: int, start: int) -> bool:
    """Tell whether nothing but one line end is between two lines."""
    return start - end <= _ONE_BREAK and source[end:start] in ("\n", "\r", "\r\n")


def _readable(source: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines that are prose."""
    fence, comment = "", False
    for match in _LINE.finditer(source, front_matter_end(source)):
        line = match.group()
        bare = line.strip("\ufeff \t")
        opening = _FENCE.match(line) if bare[:1] in ("`", "~") else None
        if comment:
            comment = "-->" not in bare
        elif fence:
            closes = opening and opening[1].startswith(fence) and not bare.strip(fence[0])
            fence = "" if closes else fence
        elif opening:
            fence = opening[1]
        elif bare.startswith("<!--"):
            comment = "-->" not in bare
        elif bare and not bare.isspace():
            yield match.span()


def front_matter_end(source: str) -> int:
    """Return the offset after the front matter; 0 where there is none."""
    at = 1 if source.startswith("\ufeff") else 0
    opening = _OPENING.match(source, at)
    closing = _CLOSING.search(source, opening.end()) if opening else None
    return closing.end() if closing else at
