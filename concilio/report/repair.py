"""A text with its certain faults put right: the engine's exact replacements, applied until none is left."""

from collections.abc import Callable, Sequence
from difflib import unified_diff
from typing import NamedTuple

from rules.checks.hit import Replacement
from rules.document import Document
from rules.engine import Config, replacements
from rules.facts import Facts
from rules.ruleset import Ruleset

Read = Callable[[str], Document]
"""Reads a text as the file is read, in its language."""
MOST_PASSES = 6
"""Passes after which a text is taken as it is: one replacement may show the next fault, not for ever."""


def repaired(source: str, read: Read, ruleset: Ruleset, facts: Facts | None, config: Config) -> str:
    """Return the text of a file with every exact replacement made; all else stays as it is, to the byte.

    The same text comes back where nothing can be replaced: repairing twice is repairing once.
    """
    return repair(source, read, ruleset, facts, config).text


class Repair(NamedTuple):
    """What became of a text."""

    text: str
    places: int
    """Replacements made."""


def repair(source: str, read: Read, ruleset: Ruleset, facts: Facts | None, config: Config) -> Repair:
    """Return what `repaired` does, and how many places were put right."""
    seen, places = {source}, 0
    for _ in range(MOST_PASSES):
        found = replacements(read(source), ruleset, facts, config)
        right = applied(source, found)
        if right in seen:
            break
        seen.add(right)
        source, places = right, places + len(found)
    return Repair(source, places)


def applied(source: str, found: Sequence[Replacement]) -> str:
    """Return a text with replacements made; they are in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for one in found:
        parts += (source[at : one.start], one.text)
        at = one.end
    return "".join((*parts, source[at:]))


def diff(source: str, right: str, file: str) -> str:
    """Return the unified diff between two texts of a file; what cannot be printed is shown as `�`."""
    shown = _printable(file)
    lines = unified_diff(source.splitlines(keepends=True), right.splitlines(keepends=True), shown, shown)
    return "".join(_line(line) for line in lines)


def _line(line: str) -> str:
    return _printable(line.rstrip("\r\n")) + "\n"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else "�" for c in text)
