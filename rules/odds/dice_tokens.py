"""The tokens of a dice expression: numbers (as words, too), words and marks, with their places."""

import re
from dataclasses import dataclass
from typing import Literal

from rules.folding import fold_word
from rules.odds.dice_words import numbers
from rules.odds.errors import OddsError

LONGEST = 300
"""Characters of an expression."""
MOST_DIGITS = 6

_TOKEN = re.compile(r"\d+|[^\W\d_]+|\S")


@dataclass(frozen=True, slots=True)
class Token:
    """One token."""

    kind: Literal["number", "word", "mark", "end"]
    text: str
    """Folded, if it is a word."""
    start: int
    """Offset in the text."""
    end: int
    value: int = 0
    """Of a number."""


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text, an empty one at its end.

    Raises:
        OddsError: the text or one of its numbers is too long.
    """
    if len(text) > LONGEST:
        raise OddsError("too_long", most=LONGEST)
    found = [_token(match) for match in _TOKEN.finditer(text)]
    return [*found, Token("end", "", len(text), len(text))]


def _token(match: re.Match[str]) -> Token:
    text, start, end = match.group(), match.start(), match.end()
    if text.isdecimal():
        if len(text) > MOST_DIGITS:
            raise OddsError("number_too_large", found=text, column=start + 1, digits=MOST_DIGITS)
        return Token("number", text, start, end, int(text))
    if not text[0].isalpha():
        return Token("mark", text, start, end)
    folded = fold_word(text)
    if folded in numbers():
        return Token("number", text, start, end, numbers()[folded])
    return Token("word", folded, start, end)
