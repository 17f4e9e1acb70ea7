"""The way to a fleet's database: connections that are shared, and errors in words."""

import hashlib
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, LiteralString
from urllib.parse import urlsplit

import psycopg
import psycopg_pool
from psycopg.rows import DictRow, dict_row

from concilio.fleet.errors import FleetError
from concilio.store.scrub import scrub

CONNECT_S = 10
"""Seconds after which a database that does not answer is taken for unreachable."""
LONGEST_TRANSACTION_S = 20.0
"""Seconds after which the database ends a transaction: a frozen worker would hold its locks for ever."""
Connection = psycopg.AsyncConnection[DictRow]
Pool = psycopg_pool.AsyncConnectionPool[Connection]
Row = dict[str, Any]

SCHEMES = ("postgresql", "postgres")


def checked_url(url: str) -> str:
    """Return a database's address.

    Raises:
        FleetError: it is none.
    """
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        scheme = ""
    if scheme not in SCHEMES:
        raise FleetError("bad_url", shown(url))
    return url


def shown(url: str) -> str:
    """Return an address as it may be shown: without its password."""
    return scrub(url)


@contextmanager
def database_errors(url: str) -> Generator[None]:
    """Turn what a database may raise into the fleet's own error.

    Raises:
        FleetError: in place of the other.
    """
    try:
        yield
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedObject) as error:
        raise FleetError("not_set_up", shown(url)) from error
    except (psycopg.Error, psycopg_pool.PoolTimeout) as error:
        raise FleetError("unreachable", shown(url), cause=first_line(error)) from error


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, without secrets."""
    return scrub((str(error).strip() or type(error).__name__).splitlines()[0])[:300]


class Link:
    """Connections to one database, for the tasks of one event loop."""

    def __init__(self, url: str, pool: Pool) -> None:
        self.url = url
        self.pool = pool

    async def rows(self, query: LiteralString, values: Mapping[str, Any] | None = None) -> list[Row]:
        """Return the rows of a query, by the names of their columns.

        Raises:
            FleetError: the database cannot be reached, or is not set up.
        """
        with database_errors(self.url):
            async with self.pool.connection() as connection:
                return await (await connection.execute(query, values)).fetchall()

    async def row(self, query: LiteralString, values: Mapping[str, Any] | None = None) -> Row | None:
        """Return the first row of a query, or None."""
        rows = await self.rows(query, values)
        return rows[0] if rows else None

    async def do(self, query: LiteralString, values: Mapping[str, Any] | None = None) -> int:
        """Carry out a statement and return the number of rows that it touched."""
        with database_errors(self.url):
            async with self.pool.connection() as connection:
                return (await connection.execute(query, values)).rowcount


@asynccontextmanager
async def linked(
    url: str,
    connections: int = 4,
    *,
    durable: bool = True,
    longest_transaction_s: float = LONGEST_TRANSACTION_S,
) -> AsyncGenerator[Link]:
    """Open connections to a fleet's database, and close them.

    Args:
        url: `postgresql://…`.
        connections: most of them.
        durable: whether a commit waits for the database's disk; not where what it holds is made again easily.
        longest_transaction_s: seconds after which the database ends a transaction.

    Raises:
        FleetError: not an address, or nobody answers there.
    """
    checked_url(url)
    options = f"{bounded(longest_transaction_s)}{'' if durable else ' -c synchronous_commit=off'}"
    settings = {
        "autocommit": True,
        "row_factory": dict_row,
        "prepare_threshold": 2,
        "connect_timeout": CONNECT_S,
        "options": options,
    }
    pool: Pool = psycopg_pool.AsyncConnectionPool(
        url,
        kwargs=settings,
        min_size=1,
        max_size=max(1, connections),
        open=False,
        timeout=60,
        configure=lambda connection: _bound_pipelines(connection, longest_transaction_s),
    )
    await _try(url)
    with database_errors(url):
        await pool.open(wait=True, timeout=CONNECT_S)
    try:
        yield Link(url, pool)
    finally:
        await pool.close()


def bounded(longest_transaction_s: float) -> str:
    """Return the connection's options by which the database ends a transaction whose client sleeps."""
    return f"-c idle_in_transaction_session_timeout={int(longest_transaction_s * 1000)}"


async def _bound_pipelines(connection: Connection, longest_transaction_s: float) -> None:
    """Bound transactions in mid pipeline, too, where the database can: they do not count as idle."""
    if connection.info.server_version >= 170_000:
        milliseconds = str(int(longest_transaction_s * 1000))
        await connection.execute("SELECT set_config('transaction_timeout', %s, false)", (milliseconds,))


async def _try(url: str) -> None:
    """Connect once: a pool would go on trying, and say nothing of the reason."""
    with database_errors(url):
        async with await psycopg.AsyncConnection.connect(url, connect_timeout=CONNECT_S):
            pass


def as_bytes(text: str) -> bytes:
    """Return a text as it is kept: any character, half of one too."""
    return text.encode("utf-8", "surrogatepass")


def as_text(kept: bytes) -> str:
    """Return a kept text."""
    return bytes(kept).decode("utf-8", "surrogatepass")


def lock_number(name: str) -> int:
    """Return the number of an advisory lock (a signed 64-bit integer)."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
