"""The frame of the command line: lazy, bilingual, and never a traceback for a user."""

import errno
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from concilio import __version__
from concilio.catalogue import LANGUAGES, say
from concilio.cli import crash, main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program changes the language of its process; here it is put back."""
    for name in ("CONCILIO_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "es")
    monkeypatch.delenv("CONCILIO_DEBUG", raising=False)
    crash.forget_folders()


@pytest.fixture
def a_command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Put a function in the place of `concilio doctor`."""

    def install(body: Callable[[], object]) -> None:
        command = click.Command("doctor", callback=body)
        real = importlib.import_module

        def find(name: str) -> object:
            return SimpleNamespace(command=command) if name == "concilio.cli.doctor" else real(name)

        monkeypatch.setattr(main, "import_module", find)

    return install


def run(*arguments: str) -> int:
    return main.run_command_line(arguments)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_lists_every_command_with_its_summary(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--lang", language, "--help") == 0
    out = capsys.readouterr().out
    for name in main.COMMANDS:
        assert f"  {name}" in out
        assert say(f"cli.summary.{name}", language) in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--lang", "es", "--help"], "Uso: concilio [OPCIONES] ORDEN"),
        (["--lang=en", "-h"], "Usage: concilio [OPTIONS] COMMAND"),
        (["--lang", "es", "doctor", "--help"], "Muestra esta ayuda y termina."),
        (["--lang", "en", "doctor", "--help"], "Show this message and exit."),
        (["--help"], "Órdenes"),
        (["--version"], f"concilio {__version__}"),
    ],
)
def test_help_speaks_the_language_that_was_asked_for(arguments: list[str], words: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    ran = subprocess.run(
        [sys.executable, "-m", "concilio", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env=environment,
    )
    assert words in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chek"], "¿Será «check»?"),
        (["Doctr"], "¿Será «doctor»?"),
        (["zzzzzz"], ", ".join(main.COMMANDS)),
        (["../../etc/passwd"], "No existe la orden"),
        (["{name}"], "«{name}»"),
        (["--hepl"], "¿Será '--help'?"),
        (["--lang", "fr"], "'es', 'en'"),
        (["--lang"], "necesita un valor"),
        (["doctor", "--prob"], "--probe"),
        (["doctor", "--format", "xml"], "ninguno de estos"),
        (["doctor", "stray"], "Sobra este argumento: stray"),
    ],
)
def test_wrong_use_is_two_and_says_what_would_be_right(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 2
    assert say("cli.summary.run", "es") in capsys.readouterr().err


@pytest.mark.parametrize(("value", "status"), [(None, 0), (0, 0), (1, 1), (4, 4), ("a text is no status", 0)])
def test_a_command_returns_its_exit_status(
    a_command: Callable[[Callable[[], object]], None], value: object, status: int
) -> None:
    a_command(lambda: value)
    assert run("doctor") == status


class ForeseenError(Exception):
    exit_code = 3


def raising(error: BaseException) -> Callable[[], object]:
    def body() -> object:
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (ForeseenError("no network {here}"), 3, "Error: no network {here}"),
        (click.UsageError("two files are one too many"), 2, "two files are one too many"),
        (KeyboardInterrupt(), 130, "Interrumpido."),
        (click.Abort(), 130, "Interrumpido."),
        (click.exceptions.Exit(4), 4, ""),
    ],
)
def test_foreseen_ends_have_their_status_and_words(
    a_command: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    status: int,
    words: str,
) -> None:
    a_command(raising(error))
    assert run("doctor") == status
    assert words in capsys.readouterr().err


