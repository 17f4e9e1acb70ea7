"""A chapter's texts, replies, events and files in a fleet's database, written while the chapter is ours."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

from concilio.fleet.link import Link, Row, as_bytes, as_text
from concilio.fleet.tenure import Tenure
from concilio.store.database import text_ref
from concilio.store.errors import StoreError
from concilio.store.events import Subscriber, utc_now
from concilio.store.journal import JournalRow, Reply, Request
from concilio.store.scrub import scrub_value

FRESH_S = 0.2
"""Seconds for which a checkpoint without new texts trusts the last answer that the chapter is ours."""

_KEEP_REPLY: LiteralString = (
    "WITH mine AS MATERIALIZED (SELECT concilio_mine(%(job)s, %(worker)s, %(attempts)s) AS owned),"
    " kept AS (INSERT INTO concilio_replies (run, chapter, request, agent, key, attempt, model, text,"
    " finish_reason, tokens_in, tokens_out, cost_usd) SELECT %(run)s, %(chapter)s, %(request)s, %(agent)s,"
    " %(key)s, %(attempt)s, %(model)s, %(text)s, %(finish_reason)s, %(tokens_in)s, %(tokens_out)s,"
    " %(cost_usd)s FROM mine WHERE owned ON CONFLICT DO NOTHING RETURNING cost_usd),"
    " paid AS (UPDATE concilio_batches b SET spent_usd = b.spent_usd + kept.cost_usd"
    " FROM kept, concilio_runs r WHERE r.id = %(run)s AND b.id = r.batch"
    " AND b.budget_usd IS NOT NULL AND kept.cost_usd > 0)"
    " SELECT owned FROM mine"
)
_KEEP_TEXTS: LiteralString = (
    "WITH mine AS MATERIALIZED (SELECT concilio_mine(%(job)s, %(worker)s, %(attempts)s) AS owned),"
    " kept AS (INSERT INTO concilio_texts (run, chapter, ref, text) SELECT %(run)s, %(chapter)s,"
    " t.ref, t.text FROM mine, unnest(%(refs)s::text[], %(texts)s::bytea[]) AS t (ref, text) WHERE owned"
    " ON CONFLICT DO NOTHING),"
    " told AS (INSERT INTO concilio_events (run, chapter, line) SELECT %(run)s, %(chapter)s, e.line"
    " FROM mine, unnest(%(lines)s::bytea[]) AS e (line) WHERE owned)"
    " SELECT owned FROM mine"
)
_KEEP_RESULT: LiteralString = (
    "WITH mine AS MATERIALIZED (SELECT concilio_mine(%(job)s, %(worker)s, %(attempts)s) AS owned),"
    " kept AS (UPDATE concilio_chapters SET status = %(status)s, ending = %(ending)s, problem = %(problem)s,"
    " remembered = %(remembered)s, result = %(result)s FROM mine"
    " WHERE owned AND run = %(run)s AND number = %(chapter)s)"
    " SELECT owned FROM mine"
)
_REPLIES: LiteralString = (
    "SELECT request, agent, key, model, text, finish_reason, tokens_in, tokens_out, cost_usd"
    " FROM concilio_replies WHERE run = %(run)s AND chapter = %(chapter)s ORDER BY received_at"
)
_TEXTS: LiteralString = "SELECT ref, text FROM concilio_texts WHERE run = %(run)s AND chapter = %(chapter)s"


@dataclass(frozen=True)
class RunName:
    """What a store knows of its run."""

    id: str


@dataclass(frozen=True)
class ChapterFiles:
    """What came of a chapter, as it is kept."""

    status: int
    ending: str = ""
    problem: str = ""
    remembered: tuple[str, ...] = ()
    """What it leaves for the chapters after it."""
    result: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Files by name, and what went wrong."""


