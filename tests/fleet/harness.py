"""A fleet to try: database, workers that can be killed and frozen, and what the server was asked."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from concilio.fleet.link import linked
from concilio.fleet.local import start_database
from tests.table_scripts import ADVENTURE

ROOT = Path(__file__).parents[2]


class Fleet:
    """A database in a folder, and workers on it. Use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pids: list[int] = []
        """Workers that were started and not killed."""
        self._host: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Fleet":
        self._server = start_database(self.folder)
        self.url: str = self._server.get_uri()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill_all()
        if self._host and self._host.stdin and self._host.stdout:
            self._host.stdin.close()
            self._host.wait(30)
            self._host.stdout.close()
        self._server.cleanup()

    def load(self, environment: Mapping[str, str]) -> None:
        """Load what workers need, once; they inherit this environment."""
        self._host = subprocess.Popen(
            [sys.executable, "-m", "tests.fleet.worker_host", str(self.folder / "workers.log")],
            cwd=ROOT,
            env={**os.environ, **environment, "CONCILIO_FLEET_URL": self.url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._line()

    def _line(self) -> str:
        assert self._host
        assert self._host.stdout
        line = self._host.stdout.readline().strip()
        assert line, f"the worker host ended; see {self.folder / 'workers.log'}"
        return line

    def start(self, count: int, jobs: int, stalled_after: float = 2) -> list[int]:
        """Start workers, and return their process ids."""
        assert self._host
        assert self._host.stdin
        started: list[int] = []
        for _ in range(count):
            arguments = ["--jobs", str(jobs), "--stalled-after", str(stalled_after)]
            self._host.stdin.write(json.dumps(arguments) + "\n")
            self._host.stdin.flush()
            started.append(int(self._line()))
        self.pids += started
        return started

    def signal(self, pid: int, number: signal.Signals) -> None:
        """Send a worker a signal; one that is killed is no worker any more."""
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        if number == signal.SIGKILL:
            self.pids.remove(pid)

    def kill_all(self) -> None:
        """Kill every worker."""
        for pid in tuple(self.pids):
            self.signal(pid, signal.SIGKILL)

    def ask(self, query: Any, values: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Return the rows of a query on the fleet's database."""

        async def rows() -> list[dict[str, Any]]:
            async with linked(self.url, 1) as link:
                return await link.rows(query, values)

        return asyncio.run(rows())

    def forget_jobs(self) -> None:
        """Empty the queue: what a test left is not for the workers of the next."""
        self.ask("DELETE FROM procrastinate_jobs RETURNING id")

    def log(self) -> str:
        """Return what the workers told."""
        path = self.folder / "workers.log"
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def adventures(folder: Path, count: int, stem: str = "torre") -> list[str]:
    """Write adventures with titles of their own; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{stem}_{number}.md" for number in range(count)]
    for number, path in enumerate(paths):
        text = ADVENTURE.replace("title: La torre sin puerta", f"title: La {stem} {number}")
        path.write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


def wait_for(condition: Callable[[], bool], seconds: float, step: float = 0.05) -> None:
    """Return when a condition holds; fail after some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(step)


def most_in_a_second(times: Iterable[float]) -> int:
    """Return the most moments that lie within any second."""
    ordered = sorted(times)
    return max((i + 1 - bisect_left(ordered, at - 1) for i, at in enumerate(ordered)), default=0)


def markdown_by_title(folders: Sequence[Path]) -> dict[str, str]:
    """Return the chapters that lie under folders of runs, by the adventure's title and the file's name."""
    found: dict[str, str] = {}
    for folder in folders:
        for path in folder.glob("*.json"):
            with suppress(ValueError, KeyError, TypeError):
                title = json.loads(path.read_text(encoding="utf-8"))["adventure"]
                found[f"{title}/{path.stem}"] = path.with_suffix(".md").read_text(encoding="utf-8")
    return found
