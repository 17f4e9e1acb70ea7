"""Tables of a ruleset that are read only when asked for: `tables/<section>.yaml` or `.json` in its folder.

A section may as well stand in any YAML file of the folder; what a child gives replaces single keys of its
parent's row, and `null` takes a row away.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from rules.entries import Entry
from rules.folding import split_words
from rules.rulefaults import wrong_value
from rules.rulefiles import merge, read_mapping, without_nulls

SECTIONS = ("creatures", "spells", "encounters", "lights", "light_levels", "typical", "combat")
"""Sections that are read late."""
Endings = Mapping[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """What one file gives to a section."""

    section: str
    file: Path
    rows: Mapping[str, Any] | None = None
    """None: the whole file, not read yet."""

    def read(self) -> Mapping[str, Any]:
        """Return the rows.

        Raises:
            RulesetError: the file cannot be read.
        """
        return read_mapping(self.file) if self.rows is None else self.rows


@dataclass(frozen=True, slots=True)
class Tables:
    """The late sections of a ruleset and its parents, the parents first."""

    parts: tuple[Part, ...] = ()
    loaded: dict[str, Any] = field(default_factory=dict[str, Any])

    def has(self, section: str) -> bool:
        """Tell whether any file gives something to the section."""
        return any(part.section == section for part in self.parts)

    def get(self, section: str) -> Any:
        """Return a section, validated; it is read at the first call.

        Raises:
            RulesetError: a file cannot be read, or a row is wrong; says file and key.
        """
        if section not in self.loaded:
            self.loaded[section] = self._load(section)
        return self.loaded[section]

    def named(self, section: str) -> Mapping[str, Entry]:
        """Return the names alone of a section's rows: a tenth of the cost of the rows."""
        key = f"names of {section}"
        if key not in self.loaded:
            rows = self._merged(section).items()
            self.loaded[key] = {id: _Named.model_validate(row) for id, row in rows}
        return self.loaded[key]

    def _parts(self, section: str) -> list[Part]:
        return [part for part in self.parts if part.section == section]

    def _merged(self, section: str) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for part in self._parts(section):
            merge(merged, part.read())
        return without_nulls(merged)

    def _load(self, section: str) -> Any:
        parts = self._parts(section)
        try:
            return _adapter(section).validate_python(self._merged(section))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            row = str(first["loc"][0]) if first["loc"] else ""
            giving = [part.file for part in parts if row in part.read()]
            key = ".".join((section, *(str(part) for part in first["loc"])))
            raise wrong_value((giving or [parts[-1].file])[-1], key, first, _type(section)) from None


class _Named(Entry):
    model_config = ConfigDict(extra="ignore")


@cache
def _adapter(section: str) -> TypeAdapter[Any]:
    return TypeAdapter(_type(section))


def _type(section: str) -> Any:
    # Making a model costs a millisecond: each section pays for its own only.
    if section == "combat":
        from rules.combat import CombatRules

        return CombatRules
    if section == "creatures":
        from rules.bestiary import Creature

        return dict[str, Creature]
    if section == "spells":
        from rules.spellbook import Spell

        return dict[str, Spell]
    from rules import figures

    rows = {"encounters": figures.Encounters, "lights": figures.Light, "light_levels": figures.LightLevel}
    return dict[str, rows.get(section, figures.Typical)]


def name_key(text: str, endings: tuple[tuple[str, str], ...]) -> str:
    """Return a name in the form under which it is found: folded, and each word without its plural."""
    return " ".join(_stem(word, endings) for word in split_words(text))


def _stem(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, instead in endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: len(word) - len(ending)] + instead
    return word


def name_index(
    entries: Mapping[str, Entry], language: str, endings: tuple[tuple[str, str], ...]
) -> dict[str, str]:
    """Return ids by the forms of their names in a language; a word itself goes before what is also said."""
    index: dict[str, str] = {}
    for rank in (_words, _others):
        for key, entry in entries.items():
            names = entry.names.get(language)
            for text in rank(names) if names else ():
                index.setdefault(name_key(text, endings), key)
    return index


def _words(names: Any) -> Iterator[str]:
    yield names.word
    yield from names.abbr


def _others(names: Any) -> Iterator[str]:
    yield from names.also
