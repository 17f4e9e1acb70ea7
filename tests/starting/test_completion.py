"""The shell's script is click's, and the program answers it without loading its commands."""

import subprocess
import sys
from pathlib import Path

import pytest

from concilio.cli.main import COMMANDS, run_command_line

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
        ("concilio odds ", ["attack", "check", "duel", "roll"]),
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
