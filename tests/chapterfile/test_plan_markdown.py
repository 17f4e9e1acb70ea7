"""A plan written as Markdown reads back as the same plan, whatever stands in it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from concilio.chapterfile.plan_markdown import render_plan
from concilio.chapterfile.plan_reader import as_written, read_plan, to_proposal
from concilio.domain.base import Language
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from tests.chapterfile.strategies import HOSTILE, proposals

LANGUAGES: tuple[Language, ...] = ("es", "en")


def scene(text: str) -> ScenePlan:
    """Return a scene with the text in every field that takes it."""
    filled = text if text.strip() and text.isprintable() else f"x{text}x".replace("\ud800", "")
    return ScenePlan(
        id="5.1",
        title=filled,
        place=filled,
        present=filled,
        situation=filled,
        player_action=filled,
        outcomes=(
            Outcome(label=text, text=text, leads_to="5.2"),
            Outcome(label="Éxito", degree="failure", text=text),
            Outcome(label="", degree="partial", text=text, leads_to="end"),
        ),
        state_change=filled,
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "label", ["They win!", "Win?", "End.", "¿Ganan?", "They win! And then?", "Wait… what", "A *b*! c"]
)
def test_a_label_with_a_sentence_s_mark_stays_readable(label: str, language: Language) -> None:
    outcomes = (
        Outcome(label=label, degree="success", text="They go on: at last.", leads_to="5.2"),
        Outcome(label="No", degree="failure", text="They stay."),
    )
    plan = Proposal(scenes=(scene("Word.").model_copy(update={"outcomes": outcomes}),))
    text = render_plan(plan, 5, language)
    assert to_proposal(read_plan(text, 0, 5).scenes, language) == plan
    assert "\\u{" not in text
    assert "They go on: at last." in text


ORDINARY = Proposal(
    scenes=(
        ScenePlan(
            id="2.1",
            title="La soga",
            place="El embarcadero.",
            present="PJs y Ulma.",
            situation="La barca tira de su soga: se oye el *crujido*.",
            player_action="Cortar la soga (Atletismo CD 13) — o no.",
            outcomes=(
                Outcome(label="Éxito", degree="success", text="La barca sale.", leads_to="2.2"),
                Outcome(label="Ulma cede", degree="partial", text="Pide algo a cambio."),
            ),
            state_change="El grupo está en el agua.",
        ),
    )
)
SHAPE = """### Capítulo 2 · Escena 2.1 — La soga
- LUGAR: El embarcadero.
- PRESENTES: PJs y Ulma.
- SITUACIÓN INICIAL: La barca tira de su soga: se oye el *crujido*.
- ACCIÓN DEL JUGADOR: Cortar la soga (Atletismo CD 13) — o no.
- POSIBLES RESULTADOS:
    - Éxito: La barca sale. (→ 2.2)
    - Ulma cede [éxito parcial]: Pide algo a cambio.
- CAMBIO DE ESTADO: El grupo está en el agua.
"""


def test_an_ordinary_plan_has_the_seeds_shape_and_no_escape():
    assert render_plan(ORDINARY, 2, "es") == SHAPE
    assert to_proposal(read_plan(SHAPE).scenes, "es") == ORDINARY


def test_the_labels_follow_the_language():
    text = render_plan(ORDINARY, 2, "en")
    assert re.findall(r"(?m)^- ([A-Z ]+):", text) == [
        "PLACE",
        "PRESENT",
        "INITIAL SITUATION",
        "PLAYER ACTION",
        "POSSIBLE OUTCOMES",
        "STATE CHANGE",
    ]
    assert "### Chapter 2 · Scene 2.1 — La soga" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_text_in_every_field_reads_back(text: str, language: Language):
    proposal = Proposal(scenes=(scene(text), scene("después")))
    written = render_plan(proposal, 5, language)
    read = read_plan(written)
    assert tuple(as_written(s, language) for s in read.scenes) == proposal.scenes
    assert (read.stray, read.orphan) == ((), None)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_nothing_that_acts_is_left_in_the_markdown(text: str):
    written = render_plan(Proposal(scenes=(scene(text),)), 5, "es")
    assert not re.search(r"(?<!\\)<[A-Za-z/!?]|```|~~~|\[\[|(?<!\\)\]\(", written)
    assert all(c.isprintable() or c == "\n" for c in written)
    written.encode("utf-8")


@settings(max_examples=120, deadline=None)
@given(proposals(), st.integers(-5, 10**6), st.sampled_from(LANGUAGES))
def test_any_plan_reads_back(proposal: Proposal, chapter: int, language: Language):
    read = read_plan(render_plan(proposal, chapter, language))
    assert tuple(as_written(s, language) for s in read.scenes) == proposal.scenes
    assert (read.stray, read.orphan) == ((), None)
