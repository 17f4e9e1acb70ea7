"""What readers share."""

from collections.abc import Callable
from typing import NamedTuple

from rules.claims.model import Claim
from rules.claims.stream import Stream


class Match(NamedTuple):
    """What a reader found, and the index of the item after it."""

    claims: tuple[Claim, ...]
    after: int


Reader = Callable[[Stream, int], Match | None]


def closing(s: Stream, i: int, most: int = 24) -> int | None:
    """Return the index of the mark that closes the bracket opened at item `i`, within `most` items."""
    mark = ")" if s.has(i, "(") else "]"
    return s.find(i + 1, most, (mark,), ("break",))


def balanced(s: Stream, i: int, end: int) -> int:
    """Return the end of a claim, its closing bracket taken in where an opening one lies inside."""
    opened = sum(s.any(k, ("(", "[")) - s.any(k, (")", "]")) for k in range(i, end))
    return end + 1 if opened > 0 and s.any(end, (")", "]")) else end


def whole(value: float) -> int | None:
    """Return a number as an integer, or None where it has a fraction."""
    return int(value) if value == int(value) else None
