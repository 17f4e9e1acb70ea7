"""Words for people, per language, from the TOML files in `concilio/texts`.

A key is `area.name`: `texts/<language>/<area>.toml` holds `name`. Values are inserted once and are never
read as templates themselves; a number may choose a word by itself: `{n} {n:scene|scenes}`; a name in a
command is quoted for a shell: `concilio resume {run:shell}`. TOML because the standard library reads it:
`--help` must stay fast.
"""

import os
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from concilio.printable import printable, shell_word

TEXTS = Path(__file__).parent / "texts"
LANGUAGES: tuple[str, ...] = ("es", "en")
Language = Literal["es", "en"]
"""As `concilio.domain.base.Language`, which costs an import of pydantic."""
DEFAULT_LANGUAGE: Language = "es"


class MissingTextError(KeyError):
    """A key that no catalogue holds: a fault of ours, never of the user's."""


@cache
def _area(language: str, area: str) -> dict[str, Any]:
    return tomllib.loads((TEXTS / language / f"{area}.toml").read_text(encoding="utf-8"))


_speaking: ContextVar[str | None] = ContextVar("language in which this task speaks", default=None)


@contextmanager
def speaking(language: str | None) -> Generator[None]:
    """Within the block, and in this task alone, speak a language where none is named (None: as before)."""
    token = _speaking.set(language or _speaking.get())
    try:
        yield
    finally:
        _speaking.reset(token)


def user_language() -> str:
    """Return the language to speak: of the task (`speaking`), the chosen one, the locale's, else Spanish."""
    named = (_prefix(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    found = (_speaking.get(), chosen_language(), *named)
    return next((language for language in found if language in LANGUAGES), DEFAULT_LANGUAGE)


def chosen_language() -> str | None:
    """Return the language that the user asked for (`--lang`, `CONCILIO_LANG`), or None."""
    language = _prefix("CONCILIO_LANG")
    return language if language in LANGUAGES else None


def follow(own: Language) -> None:
    """From now on, in this task, speak a text's own language where the user asked for none."""
    _speaking.set(message_language(own))


def message_language(own: Language) -> Language:
    """Return the language of messages about a text: the one that the user asked for, else the text's own."""
    return cast(Language, chosen_language() or own)


def _prefix(variable: str) -> str:
    return os.environ.get(variable, "")[:2].lower()


def say(key: str, language: str | None = None, /, **values: object) -> str:
    """Return the text of a key with its values filled in.

    Raises:
        MissingTextError: no such key in that language.
    """
    area, _, name = key.partition(".")
    entry: Any = _area(language or user_language(), area)
    try:
        for part in name.split("."):
            entry = entry[part]
    except (KeyError, TypeError):
        raise MissingTextError(key) from None
    if not isinstance(entry, str):
        raise MissingTextError(key)
    if not values:
        return entry
    words = _SHELL in entry
    return entry.format_map({n: _Name(v) if _is_name(v, words) else countable(v) for n, v in values.items()})


class _Count(int):
    """A number that chooses between the words of its format: `{n:objection|objections}`."""

    def __format__(self, format_spec: str, /) -> str:
        one, bar, many = format_spec.partition("|")
        return (one if self == 1 else many) if bar else int(self).__format__(format_spec)


_SHELL = ":shell}"
"""How a text asks for a value as a word of a command that can be typed as it stands: `{folder:shell}`."""


class _Name(str):
    """A name, shown without what a terminal would obey; `{name:shell}` is it as a word of a shell."""

    def __new__(cls, value: object) -> "_Name":
        whole = str(value)
        name = super().__new__(cls, whole if isinstance(value, str) else printable(whole))
        name.whole = whole
        return name

    whole: str
    """With all its characters."""

    def __format__(self, format_spec: str, /) -> str:
        return shell_word(self.whole) if format_spec == "shell" else super().__format__(format_spec)


def _is_name(value: object, words: bool) -> bool:
    return isinstance(value, os.PathLike) or (words and isinstance(value, str))


def countable(value: object) -> object:
    """Return a value of which a text may choose words by its number; only whole numbers have any."""
    return _Count(value) if type(value) is int else value


def has_text(key: str, language: str) -> bool:
    """Tell whether the catalogue of that language holds the key."""
    try:
        say(key, language)
    except (MissingTextError, FileNotFoundError):
        return False
    return True
