"""The tables of a fleet: made once, by whoever comes first."""

import asyncio
from functools import cache
from importlib import resources

import psycopg
from procrastinate.schema import SchemaManager

from concilio.fleet.errors import FleetError
from concilio.fleet.link import CONNECT_S, Link, checked_url, database_errors, lock_number, shown

FORMAT = 1
"""Version of the tables; a database of a later one is not used."""
TURN_S = 0.1
"""Seconds between two looks whether it is our turn to make the tables."""


async def set_up(url: str) -> None:
    """Make the tables of the queue, of the checkpoints and of the chapters, where they are missing.

    Several processes may do so at once: they take turns.

    Raises:
        FleetError: the database cannot be reached, or is a newer version's.
    """
    checked_url(url)
    with database_errors(url):
        async with await psycopg.AsyncConnection.connect(
            url, autocommit=True, connect_timeout=CONNECT_S
        ) as connection:
            await _take_turn(connection)
            await _make_tables(connection)
            await _make_checkpoints(url)
            await connection.execute(
                "INSERT INTO concilio_format VALUES (%s) ON CONFLICT DO NOTHING", (FORMAT,)
            )


async def _take_turn(connection: psycopg.AsyncConnection) -> None:
    """Take the lock of whoever makes tables, without waiting inside the database.

    LangGraph builds indexes concurrently, which waits for every statement that runs: for one that waits for
    this lock, too, and so for ever.
    """
    while True:
        found = await connection.execute("SELECT pg_try_advisory_lock(%s)", (lock_number("concilio setup"),))
        row = await found.fetchone()
        if row and row[0]:
            return
        await asyncio.sleep(TURN_S)


async def _make_tables(connection: psycopg.AsyncConnection) -> None:
    found = await connection.execute("SELECT to_regclass('procrastinate_jobs') IS NULL")
    row = await found.fetchone()
    async with connection.transaction():
        if row and row[0]:
            await connection.execute(SchemaManager.get_schema().encode())
        await connection.execute(_own_tables())


async def _make_checkpoints(url: str) -> None:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        await saver.setup()


@cache
def _own_tables() -> bytes:
    return (resources.files("concilio.fleet") / "schema.sql").read_bytes()


async def be_set_up(link: Link) -> None:
    """Make the tables where they are missing, and refuse those of a newer version.

    Raises:
        FleetError: the database is a newer version's.
    """
    if not await is_set_up(link):
        await set_up(link.url)
    newest = await link.row("SELECT max(version) AS version FROM concilio_format")
    if newest and newest["version"] > FORMAT:
        raise FleetError("newer", shown(link.url), format=newest["version"], known=FORMAT)


async def is_set_up(link: Link) -> bool:
    """Tell whether the tables are there, all of them: the format is written last."""
    row = await link.row("SELECT to_regclass('concilio_format') IS NOT NULL AS there")
    if not row or not row["there"]:
        return False
    return await link.row("SELECT 1 AS one FROM concilio_format") is not None


async def needs_tables(link: Link) -> None:
    """Raise where a database holds no fleet.

    Raises:
        FleetError: it does not.
    """
    if not await is_set_up(link):
        raise FleetError("not_set_up", shown(link.url))
