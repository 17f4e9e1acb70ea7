r"""Lists that people read and our reader reads back: labelled lines, and records with details.

```
- **O3** · grave · abierta · Rubén · escena 5.2
  - Objeción: El vapor no cambia nada.
```

Values are escaped: a `:` in a label, `·` and `*` in a head, `|` in a table never stand for ours.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from concilio.chapterfile.escape import code, escape_line, unescape

_LABELLED = re.compile(r"- ((?:[^\\:]|\\.)*):(.*)\Z")
_HEAD = re.compile(r"- \*\*((?:[^\\*]|\\.)*)\*\*(.*)\Z")
_CELL = re.compile(r"((?:[^\\|]|\\.)*)\|")
_SEPARATOR = " · "


@dataclass(slots=True)
class Record:
    """A head with its values, and the details below it, unescaped."""

    head: tuple[str, ...]
    details: dict[str, str] = field(default_factory=dict[str, str])
    pairs: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The details in their order, where a label may come twice."""


def labelled(label: str, value: str, indent: int = 0) -> str:
    """Return `- Label: value`, both escaped."""
    name = escape_line(label, also=":")
    return f"{' ' * indent}- {name}: {escape_line(value)}".rstrip()


def head(name: str, values: Iterable[str]) -> str:
    """Return `- **name** · value · value`, escaped."""
    return _SEPARATOR.join((f"- **{_head_value(name)}**", *map(_head_value, values)))


def _head_value(text: str) -> str:
    return escape_line(text, also="*").replace("·", code("·"))


def row(cells: Iterable[str]) -> str:
    """Return a table's row, its cells escaped."""
    return "".join(f"| {escape_line(cell, also='|')} " for cell in cells) + "|"


def read_labelled(line: str) -> tuple[str, str] | None:
    """Return label and value of `- Label: value`, unescaped; None where the line is none."""
    match = _LABELLED.match(line)
    return (unescape(match[1]), unescape(match[2].strip())) if match else None


def read_records(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of a list; lines that are no part of one are passed over."""
    current: Record | None = None
    for line in lines:
        match = _HEAD.match(line)
        if match:
            if current:
                yield current
            values = (unescape(value.strip()) for value in match[2].split("·")[1:])
            current = Record((unescape(match[1]), *values))
        elif current and line.startswith("  - "):
            pair = read_labelled(line[2:])
            if pair:
                current.details[pair[0]] = pair[1]
                current.pairs.append(pair)
    if current:
        yield current


def read_row(line: str) -> tuple[str, ...]:
    """Return the cells of a table's row, unescaped; none where the line is no row."""
    if not line.startswith("|"):
        return ()
    return tuple(unescape(cell.strip()) for cell in _CELL.findall(line[1:]))
