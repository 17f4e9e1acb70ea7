"""A number that is none, or out of bounds, is told in one language."""

import re
from typing import Any

import pytest

from concilio.cli.main import run_command_line

ENGLISH = re.compile(r"\b(integer|float|range|valid|number|whole)\b")
CASES = [
    ["playtest", "x.md", "--level"],
    ["fight", "x.yaml", "--seed"],
    ["run", "x.md", "--chapter"],
    ["run", "x.md", "--rounds"],
    ["run", "x.md", "--seed"],
    ["run", "x.md", "--budget"],
    ["batch", "x.md", "--jobs"],
    ["resume", "--budget"],
    ["view", "--port"],
    ["worker", "--jobs"],
    ["odds", "attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--hp"],
    ["odds", "attack", "--attack", "5", "--ac", "15", "--damage", "1d8", "--attacks"],
]


@pytest.mark.parametrize("value", ["tres", "-7000000"])
@pytest.mark.parametrize("line", CASES, ids=lambda line: " ".join((line[0], line[-1])))
def test_in_spanish_no_word_of_it_is_english(
    line: list[str], value: str, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCILIO_LANG", "es")
    assert run_command_line([*line, value]) == 2
    told = capsys.readouterr().err
    assert not ENGLISH.search(told)
    unbounded = line[-1] in ("--chapter", "--seed") and line[0] == "run"
    assert unbounded or line[-1] in told


BOUNDS = [("--hp", "0", "1", "5000"), ("--hp", "5001", "1", "5000"), ("--attacks", "11", "1", "10")]


@pytest.mark.parametrize(("option", "value", "least", "most"), BOUNDS)
def test_the_range_that_is_told_is_the_range_that_holds(
    option: str, value: str, least: str, most: str, capsys: Any
) -> None:
    line = ["odds", "attack", "--attack", "5", "--ac", "15", "--damage", "1d8", option]
    assert run_command_line([*line, value]) == 2
    told = capsys.readouterr().err
    assert least in told
    assert most in told
    assert run_command_line([*line, most]) == 0
