"""Runs and chapters read for the page, without a run's lease: whoever looks never stands in the way."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from concilio.chapterfile.json_file import load_chapter
from concilio.chapterfile.plan_reader import read_plan
from concilio.domain.chapter import AgentUse, Chapter
from concilio.domain.debate import Message
from concilio.store.errors import StoreError
from concilio.store.events import read_lines
from concilio.store.own import MEGABYTE, is_database, read_own, require_own
from concilio.store.run import DATABASE_NAME, EVENTS_NAME
from concilio.view.telling import Told, told

T = TypeVar("T")
LARGEST_CHAPTER = 20_000_000
"""Bytes of a chapter's file that is opened."""
LARGEST_EVENTS = 200_000_000
MOST_LATEST = 40
"""Events that a run's page tells."""
_KEPT = 64


@dataclass
class ChapterState:
    """How far a chapter is, as its events tell."""

    number: int
    round: int = 0
    ending: str = ""
    open: int | None = None
    scenes: dict[str, bool] = field(default_factory=dict[str, bool])
    """Written scenes; whether each is done."""
    findings: dict[str, int] = field(default_factory=dict[str, int])
    finished: bool = False
    planned: int = 0
    """Scenes of the finished chapter."""

    @property
    def faults(self) -> int:
        """Return how many findings stand against the prose."""
        return sum(self.findings.values())


@dataclass
class Progress:
    """What a run's events tell of it."""

    chapters: dict[int, ChapterState] = field(default_factory=dict[int, ChapterState])
    uses: dict[tuple[str, str], AgentUse] = field(default_factory=dict[tuple[str, str], AgentUse])
    latest: list[Told] = field(default_factory=list[Told])
    problems: tuple[StoreError, ...] = ()
    """What of the events could not be read."""


class Cache(Generic[T]):
    """What was read of a file, as long as the file is the same."""

    def __init__(self, most: int = _KEPT) -> None:
        self._kept: dict[Path, tuple[tuple[int, int], T]] = {}
        self._most = most

    def get(self, path: Path) -> T | None:
        """Return what is kept of the file as it is now, or None."""
        kept = self._kept.get(path)
        return kept[1] if kept and kept[0] == stamp(path) else None

    def put(self, path: Path, seen: tuple[int, int], value: T) -> T:
        """Keep what was read of a file that had a stamp before it was read."""
        if len(self._kept) >= self._most:
            self._kept.pop(next(iter(self._kept)), None)
        self._kept[path] = (seen, value)
        return value


def stamp(path: Path) -> tuple[int, int]:
    """Return size (bytes) and time of change (nanoseconds) of a file; zeros where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return (0, 0)
    return (stat.st_size, stat.st_mtime_ns)


_chapters: Cache[Chapter] = Cache()
_progress: Cache[Progress] = Cache()


def read_chapter_file(path: Path) -> Chapter:
    """Return a chapter.

    Raises:
        ChapterFileError: the file holds no chapter.
        StoreError: the file is too large, is none, or cannot be read.
    """
    if (kept := _chapters.get(path)) is not None:
        return kept
    seen = stamp(path)
    # Whether it may be read is asked where it is named (`found.chapter_file`): here, whether it is a file.
    content = read_own(path, path.resolve().parent, LARGEST_CHAPTER)
    if content is None:
        raise StoreError("no_run", path.parent)
    return _chapters.put(path, seen, load_chapter(content.decode("utf-8", "replace")))


def read_progress(folder: Path) -> Progress:
    """Return what a run's events tell, as far as they can be read."""
    path = folder / EVENTS_NAME
    if (kept := _progress.get(path)) is not None:
        return kept
    seen, found = stamp(path), Progress()
    try:
        if seen[0] > LARGEST_EVENTS:
            raise StoreError("too_large", path, most=LARGEST_EVENTS // MEGABYTE)
        if not require_own(path, folder):
            return found
        odd = [number for number, line in enumerate(read_lines(path), 1) if not _take(found, line)]
    except StoreError as error:
        found.problems = (error,)
        return found
    if odd:
        found.problems = (StoreError("odd_lines", path, count=len(odd), first=odd[0]),)
    return _progress.put(path, seen, found)


def _take(progress: Progress, line: str) -> bool:
    """Take what a line tells; tell whether all of it is as we write it."""
    event, sound = told(line)
    if event is None:
        return sound
    if event.kind == "call" and not event.from_journal:
        _take_call(progress.uses, event)
    if event.chapter is not None:
        _take_step(progress.chapters.setdefault(event.chapter, ChapterState(event.chapter)), event)
    progress.latest.append(event)
    del progress.latest[:-MOST_LATEST]
    return sound


def _take_call(uses: dict[tuple[str, str], AgentUse], event: Told) -> None:
    key = (event.agent, event.model)
    before = uses.get(key) or AgentUse(agent=key[0], model=key[1], tokens_in=0, tokens_out=0, cost_usd=0.0)
    uses[key] = AgentUse(
        agent=key[0],
        model=key[1],
        calls=before.calls + 1,
        tokens_in=_sum(before.tokens_in, event.tokens_in),
        tokens_out=_sum(before.tokens_out, event.tokens_out),
        cost_usd=_cost(before.cost_usd, event.cost_usd),
    )


def _sum(before: int | None, more: int | None) -> int | None:
    """Add what is known; what one call does not tell is unknown in the sum."""
    return None if before is None or more is None else before + more


def _cost(before: float | None, more: float | None) -> float | None:
    return None if before is None or more is None else before + more


def _take_step(state: ChapterState, event: Told) -> None:
    state.round = max(state.round, event.round or 0)
    if event.kind == "judged":
        state.ending = event.ending or ""
        state.open = event.open if event.open is not None else state.open
    elif event.kind == "scene":
        state.scenes[event.scene] = event.done
        state.findings[event.scene] = event.findings
    elif event.kind == "chapter":
        state.finished = True
        state.ending = event.ending or state.ending
        state.planned = event.scenes


def live_debate(folder: Path, number: int) -> tuple[Message, ...]:
    """Return the debate of a chapter that is not written yet, as far as it is durable in the run's store."""
    entries = dict(_log_entries(folder / DATABASE_NAME))
    followed = {str(entry.get("previous", "")) for entry in entries.values()}
    chains = (_chain(entries, ref) for ref in entries if ref not in followed)
    own = [chain for chain in chains if _chapter_of(chain) == number]
    return max(own, key=len, default=())


def _log_entries(database: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the entries of the debates' logs (`graphs.records.LogEntry`) by their references."""
    if not is_database(database, database.parent):
        return
    query = "SELECT ref, text FROM texts WHERE substr(text, 1, 12) = '{\"previous\":' LIMIT 20000"
    try:
        address = f"{database.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=2)) as opened:
            rows = opened.execute(query).fetchall()
    except sqlite3.Error:
        return
    for ref, text in rows:
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and "message" in entry:
            yield str(ref), entry


def _chain(entries: Mapping[str, dict[str, Any]], last: str) -> tuple[Message, ...]:
    messages: list[Message] = []
    while last in entries and len(messages) < len(entries):
        try:
            messages.append(Message.model_validate(entries[last]["message"]))
        except ValidationError:
            return ()
        last = str(entries[last].get("previous", ""))
    return tuple(reversed(messages))


def _chapter_of(chain: tuple[Message, ...]) -> int | None:
    """Return the chapter that a debate is about: that of the first scene that is proposed in it."""
    for message in chain:
        scenes = read_plan(message.text).scenes
        if scenes:
            number = scenes[0].id.partition(".")[0]
            return int(number) if number.isdecimal() else None
    return None
