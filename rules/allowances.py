"""Allowances: `<!-- concilio: allow dc-drift -->` silences rules for the block that follows."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_OPEN = "<!--"
_CLOSE = "-->"
_LONGEST = 400
"""Characters that an allowance may have, its reason included."""
_NEIGHBOURS = 20
"""Allowances looked at before a place: more of them on one block is no honest text."""
_ORDER = re.compile(r"\s*concilio:\s*allow\s+([a-z0-9, \t-]+)")
_INK = re.compile(r"\S")
_BLANK = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True)
class Allowance:
    """Rules that are silenced between two offsets."""

    rules: frozenset[str]
    start: int
    end: int


def allowances_in(source: str) -> tuple[Allowance, ...]:
    """Return the allowances of a text in order; each holds to the end of the block after its comment."""
    if _OPEN not in source:
        return ()
    blanks = [m.start() for m in _BLANK.finditer(source)]
    return tuple(_read(source, blanks))


def _read(source: str, blanks: Sequence[int]) -> Iterator[Allowance]:
    at = source.find(_OPEN)
    while at >= 0:
        begin = at + len(_OPEN)
        order = _ORDER.match(source, begin, begin + _LONGEST)
        close = source.find(_CLOSE, begin, begin + _LONGEST)
        if order and close >= 0:
            rules = frozenset(order.group(1).replace(",", " ").split())
            yield Allowance(rules, at, _block_end(source, close + len(_CLOSE), blanks))
        at = source.find(_OPEN, max(begin, close))


def _block_end(source: str, start: int, blanks: Sequence[int]) -> int:
    """Return where the block ends that begins after an offset: blank lines before it do not count."""
    index = bisect_right(blanks, start - 1)
    while index < len(blanks) and not _INK.search(source, start, blanks[index]):
        start, index = blanks[index], index + 1
    return blanks[index] if index < len(blanks) else len(source)


def is_allowed(allowances: Sequence[Allowance], rule: str, start: int) -> bool:
    """Tell whether a finding of a rule that begins at an offset is silenced."""
    after = bisect_right(allowances, start, key=lambda a: a.start)
    return any(rule in a.rules and start < a.end for a in allowances[max(0, after - _NEIGHBOURS) : after])
