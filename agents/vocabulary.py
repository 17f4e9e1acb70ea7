"""Words by which Markdown replies are read, from `agents/words`; both languages, whichever is asked for."""

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_WORDS = Path(__file__).parent / "words"


def folded(text: str) -> str:
    """Return text in lower case, without accents and Markdown emphasis, with single spaces."""
    plain = unicodedata.normalize("NFD", text.casefold())
    kept = "".join(c for c in plain if not unicodedata.combining(c) and c not in "*_`")
    return " ".join(kept.split())


@cache
def _all_words() -> Mapping[str, Any]:
    merged: dict[str, Any] = {}
    for path in sorted(_WORDS.glob("*.toml")):
        for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if isinstance(value, dict):
                table = merged.setdefault(key, {})
                for name, words in value.items():  # pyright: ignore[reportUnknownVariableType]
                    table.setdefault(name, set()).update(folded(w) for w in words)  # pyright: ignore
            else:
                merged.setdefault(key, set()).update(folded(w) for w in value)
    return merged


def words(key: str) -> frozenset[str]:
    """Return the folded words of a key, of all languages."""
    return frozenset(_all_words()[key])


def meaning(table: str, text: str) -> str | None:
    """Return which entry of a table (`mark`, `severity`, `dimensions`, `kind`) the text names, or None."""
    wanted = folded(text).strip(" .:!")
    return next((name for name, known in _all_words()[table].items() if wanted in known), None)
