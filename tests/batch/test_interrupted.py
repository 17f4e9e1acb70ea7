"""A batch that is interrupted, and one whose budget nobody can hold: both are told in a line."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from concilio.cli import main
from tests.batch.test_batch import adventures
from tests.fake_model import FakeModel
from tests.table_scripts import PLAN, TABLE_FLAGS, table_script

ROOT = Path(__file__).parents[2]


def test_ctrl_c_ends_a_batch_with_130_and_it_goes_on_from_there(
    fake_model: FakeModel, tmp_path: Path, litellm_loaded: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """While models think; no traceback, a summary is left, and `resume` finishes what was begun."""
    fake_model.load(table_script(iris={"reply": PLAN, "latency_ms": 60_000}))
    paths = adventures(tmp_path, 2)
    command = [sys.executable, "-m", "concilio", "batch", *paths, "--out", "out", *TABLE_FLAGS]
    environment = {**os.environ, "CONCILIO_LANG": "es", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        told = next(line for line in run.stderr if "en marcha" in line)
        run.send_signal(signal.SIGINT)
        told += run.stderr.read()
    assert run.returncode == 130
    assert "Traceback" not in told
    (folder,) = (tmp_path / "out").glob("batch-*")
    assert "concilio resume" in told
    assert folder.name in told
    assert json.loads((folder / "summary.json").read_text(encoding="utf-8"))["exit"] == 130

    fake_model.load(table_script())
    assert main.run_command_line(["resume", str(folder)]) == 0
    capsys.readouterr()
    done = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert done["exit"] == 0


def test_a_batch_says_at_once_which_models_its_budget_cannot_hold(
    fake_model: FakeModel,
    tmp_path: Path,
    litellm_loaded: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake_model.load(table_script())
    monkeypatch.setenv("CONCILIO_LANG", "es")
    monkeypatch.chdir(tmp_path)
    paths = adventures(tmp_path, 1)
    assert main.run_command_line(["batch", *paths, "--budget", "1", "--out", "out", *TABLE_FLAGS]) == 0
    told = capsys.readouterr().err
    assert "openai/iris" in told
    assert "precio" in told
