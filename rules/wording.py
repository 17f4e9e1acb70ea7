"""What the rules tell people and the words they look for: data, one folder a language in `rules/texts`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parent / "texts"
LANGUAGES: tuple[str, ...] = ("es", "en")


@cache
def texts(language: str, name: str) -> Mapping[str, Any]:
    """Return a data file of a language (`rules`, `words`)."""
    return tomllib.loads((TEXTS / language / f"{name}.toml").read_text(encoding="utf-8"))


def say(key: str, language: str, values: Mapping[str, object]) -> str:
    """Return a rule's text (`dc-drift.message`) with its values inserted once; they are never templates."""
    rule, _, name = key.partition(".")
    return str(texts(language, "rules")[rule][name]).format_map(values)
