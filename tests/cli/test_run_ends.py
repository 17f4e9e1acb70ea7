"""How a run ends that nobody let end: Ctrl-C and a full disk, told in a line and resumable."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fake_model import FakeModel
from tests.table_scripts import ADVENTURE, PLAN, TABLE_FLAGS, table_script

ROOT = Path(__file__).parents[2]
Runner = Callable[..., Any]


def test_ctrl_c_ends_with_130_and_says_how_to_go_on(fake_model: FakeModel, tmp_path: Path) -> None:
    """In the middle of a model's answer; no traceback, and what was received is kept."""
    fake_model.load(table_script(iris={"reply": PLAN, "latency_ms": 60_000}))
    (tmp_path / "torre.md").write_text(ADVENTURE, encoding="utf-8")
    command = [sys.executable, "-m", "concilio", "run", "torre.md", "--out", "out", *TABLE_FLAGS]
    environment = {**os.environ, "CONCILIO_LANG": "es", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        told = next(line for line in run.stderr if "propone" in line)
        run.send_signal(signal.SIGINT)
        told += run.stderr.read()
    assert run.returncode == 130
    assert "Traceback" not in told
    assert "concilio resume" in told
    (folder,) = (tmp_path / "out").iterdir()
    assert folder.name in told


@pytest.mark.usefixtures("litellm_loaded")
@pytest.mark.parametrize("ending", [".md", ".json"])
def test_a_full_disk_is_one_clear_line(
    at_table: Runner, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    """Where a chapter is to be written: what is full, and how to go on; no half file is left."""
    replace = os.replace

    def full(source: Any, target: Any) -> None:
        if str(target).endswith(ending) and Path(target).name.startswith("capitulo"):
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    done = at_table(table_script())
    assert done.status not in (0, 1)
    assert "No queda espacio" in done.err
    assert "Traceback" not in done.err + done.out
    assert not list(done.folder.rglob(f"capitulo*{ending}*"))
