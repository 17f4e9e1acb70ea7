"""What follows an option, or is an argument, is named in the language of the help."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAME_IN_BOTH = {"N", "USD", "URL", "ID", "S"}
"""Symbols and abbreviations that both languages have."""
LISTING = """
import click
from concilio.cli.main import make_group, speak
def listed(group, context):
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = click.Context(command, info_name=name, parent=context)
        if isinstance(command, click.Group):
            listed(command, inner)
        for each in command.get_params(inner):
            if not getattr(each, "is_flag", False):
                print(name, each.opts[0], each.make_metavar(inner), sep="\\t")
speak(None)
group = make_group()
listed(group, click.Context(group))
"""


def metavars(language: str) -> dict[tuple[str, str], str]:
    ran = subprocess.run(
        [sys.executable, "-c", LISTING],
        env={**os.environ, "CONCILIO_LANG": language},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.split("\t") for line in ran.stdout.splitlines())
    return {(command, option): metavar for command, option, metavar in rows}


@pytest.fixture(scope="module")
def both() -> tuple[dict[tuple[str, str], str], dict[tuple[str, str], str]]:
    return metavars("es"), metavars("en")


def test_no_english_word_stands_in_spanish_help(both: tuple[dict[tuple[str, str], str], ...]) -> None:
    """Choices are words to be typed, and the same in both; what is in capitals is a word of the help."""
    spanish, english = both
    same = {place: text for place, text in spanish.items() if text == english[place]}
    words = {place: set(re.findall(r"[A-ZÁÉÍÓÚÑ]{1,}", text)) for place, text in same.items()}
    assert not {place: found for place, found in words.items() if found - SAME_IN_BOTH}


def test_one_thing_has_one_name(both: tuple[dict[tuple[str, str], str], ...]) -> None:
    """An English word has one Spanish one, wherever it stands."""
    spanish, english = both
    names: dict[str, set[str]] = {}
    for place, text in english.items():
        if text.isalpha():
            names.setdefault(text, set()).add(spanish[place])
    assert not {text: found for text, found in names.items() if len(found) > 1}
