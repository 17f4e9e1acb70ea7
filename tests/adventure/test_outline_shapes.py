"""An outline may be written in many ways; all of them are read into the same fields."""

from pathlib import Path

import pytest

from concilio.adventure import load_adventure
from tests.adventure.writing import SHARED, load_text, only_chapter

HEADINGS = [
    ("# Capítulo 5 · «La caída»", 5, "La caída"),
    ("# Capítulo 5: La caída", 5, "La caída"),
    ("## capítulo 5 — La caída", 5, "La caída"),
    ("### CAPÍTULO 5 - LA CAÍDA", 5, "LA CAÍDA"),
    ("# Capitulo 5. La caída", 5, "La caída"),
    ("# Cap. 5: La caída", 5, "La caída"),
    ("# Capítulo V · «La caída»", 5, "La caída"),
    ("# Capítulo cinco · La caída", 5, "La caída"),
    ("**Capítulo 5 · «La caída»**", 5, "La caída"),
    ("Capítulo 5: La caída", 5, "La caída"),
    ("Capítulo 5: La caída\n===================", 5, "La caída"),
    ("# Chapter 5 · “The Fall”", 5, "The Fall"),
    ('# Chapter 5: "The Fall"', 5, "The Fall"),
    ("# Chapter Five — The Fall", 5, "The Fall"),
    ("# **Chapter 5 · The Fall**", 5, "The Fall"),
    ("# Chapter 12 · The «inner» Fall #", 12, "The «inner» Fall"),
    ("# Capítulo 2", 2, "Capítulo 2"),
    ("# Capítulo 3 · Escena del crimen", 3, "Escena del crimen"),
    ("# Acto II: La caída", 2, "La caída"),
    ("# Prólogo", 0, "Prólogo"),
]


@pytest.mark.parametrize(("heading", "number", "title"), HEADINGS)
def test_a_chapter_heading_gives_number_and_title(
    tmp_path: Path, heading: str, number: int, title: str
) -> None:
    chapter = only_chapter(tmp_path, f"{heading}\n\n- LUGAR PRINCIPAL: El puente.\n")
    assert (chapter.number, chapter.title, chapter.place) == (number, title, "El puente.")


LABELS = [
    ("- LUGAR PRINCIPAL: El puente.", "place", "El puente."),
    ("LUGAR PRINCIPAL: El puente.", "place", "El puente."),
    ("* lugar principal: El puente.", "place", "El puente."),
    ("- **Lugar principal:** El puente.", "place", "El puente."),
    ("**LUGAR**: El puente.", "place", "El puente."),
    ("• Ubicación: El puente.", "place", "El puente."),
    ("1. LUGAR: El puente.", "place", "El puente."),
    ("### Lugar principal\n\nEl puente.", "place", "El puente."),
    ("- LUGAR — El puente.", "place", "El puente."),
    ("LUGAR PRINCIPAL\nEl puente.", "place", "El puente."),
    ("**Lugar principal**\n\nEl puente.", "place", "El puente."),
    ("| Campo | Valor |\n| --- | :-: |\n| **Lugar** | El puente. |", "place", "El puente."),
    ("- MAIN LOCATION: The bridge.", "place", "The bridge."),
    ("Location: The bridge.", "place", "The bridge."),
    ("- ARC: III", "arc", "III"),
    ("- Narrative objective: Cross.", "objective", "Cross."),
    ("- NARRATIVE GOAL: Cross.", "objective", "Cross."),
    ("- objetivo: Cruzar.", "objective", "Cruzar."),
    ("- Tipo Dominante: Combate / Caos", "kind", "Combate / Caos"),
    ("- DOMINANT TYPE (Rubén's note): Chase", "kind", "Chase"),
    ("- tension: high", "tension", "high"),
    ("- TENSIÓN:\n  alta,\n  casi máxima", "tension", "alta, casi máxima"),
    ("- TACTICAL ELEMENTS: a rope", "tactics", "a rope"),
    ("- ELEMENTOS TÁCTICOS:\n- una cuerda\n- un pozo", "tactics", "- una cuerda\n- un pozo"),
    ("ELEMENTOS TÁCTICOS:\n\n- una cuerda\n\n- un pozo", "tactics", "- una cuerda\n\n- un pozo"),
    ("- ELEMENTOS TÁCTICOS: dos:\n    - una cuerda", "tactics", "dos:\n- una cuerda"),
    ("- Escenas: 4", "scenes", 4),
    ("- ESCENAS APROX.: 2-3", "scenes", 3),
    ("- ESCENAS APROX: dos", "scenes", 2),
    ("- Nº DE ESCENAS: de dos a cuatro", "scenes", 4),
    ("- APPROX SCENES: about three or four", "scenes", 4),
    ("- Number of scenes: 2 – 3 (10 minutes each)", "scenes", 3),
    ("- ESCENAS APROX: 2 (máximo 30 minutos)", "scenes", 2),
    ("- ESCENAS APROX: las que pida la mesa", "scenes", None),
]


