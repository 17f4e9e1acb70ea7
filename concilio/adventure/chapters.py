"""Chapters from either shape, Markdown sections or YAML entries, as outlines with their place."""

from dataclasses import dataclass
from typing import Any

from concilio.adventure.fields import (
    NEAR,
    Reading,
    Text,
    Whole,
    is_missing,
    nearest_word,
    unknown,
    wrong_type,
)
from concilio.adventure.headings import (
    ChapterStart,
    Line,
    chapter_starts,
    clean_title,
    names_part,
    wrong_numbers,
)
from concilio.adventure.labels import canonical_label, label_key
from concilio.adventure.nodes import Mapping, Node, Scalar, Sequence
from concilio.adventure.outline import build_outline, read_fields
from concilio.adventure.words import fold, table
from concilio.catalogue import say
from concilio.domain.adventure import ChapterOutline, OutlineField

_NUMBER = Whole(1, 999)
KNOWN_KEYS = ("arc", "place", "objective", "scenes", "kind", "tension", "tactics", "consequences")
"""Keys of the known labels in YAML."""
_OWN_KEYS = ("number", "title", "notes")


@dataclass(frozen=True, slots=True)
class Placed:
    """A chapter's outline and the file that holds it."""

    outline: ChapterOutline
    file: str
    column: int = 1
    sure: bool = True
    """Whether its number is its own, and not put in place of one that could not be read."""


def chapters_of_body(
    lines: tuple[Line, ...], reading: Reading, title: str, number: int
) -> tuple[tuple[Placed, ...], str]:
    """Return the chapters of a Markdown body, and the text before the first.

    Args:
        lines: the body.
        reading: with what it is read.
        title: title of the chapter where the body names none.
        number: number of that chapter; an epilogue's follows the one before it.
    """
    for line, text in wrong_numbers(lines):
        reading.problems.add("chapter_number", line, 1, number=text)
    starts = chapter_starts(lines)
    if not starts:
        return _bare_chapter(lines, reading, title, number), ""
    first = lines[0].number
    ends = [start.line for start in starts[1:]] + [first + len(lines)]
    placed: list[Placed] = []
    for start, end in zip(starts, ends, strict=True):
        section = lines[start.line + 1 - first : end - first]
        follows = placed[-1].outline.number + 1 if placed else number
        placed.append(_chapter(start, section, follows, reading))
    return tuple(placed), _preamble(lines[: starts[0].line - first])


def _chapter(start: ChapterStart, section: tuple[Line, ...], follows: int, reading: Reading) -> Placed:
    fields, notes = read_fields(section)
    number = follows if start.number is None else start.number
    title = start.title or untitled(number, reading)
    outline = build_outline(number, title, fields, notes, start.line, reading.problems)
    return Placed(outline, reading.problems.file)


def untitled(number: int, reading: Reading) -> str:
    """Return the title of a chapter that has none."""
    return say("adventure.untitled", reading.language, number=number)


def _bare_chapter(lines: tuple[Line, ...], reading: Reading, title: str, number: int) -> tuple[Placed, ...]:
    """Return the one chapter of a body without chapter headings, if a known label stands in it."""
    heading = next((line for line in lines if line.kind == "heading" and not names_part(line.content)), None)
    if heading is not None:
        title = clean_title(heading.content) or title
        lines = tuple(line for line in lines if line is not heading)
    fields, notes = read_fields(lines)
    if not any(label_key(field.label) for field in fields):
        return ()
    outline = build_outline(number, title, fields, notes, fields[0].line, reading.problems)
    return (Placed(outline, reading.problems.file),)


def _preamble(lines: tuple[Line, ...]) -> str:
    """Return the free text before the first chapter, without the heading that is the adventure's title."""
    heading = next((line for line in lines if line.kind == "heading"), None)
    skipped = {start.line for start in chapter_starts(lines)}
    if heading is not None:
        skipped.add(heading.number)
    return "\n".join(line.raw for line in lines if line.number not in skipped)


def chapters_of_node(node: Node, reading: Reading) -> tuple[Placed, ...]:
    """Return the chapters of a YAML list, each a mapping of number, title, notes and labels."""
    if not isinstance(node, Sequence):
        wrong_type(node, reading, "list")
        return ()
    placed: list[Placed] = []
    for item in node.items:
        follows = placed[-1].outline.number + 1 if placed else 1
        if isinstance(item, Mapping):
            placed.append(_entry(item, follows, reading))
        else:
            wrong_type(item, reading, "mapping")
    return tuple(placed)


def _entry(node: Mapping, follows: int, reading: Reading) -> Placed:
    own: dict[str, Any] = {}
    fields: list[OutlineField] = []
    for key, value in node.entries:
        if is_missing(value):
            continue
        name = _own_key(key, reading)
        if name == "number":
            own[name] = _NUMBER.read(value, reading)
        elif name:
            own[name] = Text().read(value, reading)
        elif name is None:
            own["number"] = None
        else:
            label = _label(key.text.strip(), reading.language)
            fields.append(OutlineField(label=label, text=block_of(value, reading), line=key.line))
    own_number = own.get("number")
    number: int = follows if own_number is None else own_number
    title = clean_title(own.get("title") or "") or untitled(number, reading)
    notes = own.get("notes") or ""
    outline = build_outline(number, title, tuple(fields), notes, node.line, reading.problems)
    return Placed(outline, reading.problems.file, node.column, own.get("number", number) is not None)


def _own_key(key: Scalar, reading: Reading) -> str | None:
    """Return `number`, `title` or `notes`; empty for a label; None, and a problem, for a misspelt one."""
    folded = fold(key.text)
    known = table("chapter_keys").get(folded)
    if known:
        return known[0].key
    near = None if label_key(key.text) else nearest_word(key.text, _OWN_KEYS, cutoff=max(NEAR, 75))
    if near is None:
        return ""
    unknown(key, reading, "unknown_key", key.text, near)
    return None


def _label(key: str, language: str) -> str:
    known = table("labels").get(fold(key))
    if known and not key.isupper():
        return canonical_label(known[0].key, language)
    if fold(key) in KNOWN_KEYS:
        return canonical_label(fold(key), language)
    return key


def block_of(node: Node, reading: Reading) -> str:
    """Return a label's text from YAML: a list becomes numbered lines, a mapping `key: value` lines."""
    if isinstance(node, Scalar):
        return node.text.strip("\n ")
    if isinstance(node, Sequence):
        items = (_one_line(item, reading) for item in node.items if not is_missing(item))
        return "\n".join(f"{i}. {item}" for i, item in enumerate(items, 1))
    if isinstance(node, Mapping):
        entries = [(key.text.strip(), value) for key, value in node.entries]
        return "\n".join(f"{i}. {k}: {_one_line(v, reading)}" for i, (k, v) in enumerate(entries, 1))
    return ""


def _one_line(node: Node, reading: Reading) -> str:
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    if isinstance(node, Mapping):
        return "; ".join(f"{key.text.strip()}: {_one_line(value, reading)}" for key, value in node.entries)
    return "; ".join(_one_line(item, reading) for item in node.items) if isinstance(node, Sequence) else ""
