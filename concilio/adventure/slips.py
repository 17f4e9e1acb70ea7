"""Slips of the pen: is a word a known one with a letter wrong, or a word of its own?

A designer's own labels are kept, so a mere likeness is no fault: `OBJETOS` is not `OBJETIVO` misspelt, and
`PENSIÓN` is not `TENSIÓN`. Only a letter or two, by the length of the word, make a slip.
"""

from collections.abc import Iterable
from itertools import groupby

from rapidfuzz.distance import OSA

from concilio.adventure.words import fold

LONGEST = 80
"""Characters of a text that is compared."""
_FEW, _SOME, _MANY = 4, 6, 11
"""Letters of a word from which two may be swapped or one doubled; one may be wrong; two may be."""
_VOWELS = "aeiouy"
_ENDINGS = ("s", "es")


def slip_of(text: str, known: Iterable[str]) -> str | None:
    """Return the known text (folded) that a text is with a slip of the pen.

    None where it is known as it stands, in the singular or plural, or is a text of its own.
    """
    written = fold(text[:LONGEST]).split()
    found: str | None = None
    least = LONGEST
    for one in known:
        slips = _slips(written, one.split())
        if slips == 0:
            return None
        if slips is not None and slips < least:
            found, least = one, slips
    return found


def _slips(written: list[str], right: list[str]) -> int | None:
    """Return how many letters are wrong, 0 where none is; None where it is another text."""
    if len(written) != len(right):
        return None
    total = 0
    for at, (word, wanted) in enumerate(zip(written, right, strict=True)):
        beside = any(
            w == r and len(r) >= _FEW for i, (w, r) in enumerate(zip(written, right, strict=True)) if i != at
        )
        slips = _letters(word, wanted, beside)
        if slips is None:
            return None
        total += slips
    return total


def _letters(word: str, wanted: str, is_beside_right: bool) -> int | None:
    """Return how many letters of a word are wrong; a short word's neighbour must leave no doubt of it."""
    if word in (wanted, wanted.removesuffix("s")) or any(wanted + e == word for e in _ENDINGS):
        return 0
    if len(wanted) < _FEW or word[:1] != wanted[:1]:
        return None
    most = 2 if len(wanted) >= _MANY else 1
    distance = OSA.distance(word, wanted, score_cutoff=most)
    if distance > most:
        return None
    swapped = distance == 1 and sorted(word) == sorted(wanted)
    doubled = [letter for letter, _ in groupby(word)] == [letter for letter, _ in groupby(wanted)]
    lost = is_beside_right and (len(word) != len(wanted) or _consonants(word) == _consonants(wanted))
    return distance if len(wanted) >= _SOME or swapped or doubled or lost else None


def _consonants(word: str) -> str:
    return "".join(letter for letter in word if letter not in _VOWELS)
