"""A text with its certain faults put right: the engine's exact replacements, applied until none is left."""

import os
import re
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
_NO_END = "\\ No newline at end of file"
_DELETE = 0x7F
"""The first byte after the printable ones of ASCII."""
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
    """Return the unified diff between two texts of a file: a patch, each line with the end that it has."""
    name = _patch_name(file)
    lines = unified_diff(_lines(source), _lines(right), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_END}\n" for line in lines)


def shown(patch: str) -> str:
    """Return a patch as a terminal may show it: what cannot be printed is a `�`."""
    return "".join(c if c.isprintable() or c in "\t\n" else "�" for c in patch.replace("\r\n", "\n"))


def _lines(text: str) -> list[str]:
    """Return the lines of a text as `patch` counts them: only a line feed ends one."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _patch_name(file: str) -> str:
    """Return a file's name as `git apply` and `patch` read it: quoted, odd bytes written out."""
    if file.isprintable() and not {'"', "\\"} & set(file):
        return f"{file}\t" if " " in file else file
    told = (chr(b) if b" "[0] <= b < _DELETE and b not in b'"\\' else f"\\{b:03o}" for b in os.fsencode(file))
    return f'"{"".join(told)}"'
