"""Quotes that a reader gives, found again in the text: what does not stand there is no quote.

White space, emphasis, escapes, case and the kind of quotation mark and dash may differ; words may not.
"""

import unicodedata
from functools import lru_cache

LEAST_LETTERS = 4
"""Letters and digits below which a quote says nothing of a place."""
_MARKS = dict.fromkeys("\"'«»“”„‟‘’‚‛‹›`´", '"')
_DASHES = dict.fromkeys("-‐‑‒–—―−", "-")
_PLAIN = {**_MARKS, **_DASHES, "…": "..."}
_DROPPED = frozenset("\\*_>\u00ad\u200b\ufeff")
_EDGES = '" .,;:-'


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return where a quote begins and ends in a text (offsets of the first place), or None."""
    wanted = _folded(quote)[0].strip(_EDGES)
    if sum(map(str.isalnum, wanted)) < LEAST_LETTERS:
        return None
    plain, offsets = _folded(text)
    at = _whole_words(plain, wanted)
    return (offsets[at], offsets[at + len(wanted) - 1] + 1) if at >= 0 else None


def _whole_words(plain: str, wanted: str) -> int:
    """Return the first place of a text at which no word is cut, or -1."""
    at = plain.find(wanted)
    while at >= 0:
        after = at + len(wanted)
        if not (plain[at - 1 : at].isalnum() or plain[after : after + 1].isalnum()):
            return at
        at = plain.find(wanted, at + 1)
    return -1


@lru_cache(maxsize=64)  # many quotes are looked for in one text
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text in its plainest form, and for each of its characters the offset that it comes from."""
    plain: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(text):
        for one in _plain(char):
            if one != " " or (plain and plain[-1] != " "):
                plain.append(one)
                offsets.append(at)
    return "".join(plain), tuple(offsets)


def _plain(char: str) -> str:
    if char in _DROPPED:
        return ""
    if char.isspace():
        return " "
    return _PLAIN.get(char) or unicodedata.normalize("NFD", char.casefold())
