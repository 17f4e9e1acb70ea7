"""Structure and debate told otherwise: false claims, headings, stand-ins, amounts, talk to the table."""

import pytest

from tests.rules.checks.reading import findings, right_chapter

REVIEW = {
    "es": "Escena 2.1: el hueco funciona y la campana da miedo de verdad.",
    "en": "Scene 2.1: the gap works, and the bell is a real threat.",
}
HEADING = {"es": "## Plan de escenas (aprobado por la mesa)", "en": "## Scene plan (approved by the table)"}
COUNT = {"es": "ESCENAS APROX: 2", "en": "APPROX SCENES: 2"}
PLACE = {"es": "- LUGAR: La sala de máquinas.", "en": "- PLACE: The engine room."}


def found(language: str, old: str, new: str, rule: str) -> bool:
    source = right_chapter(language)
    assert old in source
    return any(f.rule == rule for f in findings(source.replace(old, new), language=language))


FALSE_CLAIMS = [
    ("es", "Escena 2.1: no veo ninguna CD."),
    ("es", "Escena 2.1: se echa en falta la CA de la polea."),
    ("es", "Escena 2.1: la polea no tiene puntos de golpe ni CA."),
    ("es", "Escena 2.1: falta el desenlace de fallo."),
    ("es", "Escena 2.1: no hay éxito parcial."),
    ("es", "Escena 2.1: el plan olvida dar la dificultad de Atletismo."),
    ("es", "Escena 2.1: el cambio de estado está vacío."),
    ("es", "Escena 2.1: solo tiene un resultado."),
    ("en", "Scene 2.1: I can't find a DC for the climb."),
    ("en", "Scene 2.1: the pulley has no hit points or AC."),
    ("en", "Scene 2.1: the failure outcome is missing."),
    ("en", "Scene 2.1: no partial success."),
    ("en", "Scene 2.1: the AC of the pulley is nowhere to be found."),
    ("en", "Scene 2.1: there's no state change."),
    ("en", "Scene 2.1: only one outcome is listed."),
]
TRUE_CLAIMS = [
    ("es", "Escena 2.1: no hay CD de Percepción, y no hace falta."),
    ("es", "Escena 2.1: no veo ningún problema con la CD."),
    ("es", "Escena 2.1: no falta ninguna CD."),
    ("es", "Escena 2.1: ninguna tirada se queda sin CD."),
    ("es", "Escena 2.1: no hay éxito crítico."),
    ("en", "Scene 2.1: there is no DC for Perception, and none is needed."),
    ("en", "Scene 2.1: I see no problem with the DC."),
    ("en", "Scene 2.1: no DC is missing."),
    ("en", "Scene 2.1: without a DC this would be dull, but it has two."),
    ("en", "Scene 2.1: there is no critical success."),
]


@pytest.mark.parametrize(("language", "claim"), FALSE_CLAIMS)
def test_a_thing_that_the_plan_gives_is_not_missing(language: str, claim: str) -> None:
    assert found(language, REVIEW[language], claim, "false-claim")


@pytest.mark.parametrize(("language", "claim"), TRUE_CLAIMS)
def test_a_true_claim_is_left_alone(language: str, claim: str) -> None:
    assert not found(language, REVIEW[language], claim, "false-claim")


REFUSED = [
    ("es", "## Plan de escenas (sin aprobar)"),
    ("es", "## Plan de escenas (rechazado por la mesa)"),
    ("es", "## Plan de escenas (la mesa no lo aceptó)"),
    ("en", "## Scene plan (not approved by the table)"),
    ("en", "## Scene plan (turned down by the table)"),
    ("en", "## Scene plan (still awaiting approval)"),
]
AGREED = [
    ("es", "## Plan de escenas (con el visto bueno de la mesa)"),
    ("es", "## Plan de escenas (aprobado tras tres rondas, sin objeciones)"),
    ("en", "## Scene plan (signed off)"),
    ("en", "## Scene plan (approved with no objections)"),
]


@pytest.mark.parametrize(("language", "heading"), REFUSED)
def test_an_accepted_plan_is_not_headed_as_refused(language: str, heading: str) -> None:
    assert found(language, HEADING[language], heading, "outcome-mislabelled")


@pytest.mark.parametrize(("language", "heading"), AGREED)
def test_a_heading_of_approval_wants_an_accepted_debate(language: str, heading: str) -> None:
    assert not found(language, HEADING[language], heading, "outcome-mislabelled")
    source = right_chapter(language).replace(HEADING[language], heading)
    refused = source.replace("_Outcome: accepted_", "_Outcome: max_rounds_")
    assert any(f.rule == "outcome-mislabelled" for f in findings(refused, language=language))


@pytest.mark.parametrize(
    ("language", "text"),
    [("es", "(pendiente)"), ("es", "por decidir"), ("es", "(vacío)"),
     ("en", "TBD"), ("en", "[fill in later]"), ("en", "N/A")],
)  # fmt: skip
def test_a_stand_in_is_no_field(language: str, text: str) -> None:
    label = PLACE[language].split(":")[0]
    assert found(language, PLACE[language], f"{label}: {text}", "field-missing")


AMOUNTS = [
    ("es", "muchas", True), ("es", "una docena", True), ("es", "7 u 8", True),
    ("es", "las que pida la mesa", False),
    ("es", "un par", False), ("en", "many", True), ("en", "a dozen", True), ("en", "five or six", True),
    ("en", "as many as the table wants", False), ("en", "a couple", False),
]  # fmt: skip


@pytest.mark.parametrize(("language", "amount", "wrong"), AMOUNTS)
def test_an_amount_of_scenes_in_words(language: str, amount: str, wrong: bool) -> None:
    label = COUNT[language].split(":")[0]
    assert found(language, COUNT[language], f"{label}: {amount}", "scene-count") == wrong


@pytest.mark.parametrize(
    ("language", "old", "chat"),
    [
        ("es", "o la torre arde.", "o la torre arde. He retocado la escena 2.2, Rubén."),
        ("en", "or the tower burns.", "or the tower burns. Let me know whether this works!"),
        ("en", "or the tower burns.", "or the tower burns. As the table asked, the fall is shorter."),
        ("es", "La sala entera tiembla.", "Aquí tienes la escena reescrita:\n\nLa sala entera tiembla."),
        ("en", "The whole room shakes.", "Here's the rewritten scene:\n\nThe whole room shakes."),
    ],
)
def test_talk_to_the_table_is_found_where_it_stands(language: str, old: str, chat: str) -> None:
    assert found(language, old, chat, "chat-in-plan")
