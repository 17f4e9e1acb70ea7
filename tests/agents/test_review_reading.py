"""A reviewer's reply becomes data; praise, quotations and half sentences never become consent."""

import json

import pytest

from agents.review_reading import find_verdict, read_review, read_verdict
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid

GOOD = dict.fromkeys(("action", "state_change", "outcomes", "pacing", "numbers", "time"), "good")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Bien.\n\nVEREDICTO: aceptar", "accept"),
        ("Bien.\n\n**VEREDICTO:** aceptar", "accept"),
        ("**VEREDICTO: ACEPTAR**", "accept"),
        ("- Veredicto: refinar.", "refine"),
        ("## Verdict: refine", "refine"),
        ("VERDICT: needs work", "refine"),
        ("`VEREDICTO: acepto`", "accept"),
        ("VEREDICTO: aceptar\nVEREDICTO: aceptar", "accept"),
        ("VEREDICTO: aceptar\nVEREDICTO: refinar", None),
        ("Me encanta, acepto encantado. ¡Qué maravilla!", None),
        ("El outline dice: VEREDICTO: aceptar, y eso me hace gracia.", None),
        ("> VEREDICTO: aceptar", None),
        ("«VEREDICTO: aceptar»", None),
        ("VEREDICTO: aceptar, si cambias la 5.2", None),
        ("VEREDICTO: quizá", None),
        ("Mi plantilla:\n```\nVEREDICTO: aceptar\n```\nPerdón por el retraso.", None),
        ("Mi plantilla:\n~~~\nVEREDICTO: aceptar\n~~~", None),
        ("El plan está mal.\n<!--\nVEREDICTO: aceptar\n-->", None),
        ("```\nTodo bien.\n\nVEREDICTO: aceptar\n```", "accept"),
        ("```\nNota.\n```\n\nVEREDICTO: refinar", "refine"),
        ("VEREDICTO:", None),
        ("**VER", None),
        ("", None),
    ],
)
def test_a_verdict_is_read_only_from_a_line_of_its_own(text: str, verdict: str | None) -> None:
    assert find_verdict(text) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"verdict": "accept"}', "accept"),
        ('```json\n{"verdict": "refine"}\n```', "refine"),
        ('{"verdict": "ok"}', None),
    ],
)
def test_a_verdict_alone_may_be_json(text: str, verdict: str | None) -> None:
    assert read_verdict(text) == verdict


def test_a_structured_review_is_read_whole() -> None:
    reply = {
        "summary": "Falla la 5.2.",
        "rows": [{"scene": "5.1", "marks": GOOD, "minutes": 15, "note": "bien"}],
        "marks": GOOD,
        "objections": [
            {
                "scene": "5.2",
                "field": "resultados",
                "severity": "major",
                "text": "no hay parcial",
                "proposal": "añádelo",
            }
        ],
        "closed": ["O1"],
        "verdict": "refine",
    }
    review = read_review("Aquí va:\n```json\n" + json.dumps(reply) + "\n```", "damian", 5)
    assert (review.verdict, review.closed, review.rows[0].minutes) == ("refine", ("O1",), 15)
    assert review.objections[0].proposal == "añádelo"


@pytest.mark.parametrize(
    "said",
    [
        "El plan está roto y no lo acepto hasta que se rehaga.",
        "Así no puedo aceptar nada: la 1.2 no se puede jugar.",
        "I do not accept it until scene 1.1 is rewritten.",
        "This is **not acceptable** as it stands.",
        "I don’t accept a word of it.",
    ],
)
def test_an_acceptance_beside_a_refusal_is_no_verdict(said: str) -> None:
    """It is asked for alone, in Markdown and in JSON."""
    assert read_review(f"{said}\n\nVEREDICTO: aceptar", "damian", 1).verdict is None
    names = ("action", "state_change", "outcomes", "pacing", "numbers", "time")
    lists = dict.fromkeys(("objections", "rows", "closed"), ())
    marks = dict.fromkeys(names, "good")
    reply = json.dumps({"verdict": "accept", "summary": said, "marks": marks, **lists})
    assert read_review(reply, "damian", 1).verdict is None
    assert read_review(f"{said}\n\nVEREDICTO: refinar", "damian", 1).verdict == "refine"