@pytest.mark.parametrize(("line", "field", "value"), LABELS)
def test_a_known_label_fills_its_field(tmp_path: Path, line: str, field: str, value: object) -> None:
    chapter = only_chapter(tmp_path, f"# Capítulo 1 · A\n\n{line}\n- META: x\n")
    assert getattr(chapter, field) == value
    assert chapter.fields[-1].label == "META", "the next label stands for itself"


CONSEQUENCES = [
    ("\n  1. Éxito: limpio.\n  2. Fallo parcial: alarma.", ("Éxito: limpio.", "Fallo parcial: alarma.")),
    ("\n1. Éxito: limpio.\n2. Fallo parcial: alarma.", ("Éxito: limpio.", "Fallo parcial: alarma.")),
    ("\n- Éxito: limpio.\n- Fallo total: combate.", ("Éxito: limpio.", "Fallo total: combate.")),
    ("\n- **Éxito:** limpio.\n- **FALLO:** combate.", ("Éxito: limpio.", "FALLO: combate.")),
    ("\n  Éxito: limpio.\n  Fallo: combate.", ("Éxito: limpio.", "Fallo: combate.")),
    (" Éxito: limpio. Sin ruido. Fallo: combate.", ("Éxito: limpio. Sin ruido.", "Fallo: combate.")),
    ("\n  - Éxito: limpio,\n    sin ruido.\n  - Fallo: no.", ("Éxito: limpio, sin ruido.", "Fallo: no.")),
    ("\n  - Si ganan: oro.\n  - Si pierden: nada.", ("Si ganan: oro.", "Si pierden: nada.")),
    (" según el resultado:\n  - Éxito: oro.", ("Éxito: oro.",)),
    ("\n\n1. Success: gold.\n\n2. Success at a cost: debt.", ("Success: gold.", "Success at a cost: debt.")),
    (" nada cambia", ("nada cambia",)),
]


@pytest.mark.parametrize(("text", "expected"), CONSEQUENCES)
@pytest.mark.parametrize("label", ["- CONSECUENCIAS ESCALONADAS", "Graded consequences"])
def test_graded_consequences_are_parted(
    tmp_path: Path, label: str, text: str, expected: tuple[str, ...]
) -> None:
    if not label.startswith("-") and text.startswith("\n1."):
        label = f"**{label}**"
    chapter = only_chapter(tmp_path, f"# Capítulo 1 · A\n\n{label}:{text}\n- TENSIÓN: alta\n")
    assert chapter.consequences == expected
    assert chapter.tension == "alta"


def test_unknown_labels_are_kept_in_order_with_their_lines(tmp_path: Path) -> None:
    chapter = only_chapter(
        tmp_path,
        "# Capítulo 1 · A\n- LUGAR: x\n- Clima: lluvia\n- DINÁMICA (nota): uno\n  dos\n- Pistas:\n  - a: b\n",
    )
    assert [(f.label, f.text, f.line) for f in chapter.fields] == [
        ("LUGAR", "x", 2),
        ("Clima", "lluvia", 3),
        ("DINÁMICA (nota)", "uno\ndos", 4),
        ("Pistas", "- a: b", 6),
    ]


def test_labels_may_be_numbered(tmp_path: Path) -> None:
    chapter = only_chapter(tmp_path, "# Capítulo 1 · A\n1. Lugar: x\n2. Pista clave: y\n3. META: z\n")
    assert [(f.label, f.text) for f in chapter.fields] == [
        ("Lugar", "x"),
        ("Pista clave", "y"),
        ("META", "z"),
    ]


def test_free_text_becomes_notes_and_is_not_mixed_with_labels(tmp_path: Path) -> None:
    chapter = only_chapter(
        tmp_path,
        "# Capítulo 1 · A\nAbre con lluvia.\n\n- LUGAR: x\n\nEl molinero miente: no se sabe.\n\n"
        "## Secretos\nNada.\n",
    )
    assert chapter.place == "x"
    assert chapter.notes == "Abre con lluvia.\n\nEl molinero miente: no se sabe.\n\nSecretos\nNada."


