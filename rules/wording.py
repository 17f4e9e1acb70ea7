"""What the rules tell people and the words they look for: data, one folder a language in `rules/texts`."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parent / "texts"
_TWO_ENDS = re.compile(r"([.!?…])\.\Z")
"""A text's full stop after the end of a sentence that was inserted before it."""
LANGUAGES: tuple[str, ...] = ("es", "en")


@cache
def texts(language: str, name: str) -> Mapping[str, Any]:
    """Return a data file of a language (`rules`, `words`)."""
    return tomllib.loads((TEXTS / language / f"{name}.toml").read_text(encoding="utf-8"))


def say(key: str, language: str, values: Mapping[str, object]) -> str:
    """Return a rule's text (`dc-drift.message`) with its values inserted once; they are never templates.

    A whole number may choose a word: `{n} {n:scene|scenes}`. A value that ends a sentence ends the text's.
    """
    rule, _, name = key.partition(".")
    text = str(texts(language, "rules")[rule][name])
    told = text.format_map({name: Count(v) if type(v) is int else v for name, v in values.items()})
    return _TWO_ENDS.sub(r"\1", told)


class Count(int):
    """A number that chooses between the words of its format: `{n:scene|scenes}`."""

    def __format__(self, format_spec: str, /) -> str:
        one, bar, many = format_spec.partition("|")
        return (one if self == 1 else many) if bar else int(self).__format__(format_spec)
