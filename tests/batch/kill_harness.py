"""Kills runs at their journal writes and resumes them, in forks of one process that has all loaded.

Usage: python -m tests.batch.kill_harness ADVENTURE OUT SERVER N… (`0`: undisturbed). One line of JSON a run.
"""

import importlib
import json
import os
import signal
import sqlite3
import sys
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from concilio.batch.job import own_providers
from concilio.cli.main import run_command_line
from concilio.gateway import language
from concilio.gateway.wire import load_litellm
from concilio.store.database import Database
from concilio.store.journal import Reply, Request
from rules.ruleset import load_ruleset
from tests.table_scripts import TABLE_FLAGS


def load_all() -> None:
    """Load what every run loads, so that a fork has it at once."""
    load_litellm()
    language.load()
    own_providers()
    for name in ("langgraph.graph", "langgraph.checkpoint.sqlite.aio"):
        importlib.import_module(name)
    load_ruleset("srd5e")


def in_fork(work: Callable[[], int]) -> int:
    """Run something in a child; return its exit status, negative where a signal ended it."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        status = 70
        try:
            status = work()
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(ended)


def kill_at(write: int) -> None:
    """Make this process die without farewell once the journal's nth reply is durable."""
    original, count = Database.put, 0

    async def put(self: Database, request: Request, reply: Reply) -> None:
        nonlocal count
        count += 1
        mine = count
        await original(self, request, reply)
        if mine == write:
            os.kill(os.getpid(), signal.SIGKILL)

    Database.put = put


def run(adventure: str, out: Path, write: int) -> int:
    """Run the adventure, killed at a write (0: never)."""
    if write:
        kill_at(write)
    return run_command_line(["run", adventure, "--out", str(out), *TABLE_FLAGS])


def journal(folder: Path) -> list[tuple[str, str]]:
    """Return key and request of each kept reply of the server."""
    with closing(sqlite3.connect(folder / "store.sqlite")) as opened:
        return opened.execute(
            "SELECT key, request FROM replies WHERE model LIKE 'openai/%' ORDER BY rowid"
        ).fetchall()


def asked(server: str, path: str) -> Any:
    """Return the JSON of one of the fake server's pages."""
    with urllib.request.urlopen(f"{server}/{path}", timeout=10) as answer:
        return json.load(answer)


def files_of(folder: Path) -> dict[str, str]:
    """Return the chapter files of a run by name."""
    return {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.glob("*_*.*")) if p.suffix != ".txt"}


def once(adventure: str, out: Path, server: str, write: int) -> dict[str, Any]:
    """Run, die at a write, resume; return what there is to judge."""
    asked(server, "reset")
    died = in_fork(lambda: run(adventure, out, write))
    (folder,) = (p for p in out.iterdir() if p.is_dir())
    kept = journal(folder)
    before = asked(server, "stats")["requests"]
    ended = in_fork(lambda: run_command_line(["resume", "--out", str(out)])) if write else died
    rows = journal(folder)
    return {
        "write": write,
        "died": died,
        "ended": ended,
        "kept_at_death": len(kept),
        "rows": len(rows),
        "lost": len(set(kept) - set(rows)),
        "asked_again": asked(server, "stats")["requests"] - before,
        "in_flight": before - len(kept),
        "files": files_of(folder),
    }


def main(arguments: Sequence[str]) -> None:
    """Run once for each write that is named."""
    adventure, out, server, *writes = arguments
    load_all()
    for write in map(int, writes):
        folder = Path(out) / str(write)
        folder.mkdir(parents=True)
        print(json.dumps(once(adventure, folder, server, write)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
