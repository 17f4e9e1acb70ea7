"""Classes of places: which words name one, what stands about in it, and how it meets the senses."""

from functools import cache
from itertools import pairwise
from typing import Any

from agents.embedded.loading import LEXICON, load_yaml

NEUTRAL = "neutral"
"""Class of a place of which the words tell nothing: better a plain palette than a wrong one."""


@cache
def _classes(language: str) -> dict[str, Any]:
    return load_yaml(LEXICON / language / "places.yaml")


@cache
def _words(language: str) -> dict[str, str]:
    """Return the class of each word for a place."""
    return {word: name for name, data in _classes(language).items() for word in data["words"].split()}


def is_place_word(word: str, language: str) -> bool:
    """Tell whether a lower-case noun names a place."""
    return word in _words(language)


def class_of(text: str, language: str) -> str | None:
    """Return the class of the first place that a text names, a vague word giving way to a telling one."""
    known, classes = _words(language), _classes(language)
    words = [token.strip(".,:;()«»“”\"'’").lower() for token in text.replace("/", " ").split()]
    joined = [f"{one}-{two}" for one, two in pairwise(words)]  # `customs house` is told by both of its words
    if pair := next((known[word] for word in joined if word in known), None):
        return pair
    tokens = words
    found = [known[token] for token in tokens if token in known and known[token] != "other"]
    telling = [name for name in found if not classes[name].get("weak")]
    return next(iter([*telling, *found]), None)


def palette(place_class: str | None, language: str) -> tuple[str, ...]:
    """Return the sentences in which such a place meets the senses."""
    return tuple(_classes(language)[place_class or NEUTRAL]["palette"])


def is_peopled(place_class: str | None, language: str) -> bool:
    """Tell whether there are people about in such a place."""
    return bool(place_class and _classes(language)[place_class].get("peopled"))


def is_outdoors(place_class: str | None, language: str) -> bool:
    """Tell whether such a place has ground to cross and tracks to read; one that tells nothing may have."""
    return place_class is None or bool(_classes(language)[place_class].get("outdoors"))


def is_afloat(place_class: str | None, language: str) -> bool:
    """Tell whether such a place floats: whoever runs there runs by sail."""
    return bool(place_class and _classes(language)[place_class].get("afloat"))


def furniture(place_class: str | None, language: str) -> tuple[str, ...]:
    """Return what stands about in such a place, as noun phrases without article."""
    return tuple(_classes(language)[place_class or NEUTRAL]["furniture"])
