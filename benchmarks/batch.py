"""What runs and batches on one machine are judged by: each row again, with its figure.

Usage: python benchmarks/batch.py [kills|store|budget|storm|speed …]; all of them without a name.
"""

import argparse
import asyncio
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from common import finish, report
from fake_server import FakeServer

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.batch.json_table import json_script  # noqa: E402
from tests.batch.kill_harness import load_all  # noqa: E402
from tests.batch.long_debate import long_script  # noqa: E402
from tests.fake_model import FakeModel  # noqa: E402
from tests.fleet.harness import adventures  # noqa: E402
from tests.table_scripts import ACCEPT, ADVENTURE, PLAN, PROSE_1, TABLE_FLAGS, table_script  # noqa: E402

CHAPTERS = 64
CALLS = 6
"""Calls to the server that a chapter takes."""
PATH = 4
"""Calls that follow each other: plan, reviews, scenes, the pass over the whole."""
LATENCY_S = 2.0
WRITES = 60
ROUNDS = 12
SECOND = ADVENTURE.split("---\n", 2)[2].replace("Capítulo 1", "Capítulo 2")


def serve(url: str) -> None:
    """Point every call of this process at a server."""
    os.environ |= {"OPENAI_API_BASE": url, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none-is-needed"}
    os.environ["CONCILIO_CONCURRENCY"] = "256"


def concilio(*arguments: str) -> int:
    """Run a command in this process, silently, and return its exit status."""
    from concilio.cli.main import run_command_line

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run_command_line(list(arguments))


def summary(out: Path) -> Any:
    """Return the summary of the only batch under a folder."""
    (path,) = out.glob("batch-*/summary.json")
    return json.loads(path.read_text(encoding="utf-8"))


def texts(out: Path) -> list[Any]:
    """Return what each chapter of a batch is: its ending, its plan and its prose, in order."""
    found: list[Any] = []
    for item in summary(out)["items"]:
        for path in (f for c in item["chapters"] for f in c["files"] if f.endswith(".json")):
            chapter = json.loads(Path(path).read_text(encoding="utf-8"))
            found.append((chapter["ending"], chapter["plan"], [s["prose"] for s in chapter["scenes"]]))
    return found


def kills(folder: Path) -> list[bool]:
    """Kill a run of two chapters at each of its first writes, and go on with it."""
    with FakeModel(long_script(ROUNDS)) as fake:
        source = folder / "torre.md"
        source.write_text(ADVENTURE + SECOND, encoding="utf-8")
        command = [sys.executable, "-m", "tests.batch.kill_harness", str(source), str(folder / "kills")]
        command += [fake.url, *map(str, range(WRITES + 1))]
        more = {"CONCILIO_LANG": "es", "CONCILIO_ROUNDS": str(ROUNDS)}
        serve(fake.url)
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | more, capture_output=True, text=True, check=True
        )
    whole, *others = (json.loads(line) for line in done.stdout.splitlines())
    wrong = {run["write"]: found for run in others if (found := _differences(run, whole))}
    again = max(run["asked_again"] - (run["rows"] - run["kept_at_death"]) for run in others)
    detail = f"of {len(others)} kills, {whole['rows']} replies in all; wrong: {wrong}"
    return [
        report("kills after which something differs", len(wrong), 0, detail),
        report("kept replies asked for again, at most", again, 0),
        report("calls in flight at a kill, at most", max(run["in_flight"] for run in others), 2),
    ]


def _differences(run: Mapping[str, Any], whole: Mapping[str, Any]) -> list[str]:
    """Return in what a run that was killed and went on is not as it should be."""
    found = [name for name in ("files", "ended", "rows") if run[name] != whole[name]]
    found += [name for name, right in (("died", -9), ("lost", 0)) if run[name] != right]
    kept = run["kept_at_death"] + 2  # the reader, a program of ours, has a reply a chapter
    return found if kept >= run["write"] else [*found, "kept_at_death"]


def store(folder: Path) -> list[bool]:
    """Hold a debate of 3 rounds and one of 30, and weigh what they leave."""
    sizes: dict[int, int] = {}
    source = folder / "torre.md"
    source.write_text(ADVENTURE, encoding="utf-8")
    for rounds in (3, 30):
        with FakeModel(long_script(rounds)) as fake:
            serve(fake.url)
            out = folder / f"rounds-{rounds}"
            os.environ["CONCILIO_ROUNDS"] = str(rounds)
            status = concilio("run", str(source), "--out", str(out), *TABLE_FLAGS)
            del os.environ["CONCILIO_ROUNDS"]
        if status:
            sys.exit(f"the debate of {rounds} rounds ended with status {status}")
        sizes[rounds] = sum(p.stat().st_size for p in out.rglob("*.sqlite*"))
    detail = ", ".join(f"{rounds} rounds: {size:,} bytes" for rounds, size in sizes.items())
    return [report("store of 30 rounds / of 3", sizes[30] / sizes[3], 11, detail)]


