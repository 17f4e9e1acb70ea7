"""A cut reply and its continuation become one text, however the model goes on."""

import json
import time

import pytest

from concilio.gateway.seam import join

PLAN = (
    "### Escena 5.1 — El puente\n- LUGAR: El puente de la aduana.\n- PRESENTES: PJs, Berta.\n"
    "### Escena 5.2 — La lonja\n- LUGAR: La lonja, entre cajas de sal.\n- PRESENTES: PJs, el notario.\n"
    "- SITUACIÓN INICIAL: El notario cuenta los escombros y mira la puerta.\n"
)
CUT = PLAN[: PLAN.index("escombros") + len("escom")]

PROSE_CASES = [
    (CUT, PLAN[len(CUT) :], PLAN, "goes on to the letter, in the middle of a word"),
    (CUT, PLAN[len(CUT) - 40 :], PLAN, "repeats the last words"),
    (CUT, PLAN[PLAN.index("- SITUACIÓN") :], PLAN, "repeats the last line"),
    (CUT, PLAN[PLAN.index("### Escena 5.2") :], PLAN, "begins the last scene again"),
    (CUT, PLAN, PLAN, "begins all of it again"),
    (CUT, f"```markdown\n{PLAN[len(CUT) :]}```", PLAN, "opens a fence around the rest"),
    (CUT, f"Claro, continúo donde lo dejé:\n\n{PLAN[len(CUT) :]}", PLAN, "says first that it goes on"),
    (CUT, f"Here is the rest:\n```\n{PLAN[len(CUT) - 30 :]}\n```\n", PLAN, "says it, fences it and repeats"),
    (CUT, "", CUT, "nothing"),
    (CUT, " \n ", CUT, "white space"),
    (
        "La puerta de la",
        "casa cruje.",
        "La puerta de la casa cruje.",
        "a known word before the cut: a space is missing",
    ),
    ("La puerta de la ", "casa cruje.", "La puerta de la casa cruje.", "the space is there already"),
    ("La puerta de la", " casa cruje.", "La puerta de la casa cruje.", "the space comes with the rest"),
    ("La puer", "ta cruje.", "La puerta cruje.", "an unknown piece of a word"),
    ("La niebla baja y la nie", "bla sube.", "La niebla baja y la niebla sube.", "a word known from before"),
    ("Se oye un golpe.", "Nadie abre.", "Se oye un golpe. Nadie abre.", "between two sentences"),
    ("Se oye un golpe", ", luego otro.", "Se oye un golpe, luego otro.", "punctuation follows at once"),
    ("Se oye un golpe", "Nadie abre.", "Se oye un golpe Nadie abre.", "a capital never goes on a word"),
    ("CD 1", "5 para abrir", "CD 15 para abrir", "in the middle of a number"),
    ("tira 2d", "6 de daño", "tira 2d6 de daño", "in the middle of dice"),
    (
        "- LUGAR: El muelle.\n",
        "- PRESENTES: PJs.",
        "- LUGAR: El muelle.\n- PRESENTES: PJs.",
        "at a line's end",
    ),
    (
        "no, no, no, ",
        "no, no y no.",
        "no, no, no, no, no y no.",
        "a short repetition in the text itself is kept",
    ),
    ("gana cobertura.", "- Fallo: cae.", "gana cobertura.\n- Fallo: cae.", "a bullet begins a line"),
    ("(Fuerza CD 1", "5) para abrir", "(Fuerza CD 15) para abrir", "a number is no bullet"),
    ("uno\n##", "# Escena 5.2 — La lonja", "uno\n### Escena 5.2 — La lonja", "in the middle of a marker"),
    ("uno\n- ", "- Fallo: cae.", "uno\n- Fallo: cae.", "a marker twice"),
    ("uno\n- PR", "- PRESENTES: PJs.", "uno\n- PRESENTES: PJs.", "a short line begun again"),
    ("La fuerza del vien", "viento crece.", "La fuerza del viento crece.", "the cut word again"),
    ("La fuerza del viento", "viento crece.", "La fuerza del viento crece.", "the last word again"),
    ("- SITUACIÓN INICI", "AL: Llueve.", "- SITUACIÓN INICIAL: Llueve.", "a label in capitals"),
    ("- Fallo:", "Fallo: El vapor sale.", "- Fallo: El vapor sale.", "a label again"),
    ("cruza el ", "\nagua negra", "cruza el agua negra", "reasoning left a line break"),
    ("Primero, callad.", "2. Luego, corred.", "Primero, callad.\n2. Luego, corred.", "a numbered line"),
    ("genera una onda", "…expansiva", "genera una onda expansiva", "dots that show that it goes on"),
    (
        "El guardia dice que no",
        "puede pasar nadie.",
        "El guardia dice que no puede pasar nadie.",
        "a little word",
    ),
]


