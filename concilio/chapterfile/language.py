"""The language of a text: by its labels and headings, else by its frequent short words."""

import re
from collections.abc import Iterable

from concilio.chapterfile.words import field_words, folded, stop_words
from concilio.domain.base import Language

_SAMPLE = 40_000
"""Characters that are looked at."""
_WORD = re.compile(r"[^\W\d_]{1,20}")


def label_votes(labels: Iterable[str]) -> int:
    """Return how many labels are Spanish alone, less those that are English alone."""
    spanish = {word for words in field_words("es").values() for word in words}
    english = {word for words in field_words("en").values() for word in words}
    names = [folded(label) for label in labels]
    return sum((n in spanish) - (n in english) for n in names)


def language_of(text: str, labels: Iterable[str] = ()) -> Language:
    """Return the language of a text; Spanish where nothing tells."""
    votes = label_votes(labels)
    if not votes:
        words = [word.casefold() for word in _WORD.findall(text[:_SAMPLE])]
        spanish, english = stop_words("es"), stop_words("en")
        votes = sum((w in spanish) - (w in english) for w in words)
    return "en" if votes < 0 else "es"
