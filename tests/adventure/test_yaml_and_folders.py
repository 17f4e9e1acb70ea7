"""The same adventure may be one file, several, or YAML; contradictions between files are told."""

from pathlib import Path

import pytest

from concilio.adventure import load_adventure
from concilio.adventure.source import natural_key
from tests.adventure.writing import load_text, only_chapter, problems_in, problems_of

MARKDOWN = """---
title: El pozo
language: es
level: 4
cast: [Ana, {name: Blas, note: pocero}]
---

# Capítulo 2 · «Abajo»

- LUGAR PRINCIPAL: El pozo.
- OBJETIVO NARRATIVO: Bajar.
- ESCENAS APROX: 2
- CLIMA: lluvia
- CONSECUENCIAS ESCALONADAS:
  1. Éxito: agua.
  2. Fallo: barro.
"""
YAMLS = [
    """
title: El pozo
language: es
level: 4
cast: [Ana, {name: Blas, note: pocero}]
chapters:
  - number: 2
    title: Abajo
    place: El pozo.
    objective: Bajar.
    scenes: 2
    CLIMA: lluvia
    consequences: ["Éxito: agua.", "Fallo: barro."]
""",
    """
title: El pozo
language: es
level: "4"
cast: [{name: Ana}, {name: Blas, note: pocero}]
chapters:
  - {número: 2, título: «Abajo», LUGAR PRINCIPAL: El pozo., objetivo narrativo: Bajar., escenas_aprox: 2,
     CLIMA: lluvia, consecuencias escalonadas: {Éxito: agua., Fallo: barro.}}
""",
]


@pytest.mark.parametrize("name", ["trial.yaml", "trial.yml"])
@pytest.mark.parametrize("text", YAMLS)
def test_yaml_says_the_same_as_markdown(tmp_path: Path, text: str, name: str) -> None:
    def unplaced(adventure: object) -> str:
        return "\n".join(line for line in str(adventure).split() if "line=" not in line)

    assert unplaced(load_text(tmp_path, text, name)) == unplaced(load_text(tmp_path, MARKDOWN))


def test_lines_of_yaml_chapters_are_the_files(tmp_path: Path) -> None:
    chapter = only_chapter(
        tmp_path, "title: A\nchapters:\n  - title: B\n    place: x\n    Clima: y\n", "a.yaml"
    )
    assert (chapter.number, chapter.line) == (1, 3)
    assert [(f.label, f.line) for f in chapter.fields] == [("LUGAR PRINCIPAL", 4), ("Clima", 5)]


def test_labels_of_yaml_follow_the_adventures_language(tmp_path: Path) -> None:
    chapter = only_chapter(tmp_path, "language: en\nchapters: [{place: x, tension: y}]\n", "a.yaml")
    assert [f.label for f in chapter.fields] == ["MAIN PLACE", "TENSION"]
    assert chapter.title == "Chapter 1"


def test_yaml_values_are_what_they_say(tmp_path: Path) -> None:
    adventure = load_text(
        tmp_path,
        "title: 2001\nitems: [no, 1.50, 2026-12-02, ~, ' b ']\nx-own: {a: [1, true, 2.5, '3', ~]}\n"
        "chapters: [{place: yes}]\n",
        "a.yaml",
    )
    assert (adventure.title, adventure.items) == ("2001", ("no", "1.50", "2026-12-02", "b"))
    assert adventure.extra == {"x-own": {"a": [1, True, 2.5, "3", None]}}
    assert adventure.chapters[0].place == "yes"


def test_an_anchor_may_be_used_again(tmp_path: Path) -> None:
    adventure = load_text(
        tmp_path,
        "cast:\n  - {name: A, stat_block: &guard {ac: 12, hp: 9}}\n  - {name: B, stat_block: *guard}\n"
        "chapters: [{place: x}]\n",
        "a.yaml",
    )
    assert adventure.cast[0].stat_block == adventure.cast[1].stat_block


def write_folder(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_folder_is_one_adventure_in_natural_order(tmp_path: Path) -> None:
    folder = write_folder(
        tmp_path / "el_viaje",
        {
            "capitulo_10.md": "# Capítulo 10: J\nLUGAR: j\n",
            "capitulo_9.md": "---\ncast: [Blas, Ana]\nitems: [Vela]\n---\n# Capítulo 9: I\nLUGAR: i\n",
            "01_inicio.md": "---\nlevel: 3\ncast: [Ana]\nagents: {iris: {model: m}}\n---\nLUGAR: a\n",
            "2.yaml": "chapters: [{number: 2, title: B, place: b}]\n",
            "README.md": "# Capítulo 1: no\n",
            "notas.md": "Ideas sueltas sobre la historia.\n",
            ".oculto.md": "levle: 3",
            "mapa.png": "",
        },
    )
    adventure = load_adventure(folder)
    assert (adventure.title, adventure.level, adventure.items) == ("El viaje", 3, ("Vela",))
    assert [member.name for member in adventure.cast] == ["Ana", "Blas"]
    assert [(c.number, c.title, c.place) for c in adventure.chapters] == [
        (1, "01 inicio", "a"),
        (2, "B", "b"),
        (9, "I", "i"),
        (10, "J", "j"),
    ]


def test_files_that_contradict_each_other_are_told(tmp_path: Path) -> None:
    folder = write_folder(
        tmp_path / "a",
        {
            "1.md": "---\ntitle: A\nlevel: 3\ncast:\n  - {name: Ana, note: reina}\n---\n# Capítulo 1\nx\n",
            "2.md": "---\ntitle: A\nlevel: 4\ncast:\n  - {name: Ana, note: bruja}\n---\n# Capítulo 1\nx\n",
        },
    )
    problems = problems_of(folder)
    assert [(Path(p.file).name, p.line, p.column) for p in problems] == [
        ("2.md", 3, 8),
        ("2.md", 5, 5),
        ("2.md", 7, 1),
    ]
    assert all(str(folder / "1.md") in p.message for p in problems)


def test_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    folder = write_folder(
        tmp_path / "a", {"1.md": "---\nlevle: 3\n---\n# Capítulo 1\nx\n", "2.md": "", "3.yaml": "["}
    )
    assert [Path(p.file).name for p in problems_of(folder)] == ["1.md", "2.md", "3.yaml"]


def test_a_broken_yaml_file_is_not_said_to_lack_chapters(tmp_path: Path) -> None:
    (problem,) = problems_in(tmp_path, "title: [\n", "a.yaml")
    assert problem.line == 2


@pytest.mark.parametrize("language", ["español", "es-MX", "ES", "Spanish", "castellano"])
def test_a_language_may_be_written_out(tmp_path: Path, language: str) -> None:
    adventure = load_text(tmp_path, f"---\nlanguage: {language}\n---\n# Chapter 1: The end of the road\nx\n")
    assert adventure.language == "es"


def test_prompts_may_lie_beside_the_adventure(tmp_path: Path) -> None:
    (tmp_path / "mis_textos").mkdir()
    adventure = load_text(tmp_path, "---\nprompts: mis_textos\n---\n# Capítulo 1\nx\n")
    assert adventure.prompts == "mis_textos"


def test_natural_order_counts() -> None:
    names = ["c10", "c9", "C1", "b", "c09b", "²"]
    assert sorted(names, key=natural_key) == ["b", "C1", "c9", "c09b", "c10", "²"]
