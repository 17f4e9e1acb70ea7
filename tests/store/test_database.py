"""The journal and the texts: on the disk when the call returns, once each, for good."""

import asyncio
import hashlib
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from concilio.store.database import Database, text_ref
from concilio.store.errors import StoreError
from concilio.store.journal import Journal, MemoryJournal, Reply, Request

REQUEST = Request("iris", "ch5/r1/iris/propose", 0, "openai/iris", (("user", "Propón."),), {"max_tokens": 10})
REPLY = Reply("Hola «ñ»\n", "length", 3, 4, 0.25, "openai/iris")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A file of its own."""
    opened = Database(tmp_path / "store.sqlite")
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "memory"])
def journal(request: pytest.FixtureRequest, database: Database) -> Journal:
    """Both kinds of journal do the same."""
    return database if request.param == "sqlite" else MemoryJournal()


async def test_a_reply_is_found_again(journal: Journal) -> None:
    """As it was."""
    assert await journal.get(REQUEST.id) is None
    await journal.put(REQUEST, REPLY)
    assert await journal.get(REQUEST.id) == REPLY


async def test_the_first_reply_stands(journal: Journal) -> None:
    """Whoever acted on it must not see another."""
    await journal.put(REQUEST, REPLY)
    await journal.put(REQUEST, Reply("otra"))
    assert await journal.get(REQUEST.id) == REPLY


async def test_rows_are_in_order_and_without_texts(journal: Journal) -> None:
    """What accounting needs, no more."""
    for attempt in range(3):
        await journal.put(replace(REQUEST, attempt=attempt), REPLY)
    rows = await journal.rows()
    assert len({row.request_id for row in rows}) == 3
    assert rows[0].request_id == REQUEST.id
    assert (rows[0].agent, rows[0].key, rows[0].reply.cost_usd, rows[0].reply.text) == (
        *("iris", REQUEST.key, 0.25),
        "",
    )


@pytest.mark.parametrize(
    "change",
    [
        {"agent": "ruben"},
        {"key": "other"},
        {"attempt": 1},
        {"model": "openai/x"},
        {"messages": (("user", "Propón!"),)},
        {"messages": (("system", "Propón."),)},
        {"params": {"max_tokens": 11}},
        {"params": {"max_tokens": 10, "seed": 1}},
    ],
)
def test_whatever_shapes_a_reply_is_in_its_key(change: dict[str, Any]) -> None:
    """Another question is another entry."""
    assert replace(REQUEST, **change).id != REQUEST.id


def test_a_key_is_the_same_in_every_process() -> None:
    """Not of this process's hash seed, nor of the order of the parameters."""
    one = Request("a", "k", 0, "m", (("user", "ñ"),), {"x": 1, "y": None})
    other = Request("a", "k", 0, "m", [("user", "ñ")], {"y": None, "x": 1})
    content = '["a","k",0,"m",[["user","\\u00f1"]],{"x":1,"y":null}]'
    assert one.id == other.id == hashlib.sha256(content.encode()).hexdigest()


async def test_many_at_once_are_all_kept(database: Database) -> None:
    """Written together, each on the disk when its call returns."""
    requests = [replace(REQUEST, attempt=i) for i in range(200)]
    await asyncio.gather(*(database.put(r, REPLY) for r in requests))
    assert len(await database.rows()) == 200


def test_texts_are_kept_by_their_content(database: Database) -> None:
    """The same text is one row; a reference says nothing of a path."""
    ref = database.put_text("un plan ñ")
    assert database.put_text("un plan ñ") == ref == text_ref("un plan ñ")
    assert database.get_text(ref) == "un plan ñ"
    with pytest.raises(StoreError) as caught:
        database.get_text("../../etc/passwd")
    assert caught.value.problem == "no_text"


def test_lone_surrogates_are_replaced(database: Database) -> None:
    """SQLite cannot hold them."""
    assert database.get_text(database.put_text("a\ud800b")) == "a?b"


