"""The shell's script is click's, and the program answers it without loading its commands."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from concilio.cli.main import COMMANDS, make_group, run_command_line

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("shell", "mark"),
    [("bash", "complete -o nosort -F"), ("zsh", "#compdef concilio"), ("fish", "complete ")],
)
def test_the_script_asks_the_program(shell: str, mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert mark in out
    assert f"_CONCILIO_COMPLETE={shell}_complete" in out


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["completion", "tcsh"]) == 2
    assert "tcsh" in capsys.readouterr().err


def answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str) -> list[str]:
    words = typed.split(" ")
    monkeypatch.setenv("_CONCILIO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit):
        run_command_line([])
    return [line.partition(",")[2] for line in capsys.readouterr().out.splitlines() if line]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("concilio pla", ["playtest"]),
        ("concilio ru", ["run", "runs", "rules"]),
        ("concilio --la", ["--lang"]),
        ("concilio --lang ", ["es", "en"]),
        ("concilio odds ", ["attack", "check", "duel", "roll", "save"]),
        ("concilio playtest --format j", ["json"]),
        ("concilio nonsense --fo", []),
        ("concilio zzz", []),
    ],
)
def test_what_may_follow(
    typed: str, expected: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(monkeypatch, capsys, typed) == expected


def test_every_command_is_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(monkeypatch, capsys, "concilio ") == list(COMMANDS)


def test_completing_a_name_loads_no_command() -> None:
    code = (
        "import os, sys, atexit\n"
        "os.environ['_CONCILIO_COMPLETE'] = 'bash_complete'\n"
        "os.environ |= {'COMP_WORDS': 'concilio ', 'COMP_CWORD': '1'}\n"
        "atexit.register(lambda: print('LOADED', [n for n in sys.modules if n in ('pydantic', 'yaml')]))\n"
        "from concilio.cli.main import run_command_line\n"
        "run_command_line([])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert ran.stdout.splitlines()[-1] == "LOADED []"


RUNS = ("20260101-120000-la-torre", "20260102-120000-el-puente")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with runs in `outputs` and in another one."""
    monkeypatch.chdir(tmp_path)
    for out, names in (("outputs", RUNS), ("mine", RUNS[:1])):
        for name in names:
            (tmp_path / out / name).mkdir(parents=True)
            (tmp_path / out / name / "run.json").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("resume ", [RUNS[1], RUNS[0]]),
        ("view ", [RUNS[1], RUNS[0]]),
        ("resume 20260101", [RUNS[0]]),
        ("resume --out mine ", [RUNS[0]]),
        ("view --out mine 2026", [RUNS[0]]),
        ("resume --budget 3 ", [RUNS[1], RUNS[0]]),
        ("resume --out nowhere ", [""]),
        ("view outputs/", ["outputs/"]),
        ("rules explain dc-dr", ["dc-drift"]),
        ("rules show srd", ["srd5e"]),
    ],
)
def test_runs_and_rules_are_named(
    folder: Path, typed: str, expected: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Runs by their names, the newest first; where none begins so, the shell completes folders."""
    assert answered(monkeypatch, capsys, f"concilio {typed}") == expected


def arguments() -> Iterator[tuple[str, click.Argument]]:
    """Give every argument of every command."""
    group = make_group()
    pending: list[tuple[str, click.Group]] = [("", group)]
    while pending:
        path, parent = pending.pop()
        context = click.Context(parent)
        for name in parent.list_commands(context):
            command = parent.get_command(context, name)
            assert command is not None
            if isinstance(command, click.Group):
                pending.append((f"{path}{name} ", command))
            else:
                yield from ((f"{path}{name}", p) for p in command.params if isinstance(p, click.Argument))


FREE = {"odds roll", "fleet status", "fleet watch", "fleet cancel", "fleet retry"}
"""Arguments that are free text, or names that only a database of other machines knows."""


def test_every_argument_is_completed(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Something is offered for each, or the shell is asked to name files or folders."""
    monkeypatch.setenv("_CONCILIO_COMPLETE", "bash_complete")
    offered: dict[str, bool] = {}
    for command in dict.fromkeys(command for command, _ in arguments()):
        monkeypatch.setenv("COMP_WORDS", f"concilio {command} ")
        monkeypatch.setenv("COMP_CWORD", str(len(command.split()) + 1))
        with pytest.raises(SystemExit):
            run_command_line([])
        offered[command] = bool(capsys.readouterr().out.strip())
    assert {command for command, any_ in offered.items() if not any_} == FREE


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("command", ["check", "export", "playtest", "run", "promises", "fight"])
def test_bash_is_asked_to_complete_files(
    folder: Path, command: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("_CONCILIO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"concilio {command} cap")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit):
        run_command_line([])
    assert capsys.readouterr().out == "file,cap\n"