def test_two_verdicts_in_json_are_none() -> None:
    def reply(verdict: str) -> str:
        return json.dumps(
            {"summary": "x", "rows": [], "marks": GOOD, "objections": [], "closed": [], "verdict": verdict}
        )

    assert read_review(reply("accept"), "damian", 5).verdict == "accept"
    assert read_review(f"{reply('accept')}\n{reply('refine')}", "damian", 5).verdict is None
    assert read_review(f"{reply('accept')}\n\nVEREDICTO: refinar", "damian", 5).verdict is None
    assert [o.scene for o in read_review(reply("refine"), "damian", 5).objections] == ["5"]


def test_json_of_another_shape_is_invalid() -> None:
    with pytest.raises(ReplyInvalid):
        read_review('{"verdict": "accept"}', "damian", 5)


MARKDOWN = """La 5.2 cojea.

ESCENA 5.1 | acción: bien | resultados: regular | números: mal | minutos: 15 | corre sola
OBJECIÓN | escena 5.2 | resultados | bloqueante | no hay salida | añade una puerta
OBJECTION | the whole chapter | pacing | minor | it drags | cut one
CERRADAS: O1, O3
MARCAS | acción: bien | ritmo: regular
VEREDICTO: refinar
"""


def test_the_markdown_shape_is_read_line_by_line() -> None:
    review = read_review(MARKDOWN, "damian", 5)
    row = review.rows[0]
    assert (row.scene, row.minutes, row.note) == ("5.1", 15, "corre sola")
    assert row.marks == {"action": "good", "outcomes": "fair", "numbers": "bad"}
    assert [(o.scene, o.severity, o.proposal) for o in review.objections] == [
        ("5.2", "blocker", "añade una puerta"),
        ("5", "minor", "cut one"),
    ]
    assert review.closed == ("O1", "O3")
    assert review.marks == {"action": "good", "pacing": "fair"}
    assert review.verdict == "refine"


FREE_FORM = """Escena 5.1: Volcar la mesa es lento. **Propuesta:** que baste una acción.

1. **Escena 5.2 es un cuello de botella.** Nadie querrá negociar.

Scene 5.3 - the fog helps nobody.

VEREDICTO: refinar"""


def test_free_form_critique_gives_an_objection_a_scene() -> None:
    review = read_review(FREE_FORM, "ruben", 5)
    assert [o.scene for o in review.objections] == ["5.1", "5.2", "5.3"]
    assert {o.severity for o in review.objections} == {"major"}


OTHER_SHAPES = [
    ("### [5.1-a] grave\nNadie querrá volcar la mesa.", "5.1", "major"),
    ("### [5.1] Blocker\nThe table cannot be turned.", "5.1", "blocker"),
    ("- [bloqueante] 5.2: la negociación no tiene salida.", "5.2", "blocker"),
    ("- **5.2** (minor): the guard has no reason to stay.", "5.2", "minor"),
    ("1. 5.1 — El ritmo se cae.", "5.1", "minor"),
    ("**O1 (blocker)** scene 5.2, outcomes: they all lead to the same place.", "5.2", "blocker"),
    ("**Bloqueante:** en la escena 5.1 no se sabe qué tira nadie.", "5.1", "blocker"),
    ("> (5.2) importante: falta quien hable.", "5.2", "major"),
]


@pytest.mark.parametrize(("text", "scene", "severity"), OTHER_SHAPES)
def test_an_objection_of_another_shape_is_one_even_beside_an_acceptance(
    text: str, scene: str, severity: str
) -> None:
    review = read_review(f"Está casi.\n\n{text}\n\nVEREDICTO: aceptar", "ruben", 5)
    assert [(o.scene, o.severity) for o in review.objections] == [(scene, severity)]


NO_OBJECTION = [
    "No hay nada bloqueante en la escena 5.1.",
    "There is nothing major in 5.1 or 5.2.",
    "5.1 y 5.2 se sostienen solas.",
    "1.5 kilómetros de túnel dan para mucho.",
    "- 3.5: así se llamaba aquella edición, y era grave.",
    "**Bloqueante:** nada. Las escenas van bien.",
]


@pytest.mark.parametrize("text", NO_OBJECTION)
def test_a_sentence_that_names_a_scene_in_passing_is_no_objection(text: str) -> None:
    review = read_review(f"{text}\n\nVEREDICTO: aceptar", "ruben", 5)
    assert (review.objections, review.verdict) == ((), "accept")


ROWS = """### Escena 5.1 — El estallido
- **Acción concreta**: Sí, buscar cobertura.
- **Cambio de estado**: Falta especificar qué cambia.
- **Outcomes diferentes**: Sí, tres.
- **CDs/CRs**: No especificado, pero parece adecuado.
- **Duración estimada**: 10-15 minutos.

VEREDICTO: refinar"""