def budget(folder: Path) -> list[bool]:
    """Run a batch on a tenth of its cost, then give it enough."""
    steps = [
        {"when": "Propón el plan", "reply": PLAN, "repeat": True},
        {"when": "## El capítulo escrito", "reply": "SIN CAMBIOS", "repeat": True},
    ]
    script = {"models": {"gpt-4o": steps}, "default": {"reply": f"{PROSE_1}\n\n{ACCEPT}", "repeat": True}}
    priced = [f"--agent={agent}=openai/gpt-4o" for agent in ("iris", "damian", "ruben", "prose")]
    paths = adventures(folder / "budget", 8)
    with FakeModel(script) as fake:
        serve(fake.url)
        flags = ("--jobs", "1", *priced)
        whole = concilio("batch", *paths, "--out", str(folder / "paid"), *flags)
        calls, cost = len(fake.requests), summary(folder / "paid")["cost_usd"]
        out = folder / "poor"
        poor = concilio("batch", *paths, "--out", str(out), "--budget", str(cost / 10), *flags)
        again = concilio("resume", "--out", str(out), "--budget", str(cost / 10))
        rich = concilio("resume", "--out", str(out), "--budget", str(cost * 2))
        extra = len(fake.requests) - 2 * calls
    statuses = f"statuses {whole}; {poor}, {again}, {rich}; {calls} calls, {cost:.4f} USD"
    right = (poor, again, rich) == (4, 4, whole) and texts(out) == texts(folder / "paid")
    return [
        report("budget of a tenth: what is wrong", int(not right), 0, statuses),
        report("calls paid twice", extra, 0),
    ]


def storm(folder: Path) -> list[bool]:
    """Write chapters while two of ten requests go wrong, and hold them against those of a calm day."""
    paths = adventures(folder / "storm", CHAPTERS)
    flags = ("--jobs", str(CHAPTERS), *TABLE_FLAGS)
    found: list[list[Any]] = []
    script = json_script(latency_ms=LATENCY_S * 1000)
    requests: list[int] = []
    statuses: list[int] = []
    os.environ["CONCILIO_LONGEST_WAIT_S"] = "2"
    for name, chaos in (("calm", 0.0), ("rough", 0.2)):
        with FakeServer(folder, {**script, "chaos": {"rate": chaos, "seed": 7}}) as server:
            serve(server.url)
            statuses.append(concilio("batch", *paths, "--out", str(folder / name), *flags))
            requests.append(server.get("stats")["requests"])
        found.append(texts(folder / name))
    del os.environ["CONCILIO_LONGEST_WAIT_S"]
    calm, rough = found
    wrong = sum(a != b for a, b in zip(calm, rough, strict=True)) if len(calm) == len(rough) else CHAPTERS
    detail = f"statuses {statuses}, {requests[0]} requests on a calm day, {requests[1]} in the storm"
    return [
        report("chapters missing", CHAPTERS - len(rough), 0, detail),
        report("chapters that differ", wrong, 0),
    ]


def speed(folder: Path) -> list[bool]:
    """Write many chapters side by side: wall time against the longest path, CPU against litellm's own."""
    load_all()
    with FakeServer(folder, table_script(latency_ms=LATENCY_S * 1000)) as server:
        serve(server.url)
        paths = adventures(folder / "speed", CHAPTERS)
        _batch(paths[:1], folder / "warm")
        wall, cpu = _batch(paths, folder / "many")
        calls = server.get("stats")["requests"] - CALLS
        bare = asyncio.run(_bare_calls(calls))
    path = PATH * LATENCY_S
    detail = f"{wall:.2f} s of {path:.0f} s, {calls} calls"
    own = cpu / calls * 1000
    return [
        report("wall / longest path", wall / path, 1.25, detail),
        report("CPU of a call / of a bare one", own / bare, 1.6, f"{own:.1f} ms of {bare:.1f} ms"),
    ]


def _batch(paths: Sequence[str], out: Path) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    status = concilio("batch", *paths, "--jobs", str(CHAPTERS), "--out", str(out), *TABLE_FLAGS)
    if status:
        sys.exit(f"the batch ended with status {status}")
    return time.perf_counter() - wall, time.process_time() - cpu


async def _bare_calls(count: int) -> float:
    """Return the milliseconds of CPU of a call that is made with litellm alone, as many at once as there."""
    from concilio.gateway.wire import load_litellm

    litellm = load_litellm()
    messages = [{"role": "user", "content": PLAN}]
    began = time.process_time()
    for _ in range(count // CHAPTERS):
        calls = (litellm.acompletion(model="openai/iris", messages=messages) for _ in range(CHAPTERS))
        await asyncio.gather(*calls)
    spent = time.process_time() - began
    await litellm.close_litellm_async_clients()
    return spent / (count // CHAPTERS * CHAPTERS) * 1000


ROWS: Mapping[str, Callable[[Path], list[bool]]] = {
    "kills": kills,
    "store": store,
    "budget": budget,
    "storm": storm,
    "speed": speed,
}


def main() -> None:
    """Measure what is asked for against its bars."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="ROW", help=", ".join(ROWS))
    asked = parser.parse_args().names
    if unknown := set(asked) - ROWS.keys():
        parser.error(f"{', '.join(sorted(unknown))}? Known: {', '.join(ROWS)}")
    results: list[bool] = []
    for name in asked or ROWS:
        with tempfile.TemporaryDirectory() as made:
            results += ROWS[name](Path(made))
    finish(results)


if __name__ == "__main__":
    main()
