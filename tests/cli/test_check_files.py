"""`concilio check` and files as systems have them: names, ends of lines, what may not be read or written."""

import json
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote_to_bytes

import pytest
from click.testing import CliRunner, Result

from concilio.cli.check import command
from concilio.report.repair import diff, shown

BROKEN = "La trampa causa 2d6 de daño aplastante.\n"
REPAIRED = "La trampa causa 2d6 de daño contundente.\n"


@pytest.fixture(autouse=True)
def _at_home(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Work in a folder to which anybody may go: pytest's own are closed to others than the user."""
    monkeypatch.setenv("CONCILIO_LANG", "es")
    with TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        monkeypatch.chdir(home)
        yield
        monkeypatch.undo()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def write(name: bytes, text: str = BROKEN) -> str:
    Path(os.fsdecode(name)).parent.mkdir(parents=True, exist_ok=True)
    Path(os.fsdecode(name)).write_bytes(text.encode())
    return os.fsdecode(name)


@contextmanager
def as_anybody() -> Generator[None]:
    """Be a user who is bound by permissions, as root is not; all code is loaded before."""
    write(b"before/mal.md")
    run("before/mal.md", "nada.md", "--fix")
    run("before")
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


NAMES = [
    b"bad\xff.md",
    b"\xc3(.md",
    b"caf\xc3\xa9 y \xe2\x82.md",
    b"a:b.md",
    b"c:/x#y?z%20.md",
    b"dos  espacios.md",
    b'con "comillas" y \\.md',
    b"una\nlinea.md",
    b"es\x1b[31mc.md",
    b"d\xfe/\xff.md",
]


@pytest.mark.parametrize("name", NAMES, ids=repr)
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_every_form_holds_any_name(name: bytes, form: str) -> None:
    result = run(write(name), "--format", form)
    assert (result.exception, result.return_value) == (None, 1)
    text = result.stdout_bytes.decode("utf-8")  # whole UTF-8, whatever the name
    assert "\x1b" not in text or form == "github"
    if form == "json":
        file = json.loads(text)["file"]
        assert file.encode("utf-8").decode() == name.decode("utf-8", "backslashreplace")
    elif form == "sarif":
        place = json.loads(text)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        assert unquote_to_bytes(uri) == name
        assert not set(uri) & set(': ?#"\\\n')
    else:
        assert "damage-type" in text
        assert form == "text" or text.count("\n") == 1


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_diff_of_any_name_names_it_as_patches_do(name: bytes) -> None:
    patch = run(write(name), "--diff").stdout
    subprocess.run(["git", "apply", "-p0", "-"], input=patch.encode(), check=True, capture_output=True)
    assert Path(os.fsdecode(name)).read_text(encoding="utf-8") == REPAIRED


TEXTS = [
    BROKEN,
    BROKEN.rstrip("\n"),
    BROKEN.replace("\n", "\r\n"),
    f"\ufeff# Título\r\n\r\n{BROKEN}".replace("\n", "\r\n"),
    f"Uno.\r\nDos.\n\x0cTres\x0b.\x85\u2028Cuatro.\n\n{BROKEN}Cinco\tseis.",
    f"{BROKEN}\n\n\x1b[31mRojo\x1b[0m\n\n{BROKEN}",
    f"Solo\rcon retorno.\n\n{BROKEN}",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_diff_is_a_patch(text: str) -> None:
    """What `--diff` prints, applied, is what `--fix` writes, to the byte."""
    write(b"mal.md", text)
    patch = run("mal.md", "--diff").stdout_bytes
    subprocess.run(["git", "apply", "-p0", "-"], input=patch, check=True, capture_output=True)
    patched = Path("mal.md").read_bytes()
    write(b"mal.md", text)
    run("mal.md", "--fix")
    assert patched == Path("mal.md").read_bytes() != text.encode()


def test_a_terminal_is_shown_nothing_that_steers_it() -> None:
    patch = diff("\x1b[31mCausa\r\n", "\x1b[31mCausó\r\n", "a\x1bb.md")
    assert "\x1b[31mCausa\r\n" in patch
    assert shown(patch).splitlines()[-2:] == ["-�[31mCausa", "+�[31mCausó"]


def test_a_folder_that_cannot_be_read_is_told_among_the_others() -> None:
    for name in (b"todo/a.md", b"todo/locked/b.md", b"todo/z/c.md"):
        write(name)
    Path("todo/locked").chmod(0)
    try:
        with as_anybody():
            results = [run("todo", "--format", "json"), run("todo/locked"), run("todo/locked", "todo/a.md")]
    finally:
        Path("todo/locked").chmod(0o700)
    assert [r.return_value for r in results] == [2, 2, 2]
    assert [d["file"] for d in json.loads(results[0].stdout)] == ["todo/a.md", "todo/z/c.md"]
    for result in results:
        lines = [line for line in result.stderr.splitlines() if "todo/locked" in line]
        assert lines == ["No se puede leer todo/locked: no hay permiso."]
    assert "damage-type" in results[2].stdout


def test_a_folder_whose_files_cannot_be_looked_at_names_them() -> None:
    write(b"todo/a.md")
    Path("todo").chmod(0o444)
    try:
        with as_anybody():
            result = run("todo")
    finally:
        Path("todo").chmod(0o700)
    assert (result.return_value, "todo/a.md: no hay permiso" in result.stderr) == (2, True)


@pytest.mark.parametrize("root", [True, False])
def test_a_read_only_file_stays_as_it_is_and_its_findings_are_told(root: bool) -> None:
    path = Path(write(b"mal.md"))
    path.chmod(0o444)
    Path().chmod(0o777)
    if root:
        result = run("mal.md", "--fix")
    else:
        with as_anybody():
            result = run("mal.md", "--fix")
    assert path.read_text(encoding="utf-8") == BROKEN
    assert (result.return_value, "damage-type" in result.stdout) == (2, True)
    assert "No se puede escribir mal.md: es de solo lectura." in result.stderr.splitlines()


def test_a_read_only_folder_is_told_with_no_flag_of_another_command() -> None:
    write(b"todo/mal.md")
    Path("todo/mal.md").chmod(0o666)
    Path("todo").chmod(0o555)
    with as_anybody():
        result = run("todo/mal.md", "--fix")
    Path("todo").chmod(0o700)
    assert (result.return_value, "--out" in result.stderr) == (2, False)
    assert "No se puede escribir todo/mal.md: no hay permiso" in result.stderr
    assert list(Path("todo").iterdir()) == [Path("todo/mal.md")]


def test_a_read_only_file_does_not_keep_the_others_from_being_mended() -> None:
    write(b"uno.md")
    write(b"dos.md")
    Path("uno.md").chmod(0o444)
    result = run("uno.md", "dos.md", "--fix")
    assert Path("dos.md").read_text(encoding="utf-8") == REPAIRED
    assert (result.return_value, "1 lugar corregido." in result.stderr) == (2, True)
