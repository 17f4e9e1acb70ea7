"""The debate: nine calls of 200 ms through the real graph, gateway, journal and checkpointer.

Two figures. Wall time over the sum of latencies, after a warm-up: a sequential debate cannot go below 1, one
whose checker and critic work side by side needs 6 of 9 steps. And the tokens that were sent, against a debate
of the same replies that carries its whole transcript, with the same fixed part in front.
"""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import yaml
from common import DATA, ROOT, finish, report

sys.path.insert(0, str(ROOT))

LATENCY_MS = 200.0
AGENTS = ("iris", "damian", "ruben")
CALLS = 9
WALL_BAR, TOKENS_BAR = 0.78, 0.5
RUNS = 5


def script() -> dict[str, Any]:
    """Return what the fake model says: one JSON reply an agent and round."""
    rounds = yaml.safe_load((DATA / "debate.yaml").read_text(encoding="utf-8"))["rounds"]
    models = {agent: [{"json": turn[agent]} for turn in rounds] for agent in AGENTS}
    return {"models": models, "latency_ms": LATENCY_MS}


async def debate(folder: Path) -> str:
    """Run chapter 1 to the end of its debate, as `concilio run` does; return how it ended."""
    from concilio.adventure.loader import load_adventure
    from concilio.cli.running import gateway_for, table_for
    from concilio.gateway.settings import Models
    from concilio.settings import load_settings
    from concilio.store.events import utc_now
    from concilio.store.run import RunStore, new_run_id
    from graphs.adventure import run_chapter, sqlite_checkpointer

    file = DATA / "bench.adventure.md"
    agents = {agent: f"openai/{agent}" for agent in AGENTS}
    settings = load_settings({"agents": agents, "on_unresolved": "stop", "out": folder}, cwd=folder)
    with RunStore.create(folder, new_run_id("bench", utc_now()), {}, versions={}) as store:
        gateway = gateway_for(Models(default="embedded", by_agent=agents), settings, store)
        table = table_for(file, load_adventure(file), gateway, settings, store)
        async with gateway, sqlite_checkpointer(table) as saver:
            ran = await run_chapter(table, 1, saver)
    return ran.chapter.ending


def transcript_tokens(requests: list[dict[str, Any]], outline: str) -> int:
    """Return the tokens of the same calls, each with system message, outline and all earlier replies."""
    from tests.fake_model.server import estimate_tokens

    replies = {agent: iter(steps) for agent, steps in script()["models"].items()}
    total, said = 0, ""
    for request in requests:
        total += estimate_tokens(request["messages"][0]["content"] + outline + said)
        reply = json.dumps(next(replies[request["model"]])["json"], ensure_ascii=False)
        said += f"\n{request['model']}: {reply}"
    return total


class FakeServer:
    """The fake model in a process of its own, so that it does not share our interpreter."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "script.json"
        self.file.write_text(json.dumps(script()), encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    def __enter__(self) -> "FakeServer":
        command = [sys.executable, "-m", "tests.fake_model", str(self.file), "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                self.get("stats")
            except OSError:
                time.sleep(0.05)
            else:
                return self
        raise RuntimeError("the fake model did not start")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(10)

    def get(self, path: str) -> Any:
        """Return the JSON of one of the server's own pages."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v1/{path}", timeout=5) as answer:
            return json.load(answer)


def measure(server: FakeServer, folder: Path) -> float:
    """Run one debate from the script's beginning; return its wall time, seconds."""
    server.get("reset")
    begin = time.perf_counter()
    ending = asyncio.run(debate(folder))
    wall = time.perf_counter() - begin
    calls = server.get("stats")["requests"]
    if calls != CALLS:
        sys.exit(f"{calls} calls were made instead of {CALLS}; the debate ended as {ending}")
    return wall


def main() -> None:
    """Measure both figures against their bars."""
    with tempfile.TemporaryDirectory() as name, FakeServer(Path(name)) as server:
        os.environ["OPENAI_API_BASE"] = os.environ["OPENAI_BASE_URL"] = f"http://127.0.0.1:{server.port}/v1"
        os.environ["OPENAI_API_KEY"] = "none-is-needed"
        measure(server, Path(name))
        walls = [measure(server, Path(name)) for _ in range(RUNS)]
        requests = server.get("requests")["requests"]
    limit = CALLS * LATENCY_MS / 1000
    wall = statistics.median(walls)
    outline = (DATA / "bench.adventure.md").read_text(encoding="utf-8")
    ours, theirs = sum(r["tokens"] for r in requests), transcript_tokens(requests, outline)
    finish(
        [
            report(
                "wall / sum of latencies",
                wall / limit,
                WALL_BAR,
                f"{wall:.2f} s of {limit:.1f} s, median of {RUNS}",
            ),
            report(
                "tokens sent / transcript-carrying", ours / theirs, TOKENS_BAR, f"{ours} against {theirs}"
            ),
        ]
    )


if __name__ == "__main__":
    main()
