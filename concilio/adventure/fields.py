"""What may stand under a key: one small class a kind of value; each reads a node and gives its JSON Schema.

`read` returns None where the value is missing or wrong; what is wrong is noted with its place, and reading
goes on, so that the designer gets all faults at once.
"""

import re
from collections.abc import Mapping as Map
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from rapidfuzz import fuzz, process

from concilio.adventure.nodes import Mapping, Node, Scalar, Sequence
from concilio.adventure.problems import Problems
from concilio.adventure.slips import slip_of
from concilio.adventure.words import fold, table
from concilio.catalogue import LANGUAGES, say
from rules.ruleset import Kind, Ruleset

_WHOLE = re.compile(r"[+-]?[0-9]{1,6}")
_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_FRACTION = re.compile(r"[0-9]{1,3}\s*/\s*[1-9][0-9]{0,2}")
NEAR = 62
"""Similarity, 0 to 100, from which a wrong name is taken as a slip for a right one."""
_QUERY_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Reading:
    """With what a file is read."""

    problems: Problems
    language: str
    """Language of the adventure: names are suggested in it."""
    ruleset: Ruleset | None
    """None when the ruleset is unknown: then no name can be judged."""


class Spec(Protocol):
    """A kind of value."""

    def read(self, node: Node, reading: Reading) -> Any:
        """Return the value, or None after noting why there is none."""
        ...

    def schema(self, language: str) -> dict[str, Any]:
        """Return the JSON Schema of the value."""
        ...


def nearest_key(text: str, keys: Map[str, Any] | tuple[str, ...]) -> str | None:
    """Return the key that a wrong one most likely stands for: by spelling or by its translation."""
    choices = {fold(key): key for key in keys}
    for word, meanings in table("keys").items():
        for known in meanings:
            if known.key in keys:
                choices.setdefault(word, known.key)
    best = nearest_word(text, tuple(choices))
    return choices[best] if best else None


def nearest_word(text: str, words: tuple[str, ...], cutoff: int = NEAR) -> str | None:
    """Return the word nearest in spelling, or None where none is as near as `cutoff` (0 to 100)."""
    best = process.extractOne(fold(text[:_QUERY_CHARACTERS]), words, scorer=fuzz.ratio, score_cutoff=cutoff)
    return best[0] if best else None


def wrong_type(node: Node, reading: Reading, expected: str) -> None:
    """Note that a value is of another kind than it must be; `expected` is a key of `adventure.expected`."""
    wanted = say(f"adventure.expected.{expected}")
    if isinstance(node, Scalar):
        found = say("adventure.found.text", None, text=node.text[:40])
    else:
        found = say("adventure.found.list" if isinstance(node, Sequence) else "adventure.found.mapping")
    reading.problems.add("wrong_type", node.line, node.column, expected=wanted, found=found)


def unknown(node: Node, reading: Reading, key: str, text: str, near: str | None, **values: object) -> None:
    """Note an unknown word with the nearest right one, if there is one."""
    name = f"{key}_near" if near else key
    reading.problems.add(name, node.line, node.column, text=text, near=near or "", **values)


def _is_blank(node: Node) -> bool:
    """Tell whether a value is an empty text that somebody wrote as one."""
    return is_missing(node) and isinstance(node, Scalar) and not node.is_null and not node.plain


def is_missing(node: Node) -> bool:
    """Tell whether a value was left empty: as good as not written."""
    return isinstance(node, Scalar) and (node.is_null or not node.text.strip())


@dataclass(frozen=True, slots=True)
class Text:
    """Any text."""

    def read(self, node: Node, reading: Reading) -> str | None:
        """Return the text without white space around it."""
        if not isinstance(node, Scalar):
            wrong_type(node, reading, "text")
            return None
        return node.text.strip()

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema; figures need no quotes."""
        return {"type": ["string", "number"]}


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds; a sign before it is fine (`+5`)."""

    low: int
    high: int

    def read(self, node: Node, reading: Reading) -> int | None:
        """Return the number."""
        if not isinstance(node, Scalar) or not _WHOLE.fullmatch(node.text.strip()):
            wrong_type(node, reading, "whole")
            return None
        value = int(node.text)
        if self.low <= value <= self.high:
            return value
        reading.problems.add(
            "out_of_range", node.line, node.column, value=value, low=self.low, high=self.high
        )
        return None

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema with its bounds."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Rating:
    """A challenge rating: a number, or a fraction such as `1/4`."""

    def read(self, node: Node, reading: Reading) -> float | str | None:
        """Return the number, or the fraction as text."""
        text = node.text.strip() if isinstance(node, Scalar) else ""
        if _FRACTION.fullmatch(text):
            return "".join(text.split())
        if _DECIMAL.fullmatch(text):
            return float(text)
        wrong_type(node, reading, "rating")
        return None

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        return {
            "anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+/[1-9][0-9]*$"}]
        }


