"""Every command of the tutorials is run as it is written, and prints the lines that they show."""

import re
from pathlib import Path

import pytest

from concilio.cli.main import COMMANDS, run_command_line
from tools.tutorial import TUTORIALS, expanded, steps

OF_THE_SHELL = {"make", "source"}
"""What sets up the environment in which the tests run already."""
SERVES = {"view"}
"""It serves until it is ended: tests/view."""
RUN_ID = re.compile(r"\d{8}-\d{6}-")


def normal(text: str) -> str:
    return RUN_ID.sub("RUN-", text)


@pytest.mark.parametrize("language", TUTORIALS)
def test_every_command_does_what_the_tutorial_shows(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCILIO_LANG", language)
    ran: list[str] = []
    for step in steps(language):
        if step.added:
            (adventure,) = tmp_path.glob("*.md")
            with adventure.open("a", encoding="utf-8") as file:
                file.write(step.added)
            continue
        program, *arguments = step.words
        if program in OF_THE_SHELL or arguments[0] in SERVES or arguments[0] not in (*COMMANDS, "--version"):
            continue
        assert program == "concilio"
        assert run_command_line(expanded(tuple(arguments), tmp_path)) == 0, arguments
        captured = capsys.readouterr()
        printed = normal(captured.err + captured.out)
        for line in step.shown:
            assert normal(line) in printed.splitlines(), arguments
        ran.append(arguments[0])
    assert set(ran) >= {"init", "run", "check", "playtest", "odds", "promises"}


def _kind(words: tuple[str, ...]) -> tuple[str, ...]:
    """The program and its command: names of files differ between languages."""
    return words[:2] if words[:1] == ("concilio",) else words[:1]


def test_both_tutorials_take_the_same_steps() -> None:
    taken = [[_kind(step.words) for step in steps(language)] for language in TUTORIALS]
    assert taken[0] == taken[1]
