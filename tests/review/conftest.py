"""Runs that pause, at a table of fake models."""

import sys
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from concilio.chapterfile.json_file import load_chapter
from concilio.cli import main, review_terminal
from concilio.domain.chapter import Chapter
from concilio.review import Decision, Pending, decide, pending
from concilio.review.model import Action
from tests.fake_model import FakeModel
from tests.table_scripts import ADVENTURE, TABLE_FLAGS


class Seat:
    """A run of the command line with a review, and its designer."""

    def __init__(self, folder: Path, model: FakeModel, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys, self.model = folder, capsys, model
        self.err = self.out = ""

    def command(self, *arguments: str) -> int:
        status = main.run_command_line(list(arguments))
        captured = self._capsys.readouterr()
        self.out, self.err = captured.out, captured.err
        return status

    def begin(self, script: Mapping[str, Any], *flags: str, adventure: str = ADVENTURE) -> int:
        self.model.load(script)
        file = self.folder / "torre.md"
        file.write_text(adventure, encoding="utf-8")
        return self.command("run", *flags, str(file), "--out", str(self.folder / "out"), *TABLE_FLAGS)

    def resume(self, *flags: str) -> int:
        return self.command("resume", str(self.run), *flags)

    @property
    def run(self) -> Path:
        (folder,) = (self.folder / "out").iterdir()
        return folder

    @property
    def pause(self) -> Pending:
        found = pending(self.run)
        assert found is not None
        return found

    def decide(self, action: Action, **said: Any) -> Decision:
        decision = Decision(version=self.pause.version, action=action, **said)
        decide(self.run, decision, "en")
        return decision

    @property
    def chapter(self) -> Chapter:
        (path,) = self.run.glob("capitulo*.json")
        return load_chapter(path.read_text(encoding="utf-8"))


@pytest.fixture
def seat(
    tmp_path: Path,
    fake_model: FakeModel,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    litellm_loaded: Any,
) -> Seat:
    monkeypatch.setenv("CONCILIO_LANG", "en")
    monkeypatch.chdir(tmp_path)
    return Seat(tmp_path, fake_model, capsys)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sit at the terminal and type these lines."""

    def _type(*lines: str) -> None:
        monkeypatch.setattr(review_terminal, "somebody_is_there", lambda: True)
        monkeypatch.setattr(sys, "stdin", StringIO("".join(f"{line}\n" for line in lines)))

    return _type