@dataclass(frozen=True, slots=True)
class Term:
    """A name of the ruleset, kept as written (`pícaro`), or as its id where `as_id` is set."""

    kind: Kind
    as_id: bool = False

    def read(self, node: Node, reading: Reading) -> str | None:
        """Return the name or its id."""
        text = Text().read(node, reading)
        if text is None:
            return None
        found = find_name(self.kind, text, node, reading)
        return found if self.as_id else text

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema: the names are the ruleset's, so any text."""
        return {"type": "string"}


def find_name(kind: Kind, text: str, node: Node, reading: Reading) -> str | None:
    """Return the id of a ruleset's name in any language of ours; notes an unknown one with the nearest."""
    if reading.ruleset is None:
        return None
    if not reading.ruleset.entries(kind):
        return text
    for language in dict.fromkeys((reading.language, *LANGUAGES)):
        found = reading.ruleset.find(kind, text, language)
        if found is not None:
            return found
    near = reading.ruleset.nearest(kind, text[:_QUERY_CHARACTERS], reading.language)
    noun = say(f"adventure.kind.{kind}")
    unknown(node, reading, "unknown_name", text, near, kind=noun, ruleset=reading.ruleset.id)
    return None


@dataclass(frozen=True, slots=True)
class CreatureName:
    """The name of a creature: the ruleset's, or one of which it knows nothing; not one misspelt."""

    def read(self, node: Node, reading: Reading) -> str | None:
        """Return the name."""
        text = Text().read(node, reading)
        rules = reading.ruleset
        if text is None or rules is None or rules.find_creature(text, reading.language):
            return text
        near = slip_of(text, creature_names(rules))
        if near is None:
            return text
        reading.problems.add(
            "unknown_name_near",
            node.line,
            node.column,
            text=text,
            near=near,
            kind=say("adventure.kind.creature"),
            ruleset=rules.id,
        )
        return None

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema: any text."""
        return Text().schema(language)


@lru_cache(maxsize=8)
def creature_names(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the folded names of a ruleset's creatures, in all languages."""
    words = (names.word for one in ruleset.creatures.values() for names in one.names.values())
    return tuple(dict.fromkeys(fold(word) for word in words))


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one kind of value."""

    item: Spec

    def read(self, node: Node, reading: Reading) -> tuple[Any, ...] | None:
        """Return what of the list could be read."""
        if not isinstance(node, Sequence):
            wrong_type(node, reading, "list")
            return None
        values = (self.item.read(item, reading) for item in node.items if not is_missing(item))
        return tuple(value for value in values if value is not None)

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        return {"type": "array", "items": self.item.schema(language)}


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping of free keys to one kind of value; a single value stands for the key `shorthand`."""

    value: Spec
    shorthand: str | None = None

    def read(self, node: Node, reading: Reading) -> dict[str, Any] | None:
        """Return what of the mapping could be read."""
        if isinstance(node, Scalar) and self.shorthand:
            value = self.value.read(node, reading)
            return None if value is None else {self.shorthand: value}
        if not isinstance(node, Mapping):
            wrong_type(node, reading, "mapping")
            return None
        read = {
            key.text.strip(): self.value.read(value, reading)
            for key, value in node.entries
            if not is_missing(value)
        }
        return {key: value for key, value in read.items() if value is not None}

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        mapping = {"type": "object", "additionalProperties": self.value.schema(language)}
        return {"anyOf": [mapping, self.value.schema(language)]} if self.shorthand else mapping