async def test_nothing_is_lost_by_a_kill(tmp_path: Path) -> None:
    """What `put` and `flush` returned from survives kill -9, without a word of farewell."""
    path = tmp_path / "store.sqlite"
    code = (
        "import asyncio, os, signal, sys\nfrom pathlib import Path\n"
        "from concilio.store.database import Database\nfrom concilio.store.journal import Reply, Request\n"
        "async def main():\n"
        "    database = Database(Path(sys.argv[1]))\n"
        "    before = database.put_text('antes')\n"
        "    await database.put(Request('iris', 'k', 0, 'm', (('user', 'hola'),)), Reply('dicho'))\n"
        "    after = database.put_text('texto')\n"
        "    await database.flush()\n"
        "    print(before, after, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    database = Database(path)
    kept = await database.get(Request("iris", "k", 0, "m", (("user", "hola"),)).id)
    assert kept == Reply("dicho", model="m")
    assert [database.get_text(ref) for ref in done.stdout.split()] == ["antes", "texto"]
    database.close()


def test_the_file_is_durable(database: Database) -> None:
    """WAL, and flushed at every commit."""
    rows = database._read("PRAGMA journal_mode").result()  # pyright: ignore[reportPrivateUsage]
    assert rows == [("wal",)]
    assert database._read("PRAGMA synchronous").result() == [(2,)]  # pyright: ignore[reportPrivateUsage]


async def test_a_full_disk_is_one_clear_line_and_the_next_write_works(database: Database) -> None:
    """Nothing of the failed batch is half there."""
    pages = database._read("PRAGMA page_count").result()[0][0]  # pyright: ignore[reportPrivateUsage]
    database._read(f"PRAGMA max_page_count={pages}").result()  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(StoreError) as caught:
        await database.put(REQUEST, Reply("x" * 100_000))
    assert caught.value.problem == "full"
    assert str(database.path) in str(caught.value)
    database._read("PRAGMA max_page_count=1000000").result()  # pyright: ignore[reportPrivateUsage]
    await database.put(REQUEST, REPLY)
    assert await database.get(REQUEST.id) == REPLY


async def test_a_text_that_did_not_fit_is_written_later(database: Database) -> None:
    """Nobody waited for it; the disk was full for a while, and a checkpoint must not refer to nothing."""
    pages = database._read("PRAGMA page_count").result()[0][0]  # pyright: ignore[reportPrivateUsage]
    database._read(f"PRAGMA max_page_count={pages}").result()  # pyright: ignore[reportPrivateUsage]
    refs = [database.put_text(f"{number} " + "x" * 50_000) for number in range(3)]
    with pytest.raises(StoreError) as caught:
        await database.flush()
    assert caught.value.problem == "full"
    with pytest.raises(StoreError):
        database._read("PRAGMA max_page_count=1000000").result()  # pyright: ignore[reportPrivateUsage]
    database._thread.submit(  # pyright: ignore[reportPrivateUsage]
        database._connection.execute,  # pyright: ignore[reportPrivateUsage]
        "PRAGMA max_page_count=1000000",
    ).result()
    await database.flush()
    kept = database._read("SELECT ref FROM texts").result()  # pyright: ignore[reportPrivateUsage]
    assert {row[0] for row in kept} == set(refs)


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    """Not a traceback of SQLite's."""
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"esto no es una base de datos" * 100)
    with pytest.raises(StoreError) as caught:
        Database(path)
    assert caught.value.problem == "damaged"


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    """Neither."""
    with pytest.raises(StoreError):
        Database(tmp_path / "no" / "store.sqlite")


def test_closing_twice_does_nothing(database: Database) -> None:
    """And what was written is plain SQLite."""
    database.put_text("a")
    database.close()
    database.close()
    with sqlite3.connect(database.path) as connection:
        assert connection.execute("SELECT count(*) FROM texts").fetchone() == (1,)
    connection.close()


def test_the_store_grows_with_the_replies(tmp_path: Path) -> None:
    """Ten times the rounds, about ten times the size: linear."""
    sizes: list[int] = []
    for rounds in (30, 300):
        path = tmp_path / f"{rounds}.sqlite"
        database = Database(path)
        for number in range(rounds):
            database.put_text(f"{number} " + "palabras " * 500)
        database.close()
        sizes.append(path.stat().st_size)
    assert sizes[1] < 11 * sizes[0]
