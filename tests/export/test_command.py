"""`concilio export` as a command: what it writes where, and how it refuses."""

from pathlib import Path

import pytest

from concilio.catalogue import speaking
from concilio.chapterfile.json_file import load_chapter
from concilio.chapterfile.render import render_chapter
from concilio.cli import export
from concilio.cli.main import run_command_line
from concilio.export.book import Book

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def read(path: Path) -> Book:
    """Read a chapter; what the command comes to speak ends with it."""
    with speaking(None):
        return export.read_book(str(path), None)[0]


def test_it_writes_beside_the_chapter_and_never_over_a_file(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = file.with_name("capitulo_02.es.html")
    assert run_command_line(["--lang", "en", "export", str(file), "--to", "html"]) == 0
    assert str(target) in capsys.readouterr().out
    target.write_text("mine", encoding="utf-8")
    assert run_command_line(["--lang", "en", "export", str(file), "--to", "html"]) == 2
    assert "--force" in capsys.readouterr().err
    assert target.read_text(encoding="utf-8") == "mine"
    assert run_command_line(["--lang", "en", "export", str(file), "--to", "html", "--force"]) == 0
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_our_markdown_gives_what_its_json_gives(file: Path) -> None:
    other = file.with_suffix(".md")
    other.write_text(render_chapter(load_chapter(file.read_text(encoding="utf-8"))), encoding="utf-8")
    first, second = (read(path) for path in (file, other))
    assert first == second


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"title": 3}', "Cannot read"),
        ("{", "Cannot read"),
        ("", "empty"),
        ("# Only a title\n\nand prose", "no scenes"),
    ],
)
def test_what_is_no_chapter_is_refused_in_one_line(
    tmp_path: Path, content: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.md"
    path.write_text(content, encoding="utf-8")
    assert run_command_line(["--lang", "en", "export", str(path), "--to", "html"]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert [each.name for each in tmp_path.iterdir()] == ["c.md"]


def test_a_missing_extra_is_named(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", nowhere)
    assert run_command_line(["--lang", "en", "export", str(file), "--to", "pdf"]) == 2
    assert "concilio[export]" in capsys.readouterr().err


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the user's seeds are not here")
@pytest.mark.parametrize("name", ["capitulo_04.es.md", "capitulo_05.es.md"])
def test_a_chapter_of_somebody_elses_is_a_book(name: str) -> None:
    book = read(SEEDS / name)
    assert book.number == int(name[9:11])
    assert len(book.scenes) >= 5
    assert all(scene.prose for scene in book.scenes)
    assert any(scene.rolls for scene in book.scenes)
    assert book.picture
