"""In which language `concilio check` reads a text, and in which it tells of it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from concilio.chapterfile.language import Hints, reading_of
from concilio.cli import main

EN = "A DC 13 Dexterity (Finger Work) check opens the door.\n"
ES = "Una prueba de Destreza (Manitas) CD 13 abre la puerta.\n"
SILENT = "Ogla. 2d6.\n"
STATED = "---\nlanguage: {}\n---\n\n"

READ = [
    # (text, name, asked, language of the adventure, else, language, is it told, why)
    (EN, "x.es.md", "en", "es", "es", "en", True, "the flag goes before all"),
    (STATED.format("en") + SILENT, "x.es.md", None, "es", "es", "en", True, "front matter before the name"),
    (STATED.format('"English"') + SILENT, "x.md", None, None, "es", "en", True, "the language's name"),
    ("---\nidioma: español\n---\n" + EN, "x.md", None, None, "en", "es", True, "the key's Spanish name"),
    (STATED.format("de") + EN, "x.md", None, None, "es", "en", True, "a language that is none of ours"),
    ("text\n---\nlanguage: en\n---\n" + ES, "x.md", None, None, "es", "es", True, "no front matter"),
    (SILENT, "x.en.md", None, "es", "es", "en", True, "the name before the adventure"),
    (SILENT, "a.b.en-GB.md", None, "es", "es", "en", True, "a tag with its country"),
    (SILENT, "Golden.md", None, "en", "es", "en", True, "letters in a name are no language"),
    (ES, "x.md", None, "en", "es", "en", True, "the adventure before a guess"),
    (EN, "x.md", None, None, "es", "en", True, "its words"),
    ("DC 15 Perception; 2d6 crushing.", "x.md", None, None, "es", "en", True, "the game's words alone"),
    ("CD 15, Percepción; 2d6 aplastante.", "x.md", None, None, "en", "es", True, "the game's words alone"),
    (SILENT + "<!-- concilio: chapter 1 en -->\n", "x.md", None, "es", "es", "en", True, "our own mark"),
    (SILENT, "x.md", None, None, "es", "es", False, "nothing tells: as the user speaks"),
    (SILENT, "x.md", None, None, "en", "en", False, "nothing tells: as the user speaks"),
    ("", "", None, None, "en", "en", False, "nothing at all"),
]


@pytest.mark.parametrize(("text", "name", "asked", "adventure", "otherwise", "language", "told", "why"), READ)
def test_a_text_is_read_in_the_language_that_is_said_of_it(
    text: str,
    name: str,
    asked: str | None,
    adventure: str,
    otherwise: str,
    language: str,
    told: bool,
    why: str,
) -> None:
    hints = Hints(
        "en" if adventure == "en" else "es" if adventure else None, "en" if otherwise == "en" else "es"
    )
    read = reading_of(text, name, asked, hints)
    assert (read.language, read.is_told) == (language, told), why


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder, and no language in the environment but what a case sets."""
    for name in ("CONCILIO_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


SPEAKS: list[tuple[list[str], str, str, tuple[str, ...], str]] = [
    # (flags before the command, LANG, text, what is said, what is not)
    ([], "C.UTF-8", EN, ("error unknown-skill (prose)", "has no skill", "1 error in 1 file."), "regl"),
    ([], "C.UTF-8", ES, ("error unknown-skill (prosa)", "no tiene", "1 error en 1 archivo."), "prose"),
    ([], "es_ES.UTF-8", EN, ("has no skill", "1 error in 1 file."), "archivo"),
    (["--lang", "es"], "C", EN, ("(prosa)", "no tiene", "1 error en 1 archivo."), "prose"),
    (["--lang", "en"], "C", ES, ("(prose)", "has no skill", "1 error in 1 file."), "archivo"),
]


@pytest.mark.parametrize(("flags", "locale", "text", "said", "unsaid"), SPEAKS)
def test_a_report_speaks_one_language(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    locale: str,
    text: str,
    said: tuple[str, ...],
    unsaid: str,
) -> None:
    """The language that is asked for, else that of the text: never half of each."""
    monkeypatch.setenv("LANG", locale)
    (folder / "x.md").write_text(text, encoding="utf-8")
    assert main.run_command_line([*flags, "check", "x.md"]) == 1
    shown = capsys.readouterr().out
    assert all(words in shown for words in said), shown
    assert unsaid not in shown


def test_what_a_text_is_taken_for_is_said_once_on_stderr(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "x.md").write_text(SILENT, encoding="utf-8")
    main.run_command_line(["--lang", "en", "check", "x.md"])
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "x.md: nothing tells its language; it was read as English (--language says another)."
    ]
    main.run_command_line(["--lang", "en", "check", "x.md", "--language", "es"])
    assert capsys.readouterr().err == ""
    main.run_command_line(["--lang", "en", "check", "x.md", "--format", "json"])
    assert capsys.readouterr().err == ""


def test_the_language_of_an_adventure_is_that_of_a_text_that_does_not_tell(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.md").write_text("---\nlanguage: en\n---\n\n# Chapter 1 · The Gate\n\n- APPROX SCENES: 2\n")
    (folder / "x.md").write_text("Half-cover. 2d6.\n", encoding="utf-8")
    assert main.run_command_line(["check", "x.md", "--adventure", "a.md", "--format", "json"]) == 0
    assert "mixed-language" not in capsys.readouterr().out


@pytest.mark.parametrize("form", ["sarif", "github"])
@pytest.mark.parametrize(("text", "other"), [(EN, "habilidad"), (ES, "skill ")])
def test_programs_are_told_in_one_language_too(folder: Path, form: str, text: str, other: str) -> None:
    (folder / "x.md").write_text(text, encoding="utf-8")
    code = "import sys; from concilio.cli.main import run_command_line as r; sys.exit(r(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", "x.md", "--format", form],
        capture_output=True,
        text=True,
        check=False,
        env={"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == 1
    assert other not in done.stdout.lower().replace("finger work", "")
    if form == "sarif":
        rules = json.loads(done.stdout)["runs"][0]["tool"]["driver"]["rules"]
        assert any(word in json.dumps(rules) for word in ("Reglas", "House rules"))
