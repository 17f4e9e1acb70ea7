"""Filling templates: values go in once and are never read as templates; sentences begin with a capital."""

import random
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_OPENING_MARKS = " ¿¡«“\"'(*_-—"
_CLOSING_QUOTES = ("”", "»")
_SENTENCE_ENDS = ".!?…"


def rng(*parts: object) -> random.Random:
    """Return a generator that depends on the parts alone (never on hash randomisation or global state)."""
    digest = blake2b("|".join(map(str, parts)).encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest))  # noqa: S311 - variety, no secret


def pick(options: Sequence[T], *parts: object) -> T:
    """Return one of the options, chosen by the parts."""
    return options[rng(*parts).randrange(len(options))]


def starts_sentence(before: str) -> bool:
    """Tell whether what follows this text begins a sentence."""
    bare = before.rstrip(_OPENING_MARKS)
    if bare.endswith(_CLOSING_QUOTES):  # after “…!” a tag may follow, after “….” only a new sentence
        return bare[-2:-1] in (".", "…")
    return not bare or bare[-1] in _SENTENCE_ENDS or bare.endswith("\n")


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return the template with its slots filled; a slot at a sentence's start gets a capital.

    Raises:
        KeyError: a slot without value: a fault of our data.
    """
    out = ""
    rest = template
    while rest:
        before, opening, rest = rest.partition("{")
        out += before
        if not opening:
            break
        name, _, rest = rest.partition("}")
        value = values[name]
        out += value[:1].upper() + value[1:] if starts_sentence(out) else value
    return out
