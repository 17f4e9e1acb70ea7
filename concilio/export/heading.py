"""The outline's labelled lines as they are printed at a chapter's head."""

import re
from collections.abc import Iterable, Iterator

from concilio.adventure.labels import label_key
from concilio.export.book import Entry, Point

_POINT = re.compile(r"(?:(\d{1,3})[.)]|[-–•*·])\s+(?=\S)")


def entries_of(lines: Iterable[tuple[str, str]]) -> Iterator[Entry]:
    """Yield labelled texts as entries: labels as they are read, and a text's points as points."""
    for label, text in lines:
        told, points = _parted(text)
        yield Entry(quiet(label), told, points)


def quiet(label: str) -> str:
    """Return a label of the outline's form in small letters (`LUGAR PRINCIPAL` → `Lugar principal`).

    The form asks for its capitals; those of a label that a designer made up are meant.
    """
    name, bracket, rest = label.partition("(")
    if not (name.isupper() and label_key(name.strip(" .:"))):
        return label
    return name.capitalize() + bracket + rest


def _parted(text: str) -> tuple[str, tuple[Point, ...]]:
    """Return the text before its points, and those; a line without a mark goes on with the one above it."""
    told: list[str] = []
    points: list[Point] = []
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        found = _POINT.match(line)
        if found:
            points.append(Point(line[found.end() :], int(found[1]) if found[1] else None))
        elif points:
            points[-1] = Point(f"{points[-1].text} {line}", points[-1].number)
        else:
            told.append(line)
    return "\n".join(told), tuple(points)
