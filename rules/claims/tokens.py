"""One pass over a text: words, numbers, dice, stops and marks, each with its place.

Markdown emphasis, hyphens inside words and line ends inside a paragraph are transparent: no token stands
for them. Every alternative of the pattern is free of nested repetition, so the pass is linear in the text.
Tokens are plain tuples because a chapter has tens of thousands.
"""

import re

from rules.claims.model import Dice

Token = tuple[int, int, int]
"""Kind, start and end; offsets are in the text that was cut."""

DICE, WORD, NUMBER, LINE, STOP, MARK = range(1, 7)
"""Kinds of tokens: the numbers of the pattern's groups."""

_PATTERN = re.compile(
    r"""
      (\d{0,3}[dD]\d{1,3}(?![^\W_])(?:\s?[+\-–−]\s?\d{1,3}(?![\ddD]))?)
    | ([^\W\d_]+(?:['’][^\W\d_]+|[\u0300-\u036f]+[^\W\d_]*)*)
    | (\d+(?:[.,]\d+)*|[½¼¾])
    | (\n\s*)
    | ([.!?…]+)
    | ([,;:()\[\]/+\-‐‑–—−×|«»“”"=])
    """,
    re.VERBOSE,
)
_DICE_PARTS = re.compile(r"(\d*)[dD](\d+)\s?([+\-–−]?)\s?(\d*)")
_HYPHENS = "-‐‑"
_MINUS = "-–−"
_LIST_MARK = re.compile(r"(?:[-+•>|#]|\*\s|\d{1,3}[.)]\s)")
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
MOST_DIGITS = 9
"""A number of more digits is no figure of a game: it has no value."""


def number_value(text: str) -> float | None:
    """Return the value of written digits (`1,5`, `1.500`, `½`), or None where they are too many."""
    if text in _FRACTIONS:
        return _FRACTIONS[text]
    parts = text.replace(",", ".").split(".")
    if sum(map(len, parts)) > MOST_DIGITS:
        return None
    if len(parts) == 2 and len(parts[1]) != 3:
        return float(f"{int(parts[0])}.{int(parts[1]):0{len(parts[1])}d}")
    return float(int("".join(parts)))


def dice_value(text: str) -> Dice | None:
    """Return written dice (`3d6 + 2`, `d20`), or None where they are none (`0d6`, `2d1`)."""
    parts = _DICE_PARTS.match(text)
    if parts is None:
        return None
    count, sides, sign, bonus = parts.groups()
    number, size, extra = int(count or 1), int(sides), int(bonus or 0)
    if number < 1 or size < 2:
        return None
    return Dice(number, size, -extra if sign and sign in _MINUS else extra)


def _is_break(text: str, start: int, end: int) -> bool:
    return text.count("\n", start, end) > 1 or _LIST_MARK.match(text, end) is not None


def _stops(text: str, end: int) -> bool:
    """Tell whether a stop ends a sentence: it does unless a small letter follows (`ft. away`)."""
    while end < len(text) and text[end] in " \t*_\"»”)’'":
        end += 1
    return end >= len(text) or not text[end].islower()


def _joins(text: str, at: int) -> bool:
    """Tell whether a hyphen joins two words or a number and a word (`30-foot-radius`)."""
    return 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalpha()


def _stands(text: str, kind: int, start: int, end: int) -> bool:
    """Tell whether a line end, a stop or a mark is a token; words, numbers and dice always are."""
    if kind == MARK:
        return text[start] not in _HYPHENS or not _joins(text, start)
    return _stops(text, end) if kind == STOP else _is_break(text, start, end)


def tokens(text: str) -> list[Token]:
    """Cut a text into tokens, in order."""
    found = [(m.lastindex or 0, m.start(), m.end()) for m in _PATTERN.finditer(text)]
    return [token for token in found if token[0] < LINE or _stands(text, *token)]