@dataclass(frozen=True, slots=True)
class NamedFigures:
    """A mapping of names of the ruleset (`DES`, `Juego de Manos`) to whole numbers, read into their ids."""

    kind: Kind
    figure: Whole

    def read(self, node: Node, reading: Reading) -> dict[str, int] | None:
        """Return id → number."""
        if not isinstance(node, Mapping):
            wrong_type(node, reading, "figures")
            return None
        figures: dict[str, int] = {}
        for key, value in node.entries:
            name = find_name(self.kind, key.text.strip(), key, reading)
            number = None if is_missing(value) else self.figure.read(value, reading)
            if name in figures:
                reading.problems.add("repeated_key", key.line, key.column, key=key.text)
            elif name is not None and number is not None:
                figures[name] = number
        return figures

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        return {"type": "object", "additionalProperties": self.figure.schema(language)}


@dataclass(frozen=True, slots=True)
class Either:
    """A mapping of one kind, or a single value of another."""

    mapping: Spec
    single: Spec

    def read(self, node: Node, reading: Reading) -> Any:
        """Return what the one of the two reads that fits."""
        return (self.mapping if isinstance(node, Mapping) else self.single).read(node, reading)

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        return {"anyOf": [self.mapping.schema(language), self.single.schema(language)]}


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping with known keys."""

    name: str
    """Name under which its keys are described in `adventure.schema`."""
    fields: Map[str, Spec]
    required: tuple[str, ...] = ()
    shorthand: str | None = None
    """The key that a single value stands for (`- Xylanth` is `- name: Xylanth`)."""
    filled: tuple[str, ...] = ()
    """Keys whose value may be left out, but not be an empty text in quotes."""

    def read(self, node: Node, reading: Reading) -> dict[str, Any] | None:
        """Return the values of the keys that are written and right; None if one that must be there is not."""
        values = self.stated(node, reading)
        if values is None:
            return None
        lacking = [key for key in self.required if key not in values]
        for key in lacking:
            if not self._is_tried(node, key):
                reading.problems.add("missing_key", node.line, node.column, key=key)
        return None if lacking else values

    def _is_tried(self, node: Node, key: str) -> bool:
        """Tell whether the key is there with a wrong value, or misspelt: that is told already."""
        entries = node.entries if isinstance(node, Mapping) else ()
        written = [k.text for k, value in entries if not is_missing(value)]
        return any(t == key or (t not in self.fields and nearest_key(t, self.fields) == key) for t in written)

    def stated(self, node: Node, reading: Reading) -> dict[str, Any] | None:
        """Return the values of the keys that are written and right, without asking for the required ones."""
        if isinstance(node, Scalar) and self.shorthand:
            value = self.fields[self.shorthand].read(node, reading)
            return None if value is None else {self.shorthand: value}
        if not isinstance(node, Mapping):
            wrong_type(node, reading, "mapping")
            return None
        values: dict[str, Any] = {}
        for key, value in node.entries:
            spec = self.fields.get(key.text)
            if spec is None:
                near = nearest_key(key.text, self.fields)
                unknown(key, reading, "unknown_key", key.text, near, keys=", ".join(self.fields))
            elif key.text in self.filled and _is_blank(value):
                reading.problems.add("empty_value", value.line, value.column, key=key.text)
            elif not is_missing(value) and (read := spec.read(value, reading)) is not None:
                values[key.text] = read
        return values

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema, each key with its description."""
        mapping: dict[str, Any] = {
            "type": "object",
            "additionalProperties": False,
            "properties": {key: self._described(key, spec, language) for key, spec in self.fields.items()},
        }
        if self.required:
            mapping["required"] = list(self.required)
        if self.shorthand is None:
            return mapping
        return {"anyOf": [mapping, self.fields[self.shorthand].schema(language)]}

    def _described(self, key: str, spec: Spec, language: str) -> dict[str, Any]:
        return {"description": say(f"adventure.schema.{self.name}.{key}", language), **spec.schema(language)}


@dataclass(frozen=True, slots=True)
class Free:
    """Anything, kept and not read."""

    def read(self, node: Node, reading: Reading) -> Any:
        """Return the node as plain data; numbers and truth values as JSON writes them."""
        if isinstance(node, Mapping):
            return {key.text: self.read(value, reading) for key, value in node.entries}
        if isinstance(node, Sequence):
            return [self.read(item, reading) for item in node.items]
        return _plain(node) if isinstance(node, Scalar) else None

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema that allows all."""
        return {}


def _plain(node: Scalar) -> Any:
    if node.is_null:
        return None
    if not node.plain:
        return node.text
    if node.text in ("true", "false"):
        return node.text == "true"
    if _WHOLE.fullmatch(node.text):
        return int(node.text)
    return float(node.text) if _DECIMAL.fullmatch(node.text) else node.text
