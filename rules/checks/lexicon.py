"""The words by which the rules recognise a situation, ready to be found."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rules.checks.text import Phrases
from rules.wording import LANGUAGES, texts


def word_list(name: str, language: str) -> tuple[str, ...]:
    """Return a list of phrases of a language as written in its file."""
    return tuple(texts(language, "words")["lists"][name])


def table(name: str, language: str) -> Mapping[str, Any]:
    """Return a table of words of a language."""
    return texts(language, "words")[name]


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
