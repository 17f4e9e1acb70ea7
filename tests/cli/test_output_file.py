"""What commands write: never over what they read, never over what is no file, and one policy for all."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from concilio.cli.main import run_command_line
from tests.playtest.chapters import Scene, chapter

ROOT = Path(__file__).parents[2]
SCENES = [Scene("Sigilo (CD 15).", ("Éxito: Pasan. (→ fin)", "Fallo: Los ven. (→ fin)"))]


class Place:
    """A folder with what the commands read, and how each is told where to write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "chapter.md").write_text(chapter("es", SCENES).source, encoding="utf-8")
        (folder / "adventure.snapshot").write_text("{}", encoding="utf-8")
        shutil.copy(ROOT / "examples" / "combate_en_la_fragua.yaml", folder / "forge.yaml")
        (folder / "adventure.md").write_text(
            "---\ntitle: T\nlanguage: es\nlevel: 1\n---\n\n# Capítulo 3 · Uno\n\n- OBJETIVO: Pasar.\n",
            encoding="utf-8",
        )

    def arguments(self, command: str, target: Path) -> list[str]:
        """Return a command line that reads everything it can and writes there."""
        read, beside = str(self.folder / "chapter.md"), str(self.folder / "adventure.md")
        return {
            "playtest": ["playtest", read, "--adventure", beside, "--svg", str(target)],
            "fight": ["fight", str(self.folder / "forge.yaml"), "--log", str(target)],
            "html": ["export", read, "--adventure", beside, "--to", "html", "--output", str(target)],
            "foundry": ["export", read, "--adventure", beside, "--to", "foundry", "--output", str(target)],
        }[command]

    def kept(self) -> dict[str, bytes]:
        """Return what is in the folder."""
        return {str(p): p.read_bytes() for p in sorted(self.folder.rglob("*")) if p.is_file()}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture(params=["es", "en"])
def run(request: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Callable[..., tuple[int, str]]:
    """Return what runs a command in each language and gives its status and its messages."""
    monkeypatch.setenv("CONCILIO_LANG", request.param)

    def command(arguments: list[str], *more: str) -> tuple[int, str]:
        status = run_command_line([*arguments, *more])
        return status, capsys.readouterr().err

    return command


COMMANDS = ("playtest", "fight", "html", "foundry")
READ = {
    "playtest": ("chapter.md", "adventure.md", "adventure.snapshot"),
    "fight": ("forge.yaml",),
    "html": ("chapter.md", "adventure.md", "adventure.snapshot"),
    "foundry": ("chapter.md", "."),
}


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
@pytest.mark.parametrize(("command", "name"), [(c, n) for c in COMMANDS for n in READ[c]])
def test_what_is_read_is_never_written_over(
    place: Place, run: Any, command: str, name: str, force: tuple[str, ...]
) -> None:
    before = place.kept()
    for target in (place.folder / name, place.folder / "link"):
        (place.folder / "link").unlink(missing_ok=True)
        (place.folder / "link").symlink_to(place.folder / name)
        status, told = run(place.arguments(command, target), *force)
        assert status == 2
        assert target.name in told
        assert len(told.splitlines()) == 1
        (place.folder / "link").unlink()
        assert place.kept() == before


@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_never_replaced(
    place: Place, run: Any, command: str, force: tuple[str, ...]
) -> None:
    """A pipe stands for all devices: they are told by the same question."""
    pipe, folder = place.folder / "pipe", place.folder / "notes"
    os.mkfifo(pipe)
    folder.mkdir()
    (folder / "mine.txt").write_text("mine", encoding="utf-8")
    link = place.folder / "link"
    link.symlink_to(pipe)
    for target in (pipe, folder, link):
        status, told = run(place.arguments(command, target), *force)
        assert status == 2
        assert len(told.splitlines()) == 1
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert link.is_symlink()
    assert [p.name for p in folder.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_taken_name_stays_unless_forced(place: Place, run: Any, command: str) -> None:
    target = place.folder / "out"
    assert run(place.arguments(command, target))[0] == 0
    before = place.kept()
    status, told = run(place.arguments(command, target))
    assert status == 2
    assert "--force" in told
    assert place.kept() == before
    assert run(place.arguments(command, target), "--force")[0] == 0


def test_a_link_is_followed_when_forced(place: Place, run: Any) -> None:
    real, link = place.folder / "real.svg", place.folder / "link.svg"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    assert run(place.arguments("playtest", link))[0] == 2
    assert run(place.arguments("playtest", link), "--force")[0] == 0
    assert link.is_symlink()
    assert "<svg" in real.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [*COMMANDS, "init"])
def test_no_folder_is_made(place: Place, run: Any, command: str) -> None:
    target = place.folder / "none" / "below" / "out.md"
    line = ["init", str(target), "--yes"] if command == "init" else place.arguments(command, target)
    status, told = run(line)
    assert status == 2
    assert str(target.parent) in told
    assert not (place.folder / "none").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_that_no_file_can_have_is_one_line(place: Place, run: Any, command: str) -> None:
    status, told = run(place.arguments(command, place.folder / ("x" * 300)))
    assert status == 2
    assert len(told.splitlines()) == 1


def test_a_repair_does_not_replace_a_pipe(place: Place, run: Any) -> None:
    """`check --fix` of a pipe reads it, and leaves it what it was."""
    pipe = place.folder / "pipe"
    os.mkfifo(pipe)
    text = "La trampa causa 2d6 de daño aplastante.\n"
    writer = Thread(target=pipe.write_text, args=(text,))
    writer.start()
    status, _ = run(["check", "--fix", str(pipe)])
    writer.join()
    assert status == 2
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
