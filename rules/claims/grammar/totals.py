"""What a roll must reach, said without the word for DC: `16 or better`, `needs a 16`, `que no baje de 18`."""

from rules.claims.grammar.difficulty import Read, dc_value
from rules.claims.model import Difficulty
from rules.claims.stream import Stream

LEAST_TARGET, MOST_TARGET = 5, 30
"""Totals between which `a 15 on Stealth` is a DC: less or more is a die's face or a bonus."""
MOST_TO_TOTAL = 14
"""Items between a check and what is said of its total."""
_MOST_BACK = 3
"""Small words between a total and the word that says that it must be reached."""
OR_MORE = ("or_more", "sign")
_SMALL = ("article", "linking_is", "of", "number")
_BARRIERS = (
    "stop",
    "break",
    "skill",
    "ability",
    "check",
    "t.saving_throw",
    "t.dc",
    "dice",
    "t.ac",
    "t.hp",
    "t.damage",
    "t.attack_roll",
    "unit",
    "(",
    "|",
)
_ENDS = (
    "end",
    ",",
    ")",
    ":",
    "dash",
    "glue",
    "or",
    "and",
    "but",
    "if",
    "on",
    "article",
    "linking_is",
    "«",
    "“",
)
"""What may stand after a bare total; a noun there would be what the number counts."""


def target_at(s: Stream, i: int) -> int | None:
    """Return the number at item `i` where it may be what a roll must reach."""
    value = dc_value(s, i)
    return value if value is not None and LEAST_TARGET <= value <= MOST_TARGET else None


def one_total(s: Stream, i: int, after: int) -> Read:
    """Return the number at item `i` as the only DC, read up to item `after`."""
    place = s.place(i, i + 1)
    value = target_at(s, i) or 0
    return Read((Difficulty(value, place["start"], place["end"]),), False, after)


def total_after(s: Stream, i: int) -> Read | None:
    """Read the total that stands right after a check which ends before item `i`: `an Athletics roll of 18
    or better`, `Percepción contra 17`, `la prueba exige un 15`, `a Perception check (15)`.
    """
    j = s.skip(i, ("of", "article", "glue", "versus", "reach", "total_of", "("), 5)
    if target_at(s, j) is None:
        return None
    more = s.any(j + 1, OR_MORE)
    bracket = s.has(j - 1, "(") and s.has(j + 1, ")")
    reached = any(s.any(k, ("versus", "reach", "total_of")) for k in range(i, j)) and not s.is_plain(j + 1)
    if not (more or bracket or reached):
        return None
    return one_total(s, j, j + 2 if more or bracket else j + 1)


def total_ahead(s: Stream, i: int) -> Read | None:
    """Read the total that the clauses after a check ask of it, from item `i` on: `, and anything from 13 up`,
    `; el número que hay que igualar es el 16`, `: con un 14 baja los ojos`.
    """
    for k in range(i, min(i + MOST_TO_TOTAL, len(s.tags))):
        tags = s.tags[k].keys()
        if not tags:
            continue
        if k in s.numbers and target_at(s, k) is not None:
            return one_total(s, k, k + 1 + s.any(k + 1, OR_MORE)) if _is_asked(s, k) else None
        if not tags.isdisjoint(_BARRIERS):
            return None
    return None


def _is_asked(s: Stream, i: int) -> bool:
    """Tell whether the words around the number at item `i` say that a roll must reach it."""
    if s.any(i + 1, OR_MORE) or s.has(i - 1, "singular_article"):
        return True
    j = i - 1
    while j > i - 1 - _MOST_BACK and s.any(j, _SMALL) and not s.any(j, ("reach", "total_of")):
        j -= 1
    if s.has(j, "total_of"):
        return True
    ends = i + 1 >= len(s.tags) or s.any(i + 1, _ENDS) or s.is_capital(i + 1)
    return ends and s.any(j, ("reach", "versus")) and not s.has(j, "lose")
