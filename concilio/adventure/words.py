"""The words by which outlines are read, from the TOML files beside this module: one a language, same keys."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from concilio.catalogue import LANGUAGES

WORDS = Path(__file__).parent / "words"
_NOT_WORD = re.compile(r"[\W_]+")


@cache
def words_of(language: str) -> dict[str, Any]:
    """Return a language's word lists as they stand in its file."""
    return tomllib.loads((WORDS / f"{language}.toml").read_text(encoding="utf-8"))


def fold(text: str) -> str:
    """Return the text for comparison: no accents, no case, punctuation and underscores as single spaces.

    `Escenas  Aprox.` and `ESCENAS_APROX` are one.
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", bare).strip()


@dataclass(frozen=True, slots=True)
class Known:
    """A word that is known: what it stands for, and in which language."""

    key: str
    language: str


@cache
def table(name: str) -> dict[str, tuple[Known, ...]]:
    """Return folded word → what it stands for, of the table of that name, over all languages.

    The tables map a key to its words (`place = ["lugar principal", "lugar"]`).
    """
    found: dict[str, tuple[Known, ...]] = {}
    for language in LANGUAGES:
        for key, words in words_of(language)[name].items():
            for word in words:
                folded = fold(str(word))
                found[folded] = (*found.get(folded, ()), Known(key, language))
    return found


@cache
def listed(name: str) -> frozenset[str]:
    """Return the folded words of the list of that name, over all languages."""
    return frozenset(fold(word) for language in LANGUAGES for word in words_of(language)[name])


@cache
def numbers() -> dict[str, int]:
    """Return folded number word → its value, over all languages."""
    return {
        fold(word): int(value)
        for language in LANGUAGES
        for value, words in words_of(language)["numbers"].items()
        for word in words
    }


def language_code(text: str) -> str | None:
    """Return the language that a name or tag stands for (`es-MX`, `Spanish`, `inglés`), or None."""
    known = table("languages").get(fold(text)) or table("languages").get(
        fold(text.split("-")[0].split("_")[0])
    )
    return known[0].key if known else None