class FleetEvents:
    """Events of a chapter: they go to the database with the next text."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []
        """Lines of `events.jsonl`."""
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function with every event from now on; returns a function that ends it."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def emit(self, kind: str, **fields: Any) -> None:
        """Tell one thing."""
        event = {"at": utc_now().isoformat(timespec="milliseconds"), "kind": kind} | scrub_value(fields)
        self.waiting.append(json.dumps(event, ensure_ascii=True, default=str).encode())
        for subscriber in tuple(self._subscribers):
            subscriber(event)


class FleetStore:
    """One chapter in the database: `ChapterStore` and `Journal`. Make it with `open_store`.

    One attempt alone writes for a chapter, so what was read at its beginning stays right.
    """

    def __init__(
        self, link: Link, run: str, chapter: int, tenure: Tenure, replies: Sequence[Row], texts: Sequence[Row]
    ) -> None:
        self.info = RunName(run)
        self.events = FleetEvents()
        self.files: dict[str, str] = {}
        """Files that were written, by name."""
        self._link = link
        self._tenure = tenure
        self._values = {"run": run, "chapter": chapter, **tenure.values}
        self._replies = {row["request"]: row for row in replies}
        self._texts = {row["ref"]: as_text(row["text"]) for row in texts}
        self._waiting: dict[str, str] = {}
        self._flushing = asyncio.Lock()
        self._checked = float("-inf")
        """When the database last said that the chapter is ours, on the loop's clock."""

    @property
    def journal(self) -> "FleetStore":
        """Return the journal of replies: this store."""
        return self

    async def get(self, request_id: str) -> Reply | None:
        """Return the kept reply to a request, or None."""
        row = self._replies.get(request_id)
        return _reply(row, as_text(row["text"])) if row else None

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; it is durable when this returns.

        Raises:
            StoreError: the database cannot be reached; the chapter is another's.
        """
        row = {
            "request": request.id,
            "agent": request.agent,
            "key": request.key,
            "attempt": request.attempt,
            "model": as_bytes(reply.model or request.model),
            "text": as_bytes(reply.text),
            "finish_reason": as_bytes(reply.finish_reason),
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "cost_usd": reply.cost_usd,
        }
        await self._write(_KEEP_REPLY, row)
        self._replies.setdefault(request.id, row)

    async def rows(self) -> Sequence[JournalRow]:
        """Return what was kept so far, oldest first, without the texts."""
        return [JournalRow(r["request"], r["agent"], r["key"], _reply(r, "")) for r in self._replies.values()]

    def put_text(self, text: str) -> str:
        """Keep a text and return its reference; durable after `flush`."""
        text = text.encode("utf-8", "replace").decode()
        ref = text_ref(text)
        if ref not in self._texts:
            self._texts[ref] = self._waiting[ref] = text
        return ref

    def get_text(self, ref: str) -> str:
        """Return the text of a reference.

        Raises:
            StoreError: no such text.
        """
        if ref not in self._texts:
            raise StoreError("no_text", self.info.id, ref=ref)
        return self._texts[ref]

    async def flush(self) -> None:
        """Return when every text that was put is durable, and the chapter is known to be ours still.

        Raises:
            StoreError: the database cannot be reached; the chapter is another's.
        """
        async with self._flushing:
            if not self._waiting and asyncio.get_running_loop().time() - self._checked < FRESH_S:
                return
            texts, lines = dict(self._waiting), list(self.events.waiting)
            await self._write(
                _KEEP_TEXTS,
                {
                    "refs": list(texts),
                    "texts": [as_bytes(text) for text in texts.values()],
                    "lines": lines,
                },
            )
            del self.events.waiting[: len(lines)]
            for ref in texts:
                self._waiting.pop(ref, None)

    def write(self, name: str, content: str | bytes) -> Path:
        """Keep a file for `finish`, and return its name as a path."""
        self.files[name] = content if isinstance(content, str) else content.decode()
        return Path(name)

    async def finish(self, files: ChapterFiles) -> None:
        """Write what came of the chapter.

        Raises:
            StoreError: the database cannot be reached; the chapter is another's.
        """
        await self.flush()
        await self._write(
            _KEEP_RESULT,
            {
                "status": files.status,
                "ending": files.ending,
                "problem": as_bytes(files.problem) if files.problem else None,
                "remembered": _as_json(files.remembered),
                "result": _as_json({**files.result, "files": self.files}),
            },
        )

    async def _write(self, query: LiteralString, values: Mapping[str, Any]) -> None:
        row = await self._link.row(query, {**self._values, **values})
        if not row or not row["owned"]:
            await self._tenure.lose()
        self._checked = asyncio.get_running_loop().time()


def _as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode()


def _reply(row: Mapping[str, Any], text: str) -> Reply:
    return Reply(
        text,
        as_text(row["finish_reason"]),
        row["tokens_in"],
        row["tokens_out"],
        row["cost_usd"],
        as_text(row["model"]),
    )


async def open_store(link: Link, run: str, chapter: int, tenure: Tenure) -> FleetStore:
    """Return a chapter's store, with all that earlier attempts left.

    Raises:
        StoreError: the database cannot be reached.
    """
    values = {"run": run, "chapter": chapter}
    replies = await link.rows(_REPLIES, values)
    return FleetStore(link, run, chapter, tenure, replies, await link.rows(_TEXTS, values))
