"""The reader's replies, JSON or lines, and the embedded reader's own judgement."""

import json
from typing import Any

import pytest

from agents.embedded.author import answer
from agents.reader import MOST_READ, read_reply
from agents.types import Canon, ContradictionReply, Person, ReaderReply, ReadTask, SceneToRead
from concilio.domain.adventure import ChapterOutline, OutlineField
from concilio.domain.plan import Outcome, ScenePlan
from concilio.gateway.errors import ReplyInvalid

ONE = {
    "scene": "5.3",
    "part": "plan",
    "quote": "el vapor no lo ciega",
    "against": "outline",
    "other": "el vapor lo ciega",
    "why": "El outline dice lo contrario.",
}
LINE_ES = (
    "CONTRADICCIÓN | escena 5.3 | plan | «el vapor no lo ciega» | outline | «el vapor lo ciega» | "
    "El outline dice lo contrario."
)
LINE_EN = "- **CONTRADICTION** | 5.3 | plan | the steam | the outline | “no steam” | it says so | twice"


@pytest.mark.parametrize("text", [json.dumps({"contradictions": [ONE]}), LINE_ES])
def test_a_contradiction_is_read(text: str) -> None:
    assert read_reply(text).contradictions == [ContradictionReply.model_validate(ONE)]


def test_a_line_in_english_is_read_too() -> None:
    (found,) = read_reply(LINE_EN).contradictions
    assert (found.scene, found.part, found.against, found.other) == ("5.3", "plan", "outline", "no steam")


@pytest.mark.parametrize(
    "text",
    [
        '{"contradictions": []}',
        "SIN CONTRADICCIONES",
        "He leído el capítulo.\n\n**Sin contradicciones.**",
        "NO CONTRADICTIONS",
        "SIN CAMBIOS",
    ],
)
def test_none_is_a_good_answer(text: str) -> None:
    assert read_reply(text).contradictions == []


@pytest.mark.parametrize("text", ["", "Me ha gustado mucho.", "CONTRADICCIÓN | 5.3 | plan", '{"a": 1}'])
def test_what_says_nothing_is_no_answer(text: str) -> None:
    with pytest.raises(ReplyInvalid):
        read_reply(text)


def test_a_flood_is_bounded() -> None:
    assert len(read_reply("\n".join([LINE_ES] * 500)).contradictions) == MOST_READ


# --- the embedded reader ---------------------------------------------------------------------------------

WORDS: dict[str, Any] = {
    "es": {
        "cast": "Odalys",
        "outline": "Tres centinelas guardan el faro durante dos horas.",
        "dead": "Odalys muere en el muelle.",
        "saved": "Odalys casi muere en el muelle.",
        "present": "PJs, Odalys",
        "corpse": "PJs, el cadáver de Odalys",
        "more": "Cinco centinelas suben durante cuatro horas.",
        "fewer": "Dos centinelas suben; el otro espera.",
        "quote": "Cinco centinelas",
    },
    "en": {
        "cast": "Ottilie",
        "outline": "Three sentries keep the lighthouse for two hours.",
        "dead": "Ottilie is killed on the pier.",
        "saved": "Ottilie is nearly killed on the pier.",
        "present": "PCs, Ottilie",
        "corpse": "PCs, the body of Ottilie",
        "more": "Five sentries climb for four hours.",
        "fewer": "Two sentries climb; the other waits.",
        "quote": "Five sentries",
    },
}


def plan(scene: str, present: str = "PJs", change: str = "-") -> ScenePlan:
    return ScenePlan(
        id=scene,
        title="T",
        place="P",
        present=present,
        situation="S",
        player_action="A",
        outcomes=(Outcome(label="Éxito", text="E"),),
        state_change=change,
    )


def read(language: str, first: ScenePlan, second: ScenePlan, prose: str = "") -> list[ContradictionReply]:
    words = WORDS[language]
    task = ReadTask(
        seed=1,
        canon=Canon(
            adventure="A",
            language="es" if language == "es" else "en",
            ruleset="srd5e",
            level=1,
            cast=(Person(name=words["cast"]),),
        ),
        outline=ChapterOutline(
            number=1, title="T", fields=(OutlineField(label="OBJETIVO", text=words["outline"]),)
        ),
        scenes=(SceneToRead(plan=first), SceneToRead(plan=second, prose=prose)),
    )
    return ReaderReply.model_validate_json(answer("read", task.model_dump(mode="json"))).contradictions


@pytest.mark.parametrize("language", WORDS)
def test_the_dead_do_not_come_back(language: str) -> None:
    words = WORDS[language]
    dead, later = plan("1.1", change=words["dead"]), plan("1.2", words["present"])
    (found,) = read(language, dead, later)
    assert (found.scene, found.part, found.quote) == ("1.2", "plan", words["cast"])
    assert found.other == words["dead"].rstrip(".")
    assert read(language, plan("1.1", change=words["saved"]), later) == []
    assert read(language, dead, plan("1.2", words["corpse"])) == []


@pytest.mark.parametrize("language", WORDS)
def test_there_are_no_more_than_the_outline_says(language: str) -> None:
    words = WORDS[language]
    (found,) = read(language, plan("1.1"), plan("1.2"), words["more"])
    assert (found.scene, found.part, found.against, found.quote) == (
        "1.2",
        "prose",
        "outline",
        words["quote"],
    )
    assert read(language, plan("1.1"), plan("1.2"), words["fewer"]) == []