def test_an_unforeseen_error_is_one_line_and_a_crash_file_without_keys(
    a_command: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")
    a_command(raising(ZeroDivisionError("no key very-secret-value\nsecond line")))
    crash.report_into(tmp_path)
    assert run("doctor") == 1
    err = capsys.readouterr().err
    (report,) = tmp_path.iterdir()
    assert len(err.splitlines()) == 1
    assert "ZeroDivisionError" in err
    assert str(report) in err
    assert "Traceback (most recent call last)" in report.read_text(encoding="utf-8")
    assert "very-secret-value" not in err + report.read_text(encoding="utf-8")


def test_where_nothing_else_can_be_written_the_crash_file_is_in_the_temporary_folder(
    a_command: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "outputs").write_text("a file", encoding="utf-8")
    (tmp_path / "temp").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    crash.report_into(tmp_path / "gone")
    a_command(raising(RuntimeError("x")))
    assert run("doctor") == 1
    assert [f.name in capsys.readouterr().err for f in (tmp_path / "temp").iterdir()] == [True]


def test_without_a_run_nothing_is_left_in_the_users_folder(
    a_command: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for name in ("here", "temp"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    a_command(raising(RuntimeError("x")))
    assert run("doctor") == 1
    (report,) = (tmp_path / "temp").iterdir()
    assert str(report) in capsys.readouterr().err
    assert list((tmp_path / "here").iterdir()) == []


LONG = "a" * 4000
BAD_SURROUNDINGS = [
    # (what the shell runs after the program's name; exit status; a word of the only line)
    ("rules list >&-", 2, "cerrada"),
    ("--help >&-", 2, "cerrada"),
    ("rules list >/dev/full", 2, "No space"),
    ("--help >/dev/full", 2, "No space"),
    ("check --format json ok.md >/dev/full", 2, "No space"),
    (f"run {LONG}.md", 2, "too long"),
    (f"check {LONG}.md", 2, "too long"),
    (f"resume {LONG}", 2, "too long"),
    ("check - 0<&-", 2, "vacío"),
    ("rules list 2>&- >/dev/null", 0, ""),
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(("command", "status", "word"), BAD_SURROUNDINGS, ids=range(len(BAD_SURROUNDINGS)))
def test_a_bad_stream_or_name_is_one_line(command: str, status: int, word: str, tmp_path: Path) -> None:
    """Neither a traceback nor a crash file."""
    (tmp_path / "ok.md").write_text("Una noche en calma.\n" * 3000, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m concilio {command}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
        timeout=60,
    )
    assert ran.returncode == status, ran.stderr
    assert len(ran.stderr.splitlines()) == (1 if word else 0), ran.stderr
    assert word in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["ok.md"]


@pytest.mark.parametrize("number", ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "ENAMETOOLONG", "EMFILE", "EFBIG"])
def test_a_state_of_the_machine_is_told_and_no_crash(
    number: str,
    a_command: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    a_command(raising(OSError(getattr(errno, number), "words of the system", "a/file")))
    assert run("doctor") == 2
    err = capsys.readouterr().err
    assert ("a/file" in err, len(err.splitlines())) == (True, 1)
    assert list(tmp_path.iterdir()) == []


def test_without_any_writable_folder_the_line_still_comes(
    a_command: Callable[[Callable[[], object]], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "outputs").write_text("a file", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    a_command(raising(RuntimeError("x")))
    assert run("doctor") == 1
    assert say("cli.no_crash_file", "es") in capsys.readouterr().err


def test_debug_shows_the_traceback(
    a_command: Callable[[Callable[[], object]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCILIO_DEBUG", "1")
    a_command(raising(ZeroDivisionError("here")))
    with pytest.raises(ZeroDivisionError, match="here"):
        run("doctor")


def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    script = (
        "import sys, click, types; from concilio.cli import main\n"
        "command = click.Command('doctor', callback=lambda: [print('x' * 999) for _ in range(9999)])\n"
        "main.import_module = lambda name: types.SimpleNamespace(command=command)\n"
        "sys.exit(main.run_command_line(['doctor']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait() == main.PIPE_CLOSED
    assert err == b""


def test_a_terminal_without_the_characters_gets_escapes() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "CONCILIO_LANG": "es"}
    ran = subprocess.run(
        [sys.executable, "-m", "concilio", "--help"],
        capture_output=True,
        env=environment,
        check=True,
        cwd=ROOT,
    )
    assert b"[ARGUMENTOS]\\u2026" in ran.stdout


def test_the_compiled_messages_are_those_of_their_source() -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("compile_messages", ROOT / ".ci" / "compile_messages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sources = list((ROOT / "concilio" / "texts").glob("*/LC_MESSAGES/concilio.toml"))
    assert sources
    for source in sources:
        expected = module.compiled(source.read_text(encoding="utf-8"))
        assert source.with_suffix(".mo").read_bytes() == expected, "run `make messages`"
