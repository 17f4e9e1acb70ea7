"""Figures as people read them: decimals with their language's mark, money, and what nobody counted.

Unknown is not zero: a price or a count that a model does not tell is said to be unknown.
"""

import math
from collections.abc import Iterable
from decimal import Decimal

from concilio.catalogue import say

CENTS = 2
"""Decimals that an amount of money has at least."""
_MOST_SMALL = 4
"""Decimals of an amount below one dollar, where more than cents are told."""
_LEAST_SHOWN = 0.001
"""US dollars below which four decimals would tell no two figures."""
_MOST = 12


def marked(figure: str, language: str | None = None) -> str:
    """Return a figure in Python's writing with the decimal mark of a language (None: the user's)."""
    return figure.replace(".", say("figures.decimal_mark", language))


def decimal(value: float, digits: int = 1, language: str | None = None) -> str:
    """Return a number with so many decimals."""
    return marked(f"{value:.{digits}f}", language)


def amount(usd: float, language: str | None = None) -> str:
    """Return US dollars without their sign: two decimals, and more where those would hide what was spent."""
    if abs(usd) >= 1:
        return decimal(usd, CENTS, language)
    digits = _MOST_SMALL
    if 0 < abs(usd) < _LEAST_SHOWN:
        digits = min(1 - math.floor(math.log10(abs(usd))), _MOST)
    whole, _, part = f"{usd:.{digits}f}".partition(".")
    return marked(f"{whole}.{part.rstrip('0').ljust(CENTS, '0')}", language)


def exact(usd: float, language: str | None = None) -> str:
    """Return US dollars to their last decimal, so that `read` finds the same number."""
    whole, _, part = f"{Decimal(repr(usd)):f}".partition(".")
    return marked(f"{whole}.{part.rstrip('0').ljust(CENTS, '0')}", language)


def read(text: str, language: str | None = None) -> float:
    """Return the number that a figure says, written with the language's decimal mark or with a point.

    Raises:
        ValueError: it is none.
    """
    return float(text.replace(say("figures.decimal_mark", language), "."))


def money(usd: float | None, language: str | None = None) -> str:
    """Return US dollars as a language writes them; None: that nobody knows."""
    if usd is None:
        return say("figures.cost_unknown", language)
    return say("figures.money", language, amount=amount(usd, language))


def tokens(count: int | None, language: str | None = None) -> str:
    """Return a number of tokens; None: that nobody knows."""
    return say("figures.unknown", language) if count is None else str(count)


def said_tokens(count: int | None, language: str | None = None) -> str:
    """Return a number of tokens with its word, for a sentence."""
    if count is None:
        return say("figures.tokens_unknown", language)
    return say("figures.tokens", language, count=count)


def add_tokens(counts: Iterable[int | None]) -> int | None:
    """Return a sum of tokens; what one does not know, the sum does not know."""
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
