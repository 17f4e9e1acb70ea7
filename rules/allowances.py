"""Allowances: `<!-- concilio: allow dc-drift -->` silences rules for the block that follows."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.untouched import code_in

_OPEN = "<!--"
_CLOSE = "-->"
_LONGEST = 400
"""Characters that an allowance may have, its reason included."""
_NEIGHBOURS = 20
"""Allowances looked at before a place: more of them on one block is no honest text."""
_ORDER = re.compile(r"\s*concilio:\s*allow\s+([a-z0-9, \t-]+)")
_COMMENT = re.compile(
    r"<!--\s{0,20}concilio[ \t]{0,20}:?[ \t]{1,20}(?P<verb>[^\W\d_]{1,20})(?P<rest>[^\w<>][^<>]{0,400}?|)-->",
    re.IGNORECASE,
)
"""What may be meant as an order, however it is spelt."""
_RIGHT = re.compile(r"<!--\s*concilio:\s*allow\b")
_NAME = re.compile(r"[\w-]*\w")
_DASH = re.compile(r"\s[-–—]+\s")
"""What people put before a reason instead of a colon."""
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


@dataclass(frozen=True, slots=True)
class Order:
    """A comment that tells us something, or tries to."""

    start: int
    end: int
    is_allowance: bool
    """Whether it begins as an allowance must; otherwise its words are only like one."""
    names: tuple[tuple[int, int], ...]
    """Where the rules that it names stand; its reason is left out."""


def orders_in(source: str) -> Iterator[Order]:
    """Give the comments that are allowances or look like one; not those that are code in a text about us."""
    comments = list(_COMMENT.finditer(source)) if _OPEN in source else []
    code = code_in(source) if comments else []
    for found in comments:
        after = bisect_right(code, found.start(), key=lambda span: span[0])
        if after and code[after - 1][1] > found.start():
            continue
        rest, _, _ = found["rest"].partition(":")
        at = found.start("rest")
        names = tuple((at + m.start(), at + m.end()) for m in _NAME.finditer(_DASH.split(rest)[0]))
        yield Order(found.start(), found.end(), bool(_RIGHT.match(found.group())), names)
