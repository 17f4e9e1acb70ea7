"""Every command that a message prints works as it is printed, whatever the names in it are."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from concilio.catalogue import LANGUAGES, TEXTS, say
from concilio.cli.main import run_command_line
from concilio.printable import printable, shell_word

NAMES = (
    "plain.md",
    "mi av.md",
    "it's.md",
    'a"b.md',
    "$(touch x).md",
    "a;b&c|d.md",
    "*.md",
    "~.md",
    "-v.md",
    "a\nb.md",
    "a\x1b[31mb.md",
    "a\u202eb.md",
    "a\\b'\tc.md",
    os.fsdecode(b"bad\xff0.md"),
    "año.md",
)
COMMAND = re.compile(r"concilio (?:run|resume|runs|batch|view|init|export|check|playtest|fleet)\b[^`»”\n]*")
PLACEHOLDER = re.compile(r"\{([a-z_]+)(:[^}]*)?\}")
GENERIC = {"command"}


def as_bash_reads(word: str) -> str:
    """Return what a shell makes of a word, byte for byte."""
    told = subprocess.run(
        ["bash", "--norc", "-c", f"printf '%s' {word}"], capture_output=True, check=True, cwd="/"
    )
    return os.fsdecode(told.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_a_shell_reads_the_name(name: str) -> None:
    word = shell_word(name)
    assert word.isprintable()
    assert as_bash_reads(word) == (f"./{name}" if name.startswith("-") else name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_in_a_printed_command_is_quoted(language: str) -> None:
    """In all texts: what stands in a command is a word of a shell."""
    wrong: list[str] = []
    for file in (TEXTS / language).glob("*.toml"):
        for found in COMMAND.finditer(file.read_text(encoding="utf-8")):
            for name, form in PLACEHOLDER.findall(found[0]):
                if form != ":shell":
                    wrong.append(f"{file.name}: {name}: {found[0]}")
    assert not wrong


def test_a_name_is_shown_plain_and_quoted_as_the_text_asks() -> None:
    told = say("run.interrupted", "en", folder=Path("my runs/a\x1bb"))
    assert "my runs/a?b" in told
    assert told.endswith("concilio resume $'my runs/a\\x1bb'")
    assert say("runs.go_on", "en", run="a b").endswith("concilio resume 'a b'")


@pytest.mark.parametrize("name", NAMES)
def test_what_init_prints_next_can_be_typed(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command_line(["init", "--yes", "--", name]) == 0
    told = capsys.readouterr()
    (line,) = [line for line in told.err.splitlines() if "concilio run" in line]
    arguments = line.strip().removeprefix("concilio run ").removesuffix(" --model embedded")
    assert Path(as_bash_reads(arguments)) == Path(name)
    assert printable(name) in told.out
    assert all(c.isprintable() or c == "\n" for c in told.out + told.err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["init", "--yes", "--ruleset", "\x1b[31m", "a.md"],
        ["init", "--yes", "--party", "Ana: \x1b]0;PWN\x07", "a.md"],
        ["\x1b[31m"],
        ["run", "--\x1b[31m"],
        ["export", "\x1b[31m.md", "--to", "\x1b[31m"],
        ["resume", "\x1b[31m"],
    ],
)
def test_what_was_typed_is_not_obeyed_when_it_is_quoted(
    tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_command_line(arguments) == 2
    told = capsys.readouterr()
    assert "\x1b" not in told.out + told.err
    assert "\x07" not in told.out + told.err


def test_a_list_of_runs_in_another_folder_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line is a command as it stands: it has the folder where the run is."""
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("# Capítulo 1\n\n- LUGAR PRINCIPAL: x\n", encoding="utf-8")
    run_command_line(["run", "a.md", "--out", "my runs", "--model", "embedded", "--review"])
    capsys.readouterr()
    assert run_command_line(["runs", "--out", "my runs"]) == 0
    command = shlex.split(capsys.readouterr().out.strip().splitlines()[-1].partition("concilio ")[2])
    assert run_command_line(command) == 1
    assert "review" in capsys.readouterr().err
