"""The debate: nine calls of 200 ms through the real graph, gateway, journal and checkpointer.

Two figures. Wall time over the sum of latencies, after a warm-up: a sequential debate cannot go below 1, one
whose checker and critic work side by side needs 6 of 9 steps. And the tokens that were sent, against a debate
of the same replies that carries its whole transcript, with the same fixed part in front.
"""

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from common import DATA, ROOT, finish, report
from fake_server import FakeServer

sys.path.insert(0, str(ROOT))

LATENCY_MS = 200.0
AGENTS = ("iris", "damian", "ruben")
CALLS = 9
WALL_BAR, TOKENS_BAR = 0.78, 0.5
RUNS = 5


def rounds() -> list[dict[str, Any]]:
    """Return the replies by round and agent, in the order of speaking."""
    return yaml.safe_load((DATA / "debate.yaml").read_text(encoding="utf-8"))["rounds"]


def script() -> dict[str, Any]:
    """Return what the fake model says: one JSON reply an agent and round."""
    models = {agent: [{"json": turn[agent]} for turn in rounds()] for agent in AGENTS}
    return {"models": models, "latency_ms": LATENCY_MS}


@dataclass(frozen=True)
class Run:
    """One measured debate: from the first step of its graph to its ending, set-up excluded."""

    ending: str
    wall_s: float
    cpu_s: float
    """Of this process: the fake model has its own."""


async def debate(folder: Path) -> Run:
    """Run the debate of chapter 1 as `concilio run` does, in a run of its own."""
    from concilio.batch.job import begin_run, job_from_file
    from concilio.batch.perform import gateway_for, table_for
    from concilio.settings import load_settings
    from graphs.adventure import DURABILITY, RECURSION_LIMIT, sqlite_checkpointer
    from graphs.debate import build_debate

    agents = {agent: f"openai/{agent}" for agent in AGENTS}
    settings = load_settings({"agents": agents, "out": folder}, cwd=folder)
    config: Any = {"configurable": {"thread_id": "bench"}, "recursion_limit": RECURSION_LIMIT}
    job = job_from_file(DATA / "bench.adventure.md", (), settings)
    with begin_run(job) as store:
        gateway = gateway_for(job, store)
        table = table_for(job, gateway, store)
        async with gateway, sqlite_checkpointer(store) as saver:
            graph = build_debate(table).compile(checkpointer=saver)
            wall, cpu = time.perf_counter(), time.process_time()
            state = await graph.ainvoke({"chapter": 1}, config, durability=DURABILITY)
            return Run(state["ending"], time.perf_counter() - wall, time.process_time() - cpu)


def fixed_part(prompts: list[list[str]]) -> str:
    """Return what stands in every prompt of an agent and is not of the plan: canon, outline, task, shape."""
    plan = {text for turn in script()["models"]["iris"] for text in texts_of(turn["json"])}
    common = set(prompts[0]).intersection(*prompts[1:])
    return "\n".join(line for line in prompts[0] if line in common and not any(text in line for text in plan))


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text of a reply that is long enough to be known again."""
    if isinstance(value, str) and len(value) >= 20:
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)


def transcript_tokens(requests: list[dict[str, Any]], *, whole_plans: bool) -> int:
    """Return the tokens of the same calls, each with its fixed part and all earlier replies.

    Without partial revisions, the proposer must give the whole plan in each round (`whole_plans`).
    """
    from tests.fake_model.server import estimate_tokens

    prompts: dict[str, list[list[str]]] = {agent: [] for agent in AGENTS}
    for request in requests:
        prompts[request["model"]].append([x for m in request["messages"] for x in m["content"].split("\n")])
    fixed = {agent: fixed_part(lines) for agent, lines in prompts.items()}
    total, said = 0, ""
    plan: dict[str, Any] = {}
    for turn in rounds():
        plan |= {scene["id"]: scene for scene in turn["iris"]["scenes"]}
        proposal = {**turn["iris"], "scenes": list(plan.values())} if whole_plans else turn["iris"]
        for agent, reply in {**turn, "iris": proposal}.items():
            total += estimate_tokens(fixed[agent] + said)
            said += f"\n{agent}: {json.dumps(reply, ensure_ascii=False)}"
    return total


def measure(server: FakeServer, folder: Path) -> Run:
    """Run one debate from the script's beginning."""
    server.get("reset")
    run = asyncio.run(debate(folder))
    calls = server.get("stats")["requests"]
    if calls != CALLS:
        sys.exit(f"{calls} calls were made instead of {CALLS}; the debate ended as {run.ending}")
    return run


def main() -> None:
    """Measure both figures against their bars."""
    with tempfile.TemporaryDirectory() as name, FakeServer(Path(name), script()) as server:
        os.environ["OPENAI_API_BASE"] = os.environ["OPENAI_BASE_URL"] = server.url
        os.environ["OPENAI_API_KEY"] = "none-is-needed"
        measure(server, Path(name))
        runs = [measure(server, Path(name)) for _ in range(RUNS)]
        requests = server.get("requests")["requests"]
    limit = CALLS * LATENCY_MS / 1000
    wall, cpu = (statistics.median(v) for v in ([r.wall_s for r in runs], [r.cpu_s for r in runs]))
    ours = sum(request["tokens"] for request in requests)
    theirs, strict = (transcript_tokens(requests, whole_plans=whole) for whole in (True, False))
    spent = f"{wall:.2f} s of {limit:.1f} s, median of {RUNS}; {cpu / CALLS * 1000:.0f} ms of CPU a call"
    tokens = f"{ours} against {theirs} ({strict}, {ours / strict:.2f}, were its revisions partial, too)"
    finish(
        [
            report("wall / sum of latencies", wall / limit, WALL_BAR, spent),
            report("tokens sent / transcript-carrying", ours / theirs, TOKENS_BAR, tokens),
        ]
    )


if __name__ == "__main__":
    main()
