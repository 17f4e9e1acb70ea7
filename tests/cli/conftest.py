"""Runs of the command line in a folder of their own, at a table of fake models."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from concilio.chapterfile.json_file import load_chapter
from concilio.cli import main
from concilio.domain.chapter import Chapter
from tests.fake_model import FakeModel
from tests.table_scripts import ADVENTURE, TABLE_FLAGS


class Run:
    """What a run left."""

    def __init__(self, status: int, out: str, err: str, folder: Path) -> None:
        self.status, self.out, self.err, self.folder = status, out, err, folder

    @property
    def chapters(self) -> list[Chapter]:
        files = sorted(p for p in self.folder.rglob("*.json") if p.name != "run.json")
        return [load_chapter(p.read_text(encoding="utf-8")) for p in files]

    @property
    def chapter(self) -> Chapter:
        (chapter,) = self.chapters
        return chapter

    @property
    def markdown(self) -> str:
        (path,) = self.folder.rglob("*.md")
        return path.read_text(encoding="utf-8")


Runner = Callable[..., Run]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    monkeypatch.setenv("CONCILIO_LANG", "es")
    monkeypatch.chdir(tmp_path)

    def _run(adventure: str = ADVENTURE, *flags: str, name: str = "torre.md") -> Run:
        source = tmp_path / name
        source.write_text(adventure, encoding="utf-8")
        out = tmp_path / "out"
        status = main.run_command_line(["run", str(source), "--out", str(out), *flags])
        captured = capsys.readouterr()
        return Run(status, captured.out, captured.err, out)

    return _run


@pytest.fixture
def at_table(run: Runner, fake_model: FakeModel) -> Runner:
    def _run(script: Mapping[str, Any], *flags: str, adventure: str = ADVENTURE) -> Run:
        fake_model.load(script)
        return run(adventure, *TABLE_FLAGS, *flags)

    return _run