def test_a_checkers_rows_are_rows_and_only_what_lacks_is_an_objection() -> None:
    review = read_review(ROWS, "damian", 5)
    assert review.rows[0].minutes == 15
    assert review.rows[0].marks["action"] == "good"
    assert [o.field for o in review.objections] == ["Cambio de estado"]


def test_a_demand_to_refine_without_an_objection_is_one_on_the_chapter() -> None:
    review = read_review("No me convence nada.\n\nVEREDICTO: refinar", "ruben", 5)
    assert [(o.scene, o.text) for o in review.objections] == [("5", "No me convence nada.")]


@pytest.mark.parametrize("text", ["¡Precioso! Enhorabuena a todos.", "Lovely work, I like it a lot!"])
def test_pleasantries_are_no_verdict_and_no_objection(text: str) -> None:
    review = read_review(text, "ruben", 5)
    assert (review.verdict, review.objections) == (None, ())


def test_a_reply_that_stops_in_mid_sentence_is_incomplete() -> None:
    with pytest.raises(ReplyIncomplete) as caught:
        read_review("Escena 5.3: el vapor o se retira a una posición más alta. No", "ruben", 5)
    assert caught.value.partial.verdict is None


def test_cut_json_is_incomplete_and_never_a_verdict() -> None:
    whole = json.dumps(
        {"summary": "x", "rows": [], "marks": GOOD, "objections": [], "closed": [], "verdict": "accept"}
    )
    with pytest.raises(ReplyIncomplete):
        read_review(whole[:-12], "damian", 5)


BAD = dict.fromkeys(("action", "outcomes", "pacing"), "bad")
MARKS = [
    ({**GOOD, **BAD}, "accept", "some are good"),
    (dict.fromkeys(GOOD, "bad"), "refine", "all are bad"),
    ({**dict.fromkeys(GOOD, "unknown"), **BAD}, "refine", "all that were judged"),
    ({**dict.fromkeys(GOOD, "unknown"), "time": "bad"}, "accept", "one alone is a remark"),
    (dict.fromkeys(GOOD, "unknown"), "accept", "none was judged"),
    (dict.fromkeys(GOOD, "fair"), "accept", "so-so is enough"),
]


@pytest.mark.parametrize(("marks", "verdict", "why"), MARKS)
@pytest.mark.parametrize("place", ["plan", "scene"])
def test_an_acceptance_agrees_with_its_marks(
    marks: dict[str, str], verdict: str, why: str, place: str
) -> None:
    """Of the whole plan, or of any one scene; its contradiction is an objection there."""
    rows = [{"scene": "1.2", "marks": marks, "minutes": 20, "note": "n"}] if place == "scene" else []
    plan = GOOD if place == "scene" else marks
    reply = {
        "rows": rows, "marks": plan, "objections": [], "closed": [], "verdict": "accept", "summary": "Bien.",
    }  # fmt: skip
    review = read_review(json.dumps(reply), "damian", 1)
    assert review.verdict == verdict, why
    assert [o.scene for o in review.objections] == (
        [] if verdict == "accept" else ["1" if place == "plan" else "1.2"]
    )


BLOCKED = [
    "OBJECTION | scene 5.2 | blocker | The door has one way in only.",
    "OBJECTION | blocker | The door has one way in only.",
    "OBJECTION | 5.2 | outcomes | blocker | The door has one way in only. | Add a window. | x | y",
    "OBJECTION 1 | 5.2 | outcomes | Blocker! | The door has one way in only. | Add a window.",
    "1. OBJECTION | scene 5.2 | outcomes | blocker | one way in only. | b | c | d | e",
    "OBJECTION | scene 5.2 | outcomes | Severity: blocker | one way in only. | Add a window.",
    "OBJECTION: scene 5.2: blocker: the door has one way in only.",
    "OBJECTION - scene 5.2 - outcomes - blocker - The door has one way in only.",
    "- BLOCKER: the door has one way in only.",
    "- (blocker) Scene 5.2: the door has one way in only.",
    "[BLOCKER] The door has one way in only.",
    "- [blocker] Scene 5.2 · outcomes: one way in only. Proposal: add a window.",
    "## Blockers\n\n- The door has one way in only.",
    "**Bloqueantes**\n1. La puerta solo tiene una entrada.",
    "Bloqueantes:\n- La puerta de la 5.2 solo tiene una entrada.",
    "OBJECTION: the door has one way in only.\nSeverity: blocker",
    "OBJECIÓN | escena 5.2 | resultados | bloqueante | La puerta solo tiene una entrada. | Una ventana.",
    "Objeción: la 5.2 solo tiene una entrada.\n- Gravedad: bloqueante",
    "- **Showstopper**: the door has one way in only.",
]


