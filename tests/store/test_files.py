"""Files are whole or not there, and what goes wrong is one clear line."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from concilio.store.errors import StoreError, from_os_error
from concilio.store.files import write_atomic


def names(folder: Path) -> list[str]:
    """Return the names in a folder."""
    return [path.name for path in folder.iterdir()]


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    """UTF-8, newlines as given, folders made, nothing left beside it."""
    path = tmp_path / "a" / "b.md"
    write_atomic(path, "uno\r\n")
    write_atomic(path, "dos\nñ")
    assert path.read_bytes() == "dos\nñ".encode()
    assert names(path.parent) == ["b.md"]
    write_atomic(path, b"\x00")
    assert path.read_bytes() == b"\x00"


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize(("number", "problem"), [(errno.ENOSPC, "full"), (errno.EROFS, "read_only")])
def test_the_old_file_stays_when_the_new_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, problem: str
) -> None:
    """Whole or not at all; no temporary file is left."""
    path = tmp_path / "b.md"
    write_atomic(path, "viejo")

    def fail(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(*((os, "fsync") if call == "fsync" else (Path, "replace")), fail)
    with pytest.raises(StoreError) as caught:
        write_atomic(path, "nuevo")
    assert caught.value.problem == problem
    assert path.read_text() == "viejo"
    assert names(tmp_path) == ["b.md"]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_an_error_is_one_line_with_the_path(number: int, language: str) -> None:
    """What, where, and what to do."""
    text = from_os_error(OSError(number, os.strerror(number)), "/x/y").explain(language)
    assert "/x/y" in text
    assert "\n" not in text


def test_a_path_with_braces_is_only_text() -> None:
    """No path is a format string."""
    assert "{0}" in StoreError("full", "/x/{0}").explain("es")


def test_what_is_no_file_is_not_renamed_over(tmp_path: Path) -> None:
    """A pipe stands for devices; a link is not followed, and not replaced."""
    real = tmp_path / "real"
    real.write_text("old")
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe"):
        with pytest.raises(StoreError) as caught:
            write_atomic(tmp_path / name, "new")
        assert caught.value.problem == "no_file"
    assert real.read_text() == "old"
    assert sorted(names(tmp_path)) == ["folder", "link", "pipe", "real"]
