"""The words by which the rules recognise a situation, ready to be found."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rules.checks.text import Marks, Phrases
from rules.wording import LANGUAGES, texts


@cache
def word_list(name: str, language: str) -> tuple[str, ...]:
    """Return a list of phrases of a language as written in its file."""
    lists = texts(language, "words")["lists"]
    if name in lists:
        return tuple(lists[name])
    return tuple(texts(language, "situations" if name in texts(language, "situations") else "marks")[name])


@cache
def words_of_list(name: str, language: str) -> frozenset[str]:
    """Return single words of a language, to look words up in."""
    return frozenset(word_list(name, language))


def table(name: str, language: str) -> Mapping[str, Any]:
    """Return a table of words of a language."""
    return texts(language, "words")[name]


@cache
def marks(book: str, language: str) -> Marks:
    """Return the lists of a book (`marks`, `house`) of a language, ready to be found in one pass."""
    return Marks({name: list(words) for name, words in texts(language, book).items()})


@cache
def phrases(name: str, language: str) -> Phrases:
    """Return a list of phrases of a language, ready to be found."""
    return Phrases(word_list(name, language))


@cache
def phrases_any(name: str) -> Phrases:
    """Return a list of phrases of all languages together: debates mix them."""
    return Phrases(p for language in LANGUAGES for p in word_list(name, language))


@cache
def words_any(name: str) -> frozenset[str]:
    """Return single words of all languages together."""
    return frozenset(p for language in LANGUAGES for p in word_list(name, language))
