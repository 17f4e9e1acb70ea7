"""Words for people, per language, from the TOML files in `concilio/texts`.

A key is `area.name`: `texts/<language>/<area>.toml` holds `name`. Values are inserted once and are never
read as templates themselves. TOML because the standard library reads it: `--help` must stay fast.
"""

import os
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parent / "texts"
LANGUAGES: tuple[str, ...] = ("es", "en")
DEFAULT_LANGUAGE = "es"


class MissingTextError(KeyError):
    """A key that no catalogue holds: a fault of ours, never of the user's."""


@cache
def _area(language: str, area: str) -> dict[str, Any]:
    return tomllib.loads((TEXTS / language / f"{area}.toml").read_text(encoding="utf-8"))


_speaking: ContextVar[str | None] = ContextVar("language in which this task speaks", default=None)


@contextmanager
def speaking(language: str | None) -> Generator[None]:
    """Within the block, and in this task alone, speak a language where none is asked for (None: as before)."""
    token = _speaking.set(language or _speaking.get())
    try:
        yield
    finally:
        _speaking.reset(token)


def user_language() -> str:
    """Return the language to speak: of the task (`speaking`), `CONCILIO_LANG`, the locale, else Spanish."""
    if (chosen := _speaking.get()) is not None:
        return chosen
    for name in ("CONCILIO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        prefix = os.environ.get(name, "")[:2].lower()
        if prefix in LANGUAGES:
            return prefix
    return DEFAULT_LANGUAGE


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
    return entry.format_map(values) if values else entry


def has_text(key: str, language: str) -> bool:
    """Tell whether the catalogue of that language holds the key."""
    try:
        say(key, language)
    except (MissingTextError, FileNotFoundError):
        return False
    return True
