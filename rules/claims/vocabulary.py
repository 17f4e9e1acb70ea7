"""The words of a language by which text is read, as data (`words/<language>.yaml`)."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from rules.claims.model import Shape

FOLDER = Path(__file__).parent / "words"
# Every scalar is a string: `no` and `on` are words here. pydantic turns the numbers into numbers.
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class Vocabulary(BaseModel):
    """Groups of words, by the names under which the grammar asks for them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str
    numbers: dict[str, int]
    multipliers: dict[str, int]
    """Number words that multiply what stands before them."""
    articles_as_numbers: tuple[str, ...]
    """Words that are an article as often as the number one."""
    groups: dict[str, tuple[str, ...]]
    deed_endings: tuple[str, ...] = ()
    """How words end that name a deed (`frightened of losing`)."""
    crits: dict[str, tuple[str, ...]]
    """Words for extreme results, by the result."""
    natural: tuple[str, ...]
    """What stands beside 1 or 20 to say that the die itself shows it."""
    shapes_after: dict[Shape, tuple[str, ...]]
    """What a length measures, by words after it."""
    shapes_before: dict[Shape, tuple[str, ...]]


class UnknownLanguageError(ValueError):
    """A language for which there are no words."""


def languages() -> tuple[str, ...]:
    """Return the languages that can be read."""
    return tuple(sorted(p.stem for p in FOLDER.glob("*.yaml")))


@cache
def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language.

    Raises:
        UnknownLanguageError: there are none.
    """
    if language not in languages():
        raise UnknownLanguageError(f"no words for the language {language!r}; there are: {languages()}")
    text = (FOLDER / f"{language}.yaml").read_text(encoding="utf-8")
    return Vocabulary.model_validate(yaml.load(text, LOADER))  # noqa: S506 - builds strings only
