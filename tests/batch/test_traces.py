"""Runs as OpenTelemetry traces: asked for, complete, and without anything secret."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from concilio.batch import traces
from concilio.cli import main
from tests.fake_model import FakeModel
from tests.table_scripts import ADVENTURE, TABLE_FLAGS, table_script

SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Return where the spans of this test go."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(traces, "tracer_asked_for", lambda: provider.get_tracer("test"))
    yield exporter
    provider.shutdown()


def run(folder: Path, script: Any, fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a chapter whose provider knows a key."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.chdir(folder)
    fake_model.load(script)
    (folder / "a.md").write_text(ADVENTURE, encoding="utf-8")
    return main.run_command_line(["run", "a.md", "--out", "o", *TABLE_FLAGS])


def test_a_run_its_chapters_and_its_calls_are_spans(
    spans: InMemorySpanExporter,
    tmp_path: Path,
    fake_model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
    litellm_loaded: Any,
) -> None:
    """Nested, with tokens, each call as long as it took."""
    assert run(tmp_path, table_script(latency_ms=20), fake_model, monkeypatch) == 0
    found = spans.get_finished_spans()
    by_id = {span.context.span_id: span for span in found if span.context}
    parents = {span.name: by_id[span.parent.span_id].name for span in found if span.parent}
    (whole,) = [span for span in found if span.parent is None]
    assert whole.name == "run"
    assert parents["chapter 1"] == "run"
    calls = [span for span in found if span.name.startswith("call ")]
    assert len(calls) == len(fake_model.requests) + 1, "the reader's, too"
    assert {parents[span.name] for span in calls} == {"chapter 1"}
    for span in calls:
        assert span.attributes
        assert "concilio.key" in span.attributes
        if span.name != "call reader":
            assert int(str(span.attributes["concilio.tokens_in"])) > 0
            assert (span.end_time or 0) - (span.start_time or 0) >= 15_000_000


def test_no_secret_and_no_text_is_in_them(
    spans: InMemorySpanExporter,
    tmp_path: Path,
    fake_model: FakeModel,
    monkeypatch: pytest.MonkeyPatch,
    litellm_loaded: Any,
) -> None:
    """Nor in what is told of a failure, though the provider repeats the key."""
    refusal = {"status": 401, "reply": f"Incorrect API key provided: {SECRET}", "repeat": True}
    script = table_script()
    bad = {**script, "models": {**script["models"], "ruben": refusal}}
    assert run(tmp_path, bad, fake_model, monkeypatch) == 3
    told = "".join(span.to_json() for span in spans.get_finished_spans())
    assert SECRET not in told
    assert "judged" in told
    assert "chorrea agua" not in told, "no text of a plan"


@pytest.mark.parametrize("value", ["", "none", "no-such-exporter"])
def test_nobody_is_traced_who_does_not_ask(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Nor is a run kept from running by an exporter that is not there."""
    monkeypatch.setenv(traces.VARIABLE, value)
    traces.tracer_asked_for.cache_clear()
    assert traces.tracer_asked_for() is None
    traces.tracer_asked_for.cache_clear()


def test_what_is_asked_for_on_the_console_comes_there(
    tmp_path: Path, fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the standard variable alone, in a process of its own."""
    fake_model.load(table_script())
    (tmp_path / "a.md").write_text(ADVENTURE, encoding="utf-8")
    command = [sys.executable, "-m", "concilio", "run", "a.md", "--out", "o", "--model", "embedded"]
    environment = {**os.environ, traces.VARIABLE: "console"}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    names = [json.loads(line)["name"] for line in _objects(done.stdout)]
    assert {"run", "chapter 1", "call iris"} <= set(names), done.stderr[-500:]


def _objects(text: str) -> Iterator[str]:
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        value, end = decoder.raw_decode(text, at)
        yield json.dumps(value)
        at = text.find("{", end)
