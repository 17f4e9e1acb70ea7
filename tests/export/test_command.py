"""`concilio export` as a command: what it writes where, and how it refuses."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from concilio.adventure.facts import facts_of
from concilio.catalogue import speaking
from concilio.chapterfile.json_file import dump_chapter, load_chapter
from concilio.chapterfile.render import render_chapter
from concilio.cli import export
from concilio.cli.main import run_command_line
from concilio.domain.adventure import Adventure
from concilio.export import foundry
from concilio.export.book import Book
from concilio.export.folder import write_folder
from concilio.export.gather import make_book, read_file
from rules.ruleset import load_ruleset
from tests.export import samples

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


FOLDER = "capitulo_02.es-foundry"


def to_foundry(file: Path, *flags: str) -> int:
    return run_command_line(["--lang", "en", "export", str(file), "--to", "foundry", *flags])


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_folder_written_anew_keeps_all_that_its_user_put_there(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The new export's files replace those of their names; of the old one only what nobody changed goes."""
    folder = file.with_name(FOLDER)
    write_folder(folder, made(samples.adventure("El portón")))
    old = contents(folder)
    actors = [name for name in old if "/actors/" in name]
    own = {
        "mine.txt": b"years of work",
        "packs/journal/000003.log": b"packed",
        "packs/_source/journal/mine.json": b"{}",
        "assets/wolf.webp": b"\x00\xff",
    }
    for name, content in own.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    assert actors
    assert to_foundry(file) == 2
    assert contents(folder) == old | own
    assert to_foundry(file, "--force") == 0
    left = contents(folder)
    assert own.items() <= left.items()
    assert not set(actors) & set(left)
    assert "packs/_source/journal/mine.json" in capsys.readouterr().err
    assert to_foundry(file, "--force") == 0
    assert contents(folder) == left
    assert [path.name for path in file.parent.iterdir() if path.name.startswith(".")] == []


def test_a_document_that_its_user_changed_stays_and_is_told(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = file.with_name(FOLDER)
    write_folder(folder, made(samples.adventure("El portón")))
    actor = next((folder / "packs/_source/actors").iterdir())
    actor.write_text(actor.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    changed = actor.read_bytes()
    assert to_foundry(file, "--force") == 0
    assert actor.read_bytes() == changed
    assert actor.name in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "linked/out.txt", "", ".", 3])
def test_a_manifest_takes_nothing_away_outside_its_folder(file: Path, name: object) -> None:
    """Whoever wrote the manifest's list: what is not in the folder itself is never removed."""
    folder = file.with_name(FOLDER)
    assert to_foundry(file) == 0
    outside = file.with_name("out.txt")
    outside.write_text("mine", encoding="utf-8")
    (folder / "linked").symlink_to(file.parent)
    manifest = folder / "module.json"
    value = json.loads(manifest.read_text(encoding="utf-8"))
    value["flags"]["concilio"]["files"] = {str(name): sha256(b"mine").hexdigest()}
    manifest.write_text(json.dumps(value), encoding="utf-8")
    assert to_foundry(file, "--force") == 0
    assert outside.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["README.md", "packs", "packs/_source/journal/journal.json"])
@pytest.mark.parametrize("kind", ["link", "other"])
def test_what_is_in_the_way_is_named_and_nothing_is_written(
    file: Path, name: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, elsewhere = file.with_name(FOLDER), file.with_name("elsewhere")
    assert to_foundry(file) == 0
    place = folder / name
    place.rename(elsewhere)
    if kind == "link":
        place.symlink_to(file if elsewhere.is_dir() else elsewhere)
    elif elsewhere.is_dir():
        place.write_text("mine", encoding="utf-8")
    else:
        place.mkdir()
    before = contents(folder)
    assert to_foundry(file, "--force") == 2
    err = capsys.readouterr().err
    assert str(place) in err
    assert err.count("\n") == 1
    assert contents(folder) == before


def made(adventure: Adventure) -> dict[str, str]:
    """Return the files of a module of the sample chapter, with the creatures of an adventure."""
    ruleset, facts = load_ruleset("srd5e"), facts_of(adventure, load_ruleset("srd5e"))
    document, known = read_file(dump_chapter(samples.chapter()), "c.json")
    return foundry.to_foundry(make_book(document, known, adventure, ruleset, facts), ruleset)


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
