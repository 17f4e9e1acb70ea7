"""The promise that every passage of a document equals the source at its place."""

import dataclasses
from collections.abc import Iterator

from rules.document import Passage


def passages_of(value: object) -> Iterator[Passage]:
    """Yield every passage inside a value made of dataclasses and tuples."""
    if isinstance(value, Passage):
        yield value
    elif dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from passages_of(getattr(value, each.name))
    elif isinstance(value, tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from passages_of(item)  # pyright: ignore[reportUnknownArgumentType]


def misplaced(value: object, source: str, base: int = 0) -> list[Passage]:
    """Return the passages whose text is not what the source has there."""
    return [p for p in passages_of(value) if source[p.start - base : p.end - base] != p.text]
