"""Tables whose head says what a column's numbers are: under `DC`, a bare number is a DC."""

import re
from collections.abc import Iterator
from itertools import pairwise

from rules.claims.lexicon import Meaning, Tags
from rules.claims.stream import Stream

_RULE = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?$")
"""The line between a table's head and its rows (`|---|:-:|`)."""
_CELL = re.compile(r"(?<!\\)\|")
UNDER_DC: Tags = {"t.dc": Meaning(), "number": Meaning("digits"), "headed": Meaning()}
"""The meanings of a number under a head that is the word for a DC."""
UNDER_SAVE_DC: Tags = {**UNDER_DC, "headed_save": Meaning()}
"""The same where a head of the table is the word for a saving throw."""
_Line = tuple[int, str]


def read_heads(stream: Stream) -> None:
    """Tag the numbers that stand alone under a head that is the word for a DC."""
    if "|" not in stream.text or "-" not in stream.text:
        return
    columns: dict[int, Tags] = {}
    for (start, line), (_, following) in pairwise((*_lines(stream.text), (0, ""))):
        if "|" not in line:
            columns = {}
        elif _RULE.match(following) and "-" in following:
            columns = _columns(stream, _cells(stream, start, line))
        elif columns:
            for number, cell in enumerate(_cells(stream, start, line)):
                if number in columns and _is_figure(stream, cell):
                    stream.tags[cell[0]] = columns[number]


def _columns(stream: Stream, heads: list[range]) -> dict[int, Tags]:
    """Return the columns of DCs by their heads."""
    saves = any(stream.has(i, "t.saving_throw") for cell in heads for i in cell)
    checks = any(stream.any(i, ("check", "t.ability_check")) for cell in heads for i in cell)
    if saves and checks:
        return {}  # `Check or save | DC`: which one a row asks for is not said
    tags = UNDER_SAVE_DC if saves else UNDER_DC
    return {n: tags for n, cell in enumerate(heads) if len(cell) == 1 and stream.has(cell[0], "t.dc")}


def _is_figure(stream: Stream, cell: range) -> bool:
    """Tell whether a cell is a number, or begins with one that brackets say more of."""
    return bool(cell) and cell[0] in stream.numbers and (len(cell) == 1 or stream.has(cell[1], "("))


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _cells(stream: Stream, start: int, line: str) -> list[range]:
    """Return the items of each cell of a table's line; what stands before its first stroke counts as one."""
    edges = [0, *(m.end() for m in _CELL.finditer(line)), len(line) + 1]
    first = 1 if line.lstrip(" \t>").startswith("|") else 0
    return [
        range(_first_item(stream, start + low), _first_item(stream, start + high - 1))
        for low, high in pairwise(edges[first:])
    ]


def _first_item(stream: Stream, offset: int) -> int:
    """Return the first item that starts at an offset or after it."""
    at = stream.item_at(offset)
    return at if at >= len(stream.starts) or stream.starts[at] >= offset else at + 1
