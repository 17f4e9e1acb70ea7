"""`concilio promises` reads the newest of each chapter that was written for an adventure."""

import json
from pathlib import Path

import pytest

from concilio.chapterfile.json_file import dump_chapter, load_chapter
from concilio.cli.main import run_command_line

ADVENTURE = """---
title: Promesas
language: es
level: 3
party: [{name: Kaelen, class: pícaro}]
cast: [{name: Vaelen, note: sirviente}]
---

# Capítulo 1 · El banquete

- LUGAR PRINCIPAL: El salón.
- OBJETIVO NARRATIVO: Rescatar a Vaelen antes del postre.
- ESCENAS APROX: 1
- CONSECUENCIAS GRADUADAS:
  1. Éxito: Rescatan a Vaelen, que conoce un atajo que evita la barricada del Cap 2.
  2. Fallo: La guardia dobla las patrullas en los capítulos 2 y 9.

# Capítulo 2 · La barricada

- LUGAR PRINCIPAL: La calle mayor.
- OBJETIVO NARRATIVO: Cruzar la barricada de la calle mayor por el atajo.
- ESCENAS APROX: 1
"""


@pytest.fixture(autouse=True)
def adventure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONCILIO_LANG", "es")
    file = tmp_path / "promesas.md"
    file.write_text(ADVENTURE, encoding="utf-8")
    return file


def told(capsys: pytest.CaptureFixture[str], status: int, *flags: str) -> dict[str, object]:
    capsys.readouterr()
    assert run_command_line(["promises", "promesas.md", "--format", "json", *flags]) == status
    return json.loads(capsys.readouterr().out)


def test_before_and_after_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, 0)["summary"] == {"kept": 0, "not_kept": 0, "undecidable": 0, "pending": 3}
    assert run_command_line(["run", "promesas.md", "--model", "embedded"]) == 0
    found = told(capsys, 1)
    promises = found["promises"]
    assert isinstance(promises, list)
    states = [(p["due"], p["scene"][:2], p["state"]) for p in promises]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    assert states == [(2, "1.", "kept"), (2, "1.", "not_kept"), (9, "1.", "pending")]
    capsys.readouterr()
    assert run_command_line(["promises", "promesas.md"]) == 1
    out = capsys.readouterr().out
    assert "Vence en el capítulo 9 (sin escribir)" in out
    assert "3 promesas: 1 cumplida, 1 sin cumplir, 0 sin decidir, 1 pendiente." in out


def test_of_each_chapter_the_newest_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["run", "promesas.md", "--model", "embedded"]) == 0
    (file,) = Path("outputs").glob("*/capitulo_02.es.json")
    old = load_chapter(file.read_text(encoding="utf-8"))
    newer = file.parent.parent / file.parent.name.replace("20", "29", 1)
    newer.mkdir()
    info = json.loads((file.parent / "run.json").read_text(encoding="utf-8"))
    (newer / "run.json").write_text(json.dumps(info | {"id": newer.name}), encoding="utf-8")
    scenes = tuple(
        one.model_copy(update={"situation": "Las patrullas de la guardia doblan la esquina."})
        for one in old.plan.scenes
    )
    text = dump_chapter(old.model_copy(update={"plan": old.plan.model_copy(update={"scenes": scenes})}))
    (newer / file.name).write_text(text, encoding="utf-8")
    found = told(capsys, 0)
    files = found["files"]
    assert isinstance(files, dict)
    assert [Path(str(f)).parent.name for f in files.values()] == [file.parent.name, newer.name]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def test_another_adventure_s_chapters_are_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("otra.md").write_text(ADVENTURE, encoding="utf-8")
    assert run_command_line(["run", "otra.md", "--model", "embedded"]) == 0
    assert told(capsys, 0)["files"] == {}


def test_a_damaged_chapter_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["run", "promesas.md", "--model", "embedded", "--chapter", "1"]) == 0
    (file,) = Path("outputs").glob("*/capitulo_01.es.json")
    file.write_text("{", encoding="utf-8")
    capsys.readouterr()
    assert run_command_line(["promises", "promesas.md"]) == 2
    err = capsys.readouterr().err
    assert "capitulo_01.es.json" in err
    assert len(err.splitlines()) == 1


def test_what_is_not_an_adventure_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["promises", "no_hay.md"]) == 2
    assert "no_hay.md" in capsys.readouterr().err
