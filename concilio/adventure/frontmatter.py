"""The front matter of an adventure: its keys, what may stand under each, and how they are read."""

from collections.abc import Mapping as Map
from dataclasses import dataclass
from typing import Any

from concilio.adventure.fields import (
    CreatureName,
    Either,
    Free,
    ListOf,
    NamedFigures,
    Rating,
    Reading,
    Record,
    Spec,
    Table,
    Term,
    Text,
    Whole,
    is_missing,
    nearest_key,
    unknown,
    wrong_type,
)
from concilio.adventure.nodes import Mapping, Node, Scalar, Sequence
from concilio.adventure.words import language_code
from concilio.catalogue import LANGUAGES
from concilio.domain.adventure import AgentSetting, CastMember, StatBlock

AGENTS = ("iris", "damian", "ruben", "prose", "reader")
_RESERVED = "x-"
_BONUS = Whole(-20, 60)
_SCORE = Whole(1, 30)
_LEVEL = Whole(1, 20)
_CLASS = Whole(1, 60)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number where it is one, else text (`36 m`)."""

    def read(self, node: Node, reading: Reading) -> int | str | None:
        """Return the whole number or the text."""
        text = Text().read(node, reading)
        return int(text) if text is not None and text.isdecimal() and len(text) < 7 else text

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        return {"type": ["integer", "string"]}


@dataclass(frozen=True, slots=True)
class LanguageName:
    """A language of ours by its code or name."""

    def read(self, node: Node, reading: Reading) -> str | None:
        """Return the code."""
        text = Text().read(node, reading)
        if text is None:
            return None
        code = language_code(text[:40])
        if code is None:
            reading.problems.add(
                "unknown_language", node.line, node.column, text=text, languages=", ".join(LANGUAGES)
            )
        return code

    def schema(self, language: str) -> dict[str, Any]:
        """Return the schema."""
        return {"enum": list(LANGUAGES)}


SAVE = Record("save", {"dc": Whole(1, 40), "ability": Term("ability", as_id=True)}, ("dc",), "dc")
ACTION = Record(
    "action",
    {
        "name": Text(),
        "attack": _BONUS,
        "count": Whole(1, 20),
        "reach": Text(),
        "range": Text(),
        "damage": Text(),
        "save": SAVE,
        "text": Text(),
    },
    ("name",),
)
STAT_BLOCK = Record(
    "stat_block",
    {
        "ac": _CLASS,
        "hp": Whole(1, 9999),
        "cr": Rating(),
        "speed": Table(Text(), "walk"),
        "senses": Table(Figure()),
        "abilities": NamedFigures("ability", _SCORE),
        "saves": NamedFigures("ability", _BONUS),
        "actions": ListOf(ACTION),
    },
)
MEMBER = Record(
    "member",
    {
        "name": Text(),
        "class": Term("class"),
        "level": _LEVEL,
        "abilities": NamedFigures("ability", _SCORE),
        "skills": NamedFigures("skill", _BONUS),
        "hp": Whole(1, 9999),
        "ac": _CLASS,
    },
    shorthand="name",
)
CAST = Record(
    "cast",
    {
        "name": Text(),
        "note": Text(),
        "voice": Text(),
        "count": Whole(1, 999),
        "stat_block": Either(STAT_BLOCK, CreatureName()),
    },
    ("name",),
    "name",
)
AGENT = Record("agent", {"name": Text(), "voice": Text(), "model": Text()}, filled=("name", "model"))
SEATS = Record("agents", dict.fromkeys(AGENTS, AGENT))
KEYS: Map[str, Spec] = {
    "title": Text(),
    "language": LanguageName(),
    "ruleset": Text(),
    "level": _LEVEL,
    "party": ListOf(MEMBER),
    "cast": ListOf(CAST),
    "items": ListOf(Text()),
    "agents": SEATS,
    "prompts": Text(),
    "chapters": Free(),
}
"""What may stand in the front matter, in the order in which it is described; and `x-…`, kept and not read."""
LISTS: Map[str, Spec] = {"party": MEMBER, "cast": CAST, "items": Text()}


@dataclass(frozen=True, slots=True)
class Stated:
    """A value with its place."""

    value: Any
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What one file's front matter states."""

    single: dict[str, Stated]
    """Title, language, ruleset, level, prompts, agents, and `x-…` keys."""
    lists: dict[str, tuple[Stated, ...]]
    """Party, cast and items, entry by entry."""
    chapters: Node | None = None


def peek(node: Node | None, key: str) -> Scalar | None:
    """Return the text under a key before anything is judged, or None."""
    if isinstance(node, Mapping):
        for name, value in node.entries:
            if name.text == key and isinstance(value, Scalar) and not is_missing(value):
                return value
    return None


def read_front_matter(node: Node | None, reading: Reading) -> FrontMatter:
    """Return what a file's front matter states; what is misspelt or wrong is noted."""
    single: dict[str, Stated] = {}
    lists: dict[str, tuple[Stated, ...]] = {}
    chapters: Node | None = None
    for key, value in _entries(node, reading):
        if is_missing(value):
            continue
        if key.text == "chapters":
            chapters = value
        elif key.text in LISTS:
            lists[key.text] = _list(LISTS[key.text], value, reading)
        elif key.text.startswith(_RESERVED):
            single[key.text] = _stated(Free().read(value, reading), value, reading)
        elif key.text not in KEYS:
            unknown(key, reading, "unknown_key", key.text, nearest_key(key.text, KEYS), keys=", ".join(KEYS))
        elif (read := KEYS[key.text].read(value, reading)) is not None:
            single[key.text] = _stated(read, value, reading)
    return FrontMatter(single, lists, chapters)


def _entries(node: Node | None, reading: Reading) -> list[tuple[Scalar, Node]]:
    if isinstance(node, Mapping):
        return node.entries
    if node is not None and not is_missing(node):
        wrong_type(node, reading, "keys")
    return []


def _list(item: Spec, node: Node, reading: Reading) -> tuple[Stated, ...]:
    if not isinstance(node, Sequence):
        wrong_type(node, reading, "list")
        return ()
    read = ((entry, item.read(entry, reading)) for entry in node.items if not is_missing(entry))
    return tuple(_stated(value, entry, reading) for entry, value in read if value is not None)


def _stated(value: Any, node: Node, reading: Reading) -> Stated:
    return Stated(value, reading.problems.file, node.line, node.column)


def cast_member(values: dict[str, Any]) -> CastMember:
    """Return the cast member that an entry states."""
    block = values.get("stat_block")
    if isinstance(block, dict):
        return CastMember.model_validate({**values, "stat_block": StatBlock.model_validate(block)})
    return CastMember.model_validate(values)


def agent_settings(values: dict[str, Any]) -> dict[str, AgentSetting]:
    """Return the settings of the seats that the front matter changes."""
    return {agent: AgentSetting.model_validate(setting) for agent, setting in values.items()}