BARE = [
    ("LUGAR: x\n", "trial.md", ("Trial", "es", 1, "Trial")),
    ("# La torre\n\nLUGAR: x\n", "trial.md", ("La torre", "es", 1, "La torre")),
    ("- PLACE: x\n- GOAL: y\n", "the_low_door.adventure.md", ("The low door", "en", 1, "The low door")),
    ("# Capítulo 3 · La torre\nLUGAR: x\n", "trial.md", ("La torre", "es", 3, "La torre")),
    ("# Libro\n# Capítulo 3 · La torre\nLUGAR: x\n", "trial.txt", ("Libro", "es", 3, "La torre")),
    ("# Book\n## 4. The tower\nTENSION: x and y for the of\n", "trial.md", ("Book", "en", 4, "The tower")),
    (
        "# Capítulo 1\nThe road is long and the night is cold for them.\n",
        "a.md",
        ("Capítulo 1", "en", 1, None),
    ),
]


@pytest.mark.parametrize(("text", "name", "expected"), BARE)
def test_a_bare_outline_runs(
    tmp_path: Path, text: str, name: str, expected: tuple[str, str, int, str | None]
) -> None:
    adventure = load_text(tmp_path, text, name)
    title, language, number, chapter_title = expected
    assert (adventure.language, adventure.chapters[0].number) == (language, number)
    if chapter_title is not None:
        assert (adventure.title, adventure.chapters[0].title) == (title, chapter_title)


def test_headings_over_labels_are_chapters_where_none_says_so(tmp_path: Path) -> None:
    adventure = load_text(tmp_path, "# Libro\n## La ida\n- LUGAR: a\n## La vuelta\n\n- LUGAR: b\n")
    assert [(c.number, c.title, c.place) for c in adventure.chapters] == [
        (1, "La ida", "a"),
        (2, "La vuelta", "b"),
    ]


def test_an_epilogue_follows_the_last_chapter(tmp_path: Path) -> None:
    adventure = load_text(tmp_path, "# Libro\n# Prólogo\nx\n# Capítulo 4: A\nx\n# Epílogo · «Fin»\nx\n")
    assert [(c.number, c.title) for c in adventure.chapters] == [(0, "Prólogo"), (4, "A"), (5, "Fin")]


def test_text_before_the_first_chapter_is_the_adventures(tmp_path: Path) -> None:
    adventure = load_text(tmp_path, "# Libro\n\nDe qué va.\n\n# Capítulo 1: A\nx\n# Capítulo 2: B\ny\n")
    assert (adventure.title, adventure.notes) == ("Libro", "De qué va.")
    assert [c.notes for c in adventure.chapters] == ["x", "y"]


def test_windows_newlines_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    text = "---\ntitle: A\nlevel: 4\n---\n\n# Capítulo 2: B\n\n- LUGAR: x\n  y\n"
    plain = load_text(tmp_path, text)
    file = tmp_path / "trial.md"
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_adventure(file) == plain
    assert plain.chapters[0].line == 6


def test_a_finished_chapter_gives_its_outline_alone(tmp_path: Path) -> None:
    chapter = only_chapter(
        tmp_path,
        "# Capítulo 2 · «A»\n\n## Cabecera del outline general\n\n- LUGAR: x\n\n"
        "## Plan de escenas (aprobado por la mesa)\n\n### Capítulo 2 · Escena 2.1 — Uno\n- LUGAR: otro\n\n"
        "# Capítulo 2 · Escena 2.1 — «Uno»\n\nProsa.\n",
    )
    assert (chapter.place, chapter.notes, len(chapter.fields)) == ("x", "", 1)


def test_the_users_own_adventure_is_read() -> None:
    file = SHARED / "cases" / "banquete.adventure.md"
    if not file.exists():
        pytest.skip("../shared is not here")
    adventure = load_adventure(file)
    lines = file.read_text(encoding="utf-8").split("\n")
    assert [(c.number, c.scenes, len(c.consequences)) for c in adventure.chapters] == [(4, 2, 3), (5, 2, 0)]
    assert [m.level for m in adventure.party] == [5, 5, 5, 5]
    for chapter in adventure.chapters:
        assert chapter.title in lines[chapter.line - 1]
        assert all(field.label in lines[field.line - 1] for field in chapter.fields)


@pytest.mark.parametrize(("number", "fields"), [(4, 8), (5, 7)])
def test_the_users_own_chapters_give_their_outline(number: int, fields: int) -> None:
    file = SHARED / "seeds" / f"capitulo_0{number}.es.md"
    if not file.exists():
        pytest.skip("../shared is not here")
    (chapter,) = load_adventure(file).chapters
    assert (chapter.number, chapter.scenes, len(chapter.fields), chapter.notes) == (number, 2, fields, "")
