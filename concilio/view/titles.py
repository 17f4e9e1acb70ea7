"""What a run's chapters are called, without reading them whole: a list of runs asks for many.

A written chapter's title stands at the end of its JSON file, whose keys are in order; that of another one in
the adventure as the run read it.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from concilio.batch.job import SNAPSHOT_NAME
from concilio.domain.adventure import Adventure
from concilio.view.found import Found, chapter_file, inner_file
from concilio.view.reading import Cache, stamp

LARGEST_ADVENTURE = 20_000_000
"""Bytes of an adventure that is opened."""
LONGEST = 160
"""Characters of a title in a list."""
_TAIL = 4096
"""Bytes at a file's end in which its title is looked for."""
_KEPT = 4096
_TITLE = re.compile(r'\n  "title": ("(?:[^"\\\n]|\\.)*")\s*\}\s*$')

_written: Cache[str] = Cache(_KEPT)
_adventures: Cache[Adventure | None] = Cache()
_outlined: Cache[dict[int, str]] = Cache(_KEPT)


def chapter_titles(out: Path, run: Found, numbers: Iterable[int]) -> dict[int, str]:
    """Return the titles of a run's chapters by number; empty where none is known."""
    return {number: _title(out, run, number) for number in numbers}


def adventure_of(out: Path, run: Found) -> Adventure | None:
    """Return the adventure as a run read it; None where the run keeps none that can be read."""
    path = inner_file(out, run, SNAPSHOT_NAME)
    if path is None or stamp(path)[0] > LARGEST_ADVENTURE:
        return None
    if (kept := _adventures.get(path)) is not None:
        return kept
    seen = stamp(path)
    try:
        return _adventures.put(path, seen, Adventure.model_validate_json(path.read_text(encoding="utf-8")))
    except (ValidationError, OSError, ValueError):
        return None


def _title(out: Path, run: Found, number: int) -> str:
    try:
        found = chapter_file(out, run, number)
    except LookupError:
        return ""
    title = _written_title(found[0]) if found else ""
    return " ".join((title or _outlines(out, run).get(number, "")).split())[:LONGEST]


def _written_title(path: Path) -> str:
    if (kept := _written.get(path)) is not None:
        return kept
    seen = stamp(path)
    try:
        with path.open("rb") as file:
            file.seek(max(0, seen[0] - _TAIL))
            end = file.read(_TAIL).decode("utf-8", "replace")
    except OSError:
        return ""
    match = _TITLE.search(end)
    try:
        return _written.put(path, seen, str(json.loads(match[1])) if match else "")
    except ValueError:
        return ""


def _outlines(out: Path, run: Found) -> dict[int, str]:
    path = inner_file(out, run, SNAPSHOT_NAME)
    if path is None:
        return {}
    if (kept := _outlined.get(path)) is not None:
        return kept
    seen, adventure = stamp(path), adventure_of(out, run)
    found = {outline.number: outline.title for outline in adventure.chapters} if adventure else {}
    return _outlined.put(path, seen, found)
