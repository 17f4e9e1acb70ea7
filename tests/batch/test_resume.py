"""A run that was killed goes on: the same chapters, and nothing that was received is paid for again."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from concilio.cli import main
from tests.fake_model import FakeModel
from tests.table_scripts import ACCEPT, ADVENTURE, REFINE, TABLE_FLAGS, table_script

PROJECT = Path(__file__).resolve().parents[2]
SECOND = """
# Capítulo 2 · «La sal que habla»

- LUGAR PRINCIPAL: La torre de Mirel.
- OBJETIVO NARRATIVO: Salir con la llave.
- ESCENAS APROX: 2
- TIPO DOMINANTE: Social.
"""
TWO_CHAPTERS = ADVENTURE + SECOND
SCRIPT = table_script(
    ruben=[{"when": "Ronda 2", "reply": ACCEPT, "repeat": True}, {"reply": REFINE, "repeat": True}]
)
KILLS = (1, 5, 11, 17)


@pytest.fixture
def killed(fake_model: FakeModel, tmp_path: Path) -> Callable[..., list[Any]]:
    """Return what the harness tells of an undisturbed run and of killed ones."""

    def _killed(*writes: int) -> list[Any]:
        fake_model.load(SCRIPT)
        source = tmp_path / "torre.md"
        source.write_text(TWO_CHAPTERS, encoding="utf-8")
        command = [sys.executable, "-m", "tests.batch.kill_harness", str(source), str(tmp_path / "out")]
        command += [fake_model.url, *map(str, (0, *writes))]
        environment = {**os.environ, "OPENAI_API_BASE": fake_model.url, "OPENAI_API_KEY": "k"}
        environment["CONCILIO_LANG"] = "es"
        done = subprocess.run(
            command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False, timeout=180
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return [json.loads(line) for line in done.stdout.splitlines()]

    return _killed


def test_killed_at_any_write_a_run_ends_as_if_nothing_had_been(killed: Callable[..., list[Any]]) -> None:
    """Same bytes; what was kept is not asked for again; nothing that was kept is lost."""
    whole, *others = killed(*KILLS)
    assert len(whole["files"]) == 4
    assert whole["rows"] > max(KILLS)
    for run in others:
        assert run["died"] == -9, run["write"]
        assert run["ended"] == whole["ended"], run["write"]
        assert run["files"] == whole["files"], run["write"]
        assert run["lost"] == 0
        assert run["asked_again"] == run["rows"] - run["kept_at_death"], "a kept reply was paid for again"
        assert run["rows"] == whole["rows"]
        assert run["in_flight"] <= 3


@pytest.fixture
def command_line(
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


def write_adventure(folder: Path, text: str = TWO_CHAPTERS) -> str:
    """Write an adventure and return its path."""
    path = folder / "torre.md"
    path.write_text(text, encoding="utf-8")
    return str(path)


def chapter_files(out: Path) -> list[str]:
    """Return the texts of all chapter files."""
    return [p.read_text(encoding="utf-8") for p in sorted(out.rglob("*_*.md"))]


def test_a_chapter_that_nobody_answered_is_tried_again(
    command_line: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """The debate that was paid for is not held twice."""
    source = write_adventure(tmp_path)
    fake_model.load(SCRIPT)
    whole = command_line("run", source, "--out", "whole", *TABLE_FLAGS)
    fake_model.load({**SCRIPT, "models": {**SCRIPT["models"], "prose": {"status": 401, "repeat": True}}})
    failed = command_line("run", source, "--out", "out", *TABLE_FLAGS)
    assert failed[0] == 3
    fake_model.load(SCRIPT)
    status, _, _ = command_line("resume", "--out", "out")
    assert status == whole[0]
    assert [
        r for r in fake_model.of("iris") if "Capítulo 1" in r.prompt and "Capítulo 2" not in r.prompt
    ] == []
    assert chapter_files(tmp_path / "out") == chapter_files(tmp_path / "whole")


def test_the_adventure_is_as_it_was_when_the_run_began(
    command_line: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """A file edited or deleted meanwhile changes nothing."""
    source = write_adventure(tmp_path)
    fake_model.load({**SCRIPT, "models": {**SCRIPT["models"], "prose": {"status": 401, "repeat": True}}})
    assert command_line("run", source, "--out", "out", *TABLE_FLAGS)[0] == 3
    Path(source).unlink()
    fake_model.load(SCRIPT)
    status, out, _ = command_line("resume", "--out", "out")
    assert status in (0, 1)
    assert "La torre sin puerta" in out


def test_a_finished_run_is_shown_again_and_asks_nobody(
    command_line: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """Resuming what is done does no harm."""
    source = write_adventure(tmp_path)
    fake_model.load(SCRIPT)
    first = command_line("run", source, "--out", "out", *TABLE_FLAGS)
    before = chapter_files(tmp_path / "out")
    fake_model.load({"default": {"status": 500}})
    again = command_line("resume", "--out", "out")
    assert again[:2] == first[:2]
    assert fake_model.stats.requests == 0
    assert chapter_files(tmp_path / "out") == before


def test_what_cannot_be_resumed_is_said_in_a_line(command_line: Callable[..., Any], tmp_path: Path) -> None:
    """No run, no such run, a folder that is none, a run without what is needed."""
    folder = tmp_path / "out" / "20260101-000000-x"
    folder.mkdir(parents=True)
    info: dict[str, Any] = {
        "format": 1,
        "id": folder.name,
        "created": "2026-01-01T00:00:00Z",
        "inputs": {"settings": {}},
    }
    (folder / "run.json").write_text(json.dumps(info))
    (tmp_path / "empty").mkdir()
    for arguments, word in (
        (("resume", "--out", "empty"), "concilio run"),
        (("resume", "none", "--out", "out"), "none"),
        (("resume", "../../etc", "--out", "out"), "etc"),
        (("resume", "--out", "out"), "concilio run"),
    ):
        status, out, err = command_line(*arguments)
        assert status == 2, arguments
        assert word in err
        assert "Traceback" not in out + err
        assert len(err.strip().splitlines()) <= 2


def test_runs_of_a_folder_below_are_pointed_at(
    command_line: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """`make demo` leaves its run in `outputs/demo`: neither command says that there is none."""
    fake_model.load(SCRIPT)
    command_line("run", write_adventure(tmp_path), "--out", "outputs/demo", *TABLE_FLAGS)
    assert "outputs/demo" in command_line("runs")[1]
    status, _, err = command_line("resume")
    assert (status, "outputs/demo" in err) == (2, True)


def test_runs_tells_what_ran_and_how_to_go_on(
    command_line: Callable[..., Any], fake_model: FakeModel, tmp_path: Path
) -> None:
    """State, chapters, calls; as JSON too; a broken folder is a row and no error."""
    source = write_adventure(tmp_path)
    fake_model.load({**SCRIPT, "models": {**SCRIPT["models"], "prose": {"status": 401, "repeat": True}}})
    command_line("run", source, "--out", "out", *TABLE_FLAGS)
    broken = tmp_path / "out" / "20990101-000000-broken"
    broken.mkdir()
    (broken / "run.json").write_text("{")
    status, text, _ = command_line("runs", "--out", "out")
    assert status == 0
    assert "concilio resume" in text
    rows = json.loads(command_line("runs", "--out", "out", "--format", "json")[1])
    assert [row["state"] for row in rows] == ["ended", "unreadable"]
    assert rows[0]["resumable"]
    assert rows[0]["calls"] > 0
    assert command_line("runs", "--out", "nowhere")[0] == 0
