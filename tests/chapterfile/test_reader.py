"""What the document reader finds in chapter files, plans and free prose."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concilio.chapterfile.plan_reader import cut_field, missing_fields
from concilio.chapterfile.reader import read_document
from tests.chapterfile.seeds import seed
from tests.chapterfile.spans import misplaced
from tests.chapterfile.strategies import texts

DATA = Path(__file__).parent / "data"
CUT = (DATA / "cortado.es.md").read_text(encoding="utf-8")
ACCEPTED = (DATA / "accepted.en.md").read_text(encoding="utf-8")
ALL_SIX = ["place", "present", "situation", "player_action", "outcomes", "state_change"]


def test_a_chapter_that_was_cut_is_read_whole():
    document = read_document(CUT, "cortado.es.md")
    assert (document.chapter, document.language, document.ending) == (2, "es", "max_rounds")
    assert document.title
    assert document.title.text == "La crecida"
    assert document.outcome
    assert document.outcome.text == "_Outcome: max_rounds_"
    assert document.free == ()


def test_the_header_keeps_unknown_labels_and_nested_lines():
    header = read_document(CUT, "x").header
    assert [(f.key, f.label.text) for f in header] == [
        ("arc", "ARCO"),
        ("place", "LUGAR PRINCIPAL"),
        ("scenes", "ESCENAS APROX"),
        ("", "PISTA DE DIRECCIÓN (ajuste)"),
        ("consequences", "CONSECUENCIAS ESCALONADAS"),
    ]
    assert header[2].passage.text == "ESCENAS APROX: 1"
    assert header[4].text.text.splitlines() == ["1. Éxito: Cruzan secos.", "  2. Fallo: Pierden la carga."]


def test_the_plan_has_its_chat_apart_and_its_cut_scene_marked():
    plan = read_document(CUT, "x").plan
    assert plan is not None
    assert plan.heading.text == "Plan de escenas (aprobado por la mesa)"
    assert [[f.key for f in s.fields] for s in plan.scenes] == [ALL_SIX, ALL_SIX[:3]]
    assert [p.text for p in plan.stray] == ["He atendido a todo. Va el plan:", "```capitulo"]
    assert [s.ends_text for s in plan.scenes] == [False, True]
    assert cut_field(plan.scenes[1]) == "situation"


def test_the_debate_has_speakers_roles_rounds_and_plans():
    debate = read_document(CUT, "x").debate
    assert [(m.speaker, m.role, m.round, [s.id for s in m.scenes]) for m in debate] == [
        ("Iris Vela", "proposer", 1, ["2.1"]),
        ("Damián Tachón", "checker", 1, []),
        ("Rubén Veinte", "critic", 1, []),
        ("Iris Vela", "proposer", 2, ["2.1"]),
        ("Damián Tachón", "checker", 2, []),
    ]
    assert "### Propuesta" in debate[1].passage.text
    assert debate[4].passage.text == "VEREDICTO: aceptar"


def test_written_scenes_have_their_plan_and_their_prose():
    scenes = read_document(CUT, "x").scenes
    assert [(s.id, s.title.text) for s in scenes] == [("2.1", "La soga"), ("2.2", "El remolino")]
    first = scenes[0]
    assert first.plan
    assert first.prose
    assert [o.label.text for o in first.plan.outcomes] == ["Éxito", "Fallo"]
    assert first.prose.text.startswith("El agua golpea")
    assert first.prose.text.endswith("dice Ulma.")


def test_an_english_chapter_is_read_and_roles_follow_from_the_plans():
    document = read_document(ACCEPTED, "x")
    assert (document.chapter, document.language, document.ending) == (3, "en", "accepted")
    assert [f.key for f in document.header] == ["arc", "place", "scenes"]
    assert [(m.speaker, m.role, m.round) for m in document.debate] == [
        ("Marta", "proposer", 1),
        ("Otto", "checker", 1),
        ("Pia", "critic", 1),
    ]
    assert document.scenes[0].title.text == "The gate"
    assert document.plan
    assert document.plan.stray == ()
    assert document.scenes[0].prose
    assert document.scenes[0].prose.text == "Rain drums on the lead roof."


@pytest.mark.parametrize("source", [CUT, ACCEPTED], ids=["es", "en"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("before", ["", "\ufeff"], ids=["plain", "bom"])
def test_places_index_the_source_as_it_was_given(source: str, line_end: str, before: str):
    given_source = before + source.rstrip("\n").replace("\n", line_end)
    document = read_document(given_source, "x")
    assert misplaced(document, given_source) == []
    assert document.plan
    assert document.chapter in (2, 3)
    assert len(document.debate) == len(read_document(source, "x").debate)
    assert all(scene.prose for scene in document.scenes)


@pytest.mark.parametrize(
    ("line", "ending"),
    [
        ("_Outcome: accepted_", "accepted"),
        ("_Resultado: aceptado_", "accepted"),
        ("**Outcome:** stalled", ""),
        ("*Outcome: stalled*", "stalled"),
        ("Outcome: max_rounds", "max_rounds"),
        ("_Outcome: rejected_", "rejected"),
        ("The outcome: they all accepted", ""),
    ],
)
def test_the_outcome_line_gives_the_ending(line: str, ending: str):
    assert read_document(ACCEPTED.replace("_Outcome: accepted_", line), "x").ending == ending


def test_headings_of_a_chapter_inside_a_message_open_no_section():
    forged = CUT.replace("VEREDICTO: refinar\n\n### Rubén", "## Cabecera\n\n## Plan de escenas\n\n### Rubén")
    document = read_document(forged, "x")
    assert document.plan
    assert len(document.plan.scenes) == 2
    assert len(document.debate) == 5


def test_a_plan_alone_is_a_chapter_with_a_plan():
    document = read_document(
        "### Scene 4.1 — Rain\n- PLACE: A roof.\n- PRESENT: The party.\n- SITUATION: Rain.", "x"
    )
    assert (document.chapter, document.language) == (4, "en")
    assert document.plan
    assert missing_fields(document.plan.scenes[0]) == (
        "player_action",
        "outcomes",
        "state_change",
    )


def test_free_prose_leaves_out_front_matter_fences_and_comments():
    source = (
        "---\ntitle: x\n---\n# Una posada\n\nEl fuego\narde.\n\n```python\nd6 = 4\n```\n\n"
        "<!-- nota\nde dirección -->\nFuera llueve.\n\n~~~\nsin cerrar"
    )
    document = read_document(source, "posada.md")
    assert document.chapter is None
    assert [p.text for p in document.free] == ["# Una posada", "El fuego\narde.", "Fuera llueve."]
    assert misplaced(document, source) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The guards are at the gate and it is raining.", "en"),
        ("Los guardias están en la puerta y no se ve nada.", "es"),
        ("", "es"),
        ("1d6", "es"),
    ],
)
def test_the_language_of_free_prose_is_told_by_its_words(text: str, language: str):
    assert read_document(text, "x").language == language
    assert read_document(text, "x", "en").language == "en"


def test_an_adventure_file_is_no_chapter():
    adventure = "---\ntitle: x\n---\n\n# Capítulo 5 · «Uno»\n\n- ARCO: I\n- LUGAR PRINCIPAL: Un salón.\n"
    assert read_document(adventure, "x").chapter is None


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(texts(), st.sampled_from(CUT.split("\n"))), max_size=30))
def test_any_text_is_read_with_true_places(lines: list[str]):
    source = "\n".join(lines)
    assert misplaced(read_document(source, "x"), source) == []


@pytest.mark.parametrize(
    "noise",
    [
        "# Capítulo ",
        "[" * 50,
        " " * 50,
        "### Escena 5.1 — x\n- RESULTADOS: • Éxito: a " + "b " * 40,
        "## Debate completo\n_Outcome: ",
        "**a" * 20,
        "`" * 64,
        "- " * 30,
        "x: " * 30,
    ],
)
def test_time_grows_with_the_length_and_no_faster(noise: str):
    def seconds(size: int) -> float:
        source = "## Plan de escenas\n### Escena 5.1 — x\n- RESULTADOS: " + noise * (size // len(noise))
        start = time.process_time()
        read_document(source, "x")
        return time.process_time() - start

    seconds(10_000)
    # Quadratic work would take 64 times as long for 8 times the text; linear about 8.
    assert seconds(200_000) < 30 * max(seconds(25_000), 0.02)


@pytest.mark.parametrize(
    ("name", "ending", "turns", "title"),
    [
        ("capitulo_04.es.md", "accepted", 6, "Tercer Plato: El Robo del Corazón"),
        ("capitulo_05.es.md", "max_rounds", 9, "El Postre: El Estallido del Caos"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_users_chapters_are_read(name: str, ending: str, turns: int, title: str, line_end: str):
    source = seed(name).replace("\n", line_end)
    document = read_document(source, name)
    chapter = int(name[9:11])
    ids = [f"{chapter}.{n}" for n in range(1, 6)]
    assert (document.chapter, document.language, document.ending) == (chapter, "es", ending)
    assert document.title
    assert document.title.text == title
    assert {"arc", "place", "objective", "scenes", "kind", "tension"} <= {f.key for f in document.header}
    assert document.plan
    assert [s.id for s in document.plan.scenes] == ids
    assert [len(s.fields) for s in document.plan.scenes] == [6, 6, 6, 6, 4]
    assert cut_field(document.plan.scenes[4]) == "player_action"
    assert any("```" not in p.text for p in document.plan.stray)
    assert [m.role for m in document.debate] == ["proposer", "checker", "critic"] * (turns // 3)
    assert [m.round for m in document.debate] == [r for r in range(1, turns // 3 + 1) for _ in range(3)]
    assert all(m.scenes for m in document.debate if m.role == "proposer")
    assert [s.id for s in document.scenes] == ids
    assert all(s.prose and s.plan for s in document.scenes)
    assert misplaced(document, source) == []


@pytest.mark.parametrize(
    ("name", "language"), [("combate_reglas_de_la_casa.es.md", "es"), ("ia_part6_adventuring.en.md", "en")]
)
def test_the_users_rules_are_free_prose(name: str, language: str):
    document = read_document(seed(name), name)
    assert (document.chapter, document.language) == (None, language)
    assert document.free
