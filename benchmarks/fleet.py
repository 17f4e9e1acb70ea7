"""A fleet of real worker processes against the fake server: speed, limit, and workers that die or freeze.

Usage: python benchmarks/fleet.py [ideal|limit|chaos …] [--chapters 200]; all three without a name.
"""

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fake_server import FakeServer

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from concilio.cli.fleet_batches import cancel_batch, submit_batch  # noqa: E402
from concilio.fleet import status  # noqa: E402
from concilio.fleet.link import linked  # noqa: E402
from concilio.settings import load_settings  # noqa: E402
from tests.fleet.harness import Fleet, adventures, most_in_a_second  # noqa: E402
from tests.table_scripts import table_script  # noqa: E402

SEATS = ("iris", "damian", "ruben", "prose")


def settings(folder: Path, **more: Any) -> Any:
    """Return settings in which each seat has a model of the fake server."""
    flags = {"agents": {seat: f"openai/{seat}" for seat in SEATS}, "out": folder, **more}
    os.environ["CONCILIO_CONCURRENCY"] = "256"
    return load_settings(flags, cwd=folder)


async def watch(url: str, batch: str, each: Callable[[int], None]) -> tuple[Any, float]:
    """Look at a batch until it is over; return how it stands, and the longest that a look took (s)."""
    slowest = 0.0
    async with linked(url, 1) as link:
        while True:
            began = time.perf_counter()
            found = await status.batch_status(link, batch)
            slowest = max(slowest, time.perf_counter() - began)
            ended = sum(chapter.state == "ended" for run in found for chapter in run.chapters)
            await asyncio.to_thread(each, ended)
            if all(run.over for run in found):
                return found, slowest
            await asyncio.sleep(0.2)


def run(
    name: str,
    count: int,
    workers: int,
    jobs: int,
    latency_ms: int,
    each: Callable[[Fleet, int], None] = lambda fleet, ended: None,
    **more: Any,
) -> dict[str, Any]:
    """Run a batch on a fleet of its own, and return what there is to judge."""
    script = table_script(latency_ms=latency_ms)
    with tempfile.TemporaryDirectory() as made, FakeServer(Path(made), script) as fake:
        folder = Path(made)
        folder.chmod(0o755)
        paths = [Path(p) for p in adventures(folder / "adventures", count)]
        with Fleet(folder / "fleet") as fleet:
            fleet.load(server(fake))
            fleet.start(workers, jobs, stalled_after=10)
            while fleet.log().count("127.0.0.1") + fleet.log().count("host=") < workers:
                time.sleep(0.1)
            began = time.perf_counter()
            batch = submit_batch(fleet.url, paths, settings(folder, **more))
            found, slowest = asyncio.run(watch(fleet.url, batch, lambda ended: each(fleet, ended)))
            took = time.perf_counter() - began
            return {"name": name, **judged(fleet, fake, batch, found), "wall_s": took, "status_s": slowest}


def server(fake: FakeServer) -> Mapping[str, str]:
    """Return the variables by which workers find the fake server."""
    return {"OPENAI_API_BASE": fake.url, "OPENAI_BASE_URL": fake.url, "OPENAI_API_KEY": "fake"}


def judged(fleet: Fleet, fake: FakeServer, batch: str, found: Any) -> dict[str, Any]:
    """Return whether all is right, and what was asked twice."""
    asked = fake.get("requests")["requests"]
    texts: Counter[str] = Counter()
    for one in found:
        for chapter in one.chapters:
            asyncio.run(_count(fleet.url, one.id, one.title, chapter.number, texts))
    rows = fleet.ask(
        "SELECT count(*) AS n FROM concilio_replies WHERE convert_from(model, 'UTF8') LIKE 'openai/%'"
    )
    return {
        "chapters": sum(len(one.chapters) for one in found),
        "done": sum(chapter.status == 0 for one in found for chapter in one.chapters),
        "different_texts": len(texts),
        "problems": sorted({chapter.problem for one in found for chapter in one.chapters if chapter.problem}),
        "requests": len(asked),
        "kept": rows[0]["n"],
        "most_in_a_second": most_in_a_second(request["at"] for request in asked),
    }


async def _count(url: str, run_id: str, title: str, number: int, texts: Counter[str]) -> None:
    async with linked(url, 1) as link:
        kept = await status.result_of(link, run_id, number)
    for name, text in kept.get("files", {}).items():
        if name.endswith(".md"):
            texts[text.replace(title, "TITLE").partition("| Iris")[0]] += (
                1  # the table is as wide as the title
            )


def chaos(count: int) -> Callable[[Fleet, int], None]:
    """Return what freezes one worker and kills another on the way, and wakes the frozen one up later.

    Between the two, a small batch is handed in and taken back: that must go at once.
    """
    done: dict[str, int] = {}

    def each(fleet: Fleet, ended: int) -> None:
        if ended >= count * 0.4 and "frozen" not in done:
            done["frozen"] = fleet.pids[0]
            fleet.signal(done["frozen"], signal.SIGSTOP)
            done["at"] = int(time.monotonic())
            _take_back(fleet)
        if ended >= count * 0.5 and "killed" not in done:
            done["killed"] = fleet.pids[1]
            fleet.signal(fleet.pids[1], signal.SIGKILL)
        if "at" in done and "woken" not in done and time.monotonic() - done["at"] > 20:
            done["woken"] = 1
            fleet.signal(done["frozen"], signal.SIGCONT)

    return each


def _take_back(fleet: Fleet) -> None:
    folder = fleet.folder.parent
    paths = [Path(p) for p in adventures(folder / "taken_back", 2, "vuelta")]
    began = time.perf_counter()
    batch = submit_batch(fleet.url, paths, settings(folder))
    cancel_batch(fleet.url, batch)
    print(f"{'taken back in':>18}  {time.perf_counter() - began:.2f} s")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=["ideal", "limit", "chaos", []])
    parser.add_argument("--chapters", type=int, default=200)
    asked = parser.parse_args()
    count = asked.chapters
    runs: dict[str, Callable[[], dict[str, Any]]] = {
        "ideal": lambda: run("ideal", count, 2, 50, 2000),
        "limit": lambda: run("limit", count, 2, 50, 500, requests_per_minute=1200),
        "chaos": lambda: run("chaos", count, 3, 20, 1000, chaos(count)),
    }
    for name in asked.names or runs:
        for key, value in runs[name]().items():
            print(f"{key:>18}  {value:.2f}" if isinstance(value, float) else f"{key:>18}  {value}")


if __name__ == "__main__":
    main()
