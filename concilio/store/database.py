"""The run's SQLite file: the journal of replies and the long texts.

One thread owns the connection. Writes that wait together are committed together, so that many agents
who answer in the same moment cost one flush to the disk (WAL, `synchronous=FULL`: durable on return).
A text waits for nobody: it goes with the next reply, or with the `flush` that a checkpoint asks for before it
refers to it, so that no step of a graph stands still for the disk.
"""

import asyncio
import hashlib
import sqlite3
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from concilio.catalogue import say
from concilio.store.errors import SQLITE_ERRORS, StoreError, from_sqlite_error
from concilio.store.journal import JournalRow, Reply, Request

T = TypeVar("T")
TEXTS_IN_MEMORY = 512
"""Texts that are kept at hand, so that a text just put is not read from the disk."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    request TEXT PRIMARY KEY, agent TEXT NOT NULL, key TEXT NOT NULL, attempt INTEGER NOT NULL,
    model TEXT NOT NULL, text TEXT NOT NULL, finish_reason TEXT NOT NULL,
    tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL, received_at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS texts (ref TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
_KEEP_REPLY = "INSERT OR IGNORE INTO replies VALUES (?,?,?,?,?,?,?,?,?,?,?)"
_KEEP_TEXT = "INSERT OR IGNORE INTO texts VALUES (?,?)"


@dataclass
class _Write:
    """A row on its way to the disk, and why it did not get there."""

    statement: str
    values: tuple[Any, ...]
    kept_on_error: bool = False
    """Nobody waits for it: where a commit fails, it waits for the next."""
    done: bool = False
    error: StoreError | None = field(default=None)


def text_ref(text: str) -> str:
    """Return the reference of a text: the SHA-256 of its UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _storable(text: str) -> str:
    """Return the text without lone surrogates, which SQLite cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


class Database:
    """The SQLite file of a run; implements `Journal` and keeps texts by their content.

    Raises:
        StoreError: from every method, for a full disk, a read-only or damaged file.
    """

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._now = now
        self._waiting: deque[_Write] = deque()
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._answered: set[str] = set()
        """Requests whose replies are kept: a new question needs no look at the disk."""
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="concilio-store")
        try:
            self._connection = self._thread.submit(self._open).result()
        except BaseException:
            self._thread.shutdown()
            raise

    def _open(self) -> sqlite3.Connection:
        def connect() -> sqlite3.Connection:
            connection = sqlite3.connect(self.path, isolation_level=None, timeout=10)
            try:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
                connection.executescript(_SCHEMA)
                self._answered.update(row[0] for row in connection.execute("SELECT request FROM replies"))
            except BaseException:
                connection.close()
                raise
            return connection

        return self._guarded(connect)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except SQLITE_ERRORS as error:
            raise from_sqlite_error(error, self.path) from error

    def _write(self, statement: str, values: tuple[Any, ...]) -> "Future[None]":
        """Queue a row; the future ends when it is on the disk, and all that was queued before it."""
        write = _Write(statement, values)
        self._waiting.append(write)
        return self._thread.submit(self._commit, write)

    def _commit(self, wanted: _Write) -> None:
        if not wanted.done:
            self._commit_waiting()
        if wanted.error:
            raise wanted.error

    def _commit_waiting(self) -> None:
        """Commit all that waits, and note the error on each row; runs in the store's thread."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        error: StoreError | None = None
        try:
            self._guarded(lambda: self._commit_batch(batch))
        except StoreError as failed:
            error = failed
            self._waiting.extendleft(write for write in reversed(batch) if write.kept_on_error)
        for write in batch:
            write.error, write.done = error, True

    def _flush(self) -> None:
        if self._waiting:
            marker = _Write("SELECT 1", ())
            self._waiting.append(marker)
            self._commit(marker)

    async def flush(self) -> None:
        """Return when every text that was put is on the disk."""
        if self._waiting:
            await asyncio.wrap_future(self._thread.submit(self._flush))

    def _commit_batch(self, batch: list[_Write]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for write in batch:
                self._connection.execute(write.statement, write.values)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _read(self, query: str, values: tuple[Any, ...] = ()) -> "Future[list[tuple[Any, ...]]]":
        def read() -> list[tuple[Any, ...]]:
            self._flush()
            return self._guarded(lambda: self._connection.execute(query, values).fetchall())

        return self._thread.submit(read)

    async def get(self, request_id: str) -> Reply | None:
        """Return the kept reply to a request, or None."""
        if request_id not in self._answered:
            return None
        columns = "text, finish_reason, tokens_in, tokens_out, cost_usd, model"
        query = f"SELECT {columns} FROM replies WHERE request=?"  # noqa: S608 - our own column names
        rows = await asyncio.wrap_future(self._read(query, (request_id,)))
        return Reply(*rows[0]) if rows else None

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; it is on the disk when this returns."""
        values = (
            *(request.id, request.agent, request.key, request.attempt, reply.model or request.model),
            *(_storable(reply.text), reply.finish_reason, reply.tokens_in, reply.tokens_out, reply.cost_usd),
            self._now(),
        )
        await asyncio.wrap_future(self._write(_KEEP_REPLY, values))
        self._answered.add(request.id)

    async def rows(self) -> Sequence[JournalRow]:
        """Return what was kept so far, oldest first, without the texts."""
        query = (
            "SELECT request, agent, key, finish_reason, tokens_in, tokens_out, cost_usd, model "
            "FROM replies ORDER BY rowid"
        )
        rows = await asyncio.wrap_future(self._read(query))
        return [JournalRow(row[0], row[1], row[2], Reply("", *row[3:])) for row in rows]

    def put_text(self, text: str) -> str:
        """Keep a text and return its reference; on the disk after `flush`, or with the next reply.

        The same text twice is one row.
        """
        text = _storable(text)
        ref = text_ref(text)
        if ref not in self._texts:
            self._waiting.append(_Write(_KEEP_TEXT, (ref, text), kept_on_error=True))
            self._remember(ref, text)
        return ref

    def get_text(self, ref: str) -> str:
        """Return the text of a reference.

        Raises:
            StoreError: no such text, or it is not as it was put.
        """
        if ref in self._texts:
            return self._texts[ref]
        rows = self._read("SELECT text FROM texts WHERE ref=?", (ref,)).result()
        if not rows:
            raise StoreError("no_text", self.path, ref=ref)
        text = rows[0][0]
        if text_ref(text) != ref:
            raise StoreError("damaged", self.path, cause=say("faults.sqlite.corrupt"))
        self._remember(ref, text)
        return text

    def _remember(self, ref: str, text: str) -> None:
        self._texts[ref] = text
        if len(self._texts) > TEXTS_IN_MEMORY:
            self._texts.popitem(last=False)

    def close(self) -> None:
        """Write what waits and close the file; a second call does nothing."""
        if self._thread._shutdown:  # pyright: ignore[reportPrivateUsage]
            return
        try:
            self._thread.submit(self._flush).result()
        finally:
            self._thread.submit(self._connection.close).result()
            self._thread.shutdown()
