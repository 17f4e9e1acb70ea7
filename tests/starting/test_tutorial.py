"""Every command of the tutorials is run as it is written, and prints the lines that they show."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from concilio.cli.main import COMMANDS, run_command_line

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = {"es": "tutorial.md", "en": "tutorial.en.md"}
OF_THE_SHELL = {"make", "source"}
"""What sets up the environment in which the tests run already."""
SERVES = {"view"}
"""It serves until it is ended: tests/view."""
FENCE = re.compile(r"^```(console|markdown)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN_ID = re.compile(r"\d{8}-\d{6}-")
ELSEWHERE = "…"


@dataclass
class Step:
    """A command with the lines that the tutorial shows of its output, or a text that the reader adds."""

    words: list[str]
    shown: list[str]
    added: str = ""


def steps(tutorial: str) -> Iterator[Step]:
    text = (DOCS / tutorial).read_text(encoding="utf-8")
    for kind, block in FENCE.findall(text):
        if kind == "markdown":
            yield Step([], [], block)
            continue
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            yield Step(shlex.split(command), [line for line in shown if line and line != ELSEWHERE])


def expanded(words: list[str]) -> list[str]:
    found = [sorted(str(f) for f in Path().glob(word)) if "*" in word else [word] for word in words]
    assert all(found), words
    return [word for some in found for word in some]


def normal(text: str) -> str:
    return RUN_ID.sub("RUN-", text)


@pytest.mark.parametrize("language", TUTORIALS)
def test_every_command_does_what_the_tutorial_shows(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCILIO_LANG", language)
    ran: list[str] = []
    for step in steps(TUTORIALS[language]):
        if step.added:
            (adventure,) = tmp_path.glob("*.md")
            with adventure.open("a", encoding="utf-8") as file:
                file.write(step.added)
            continue
        program, *arguments = step.words
        if program in OF_THE_SHELL or arguments[0] in SERVES or arguments[0] not in (*COMMANDS, "--version"):
            continue
        assert program == "concilio"
        assert run_command_line(expanded(arguments)) == 0, arguments
        captured = capsys.readouterr()
        printed = normal(captured.err + captured.out)
        for line in step.shown:
            assert normal(line) in printed.splitlines(), arguments
        ran.append(arguments[0])
    assert set(ran) >= {"init", "run", "check", "playtest", "odds", "promises"}


def test_both_tutorials_take_the_same_steps() -> None:
    taken = [
        [s.words[1] if s.words[:1] == ["concilio"] else "" for s in steps(t)] for t in TUTORIALS.values()
    ]
    assert taken[0] == taken[1]
