"""The mechanics that a plan hands to its prose."""

import pytest

from rules.document import FieldKey, Passage, PlanField, PlanScene
from rules.mechanics import letters, mechanics
from rules.ruleset import load_ruleset

RULESET = load_ruleset()


def scene(**fields: str) -> PlanScene:
    """Make a planned scene whose fields are these texts."""
    nowhere = Passage("", 0)
    keys: dict[str, FieldKey] = {
        "place": "place",
        "situation": "situation",
        "action": "player_action",
        "outcomes": "outcomes",
        "change": "state_change",
    }
    made = tuple(PlanField(keys[name], nowhere, Passage(text, 0)) for name, text in fields.items())
    return PlanScene("5.1", nowhere, nowhere, made)


def placed(plan: PlanScene, language: str = "es") -> list[tuple[str, str, str]]:
    """Return reference, kind and text of each mechanic."""
    return [(m.ref, m.kind, m.text) for m in mechanics(plan, language, RULESET)]


def test_mechanics_come_in_the_order_of_the_fields_each_once():
    plan = scene(
        situation="La verja tiene CA 15 y 20 PG.",
        action="Trepar (Atletismo CD 15) o abrirla con una prueba de Fuerza (Atletismo) CD 15.",
        outcomes="Éxito: entran. Fallo: 2d6 de daño cortante y caen derribados.",
    )
    assert placed(plan) == [
        ("5.1-a", "armor_class", "CA 15"),
        ("5.1-b", "hit_points", "20 PG"),
        ("5.1-c", "check", "una prueba de Fuerza (Atletismo) CD 15"),
        ("5.1-d", "damage", "2d6 de daño cortante"),
        ("5.1-e", "condition", "el estado derribado"),
    ]


def test_scenery_is_not_handed_over():
    plan = scene(
        place="Un salón de 10 metros de largo, con CA 12.",
        situation="Los guardias, asustados, esperan diez minutos a 3 metros. «Una prueba de Sigilo CD 12.»",
        change="Ya no quedan cegados.",
    )
    assert placed(plan) == []


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("Se mueven 3 metros (10 pies) sin ruido.", ["3 metros"]),
        ("Tiran 1d20; el efecto dura 1d4 asaltos.", ["1d4 asaltos"]),
        ("La niebla dura 10 minutos.", ["10 minutos"]),
        ("Saltan con ventaja.", ["ventaja en la tirada"]),
        ("Gana cobertura media (+2 CA).", ["cobertura media (+2 a la CA)"]),
    ],
)
def test_what_is_done_hands_over_its_distances_and_times(action: str, expected: list[str]):
    assert [text for _, _, text in placed(scene(action=action))] == expected


def test_english_plans_hand_over_english_words():
    plan = scene(
        action="Climb the wall (Athletics DC 12).", outcomes="Failure: a fall of 20 feet, 2d6 damage."
    )
    assert placed(plan, "en") == [
        ("5.1-a", "check", "a DC 12 Strength (Athletics) check"),
        ("5.1-b", "distance", "20 feet"),
        ("5.1-c", "damage", "2d6 damage"),
    ]


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (701, "zz"), (702, "aaa")]
)
def test_letters_go_on_after_z(number: int, expected: str):
    assert letters(number) == expected


def test_more_than_26_mechanics_have_references_of_their_own():
    plan = scene(action=" ".join(f"Sigilo CD {dc}." for dc in range(5, 35)))
    refs = [ref for ref, _, _ in placed(plan)]
    assert refs[25:28] == ["5.1-z", "5.1-aa", "5.1-ab"]
    assert len(set(refs)) == len(refs) == 30
