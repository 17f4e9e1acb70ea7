"""What the plan reader understands of the shapes in which models write plans."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concilio.chapterfile.plan_reader import (
    PlanIncomplete,
    cut_field,
    incomplete,
    merge_readings,
    missing_fields,
    read_plan,
    to_proposal,
    to_scene_plan,
)
from rules.document import PlanScene
from tests.chapterfile.spans import misplaced
from tests.chapterfile.strategies import texts

FIELDS = """- LUGAR: El embarcadero.
- PRESENTES: PJs y Ulma.
- SITUACIÓN INICIAL: La barca tira de su soga.
- ACCIÓN DEL JUGADOR: Cortar la soga.
- POSIBLES RESULTADOS:
    - Éxito: La barca sale.
    - Fallo: La soga azota.
- CAMBIO DE ESTADO: El grupo está en el agua."""
SCENE = f"### Capítulo 2 · Escena 2.1 — La soga\n{FIELDS}"
ENGLISH = """## Chapter 2 · Scene 2.1 — The rope
**PLACE**: The landing.
**Present:** The party.
* Situation: The boat pulls at its rope.
+ player action — no colon here
1. Player action: Cut the rope.
2) OUTCOMES:
   - **Success** — The boat is free.
   - **Failure:** The rope snaps.
- Change of state: The party is on the water."""


def only(text: str, chapter: int | None = None) -> PlanScene:
    read = read_plan(text, 0, chapter)
    assert len(read.scenes) == 1, read
    return read.scenes[0]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("### Capítulo 2 · Escena 2.1 — La soga", "La soga"),
        ("### Escena 2.1: La soga", "La soga"),
        ("# Capítulo 2 · Escena 2.1 — «La soga»", "La soga"),
        ("## Chapter 2 · Scene 2.1 — La soga", "La soga"),
        ("**Escena 2.1 — La soga**", "La soga"),
        ("**Escena 2.1** — La soga", "La soga"),
        ("### **Escena 2.1 — La soga**", "La soga"),
        ("#### CAPITULO 2, ESCENA 2.1 - La soga ##", "La soga"),
        ("### Escena 1 — La soga", "La soga"),
        ("### Capítulo 2 · Escena 1 — La soga", "La soga"),
        ("### 2.1 — La soga", "La soga"),
        ("### 2.1. La soga", "La soga"),
        ("Escena 2.1 — La soga", "La soga"),
        ("> ### Scene 2.1 | La soga", "La soga"),
        ('### Escena 2.1 — "La soga"', "La soga"),
        ("### Escena 2.1 — La soga: segunda parte", "La soga: segunda parte"),
    ],
)
def test_a_scene_is_found_under_many_headings(heading: str, title: str):
    scene = only(f"{heading}\n\n{FIELDS}", chapter=2)
    assert (scene.id, scene.title.text) == ("2.1", title)
    assert to_scene_plan(scene).title == title


@pytest.mark.parametrize(
    "line",
    [
        "Escena 2.1: El planteamiento es sólido, pero la soga sobra.",
        "**Escena 2.1 es un cuello de botella.** Hay que cortarla.",
        "En la escena 2.1 hay una soga.",
        "### Notas de la escena",
    ],
)
def test_a_sentence_about_a_scene_opens_none(line: str):
    assert read_plan(f"{line}\n\nY nada más.").scenes == ()


def test_english_labels_in_every_shape_are_read():
    plan = to_scene_plan(only(ENGLISH))
    assert plan.place == "The landing."
    assert plan.present == "The party."
    assert plan.player_action == "Cut the rope."
    assert [(o.label, o.degree, o.text) for o in plan.outcomes] == [
        ("Success", "success", "The boat is free."),
        ("Failure", "failure", "The rope snaps."),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "- POSIBLES RESULTADOS: • Éxito: Sale. • Fallo parcial: Sale tarde.",
        "- POSIBLES RESULTADOS: - Éxito: Sale. - Fallo parcial: Sale tarde.",
        "- POSIBLES RESULTADOS: Éxito: Sale. Fallo parcial: Sale tarde.",
        "- POSIBLES RESULTADOS: Éxito: Sale.; Fallo parcial: Sale tarde.",
        "- POSIBLES RESULTADOS:\n  Éxito: Sale.\n  Fallo parcial: Sale tarde.",
        "- POSIBLES RESULTADOS:\n- Éxito: Sale.\n- Fallo parcial: Sale tarde.",
        "- POSIBLES RESULTADOS:\n  1. **Éxito:** Sale.\n  2. **Fallo parcial**: Sale\n     tarde.",
        "- POSIBLES RESULTADOS: Según la tirada:\n    * Éxito: Sale.\n    * Fallo parcial: Sale tarde.",
        "**POSIBLES RESULTADOS**\n\n- **Éxito** — Sale.\n- **Fallo parcial** — Sale tarde.",
        "#### POSIBLES RESULTADOS\n- Éxito: Sale.\n\n- Fallo parcial: Sale tarde.",
    ],
)
def test_outcomes_are_read_in_every_layout(block: str):
    plan = to_scene_plan(
        only(SCENE.replace(FIELDS[FIELDS.index("- POSIBLES") : FIELDS.index("- CAMBIO")], block + "\n"))
    )
    assert [(o.label, o.degree, o.text) for o in plan.outcomes] == [
        ("Éxito", "success", "Sale."),
        ("Fallo parcial", "partial", "Sale tarde."),
    ]


@pytest.mark.parametrize(
    ("label", "degree"),
    [
        ("Éxito", "success"),
        ("éxito limpio", "success"),
        ("Éxito en cobertura", "success"),
        ("Éxito parcial", "partial"),
        ("Éxito con coste", "partial"),
        ("Fallo parcial", "partial"),
        ("Fallo", "failure"),
        ("FALLO TOTAL", "failure"),
        ("Si fallan", "failure"),
        ("Intento fallido", "failure"),
        ("Éxito crítico", "critical_success"),
        ("Pifia", "critical_failure"),
        ("Success", "success"),
        ("On a success", "success"),
        ("Success at a cost", "partial"),
        ("Partial failure", "partial"),
        ("Critical success", "critical_success"),
        ("Failure", "failure"),
        ("Rescatan al rehén", "choice"),
        ("Exitoso desvío", "choice"),
        ("They wait", "choice"),
    ],
)
def test_the_degree_is_told_by_the_label(label: str, degree: str):
    plan = to_scene_plan(only(SCENE.replace("- Éxito:", f"- {label}:")))
    assert plan.outcomes[0].degree == degree


@pytest.mark.parametrize(
    ("written", "text", "leads_to"),
    [
        ("Sale. (→ 2.3)", "Sale.", "2.3"),
        ("Sale (→ 2.3).", "Sale.", "2.3"),
        ("Sale. → Escena 2.3", "Sale.", "2.3"),
        ("Sale. (-> escena 3)", "Sale.", "2.3"),
        ("Sale. (→ fin)", "Sale.", "end"),
        ("Out. (→ end)", "Out.", "end"),
        ("El agua → la orilla.", "El agua → la orilla.", None),
        ("Sale. (→ 2.3) y vuelve.", "Sale. (→ 2.3) y vuelve.", None),
    ],
)
def test_where_an_outcome_leads_is_read(written: str, text: str, leads_to: str | None):
    plan = to_scene_plan(only(SCENE.replace("La barca sale.", written)))
    assert (plan.outcomes[0].text, plan.outcomes[0].leads_to) == (text, leads_to)


def test_preamble_fences_and_postamble_are_stray():
    read = read_plan(f"Aquí va:\n\n```\nLo prometido.\n```capitulo\n{SCENE}\n```\n\nEspero que sirva.")
    assert [s.id for s in read.scenes] == ["2.1"]
    texts = [p.text for p in read.stray]
    assert texts == ["Aquí va:", "```", "Lo prometido.", "```capitulo", "Espero que sirva."]
    assert to_scene_plan(read.scenes[0]).state_change == "El grupo está en el agua."


def test_a_plain_fence_around_a_plan_is_no_stray_text():
    assert read_plan(f"```\n{SCENE}\n```").stray == ()


def test_a_field_of_several_lines_is_joined():
    text = SCENE.replace("Cortar la soga.", "Una de dos:\n  - cortar la soga;\n  - convencer a Ulma.")
    assert to_scene_plan(only(text)).player_action == "Una de dos: cortar la soga; convencer a Ulma."


def test_an_unknown_label_in_capitals_is_no_part_of_the_field_above():
    plan = to_scene_plan(only(SCENE.replace("- PRESENTES", "- MÚSICA: tambores\n- PRESENTES")))
    assert plan.place == "El embarcadero."


def test_a_title_may_have_a_label_of_its_own():
    assert only(f"### Escena 2.1\nTÍTULO: La soga\n{FIELDS}").title.text == "La soga"


@pytest.mark.parametrize(
    ("ending", "missing", "cut"),
    [
        ("- ACCIÓN DEL JUGADOR: Cortar la so", ("outcomes", "state_change"), "player_action"),
        ("- POSIBLES RESULTADOS:\n    - Éxito: La barca", ("state_change",), "outcomes"),
        (
            "- POSIBLES RESULTADOS:\n    - Éxito: La barca sale.\n- CAMBIO DE ESTADO: El grupo est",
            (),
            "state_change",
        ),
        ("- POSIBLES RESULTADOS:\n    - Éxito:\n- CAMBIO DE ESTADO: Nada.", ("outcomes",), None),
        ("- POSIBLES RESULTADOS:\n    - Éxito: Sale.\n- CAMBIO DE ESTADO:", ("state_change",), None),
    ],
)
def test_what_is_missing_and_what_is_cut_is_said(ending: str, missing: tuple[str, ...], cut: str | None):
    start = SCENE[: SCENE.index(ending[:12])]
    scene = only(start + ending)
    assert (missing_fields(scene), cut_field(scene)) == (missing, cut)
    with pytest.raises(PlanIncomplete) as raised:
        to_scene_plan(scene)
    assert (raised.value.scene, raised.value.missing, raised.value.cut) == ("2.1", missing, cut)


@pytest.mark.parametrize(
    "text",
    [
        SCENE.replace("El embarcadero.", "El embarcadero"),
        SCENE.replace("en el agua.", "en el agua") + "\n\n" + SCENE.replace("2.1", "2.2"),
        "```capitulo\n" + SCENE.replace("en el agua.", "en el agua") + "\n```",
        SCENE.replace("en el agua.", "en el agua (de momento)"),
        SCENE.replace("La barca sale.", "La barca sale"),
    ],
    ids=["noun phrase", "followed by a scene", "fence closed", "bracket", "an outcome before another"],
)
def test_a_missing_full_stop_is_no_cut_where_the_text_goes_on(text: str):
    assert incomplete(read_plan(text).scenes) == ()


def test_a_field_that_ends_with_a_linking_word_is_cut_wherever_it_is():
    assert cut_field(only(SCENE.replace("de su soga.", "de su soga y"))) == "situation"


def test_a_continuation_that_starts_over_fills_the_cut_reply():
    cut = read_plan(SCENE[: SCENE.index(" sale")])
    again = read_plan(SCENE + "\n\n" + SCENE.replace("2.1", "2.2"))
    merged = merge_readings(cut, again)
    assert [s.id for s in merged] == ["2.1", "2.2"]
    assert to_proposal(merged).scenes[0].outcomes[0].text == "La barca sale."


def test_fields_asked_for_alone_complete_their_scene():
    cut_at = SCENE.index("- POSIBLES")
    merged = merge_readings(read_plan(SCENE[:cut_at]), read_plan("Faltaba:\n" + SCENE[cut_at:]))
    assert to_scene_plan(merged[0]).state_change == "El grupo está en el agua."


def test_a_cut_field_is_replaced_and_the_others_stay():
    cut = read_plan(SCENE.replace("en el agua.", "en el ag"))
    alone = read_plan("- CAMBIO DE ESTADO: El grupo rema.")
    plan = to_scene_plan(merge_readings(cut, alone)[0])
    assert (plan.state_change, plan.place) == ("El grupo rema.", "El embarcadero.")


def test_a_scene_asked_for_alone_takes_its_place_in_the_order():
    first = read_plan(SCENE.replace("2.1", "2.2") + "\n\n" + SCENE.replace("2.1", "2.10"))
    merged = merge_readings(first, read_plan(SCENE))
    assert [s.id for s in merged] == ["2.1", "2.2", "2.10"]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(texts(), st.sampled_from([SCENE, ENGLISH, FIELDS, "```"])), max_size=6),
    st.integers(0, 50),
)
def test_any_text_is_read_with_true_places(pieces: list[str], start: int):
    text = "\r\n".join(pieces)
    read = read_plan(text, start)
    assert misplaced(read, text, start) == []
    incomplete(read.scenes)


def test_half_a_character_is_no_text() -> None:
    """Nothing can keep it: the scene lacks that field."""
    text = (
        "### Capítulo 2 · Escena 2.1 — La soga\n- LUGAR: El embarcadero.\n- PRESENTES: PJs.\n"
        "- SITUACIÓN INICIAL: Llueve.\n- ACCIÓN DEL JUGADOR: Cortar la soga.\n- POSIBLES RESULTADOS:\n"
        "    - Éxito: La barca sale.\n- CAMBIO DE ESTADO: El grupo \ud800 está en el agua.\n"
    )
    (scene,) = read_plan(text).scenes
    with pytest.raises(PlanIncomplete) as caught:
        to_scene_plan(scene, "es")
    assert caught.value.missing == ("state_change",)
