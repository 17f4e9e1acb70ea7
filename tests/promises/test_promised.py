"""What a text promises of which chapter, and when the chapter where it falls due takes it up."""

import pytest

from concilio.domain.adventure import Adventure, CastMember, OutlineField, PartyMember
from concilio.domain.chapter import Chapter, Provenance, SceneProse
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from graphs.promised import Judged, judged, promises_of_outline, promises_of_plan

ADVENTURE = Adventure(
    title="Promesas",
    language="es",
    party=(PartyMember(name="Kaelen"), PartyMember(name="Odón")),
    cast=(CastMember(name="Vaelen"),),
)


def scene(
    number: str, outcome: str = "Nada.", state: str = "Nada cambia.", situation: str = "Llueve."
) -> ScenePlan:
    return ScenePlan(
        id=number,
        title="Una escena",
        place="El muelle",
        present="PJs",
        situation=situation,
        player_action="Cruzar.",
        outcomes=(Outcome(label="Éxito", degree="success", text=outcome),),
        state_change=state,
    )


def chapter(number: int, *scenes: ScenePlan, prose: str = "") -> Chapter:
    return Chapter(
        adventure="Promesas",
        language="es",
        number=number,
        title="Un capítulo",
        ending="accepted",
        plan=Proposal(scenes=scenes),
        scenes=tuple(SceneProse(plan=one, prose=prose) for one in scenes) if prose else (),
        provenance=Provenance(seed=0, ruleset="srd5e"),
    )


def due_of(text: str, number: int = 5) -> list[int]:
    return [one.due for one in promises_of_plan(number, Proposal(scenes=(scene(f"{number}.1", text),)))]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Vaelen conoce un atajo que evita la barricada del Cap 6.", [6]),
        ("Vaelen conoce un atajo que evita la barricada del cap. 6.", [6]),
        ("El guarda los reconocerá en el capítulo siete.", [7]),
        ("El guarda los reconocerá en el Capítulo VIII.", [8]),
        ("El guarda los reconocerá en el capítulo IX.", [9]),
        ("La guardia dobla las patrullas en los capítulos 6 y 8.", [6, 8]),
        ("La guardia dobla las patrullas en los capítulos 6, 7 y 9.", [6, 7, 9]),
        ("El puente sigue alzado hasta el próximo capítulo.", [6]),
        ("El gremio cobra la deuda el capítulo que viene.", [6]),
        ("The guild calls in the debt in chapter 6.", [6]),
        ("The guild calls in the debt in Chapters 6 and 10.", [6, 10]),
        ("The guild calls in the debt in the next chapter.", [6]),
        ("The guild calls in the debt in ch. twelve.", [12]),
        ("Recuerda lo que pasó en el capítulo 3.", []),
        ("Lo mismo que en el capítulo 5.", []),
        ("La escena 6 es más corta.", []),
        ("Quedan 6 guardias en la capilla.", []),
        ("Captain 6 waits.", []),
        ("Capítulo 99999: nada.", []),
        ("El capitán habla con el capítulo de la catedral.", []),
        ("", []),
    ],
)
def test_which_chapter_a_text_names(text: str, due: list[int]) -> None:
    assert due_of(text or "Nada.") == due


def test_the_promise_is_the_sentence_that_makes_it() -> None:
    text = "El grupo cruza. Vaelen conoce un atajo que evita la barricada del Cap. 6. Amanece."
    (one,) = promises_of_plan(5, Proposal(scenes=(scene("5.2", text),)))
    assert (one.scene, one.made, one.label) == ("5.2", "outcome", "Éxito")
    assert one.text == "Vaelen conoce un atajo que evita la barricada del Cap. 6."


def test_a_sentence_without_matter_takes_the_rest_along() -> None:
    text = "Vaelen conoce un atajo. Servirá en el capítulo 6."
    (one,) = promises_of_plan(5, Proposal(scenes=(scene("5.2", text),)))
    assert one.text == text


def test_changes_of_state_and_outlines_promise_too() -> None:
    (state,) = promises_of_plan(
        5, Proposal(scenes=(scene("5.1", state="La torre arde hasta el capítulo 7."),))
    )
    assert (state.made, state.label, state.due) == ("state_change", "", 7)
    field = OutlineField(label="CONSECUENCIAS", text="1. Éxito: nada.\n2. Fallo: la torre arde en el cap. 6.")
    (stated,) = promises_of_outline(5, [field])
    assert (stated.made, stated.scene, stated.label, stated.due) == ("outline", "", "CONSECUENCIAS", 6)


PROMISE = "Vaelen conoce un atajo que evita la barricada del Cap 6."


def came_of(promise: str, *due: ScenePlan, prose: str = "") -> Judged:
    made = chapter(5, scene("5.1", promise))
    (one,) = judged(ADVENTURE, [made, chapter(6, *due, prose=prose)] if due else [made])
    return one


@pytest.mark.parametrize(
    ("situation", "prose", "state"),
    [
        ("Vaelen señala el atajo por el que se rodea la barricada.", "", "kept"),
        ("Llueve.", "Por el atajo, Vaelen los lleva a espaldas de todos.", "kept"),
        ("Los atajos que conocían rodean las barricadas.", "", "kept"),
        ("Una barricada cierra la calle mayor.", "", "undecidable"),
        ("Vaelen espera en el muelle con Kaelen y Odón.", "", "not_kept"),
        ("Llueve sobre el mercado.", "", "not_kept"),
    ],
)
def test_what_came_of_it(situation: str, prose: str, state: str) -> None:
    one = came_of(PROMISE, scene("6.1", situation=situation), prose=prose)
    assert one.state == state
    if state == "not_kept":
        assert (one.scene, one.quote) == ("", "")
    else:
        assert one.scene == "6.1"
        assert one.quote in situation + prose


def test_what_is_due_later_is_pending_until_it_is_written() -> None:
    assert came_of(PROMISE).state == "pending"


def test_a_promise_of_names_alone_is_not_decided() -> None:
    assert came_of("Kaelen y Odón en el capítulo 6.", scene("6.1")).state == "undecidable"


def test_the_party_is_in_every_chapter_and_decides_nothing() -> None:
    one = came_of(
        "Kaelen y Odón deben una moneda a la tabernera en el capítulo 6.", scene("6.1", "Kaelen y Odón.")
    )
    assert one.state == "not_kept"


def test_what_only_the_other_chapters_say_does_not_count() -> None:
    made = chapter(5, scene("5.1", PROMISE))
    last = chapter(7, scene("7.1", situation="Vaelen muestra el atajo tras la barricada."))
    assert [one.state for one in judged(ADVENTURE, [made, chapter(6, scene("6.1")), last])] == ["not_kept"]


def test_an_outline_s_promise_that_the_plan_carries_is_told_once() -> None:
    from concilio.domain.adventure import ChapterOutline

    field = OutlineField(label="CONSECUENCIAS", text=f"Éxito: {PROMISE}\nFallo: La torre arde en el Cap 6.")
    adventure = ADVENTURE.model_copy(
        update={"chapters": (ChapterOutline(number=5, title="Cinco", fields=(field,)),)}
    )
    found = judged(adventure, [chapter(5, scene("5.1", PROMISE))])
    assert [(one.promise.made, one.promise.text) for one in found] == [
        ("outline", "Fallo: La torre arde en el Cap 6."),
        ("outcome", PROMISE),
    ]


def test_hostile_texts_cost_little() -> None:
    assert due_of("capítulo 1 " * 20_000) == []
    assert due_of("capítulos " + "6, " * 20_000)[:1] == [6]
    assert due_of("capítulo " + "i" * 50_000) == []
