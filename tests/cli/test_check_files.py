"""`concilio check` and files as systems have them: names, ends of lines, what may not be read or written."""

import json
import os
import subprocess
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from click.testing import CliRunner, Result

from concilio.cli.check import command
from concilio.report.repair import diff, shown

BROKEN = "La trampa causa 2d6 de daño aplastante.\n"
REPAIRED = "La trampa causa 2d6 de daño contundente.\n"


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCILIO_LANG", "es")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def write(name: bytes, text: str = BROKEN) -> str:
    Path(os.fsdecode(name)).parent.mkdir(parents=True, exist_ok=True)
    Path(os.fsdecode(name)).write_bytes(text.encode())
    return os.fsdecode(name)


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
