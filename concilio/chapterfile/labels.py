"""The label at the start of a line: `- **LUGAR**: …`, `Place: …`, `#### PRESENTES`, `2) Situación — …`."""

import re
from typing import Literal, NamedTuple

from concilio.chapterfile.words import folded, read_words
from rules.document import FieldKey

LabelKey = FieldKey | Literal["title"]
LABEL_LIMIT = 80
"""Characters in which a label must end."""
MARK = re.compile(
    r"(?P<lead>[ \t>]{0,40})"
    r"(?P<bullet>(?:[*+][ \t]+|[-•▪‣·–—][ \t]*|\(?\d{1,2}[.)][ \t]+)?)"
    r"(?P<atx>(?:#{1,6}[ \t]+)?)"
    r"(?P<bold>\*{1,3}|_{1,3}|)[ \t]{0,4}"
)
_AFTER_BOLD = re.compile(r"[ \t]*(?:[:：]|[—–-](?=[ \t]))?[ \t]*")
_COLON = re.compile(r"[:：]")
_SPACES = re.compile(r"[ \t]*")
_ASIDE = re.compile(r"[ ]?\([^()]*\)\Z")


class Label(NamedTuple):
    """A label found in a line; offsets count from the line's start."""

    key: str
    start: int
    end: int
    text_start: int


def look_up(label: str, table: dict[str, str]) -> str | None:
    """Return the key of a label in a table of folded words; asides and `A / B` do not matter."""
    name = folded(label)
    for candidate in (name, _ASIDE.sub("", name), name.split("/")[0].strip()):
        if candidate in table:
            return table[candidate]
    return None


def find_label(line: str, table: dict[str, str]) -> Label | None:
    """Return the label with which a line starts, or None."""
    mark = MARK.match(line)
    if mark is None:
        return None
    start = mark.end()
    rest = line[start : start + LABEL_LIMIT]
    bold = mark["bold"]
    return (
        _with_colon(line, start, rest, bold, table)
        or (_in_bold(line, start, rest, bold, table) if bold else None)
        or _alone(line, start, rest, bool(mark["atx"]), table)
    )


def _with_colon(line: str, start: int, rest: str, bold: str, table: dict[str, str]) -> Label | None:
    colon = _COLON.search(rest)
    if colon is None:
        return None
    name = rest[: colon.start()].rstrip(" \t*_")
    key = look_up(name, table)
    if key is None:
        return None
    after = start + colon.end()
    closed_inside = bold and bold not in rest[: colon.start()]
    if closed_inside and line.startswith(bold, after):
        after += len(bold)
    return Label(key, start, start + len(name), _skip_spaces(line, after))


def _in_bold(line: str, start: int, rest: str, bold: str, table: dict[str, str]) -> Label | None:
    close = rest.find(bold)
    key = look_up(rest[:close], table) if close > 0 else None
    if key is None:
        return None
    after = _AFTER_BOLD.match(line, start + close + len(bold))
    return Label(key, start, start + len(rest[:close].rstrip()), after.end() if after else len(line))


def _alone(line: str, start: int, rest: str, heading: bool, table: dict[str, str]) -> Label | None:
    name = rest.strip(" \t#*_")
    if not name or len(line) - start > LABEL_LIMIT or not (heading or name.isupper()):
        return None
    key = look_up(name, table)
    return None if key is None else Label(key, start, start + len(name), len(line))


def _skip_spaces(line: str, at: int) -> int:
    match = _SPACES.match(line, at)
    return match.end() if match else at


def plan_label(line: str) -> Label | None:
    """Return the plan field's label with which a line starts, or None."""
    return find_label(line, read_words().labels)


def header_label(line: str) -> Label | None:
    """Return the outline header's label with which a line starts; only known ones."""
    return find_label(line, read_words().headers)
