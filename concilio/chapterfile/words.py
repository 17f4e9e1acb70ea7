"""The words of the chapter file, read from `concilio/texts/<language>/chapterfile.toml`.

Reading never asks for a language: a label, heading or degree of any language is understood.
"""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

from concilio.catalogue import LANGUAGES, TEXTS, Language

NOT_WORD = re.compile(r"[*_`]+")
LONGEST_KEPT = 100
"""Characters of a text whose form is remembered: labels come again and again."""


def folded(text: str) -> str:
    """Return the text without case, accents, emphasis and superfluous spaces: the form that is compared."""
    return _folded_label(text) if len(text) <= LONGEST_KEPT else _folded(text)


@lru_cache(maxsize=4096)
def _folded_label(text: str) -> str:
    return _folded(text)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", NOT_WORD.sub("", text))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


@dataclass(frozen=True, slots=True)
class ReadWords:
    """What all languages accept, folded."""

    labels: dict[str, str]
    """Label of a plan -> field key, or `title`."""
    headers: dict[str, str]
    """Label of an outline's header -> its key."""
    sections: tuple[tuple[str, str], ...]
    """(start of a heading, section key), longest first."""
    degrees: tuple[tuple[str, str], ...]
    """(start of an outcome's label, degree), longest first."""
    degree_prefixes: tuple[str, ...]
    roles: dict[str, str]
    """Name -> role at the table."""
    endings: dict[str, str]
    chapter: frozenset[str]
    scene: frozenset[str]
    end: frozenset[str]
    round: frozenset[str]
    outcome: frozenset[str]
    dangling: frozenset[str]
    not_a_speaker: frozenset[str]


@cache
def table(language: str) -> dict[str, Any]:
    """Return the whole table of one language."""
    return tomllib.loads((TEXTS / language / "chapterfile.toml").read_text(encoding="utf-8"))


def written(language: str, key: str) -> str:
    """Return the word that is written for a key such as `field.place`."""
    entry: Any = table(language)["write"]
    for part in key.split("."):
        entry = entry[part]
    return cast(str, entry)


def written_group(language: str, group: str) -> dict[str, str]:
    """Return a group of written words by value (`degree` -> {`success`: `éxito`, …})."""
    return cast(dict[str, str], table(language)["write"][group])


def value_of(language: str, group: str, word: str) -> str | None:
    """Return the value behind a written word (`éxito parcial` -> `partial`), or None."""
    return next((v for v, w in written_group(language, group).items() if folded(w) == folded(word)), None)


def _all(name: str) -> frozenset[str]:
    return frozenset(folded(w) for language in LANGUAGES for w in table(language)["read"][name])


def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    pairs = {
        folded(word): key
        for language in LANGUAGES
        for key, words in cast(dict[str, list[str]], table(language)["read"][name]).items()
        for word in words
    }
    return tuple(sorted(pairs.items(), key=lambda pair: (-len(pair[0]), pair[0])))


@cache
def read_words() -> ReadWords:
    """Return the words of all languages, ready for look-up."""
    return ReadWords(
        labels=dict(_pairs("label")),
        headers=dict(_pairs("header")),
        sections=_pairs("section"),
        degrees=_pairs("degree"),
        degree_prefixes=tuple(sorted(_all("degree_prefixes"), key=len, reverse=True)),
        roles=dict(_pairs("agent")),
        endings=dict(_pairs("ending")),
        chapter=_all("chapter"),
        scene=_all("scene"),
        end=_all("end"),
        round=_all("round"),
        outcome=_all("outcome"),
        dangling=_all("dangling"),
        not_a_speaker=_all("not_a_speaker"),
    )


def field_words(language: str) -> dict[str, tuple[str, ...]]:
    """Return the folded labels of a plan in one language, by field key."""
    labels = cast(dict[str, list[str]], table(language)["read"]["label"])
    return {key: tuple(folded(word) for word in words) for key, words in labels.items()}


def stop_words(language: str) -> frozenset[str]:
    """Return frequent short words by which a language is told from another."""
    return frozenset(cast(list[str], table(language)["detect"]["words"]))


def game_words(language: str) -> frozenset[str]:
    """Return words of the game that one language has: they tell a text that is too short for small words."""
    return frozenset(cast(list[str], table(language)["detect"]["game"]))


@cache
def language_keys() -> frozenset[str]:
    """Return the folded keys under which a front matter states its language."""
    return frozenset(folded(key) for code in LANGUAGES for key in table(code)["detect"]["keys"])


def language_named(text: str) -> Language | None:
    """Return the language that a code or name stands for (`en`, `inglés`), or None."""
    named = folded(text)
    codes: tuple[Language, ...] = ("es", "en")
    return next((c for c in codes if named in map(folded, table(c)["detect"]["names"])), None)
