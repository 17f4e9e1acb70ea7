"""The language of a text: what is said of it, else what its labels and words tell."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from concilio.chapterfile.free_text import front_matter_end
from concilio.chapterfile.words import (
    field_words,
    folded,
    game_words,
    language_keys,
    language_named,
    stop_words,
)
from concilio.domain.base import Language

_SAMPLE = 40_000
"""Characters that are looked at."""
_WORD = re.compile(r"[^\W\d_]{1,20}")
_NAMED = re.compile(r"\.(es|en)(?:[-_][A-Za-z]{2})?\.[^.]+\Z", re.IGNORECASE)
_ENTRY = re.compile(r"(?m)^([^\W\d_]{1,20})[ \t]*:[ \t]*[\"']?([^\W\d_]{2,20})")
_MARK = re.compile(r"<!-- concilio: chapter -?\d{1,9} (es|en) -->")
_FEW = 3
"""Votes of small words, up to which the words of the game are counted as well."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known of a text's language beside the text itself."""

    adventure: Language | None = None
    """Language of the adventure that it belongs to: it is more than a guess."""
    otherwise: Language = "es"
    """What it is taken for where nothing tells."""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """The language in which a text is read."""

    language: Language
    is_told: bool = True
    """False where nothing tells it, and it had to be taken for one."""


def reading_of(source: str, name: str, asked: str | None, hints: Hints, labels: Iterable[str] = ()) -> ReadAs:
    """Return the language of a text: as asked, of its front matter, its name, its adventure, its words.

    Args:
        source: the text.
        name: its file's name (`chapter_01.en.md` is English).
        asked: `es` or `en` where the user says it.
        hints: what else is known of it.
        labels: the labels of its plan's fields.
    """
    stated = _known(asked) or stated_in(source) or named_in(name) or hints.adventure
    told = stated or told_by(source, labels)
    return ReadAs(told or hints.otherwise, told is not None)


def stated_in(source: str) -> Language | None:
    """Return the language that a text's front matter, or the mark of our own chapters, states; or None."""
    mark = _MARK.search(source)
    if mark:
        return _known(mark[1])
    end = front_matter_end(source)
    for found in _ENTRY.finditer(source, 0, end):
        if folded(found[1]) in language_keys():
            return language_named(found[2])
    return None


def named_in(name: str) -> Language | None:
    """Return the language that stands before a file name's last ending (`scene.en.md`), or None."""
    found = _NAMED.search(name)
    return _known(found[1].lower()) if found else None


def _known(code: str | None) -> Language | None:
    return code if code == "es" or code == "en" else None


def label_votes(labels: Iterable[str]) -> int:
    """Return how many labels are Spanish alone, less those that are English alone."""
    spanish = {word for words in field_words("es").values() for word in words}
    english = {word for words in field_words("en").values() for word in words}
    names = [folded(label) for label in labels]
    return sum((n in spanish) - (n in english) for n in names)


def told_by(text: str, labels: Iterable[str] = ()) -> Language | None:
    """Return the language that labels and words tell; None where they do not."""
    votes = label_votes(labels)
    if not votes:
        words = [word.casefold() for word in _WORD.findall(text[:_SAMPLE])]
        votes = _votes(words, stop_words("es"), stop_words("en"))
        if abs(votes) <= _FEW:
            votes += _votes(words, game_words("es"), game_words("en"))
    return ("es" if votes > 0 else "en") if votes else None


def _votes(words: Iterable[str], spanish: frozenset[str], english: frozenset[str]) -> int:
    return sum((w in spanish) - (w in english) for w in words)
