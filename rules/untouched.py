"""What of a Markdown text `--fix` never touches: code, comments, tags, formulas, the targets of links."""

import re
from bisect import bisect_right
from collections.abc import Iterator

Span = tuple[int, int]
_INLINE = re.compile(
    r"\]\([^()\n]{0,500}(?:\([^()\n]{0,500}\)[^()\n]{0,500}){0,5}\)"  # the target of a link or an image
    r"|\]\[[^\]\[\n]{0,200}\]"  # the name of a target that stands elsewhere
    r"|\[\[[^\]\[\n]{0,200}\]\]"  # a reference to another text
    r"|(?m:^ {0,3}\[[^\]\[\n]{1,200}\]:[^\n]*)"  # that target
    r"|</?[A-Za-z][^<>]{0,2000}>"  # a tag with its attributes, or an address in angle brackets
    r"|\bhttps?://\S{1,2000}"
)
_MATHS = re.compile(
    r"(?<![\\$\w])\$(?![\s$])[^$\n]{1,300}(?<!\s)\$(?![\w$])"
    r"|\$\$(?:[^$\n]|\n(?![ \t\r]*\n)){1,2000}\$\$"
)
_ELEMENT = re.compile(r"<(pre|code|script|style|kbd|samp|tt|textarea|svg|math)\b|<!\[CDATA\[", re.IGNORECASE)
_WHOLE = ("pre", "script", "style", "textarea")
"""Elements that reach to the end of the text where they are not closed."""
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?=[ \t]*(?:#|[\w\"'-][^\n:]{0,100}:))")
_FRONT_END = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LISTED_FENCE = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})")
"""A fence in an item of a list, however deep."""
_QUOTED = re.compile(r"(?: {0,3}> ?)*")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]")
_TAB = 4
_OPEN, _CLOSE = "<!--", "-->"


class Untouched:
    """The stretches of a text that stay as they are.

    Args:
        source: the text.
        fenced: whether what stands between fences is code; in a chapter it is not: models put whole plans and
            scenes between them, or open one and never close it, and what they hold is read all the same.
    """

    def __init__(self, source: str, fenced: bool = True) -> None:
        code = _code_lines(source, fenced)
        self._spans = _merged(
            [*_inline(source), *_comments(source), *_ticked(source), *code, *_others(source)]
        )
        self._starts = [start for start, _ in self._spans]

    def touches(self, start: int, end: int) -> bool:
        """Tell whether a stretch of the text overlaps one that stays as it is."""
        after = bisect_right(self._starts, end - 1)
        return after > 0 and self._spans[after - 1][1] > start


def code_in(source: str) -> list[Span]:
    """Return the stretches of a text that are code, in order."""
    return _merged([*_ticked(source), *_code_lines(source, fenced=True)])


def _merged(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for start, end in sorted(spans):
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return kept


def _inline(source: str) -> Iterator[Span]:
    for found in _INLINE.finditer(source):
        yield found.span()


def _comments(source: str) -> Iterator[Span]:
    at = source.find(_OPEN)
    while at >= 0:
        close = source.find(_CLOSE, at + len(_OPEN))
        end = len(source) if close < 0 else close + len(_CLOSE)
        yield at, end
        at = source.find(_OPEN, end)


def _others(source: str) -> Iterator[Span]:
    """Find what is no prose either: formulas, the insides of elements that hold code, the front matter."""
    for found in _MATHS.finditer(source):
        yield found.span()
    front = _FRONT.match(source)
    end = _FRONT_END.search(source, front.end()) if front else None
    if end:
        yield 0, end.end()
    yield from _elements(source)


def _elements(source: str) -> Iterator[Span]:
    folded = source.lower()
    if len(folded) != len(source):  # a few letters have two in small letters
        folded = source
    at, never_closed = 0, set[str]()
    while found := _ELEMENT.search(source, at):
        name = (found[1] or "").lower()
        closing = f"</{name}" if name else "]]>"
        close = -1 if closing in never_closed else folded.find(closing, found.end())
        at = found.end()
        if close >= 0:
            at = close + len(closing)
            yield found.start(), at
        elif name in _WHOLE or not name:
            yield found.start(), len(source)
            return
        else:
            never_closed.add(closing)


def _ticked(source: str) -> Iterator[Span]:
    """Find what stands between two runs of as many backticks in one paragraph."""
    runs: list[Span] = []
    at = 0
    for line in source.splitlines(keepends=True):
        if not line.strip():
            yield from _pairs(runs)
            runs = []
        if not _FENCE.match(line):
            runs += [(at + found.start(), at + found.end()) for found in _TICKS.finditer(line)]
        at += len(line)
    yield from _pairs(runs)


def _pairs(runs: list[Span]) -> Iterator[Span]:
    partner: list[int | None] = []
    later: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        size = runs[index][1] - runs[index][0]
        partner.append(later.get(size))
        later[size] = index
    partner.reverse()
    index = 0
    while index < len(runs):
        other = partner[index]
        if other is not None:
            yield runs[index][0], runs[other][1]
        index = index + 1 if other is None else other + 1


def _code_lines(source: str, fenced: bool) -> Iterator[Span]:
    """Find the lines of code: between fences where they count, or indented below a blank line.

    A quotation's lines are read without its marks; a fence in it ends where it does.
    """
    fence, code, blank, listed, depth = "", False, True, False, 0
    at = 0
    for line in source.splitlines(keepends=True):
        start, at = at, at + len(line)
        quoted = _QUOTED.match(line) if ">" in line else None
        marks = quoted.group() if quoted else ""
        text, before, depth = line[len(marks) :], depth, marks.count(">")
        if depth > before:
            code, blank, listed = False, True, False
        fence = "" if depth < before else fence
        mark = (_LISTED_FENCE if listed or _ITEM.match(text) else _FENCE).match(text) if fenced else None
        if fence:
            yield start, at
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence, code = mark[1], False
            listed = listed or bool(_ITEM.match(text))
        elif not text.strip():
            blank = True
            continue
        elif _indent(text) >= _TAB:
            code = code or (blank and not listed)
            if code:
                yield start, at
        else:
            listed = bool(_ITEM.match(text)) or (listed and (not blank or text[:1].isspace()))
            code = False
        blank = False


def _indent(line: str) -> int:
    wide = line[: len(line) - len(line.lstrip(" \t"))].expandtabs(_TAB)
    return len(wide)