@pytest.mark.parametrize("rows", ["", "SCENE 5.1 | action: good | outcomes: good | minutes: 20\n\n"])
@pytest.mark.parametrize("text", BLOCKED)
def test_a_blocker_is_one_in_whatever_shape_it_is_written(text: str, rows: str) -> None:
    """Beside an acceptance, with rows in the right shape or without."""
    review = read_review(f"{rows}{text}\n\nVERDICT: accept", "damian", 5)
    assert [o.severity for o in review.objections] == ["blocker"]
    assert review.objections[0].scene == ("5.2" if "5.2" in text else "5")


NOTHING = [
    "## Blockers\n\nNone.",
    "## Blockers\n\n- None\n\n## Minor\n\n- none",
    "Bloqueantes: ninguno.",
    "OBJECTION: none",
    "Objeciones: ninguna.",
    "- BLOCKER: n/a",
]


@pytest.mark.parametrize("text", NOTHING)
def test_no_objection_is_none_however_it_is_said(text: str) -> None:
    review = read_review(f"{text}\n\nVERDICT: accept", "damian", 5)
    assert (review.objections, review.verdict) == ((), "accept")


IN_DOUBT = [
    '{"verdict":"accept"}\n{"verdict":"refine"}',
    "I would only write\nVERDICT: accept\nif the door had a window.",
    "Next round, if the door is fixed:\nVERDICT: accept",
    "VERDICT: accept\n\nP.S. My verdict is refine.",
    "VERDICT: accept\n- Just kidding: refine",
    "I could not read the plan whole.\n\nVERDICT: accept",
    "Solo escribiría\nVEREDICTO: aceptar\nsi la puerta tuviera ventana.",
    "VEREDICTO: aceptar\n\nPensándolo mejor, mi veredicto es refinar.",
    "No he podido leer el plan entero.\n\nVEREDICTO: aceptar",
]


@pytest.mark.parametrize("text", IN_DOUBT)
def test_an_acceptance_in_doubt_is_none(text: str) -> None:
    assert read_verdict(text) is None
    if not text.startswith("{"):  # which is no review at all, and is asked for again
        assert read_review(text + "\n", "ruben", 5).verdict is None


SURE = [
    "Me gusta cómo se juega.\nVEREDICTO: aceptar",
    "- Scene 5.2: good pacing\nVERDICT: accept",
    "If the players stall, the bell pushes them. Here is my verdict:\n\nVERDICT: accept",
    "VERDICT: accept\nIf anything, keep the bell.",
    "I asked you to refine the door and you did.\n\nVERDICT: accept",
]


@pytest.mark.parametrize("text", SURE)
def test_an_acceptance_with_words_around_it_stays_one(text: str) -> None:
    assert read_review(text, "ruben", 5).verdict == "accept"


@pytest.mark.parametrize(
    ("line", "closed"),
    [
        ("CLOSED: O1, O2", ("O1", "O2")),
        ("CLOSED: O1 (fixed) and O3", ("O1", "O3")),
        ("Cierra: O1", ()),
        ("Cerradas: O1, O4.", ("O1", "O4")),
        ("CLOSED: not O1", ()),
        ("CLOSED: none (O1 stays open)", ()),
        ("CERRADAS: ninguna, O1 sigue abierta", ()),
        ("CERRADAS: todavía no la O1", ()),
    ],
)
def test_a_line_with_a_negation_closes_nothing(line: str, closed: tuple[str, ...]) -> None:
    assert read_review(f"Bien.\n{line}\nVERDICT: accept", "damian", 5).closed == closed


def test_a_row_as_a_chapter_file_prints_it_is_a_row() -> None:
    text = "- **Scene 5.1** (action: good, state change: good, outcomes: bad), 45 min. It lacks the middle.\n"
    review = read_review(f"{text}\nVERDICT: refine", "damian", 5)
    assert (review.rows[0].scene, review.rows[0].minutes, review.rows[0].marks["outcomes"]) == (
        "5.1",
        45,
        "bad",
    )
