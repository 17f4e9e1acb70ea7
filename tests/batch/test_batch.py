"""Many adventures at once: side by side, under one budget, none stopped by another's failure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from concilio.cli import main
from tests.fake_model import FakeModel
from tests.table_scripts import ACCEPT, ADVENTURE, PLAN, PROSE_1, PROSE_2, TABLE_FLAGS, table_script

PRICED = [f"--agent={agent}=openai/gpt-4o" for agent in ("iris", "damian", "ruben", "prose")]
"""One model with a known price in every seat."""
ONE_VOICE = {
    "models": {
        "gpt-4o": [
            {"when": "Propón el plan", "reply": PLAN, "repeat": True},
            {"when": "## El capítulo escrito", "reply": "SIN CAMBIOS", "repeat": True},
            {"when": "1.1 — El muro\n", "reply": PROSE_1, "repeat": True},
        ]
    }
}


@pytest.fixture
def batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], litellm_loaded: Any
) -> Callable[..., Any]:
    """Return a command line in a folder of its own: status, output, errors."""
    monkeypatch.setenv("CONCILIO_LANG", "es")
    monkeypatch.chdir(tmp_path)

    def _run(*arguments: str) -> Any:
        status = main.run_command_line(list(arguments))
        told = capsys.readouterr()
        return status, told.out, told.err

    return _run


def adventures(folder: Path, count: int) -> list[str]:
    """Write adventures with titles of their own; return their paths."""
    paths = [folder / f"torre_{number}.md" for number in range(count)]
    for number, path in enumerate(paths):
        text = ADVENTURE.replace("title: La torre sin puerta", f"title: La torre {number}")
        path.write_text(text, encoding="utf-8")
    return [str(path) for path in paths]


def summary(out: str) -> Any:
    """Return the summary of the only batch under a folder."""
    (path,) = Path(out).glob("batch-*/summary.json")
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_adventure_becomes_chapters_side_by_side(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """As many at once as there are jobs; each has a run of its own; a table sums it up."""
    fake_model.load(table_script(latency_ms=60))
    status, out, err = batch("batch", *adventures(tmp_path, 5), "--jobs", "3", "--out", "o", *TABLE_FLAGS)
    told = summary("o")
    assert (status, told["exit"], told["adventures"]) == (0, 0, 5)
    assert [item["title"] for item in told["items"]] == [f"La torre {n}" for n in range(5)]
    assert len({item["run"] for item in told["items"]}) == 5
    assert all(len(list(Path("o").glob(f"batch-*/{i['run']}/*.md"))) == 1 for i in told["items"])
    assert told["calls"] == fake_model.stats.requests + 5, "the reader is a program of ours"
    assert told["agents"]["iris"]["calls"] == 5
    assert fake_model.stats.in_flight_max > 2
    assert "La torre 3" in out
    assert err.count("[") >= 10, "a line an adventure that begins, one that ends"


def test_calls_in_flight_are_limited_for_all_together(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many adventures there are."""
    monkeypatch.setenv("CONCILIO_CONCURRENCY", "2")
    fake_model.load(table_script(latency_ms=20))
    assert batch("batch", *adventures(tmp_path, 4), "--out", "o", *TABLE_FLAGS)[0] == 0
    assert fake_model.stats.in_flight_max == 2


