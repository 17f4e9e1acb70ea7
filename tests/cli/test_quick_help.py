"""The whole program's help is kept as data, and is what the library would render."""

import subprocess
import sys
from pathlib import Path

import pytest

from concilio.catalogue import LANGUAGES, say
from concilio.cli import quick_help
from concilio.cli.quick_help import asked_language
from concilio.cli.quick_help import quick_help as page_for

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def wide_spanish_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal speaks Spanish and is wide enough."""
    monkeypatch.setenv("CONCILIO_LANG", "es")
    monkeypatch.setattr(quick_help, "_is_narrow", lambda: False)


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (["--lang", "en", "run"], "en"),
        (["--lang=es"], "es"),
        (["run", "--lang", "en"], None),
        (["--lang", "xx"], None),
        (["--lang", "../en"], None),
        (["--lang"], None),
        ([], None),
    ],
)
def test_the_language_is_found_before_the_command(arguments: list[str], language: str | None) -> None:
    assert asked_language(arguments) == language


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (["--help"], "es"),
        (["-h"], "es"),
        (["--lang", "en", "--help"], "en"),
        (["--lang=en", "-h"], "en"),
        ([], None),
        (["run", "--help"], None),
        (["--lang", "xx", "--help"], None),
        (["--hepl"], None),
        (["--version", "--help"], None),
        (["--lang", "--help"], None),
    ],
)
def test_only_the_whole_programs_help_is_quick(arguments: list[str], language: str | None) -> None:
    page = page_for(arguments)
    assert (page is None) == (language is None)
    assert page is None or say("cli.summary.run", language) in page


def test_a_narrow_terminal_gets_its_own_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_help, "_is_narrow", lambda: True)
    assert page_for(["--help"]) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_prints_the_kept_page(language: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "concilio", "--lang", language, "--help"],
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    kept = (ROOT / "concilio" / "texts" / language / "help.txt").read_bytes()
    assert ran.stdout.replace(b"\r\n", b"\n") == kept
