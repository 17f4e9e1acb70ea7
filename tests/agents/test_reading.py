"""Iris's replies are read whole, whatever their dress, and what is not whole is told apart."""

import json
from typing import Any

import pytest

from agents.reading import normal_scene_id, read_plan_reply, read_revision
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid
from tests.table_scripts import PLAN, SCENE_1, SCENE_2


def _scene(number: int = 1, **changes: Any) -> dict[str, Any]:
    scene = {
        "id": f"1.{number}",
        "title": "El muro",
        "place": "El muro.",
        "present": "PJs.",
        "situation": "Llueve.",
        "player_action": "Subir.",
        "outcomes": [{"label": "Éxito", "text": "Arriba.", "leads_to": "end"}],
        "state_change": "Dentro.",
    }
    return {k: v for k, v in {**scene, **changes}.items() if v is not None}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"scenes": [_scene()]}, "as asked"),
        ([_scene()], "without the wrapper"),
        (_scene(), "one scene alone"),
        ({"scenes": [_scene(mood="tense", notes=[])]}, "keys that nobody asked for"),
        (
            {"scenes": [_scene(outcomes=[{"label": "Éxito", "text": "Arriba."}])]},
            "an outcome that leads nowhere",
        ),
        ({"scenes": [_scene(id="Escena 1.1")]}, "an id in words"),
        ({"scenes": [_scene(id="1")]}, "a bare number"),
        ({"scenes": [_scene(id=None)]}, "no id"),
    ],
)
def test_a_structured_plan_is_read(reply: Any, why: str) -> None:
    reading = read_plan_reply(json.dumps(reply), 1, "es")
    assert [s.id for s in reading.proposal.scenes] == ["1.1"], why


@pytest.mark.parametrize(
    "spoilt",
    [
        _scene(2, state_change=None),
        _scene(2, situation=" "),
        _scene(2, outcomes=[]),
        _scene(2, outcomes=[{"label": "Éxito", "text": ""}]),
        _scene(2, title=7),
        "una escena",
    ],
)
def test_a_scene_that_lacks_something_is_unfinished(spoilt: Any) -> None:
    with pytest.raises(ReplyIncomplete) as caught:
        read_plan_reply(json.dumps({"scenes": [_scene(), spoilt]}), 1, "es")
    reading = caught.value.partial
    assert [s.id for s in reading.proposal.scenes] == ["1.1"]
    assert list(reading.unfinished) == ["1.2"]


def test_the_last_scene_of_cut_json_is_not_trusted() -> None:
    whole = json.dumps({"scenes": [_scene(), _scene(2, state_change="Dentro ya.")]})
    with pytest.raises(ReplyIncomplete) as caught:
        read_plan_reply(whole[: whole.rindex("ya.")], 1, "es")
    assert list(caught.value.partial.unfinished) == ["1.2"]


def test_a_fragment_is_completed_by_its_missing_fields_alone() -> None:
    cut = SCENE_2[: SCENE_2.index("- CAMBIO DE ESTADO")]
    reading = read_plan_reply("- CAMBIO DE ESTADO: La llave ya no está.", 1, "es", fragment=cut)
    assert reading.proposal.scenes[0].state_change == "La llave ya no está."


def test_a_stray_brace_does_not_hide_a_markdown_plan() -> None:
    assert len(read_plan_reply("{}\n\n" + PLAN, 1, "es").proposal.scenes) == 2


@pytest.mark.parametrize("text", ["", "Claro.", "{}", "[]", "null", '{"scenes": []}'])
def test_no_scene_is_no_plan(text: str) -> None:
    with pytest.raises(ReplyInvalid):
        read_plan_reply(text, 1, "es")


def test_a_markdown_revision_gives_scenes_answers_and_what_is_taken_out() -> None:
    text = f"{SCENE_1}\n\nRESPUESTA O1 | corregido | más bajo\nO2 | rebatido | así está bien\nQUITADAS: 1.2"
    revision = read_revision(text, 1, "es")
    assert [s.id for s in revision.reading.proposal.scenes] == ["1.1"]
    assert [(a.objection, a.kind) for a in revision.answers] == [("O1", "fixed"), ("O2", "rebutted")]
    assert revision.removed == ("1.2",)


def test_a_revision_that_only_argues_is_one() -> None:
    reply = {"scenes": [], "removed": [], "answers": [{"objection": "O1", "kind": "rebutted", "text": "no"}]}
    assert read_revision(json.dumps(reply), 1, "es").answers[0].kind == "rebutted"


@pytest.mark.parametrize(
    ("written", "position", "read"),
    [("5.2", 1, "5.2"), ("Escena 5.2", 1, "5.2"), ("3", 1, "5.3"), ("", 4, "5.4"), ("../../x", 2, "5.2")],
)
def test_scene_ids_have_one_form(written: str, position: int, read: str) -> None:
    assert normal_scene_id(written, 5, position) == read


TOLD = [
    ("- O1 (rebutted): the door is fine.", "rebutted", "the door is fine."),
    ("- **O1** (corregida): añado una ventana.", "fixed", "añado una ventana."),
    ("O1: rebatida, la puerta está bien.", "rebutted", "la puerta está bien."),
    ("ANSWER O1: I added a window.", "fixed", "I added a window."),
    ("* O1 [fixed] — I added a window.", "fixed", "I added a window."),
    ("- O1: fixed: a window.", "fixed", "a window."),
]


@pytest.mark.parametrize(("line", "kind", "text"), TOLD)
def test_an_answer_is_read_as_a_chapter_file_prints_it(line: str, kind: str, text: str) -> None:
    (answer,) = read_revision(line + "\n", 5, "en").answers
    assert (answer.objection, answer.kind, answer.text) == ("O1", kind, text)
