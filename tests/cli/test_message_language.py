"""The language of messages: what is asked for, else the adventure's, else the locale's, else Spanish."""

from pathlib import Path

import pytest

from concilio.cli import main

ENGLISH = "# Chapter 1 · The Gate\n\n- MAIN PLACE: The gate of the harbour.\n- APPROX SCENES: {scenes}\n"
SPANISH = "# Capítulo 1 · La puerta\n\n- LUGAR PRINCIPAL: La puerta del puerto.\n- ESCENAS APROX: {scenes}\n"
EN_WORDS, ES_WORDS = "A chapter has 1 to 40 scenes", "Un capítulo tiene de 1 a 40 escenas"
EN_FLAG, ES_FLAG = ["--lang", "en"], ["--lang", "es"]

CASES: list[tuple[str, list[str], dict[str, str], str]] = [
    (ENGLISH, [], {"LANG": "C"}, EN_WORDS),
    (ENGLISH, [], {}, EN_WORDS),
    (ENGLISH, [], {"LANG": "es_ES.UTF-8"}, EN_WORDS),
    (ENGLISH, [], {"CONCILIO_LANG": "es"}, ES_WORDS),
    (ENGLISH, ES_FLAG, {"LANG": "C"}, ES_WORDS),
    (SPANISH, [], {"LANG": "en_GB.UTF-8"}, ES_WORDS),
    (SPANISH, EN_FLAG, {"CONCILIO_LANG": "es"}, EN_WORDS),
    (SPANISH, [], {"LANG": "C"}, ES_WORDS),
    (f"---\nlanguage: en\n---\n{SPANISH}", [], {"LANG": "C"}, EN_WORDS),
]


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No language in the environment but what a case sets, in an empty folder."""
    for name in ("CONCILIO_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("text", "flags", "environment", "words"), CASES)
def test_faults_of_an_adventure_are_told_in_the_right_language(
    speak: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    flags: list[str],
    environment: dict[str, str],
    words: str,
) -> None:
    """An English adventure on a machine without a locale is told of in English."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    (speak / "a.md").write_text(text.format(scenes=99), encoding="utf-8")
    assert main.run_command_line([*flags, "run", "a.md"]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(("flags", "words"), [([], "There is no key"), (ES_FLAG, "No hay clave")])
def test_what_follows_the_reading_speaks_the_same(
    speak: Path, capsys: pytest.CaptureFixture[str], flags: list[str], words: str
) -> None:
    """And what one run came to speak ends with it."""
    (speak / "a.md").write_text(ENGLISH.format(scenes=2), encoding="utf-8")
    assert main.run_command_line([*flags, "run", "a.md", "--model", "openai/gpt-4o"]) == 3
    assert words in capsys.readouterr().err
    assert main.run_command_line(["zzzz"]) == 2
    assert "No existe la orden" in capsys.readouterr().err
