"""The templates by which claims are printed, as data (`phrases/<language>.yaml`), and how they are filled."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict

from rules.claims.vocabulary import UnknownLanguageError

FOLDER = Path(__file__).parent / "phrases"
LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_ARTICLE = "{a} "
_VOWEL = re.compile(r"[aeiouAEIOU]")
_DIGITS = re.compile(r"\d+")
VOWEL_NUMBERS = ("11", "18")
"""Leading groups of digits that are said with a vowel first, besides all that begin with 8."""


class Article(BaseModel):
    """Indefinite articles by the sound that follows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    plain: str
    vowel: str


class Phrases(BaseModel):
    """Templates of one language; the fields are named after the claims."""

    model_config = ConfigDict(frozen=True, extra="allow")

    language: str
    decimal_mark: str
    article: Article
    shapes: dict[str, str]
    advantage: dict[str, str]
    advantage_on: dict[str, str]
    critical: dict[str, str]

    def fill(self, name: str, /, **values: str) -> str:
        """Return a template with its values put in, each once; `{a}` becomes the right article."""
        return self.fill_text(str((self.model_extra or {})[name]), values)

    def fill_text(self, template: str, values: Mapping[str, str]) -> str:
        """Return a template, given as text, with its values put in."""
        if template.startswith(_ARTICLE):
            rest = template[len(_ARTICLE) :].format_map(values)
            return f"{self.article.vowel if opens_with_vowel(rest) else self.article.plain} {rest}"
        return template.format_map(values)

    def number(self, value: float) -> str:
        """Return a number as it is written in the language (`4,5`)."""
        return f"{value:g}".replace(".", self.decimal_mark)

    def join(self, parts: tuple[str, ...], how: str) -> str:
        """Return parts as a list: `a, b o c`."""
        extra: dict[str, Any] = self.model_extra or {}
        if len(parts) < 2:
            return "".join(parts)
        return str(extra["comma"]).join(parts[:-1]) + str(extra[how or "or"]) + parts[-1]


def opens_with_vowel(text: str) -> bool:
    """Tell whether a text is said with a vowel first (`8`, `11-foot`, `attack`)."""
    digits = _DIGITS.match(text)
    if digits is None:
        return _VOWEL.match(text) is not None
    lead = digits.group()[: (len(digits.group()) - 1) % 3 + 1]
    return lead.startswith("8") or lead in VOWEL_NUMBERS


@cache
def phrases(language: str) -> Phrases:
    """Return the templates of a language.

    Raises:
        UnknownLanguageError: there are none.
    """
    known = {p.stem for p in FOLDER.glob("*.yaml")}
    if language not in known:
        raise UnknownLanguageError(f"no phrases for the language {language!r}; there are: {sorted(known)}")
    text = (FOLDER / f"{language}.yaml").read_text(encoding="utf-8")
    return Phrases.model_validate(yaml.load(text, LOADER))  # noqa: S506 - builds strings only
