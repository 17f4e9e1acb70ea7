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
from concilio.store.events import Event, read_events
from concilio.store.run import DATABASE_NAME, EVENTS_NAME

T = TypeVar("T")
LARGEST_CHAPTER = 20_000_000
"""Bytes of a chapter's file that is opened."""
LARGEST_EVENTS = 200_000_000
MOST_LATEST = 40
"""Events that a run's page tells."""
_KEPT = 64


class TooLargeError(ValueError):
    """A file that is larger than anything a run of ours writes."""


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
    latest: list[Event] = field(default_factory=list[Event])


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
        TooLargeError: the file is too large.
        OSError: it cannot be read.
    """
    if (kept := _chapters.get(path)) is not None:
        return kept
    seen = stamp(path)
    if seen[0] > LARGEST_CHAPTER:
        raise TooLargeError(path.name)
    return _chapters.put(path, seen, load_chapter(path.read_text(encoding="utf-8", errors="replace")))


def read_progress(folder: Path) -> Progress:
    """Return what a run's events tell; of a file that cannot be read, nothing."""
    path = folder / EVENTS_NAME
    if (kept := _progress.get(path)) is not None:
        return kept
    seen = stamp(path)
    if not 0 < seen[0] <= LARGEST_EVENTS:
        return Progress()
    found = Progress()
    try:
        for event in read_events(path):
            _take(found, event)
    except StoreError:
        return found
    return _progress.put(path, seen, found)


def _take(progress: Progress, event: Event) -> None:
    kind = event.get("kind")
    if kind == "call":
        _take_call(progress.uses, event)
    number = event.get("chapter")
    if isinstance(number, int) and not isinstance(number, bool):
        _take_step(progress.chapters.setdefault(number, ChapterState(number)), event)
    progress.latest.append(event)
    del progress.latest[:-MOST_LATEST]


def _take_call(uses: dict[tuple[str, str], AgentUse], event: Event) -> None:
    if event.get("from_journal"):
        return
    key = (str(event.get("agent", "")), str(event.get("model", "")))
    before = uses.get(key) or AgentUse(agent=key[0], model=key[1], tokens_in=0, tokens_out=0, cost_usd=0.0)
    uses[key] = AgentUse(
        agent=key[0],
        model=key[1],
        calls=before.calls + 1,
        tokens_in=_sum(before.tokens_in, event.get("tokens_in")),
        tokens_out=_sum(before.tokens_out, event.get("tokens_out")),
        cost_usd=_cost(before.cost_usd, event.get("cost_usd")),
    )


def _sum(before: int | None, more: object) -> int | None:
    """Add what is known; what one call does not tell is unknown in the sum."""
    return before + more if before is not None and isinstance(more, int) else None


def _cost(before: float | None, more: object) -> float | None:
    return before + more if before is not None and isinstance(more, int | float) else None


def _take_step(state: ChapterState, event: Event) -> None:
    kind = event.get("kind")
    if isinstance(event.get("round"), int):
        state.round = max(state.round, int(event["round"]))
    if kind == "judged":
        state.ending = str(event.get("ending") or "")
        state.open = event["open"] if isinstance(event.get("open"), int) else state.open
    elif kind == "scene":
        scene, findings = str(event.get("scene", "")), event.get("findings")
        state.scenes[scene] = bool(event.get("done"))
        state.findings[scene] = findings if isinstance(findings, int) else 0
    elif kind == "chapter":
        state.finished = True
        state.ending = str(event.get("ending") or state.ending)
        state.planned = event["scenes"] if isinstance(event.get("scenes"), int) else 0


def live_debate(folder: Path, number: int) -> tuple[Message, ...]:
    """Return the debate of a chapter that is not written yet, as far as it is durable in the run's store."""
    entries = dict(_log_entries(folder / DATABASE_NAME))
    followed = {str(entry.get("previous", "")) for entry in entries.values()}
    chains = (_chain(entries, ref) for ref in entries if ref not in followed)
    own = [chain for chain in chains if _chapter_of(chain) == number]
    return max(own, key=len, default=())


def _log_entries(database: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the entries of the debates' logs (`graphs.records.LogEntry`) by their references."""
    if not database.is_file():
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