def test_what_goes_wrong_with_one_stops_no_other(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """A file that cannot be read, one that is not there; the rest is written."""
    fake_model.load(table_script())
    paths = adventures(tmp_path, 2)
    (tmp_path / "broken.md").write_text("---\ntitle: [\n---\n", encoding="utf-8")
    status, out, err = batch(
        "batch", paths[0], "broken.md", "missing.md", paths[1], "--out", "o", *TABLE_FLAGS
    )
    told = summary("o")
    assert status == 1
    assert [item["state"] for item in told["items"]] == ["ended", "failed", "failed", "ended"]
    assert all(item["problem"] for item in told["items"][1:3])
    assert "Traceback" not in out + err
    assert len(list(Path("o").glob("batch-*/*/*.md"))) == 2


def test_a_batch_of_files_that_cannot_be_read_is_wrong_input(batch: Callable[..., Any]) -> None:
    """As a run of one is."""
    assert batch("batch", "missing.md", "--out", "o")[0] == 2


def test_a_title_is_text_and_nothing_else(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """Neither a path nor markup of the table, nor a cell of its own."""
    fake_model.load(table_script())
    text = ADVENTURE.replace("title: La torre sin puerta", "title: '../../x | <b>a</b> [red]{0}'")
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    assert batch("batch", "a.md", "--out", "o", *TABLE_FLAGS)[0] == 0
    (table,) = Path("o").glob("batch-*/summary.md")
    (row,) = [line for line in table.read_text(encoding="utf-8").splitlines() if "../../x" in line]
    assert "<b>" not in row
    assert row.replace("\\|", "").count("|") == 7
    assert not (tmp_path.parent / "x").exists()


def test_a_batch_that_was_not_answered_goes_on(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """What was paid for is not asked for again, and its cost stays counted."""
    whole = table_script()
    fake_model.load({**whole, "models": {**whole["models"], "prose": {"status": 401, "repeat": True}}})
    paths = adventures(tmp_path, 3)
    assert batch("batch", *paths, "--out", "o", *TABLE_FLAGS)[0] == 3
    fake_model.load(whole)
    status, out, _ = batch("resume", "--out", "o")
    assert status == 0
    assert fake_model.of("iris") == []
    assert len(list(Path("o").glob("batch-*/*/*.md"))) == 3
    assert "La torre 2" in out
    assert len(json.loads(batch("runs", "--out", "o", "--format", "json")[1])) == 3


def test_one_budget_ends_the_batch_and_a_larger_one_finishes_it(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """The budget is the batch's: what earlier attempts spent is in it."""
    script = {**ONE_VOICE, "default": {"reply": f"{PROSE_2}\n\n{ACCEPT}", "repeat": True}}
    fake_model.load(script)
    paths = adventures(tmp_path, 3)
    status = batch("batch", *paths, "--out", "whole", "--jobs", "1", *PRICED)[0]
    cost = summary("whole")["cost_usd"]
    assert cost > 0
    fake_model.load(script)
    assert batch("batch", *paths, "--out", "o", "--jobs", "1", "--budget", str(cost / 10), *PRICED)[0] == 4
    spent = fake_model.stats.requests
    fake_model.load(script)
    assert batch("resume", "--out", "o", "--budget", str(cost / 10))[0] == 4
    assert fake_model.stats.requests == 0, "what is spent is spent"
    fake_model.load(script)
    assert batch("resume", "--out", "o", "--budget", str(cost * 2))[0] == status
    calls = sum(item["calls"] for item in summary("whole")["items"]) - 3
    assert fake_model.stats.requests + spent == calls
    chapters = [sorted(p.read_text() for p in Path(f).glob("batch-*/*/*_*.md")) for f in ("o", "whole")]
    assert chapters[0] == chapters[1]


AGAIN: list[tuple[str, bool]] = [
    # (what happens before the batch is resumed; whether its chapters are read again, too)
    ("nothing", True),
    ("a run's folder holds no adventure any more", False),
]


@pytest.mark.parametrize(("before", "whole"), AGAIN)
def test_resuming_a_finished_batch_keeps_its_figures(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path, before: str, whole: bool
) -> None:
    """What was paid for stays in the record, though nothing is asked for any more."""
    fake_model.load({**ONE_VOICE, "default": {"reply": f"{PROSE_2}\n\n{ACCEPT}", "repeat": True}})
    batch("batch", *adventures(tmp_path, 2), "--out", "o", *PRICED)
    first = summary("o")
    assert first["cost_usd"] > 0
    if not whole:
        for path in Path("o").glob("batch-*/*/run.json"):
            info = json.loads(path.read_text(encoding="utf-8"))
            path.write_text(json.dumps({**info, "inputs": {}}), encoding="utf-8")
    fake_model.load({"default": {"status": 500}})
    batch("resume", "--out", "o")
    assert fake_model.stats.requests == 0, before
    again = summary("o")
    assert [again[key] for key in ("calls", "tokens")] == [first[key] for key in ("calls", "tokens")]
    assert again["cost_usd"] == pytest.approx(first["cost_usd"])
    assert again["calls"] == sum(item["calls"] for item in again["items"])
    if whole:
        assert again["agents"] == first["agents"]
        assert [i["chapters"] for i in again["items"]] == [i["chapters"] for i in first["items"]]


def test_why_a_chapter_failed_is_told_at_once(
    batch: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """In the line of its adventure, not only in a file."""
    script = table_script()
    script["models"]["ruben"] = [{"status": 400, "reply": "this model is asleep for good"}]
    fake_model.load(script)
    status, _, err = batch("batch", *adventures(tmp_path, 1), "--out", "o", *TABLE_FLAGS)
    assert status == 3
    assert "this model is asleep for good" in err