@pytest.mark.parametrize(("cut", "rest", "whole", "why"), PROSE_CASES)
def test_prose_and_markdown(cut: str, rest: str, whole: str, why: str) -> None:
    """Nothing is lost and nothing stands twice."""
    assert join(cut, rest).rstrip() == whole.rstrip(), why


def test_words_of_the_conversation_tell_where_a_word_ends() -> None:
    """`es` is a word, but not where the conversation knows `escalinata`."""
    assert join("bajan por la es", "calinata", "la escalinata") == "bajan por la escalinata"
    assert join("el salón es", "enorme", "esto es todo") == "el salón es enorme"


DATA = {
    "scenes": [
        {"id": "5.1", "title": "El puente"},
        {"id": "5.2", "title": "La lonja", "place": "Lonja de sal"},
    ]
}
JSON = json.dumps(DATA, ensure_ascii=False)
AT = JSON.index("lonja") + 3

JSON_CASES = [
    (JSON[:AT], JSON[AT:], "to the letter, within a string"),
    (JSON[:AT], JSON[AT - 25 :], "repeats the end"),
    (JSON[:AT], f"```json\n{JSON[AT:]}\n```", "in a fence"),
    (f"Aquí va:\n```json\n{JSON[:AT]}", f"{JSON[AT:]}\n```", "the fence goes on"),
    (JSON[:AT], f"Here is the rest:\n\n{JSON[AT:]}", "chatter first"),
    (JSON[:AT], JSON, "all of it again"),
    (JSON[:AT], f"```json\n{JSON}\n```", "all of it again, in a fence"),
    (
        JSON[:AT],
        json.dumps({"scenes": [DATA["scenes"][1]]}, ensure_ascii=False),
        "only the scene that was cut",
    ),
    (JSON[: JSON.index(', "place"')], JSON[JSON.index(', "place"') :], "between two fields"),
]


@pytest.mark.parametrize(("cut", "rest", "why"), JSON_CASES)
def test_json(cut: str, rest: str, why: str) -> None:
    """Cut JSON and its rest are the JSON that was meant."""
    joined = join(cut, rest)
    assert json.loads(joined[joined.index("{") : joined.rindex("}") + 1]) == DATA, why


def test_a_line_that_stands_in_several_scenes_is_no_sign_of_a_restart() -> None:
    """What lies between is not dropped."""
    shared = "- PRESENTES: PJs, el notario y la guardia.\n"
    first = f"### Escena 5.1 — A\n- LUGAR: El puente.\n{shared}- SITUACIÓN: Llueve.\n"
    second = "### Escena 5.2 — B\n- LUGAR: La lonja.\n"
    rest = f"{shared}- SITUACIÓN: Escampa.\n"
    assert join(first + second, rest) == first + second + rest


def test_every_cut_of_a_plan_is_mended_by_going_on_to_the_letter() -> None:
    """Wherever the limit falls, but for cuts that leave two words of which both exist."""
    wrong = [k for k in range(30, len(PLAN) - 5) if join(PLAN[:k], PLAN[k:]) != PLAN]
    assert len(wrong) <= len(PLAN) * 0.03


def test_hostile_texts_take_linear_time() -> None:
    """No text makes the seam slow."""
    hostile = ["a" * 200_000, "{" * 200_000, '{"a":' * 40_000, "`" * 200_000, "\n" * 200_000, "ab" * 100_000]
    began = time.perf_counter()
    for cut in hostile:
        for rest in hostile:
            join(cut, rest)
    assert time.perf_counter() - began < 20
