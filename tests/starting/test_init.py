"""`concilio init`: what it writes is read without a fault, by any answers; nothing is overwritten."""

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concilio.adventure.loader import load_adventure
from concilio.catalogue import LANGUAGES
from concilio.cli.main import run_command_line
from concilio.starting import writing
from concilio.starting.answers import Answers, Member, Other, WrongAnswerError, one_line
from concilio.starting.writing import adventure_text
from rules.ruleset import load_ruleset


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCILIO_LANG", "es")


def typed(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))


def test_flags_alone_make_an_adventure() -> None:
    flags = ["--title", "El faro: de sal", "--language", "es", "--level", "3", "--party", "Kaelen: picaro"]
    flags += ["--party", "mago", "--cast", "Grik: goblin", "--cast", "Vaelen: guarda", "--item", "Llave"]
    flags += [
        "--chapter",
        "La «llave»",
        "--objective",
        "Salir: vivos",
        "--place",
        "El muelle",
        "--scenes",
        "4",
    ]
    assert run_command_line(["init", "faro", *flags, "--yes"]) == 0
    made = load_adventure(Path("faro.md"))
    assert (made.title, made.level, made.ruleset, made.items) == ("El faro: de sal", 3, "srd5e", ("Llave",))
    assert [(m.name, m.class_, m.level) for m in made.party] == [("Kaelen", "pícaro", 3), ("Mago", "mago", 3)]
    assert [(c.name, c.note, c.stat_block) for c in made.cast] == [
        ("Grik", None, "goblin"),
        ("Vaelen", "guarda", None),
    ]
    (chapter,) = made.chapters
    assert (chapter.title, chapter.place, chapter.objective, chapter.scenes) == (
        "La «llave»",
        "El muelle",
        "Salir: vivos",
        4,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_defaults_make_an_adventure_that_runs(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCILIO_LANG", language)
    assert run_command_line(["init", "a.md", "--yes"]) == 0
    made = load_adventure(Path("a.md"))
    assert made.language == language
    assert len(made.party) == 4
    assert run_command_line(["run", "a.md", "--model", "embedded", "--out", "out"]) == 0


def test_questions_are_asked_until_their_answers_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "klingon", "en", "", "The Stair", "33", "4", "Wren: roge", "Wren: rogue", "", "", "")
    assert run_command_line(["init"]) == 0
    made = load_adventure(Path("the_stair.md"))
    assert (made.language, made.level) == ("en", 4)
    assert [(m.name, m.class_) for m in made.party] == [("Wren", "rogue")]
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1].endswith("the_stair.md")
    assert "rogue" in captured.err


def test_a_name_that_comes_again_is_a_correction(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(
        monkeypatch,
        "es",
        "",
        "La torre",
        "2",
        "Tomás",
        "Ana: maga",
        "Tomás: explorador",
        "",
        "Ana: guarda",
        "",
    )
    assert run_command_line(["init"]) == 0
    made = load_adventure(Path("la_torre.md"))
    assert [(m.name, m.class_) for m in made.party] == [("Tomás", "explorador"), ("Ana", "mago")]
    assert made.cast == ()
    told = capsys.readouterr().err
    assert "(corregido: Tomás)" in told
    assert "«Ana» ya es un personaje del grupo." in told


def test_flags_may_say_a_name_again_and_the_last_one_counts() -> None:
    flags = ("--party", "Ana", "--party", "Ana: maga", "--item", "Llave", "--item", "Llave", "--yes")
    assert run_command_line(["init", "a.md", *flags]) == 0
    made = load_adventure(Path("a.md"))
    assert [(m.name, m.class_) for m in made.party] == [("Ana", "mago")]
    assert made.items == ("Llave",)


def test_answers_outlast_a_file_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault that no question foresaw costs nobody their answers."""

    def broken(answers: Answers) -> str:
        return f"---\ntitle: [\n---\n\n{answers.objective}\n"

    monkeypatch.setattr(writing, "adventure_text", broken)
    assert run_command_line(["init", "a.md", "--objective", "Salir vivos", "--yes"]) == 2
    assert "Salir vivos" in Path("a.md").read_text(encoding="utf-8")
    told = capsys.readouterr().err
    assert "a.md está escrita con tus respuestas" in told
    assert "/tmp" not in told


def test_what_a_flag_says_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "es", "", "2")
    assert run_command_line(["init", "--title", "Dada"]) == 0
    assert "Título de la aventura" not in capsys.readouterr().err
    assert load_adventure(Path("dada.md")).level == 2


@pytest.mark.parametrize("name", ["a.md", "a"])
def test_nothing_is_overwritten(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.md").write_text("mío", encoding="utf-8")
    assert run_command_line(["init", name, "--yes"]) == 2
    assert Path("a.md").read_text(encoding="utf-8") == "mío"
    assert "a.md" in capsys.readouterr().err
    assert [f.name for f in Path().iterdir()] == ["a.md"]


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (["--level", "0"], "--level"),
        (["--level", "21"], "20"),
        (["--level", "²"], "20"),
        (["--scenes", "many"], "--scenes"),
        (["--party", "Ana: cosmonauta"], "cosmonauta"),
        (["--party", ": mago"], "--party"),
        (["--cast", ":"], "--cast"),
        (["--item", "  "], "--item"),
        (["--title", "\x1b"], "--title"),
        (["--title", "a" * 700], "600"),
        (["--ruleset", "../../etc"], "srd5e"),
        (["--ruleset", "srd5"], "srd5e"),
        (["--item", "a"] * 31, "--item"),
        (["--language", "fr"], "fr"),
    ],
)
def test_wrong_flags_are_one_line_and_no_file(
    flags: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["init", "a.md", "--yes", *flags]) == 2
    assert word in capsys.readouterr().err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("name", ["a.txt", "a.yaml", "carpeta/a.pdf"])
def test_only_markdown_is_written(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["init", name, "--yes"]) == 2
    assert ".md" in capsys.readouterr().err


def test_a_folder_that_takes_no_file_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("archivo").write_text("", encoding="utf-8")
    assert run_command_line(["init", "archivo/a.md", "--yes"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def line_of(text: str) -> str:
    try:
        return one_line(text)
    except WrongAnswerError:
        return "texto"


LINES = st.text(max_size=60).map(line_of)
NAMES = st.from_regex(r"[^\W\d_][\w '’-]{0,20}", fullmatch=True).map(line_of)


@settings(deadline=None, max_examples=60)
@given(
    title=LINES,
    names=st.lists(NAMES, min_size=1, max_size=3, unique=True),
    note=LINES,
    objective=LINES,
    place=LINES,
    item=LINES,
    language=st.sampled_from(("es", "en")),
)
def test_any_answers_are_read_back(
    title: str, names: list[str], note: str, objective: str, place: str, item: str, language: str
) -> None:
    given_ = Answers(
        language="es" if language.startswith("es") else "en",
        ruleset="srd5e",
        title=title,
        level=5,
        party=tuple(Member(name) for name in names),
        chapter="El capítulo",
        place=place,
        objective=objective,
        scenes=3,
        cast=(Other("Vaelen", note),),
        items=(item,),
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "a.md"
        file.write_text(adventure_text(given_), encoding="utf-8")
        made = load_adventure(file, load_ruleset())
    assert (made.title, made.items, made.cast[0].note) == (title, (item,), note)
    (chapter,) = made.chapters
    assert (chapter.title, chapter.scenes) == ("El capítulo", 3)
    assert (chapter.place, chapter.objective) == (place, objective)
