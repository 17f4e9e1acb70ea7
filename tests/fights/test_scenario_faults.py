"""What is wrong with a scenario is told in the user's language, by the words that its file has."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from concilio.adventure.problems import AdventureErrors
from concilio.catalogue import speaking
from concilio.cli.fight_faults import INSIDE
from concilio.cli.fight_scenario import read_scenario
from rules.fights.model import Scenario
from rules.fights.setup import nearest
from rules.wording import texts

SPANISH = """\
título: T
idioma: es
participantes:
  - {nombre: Cat, tipo: pj, pg: 9, CA: 14, armas: [{nombre: espada, daño: 1d8, tipo_de_daño: cortante}]}
  - {nombre: Hugo, oficio: herrero, actitud: hostil}
guion:
  - {quien: Cat, hace: ataca, contra: Hugo}
"""

TOLD = [
    # what is written in the place of what, and what is said of it
    ("pg: 9", "pg: muchos", "pg: se espera un número; hay «muchos»."),
    ("pg: 9", "pg: [1]", "pg: se espera un número; hay una lista de 1."),
    ("pg: 9", "pg: {a: 1}", "pg: se espera un número; hay un objeto."),
    ("pg: 9", "pg: -3", "pg: se espera 1 como mínimo; hay «-3»."),
    ("pg: 9", "pg: .nan", "pg: se espera un número; hay «.nan»."),
    ("CA: 14", "CA: 14.5", "CA: se espera un número entero; hay «14.5»."),
    ("CA: 14", "CA: sí", "CA: se espera un número entero; hay «sí»."),
    ("CA: 14", "CA: 999", "CA: se espera 100 como máximo; hay «999»."),
    ("nombre: Hugo", "nombre: [x]", "nombre: se espera un texto; hay una lista de 1."),
    ("nombre: Hugo", "nombre: ''", "«nombre» no puede estar vacío."),
    ("tipo: pj", "tipo: héroe", "«héroe» no es ninguno de los valores posibles. ¿Querías decir: personaje?"),
    ("armas: [{", "arma: [{", "No existe la clave «arma». ¿Querías decir: armas?"),
    (
        "armas: [{nombre: espada, daño: 1d8, tipo_de_daño: cortante}]",
        "armas: hacha",
        "armas: se espera una lista; hay «hacha».",
    ),
    ("daño: 1d8, ", "", "Falta «daño»."),
    ("daño: 1d8", "daño: 1d8, ligera: quizá", "«ligera»: se espera sí o no; hay «quizá»."),
    ("daño: 1d8", "daño: 1d8, manos: 3", "manos: se espera 2 como máximo; hay «3»."),
    ("cortante", "cortnte", "«cortnte» no es ningún tipo de daño de estas reglas. ¿Querías decir: cortante?"),
    ("oficio: herrero", "pg: 3, actitudes: {Cat: odio}", "hostil, antipático, desconfiado"),
    ("oficio: herrero", "pg: 3, barra: [a, b, c, d, e, f]", "barra: se esperan 5 elementos como mucho"),
    ("oficio: herrero", "pg: 3, puntuaciones: {ocupa: 0}", "ocupa: se espera más de 0; hay «0»."),
    ("oficio: herrero", "pg: 3, características: {FUERZ: 2}", "¿Querías decir: Fuerza?"),
    ("oficio: herrero", "pg: 3, habilidades: {atletismoo: 2}", "¿Querías decir: Atletismo?"),
    ("oficio: herrero", "pg: 3, resistencias: [caca]", "¿Querías decir: ácido, contundente"),
    ("oficio: herrero", "pg: 3, pociones: {frasco: fugo}", "¿Querías decir: fuego?"),
    ("oficio: herrero, ", "", "A «Hugo» le faltan los puntos de golpe (pg)"),
    ("oficio: herrero", "criatura: gobblin", "¿Querías decir: goblin?"),
    ("contra: Hugo", "", "Falta contra quién (contra) en «ataca»."),
    ("hace: ataca", "hace: va a", "Falta adónde (hacia) en «va a»."),
    ("hace: ataca", "hace: ataca, parte: nariz", "¿Querías decir: brazo, mano, pierna, pie, cola, ala?"),
    ("hace: ataca", "hace: ataca, riesgo: [x]", "¿Querías decir: real, inmediato?"),
    ("hace: ataca", "hace: ataca, salvación: Destrza", "¿Querías decir: Destreza?"),
    (
        "idioma: es",
        "idioma: fr",
        "«fr» no es ninguno de los valores posibles. ¿Querías decir: español, inglés?",
    ),
    ("título: T", "{}: 1", "Una clave tiene que ser un texto"),
    ("título: T", "x: 1", "¿Querías decir: título, reglas, idioma, participantes, guion"),
    ("título: T", "título: |x", "después de «|» o «>»"),
    ("título: T", "título: \x07", "carácter de control"),
    ("título: T", "-", "falta un valor"),
    ("título: T", "%YAML 9\n---\ntítulo: T", "no se entiende lo que hay aquí."),
    ("título: T", "título: T\n---", "un archivo lleva uno solo."),
]


def told(folder: Path, text: str) -> list[str]:
    """Return what is said of a scenario, without file, line and column."""
    file = folder / "s.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AdventureErrors) as caught:
        read_scenario(file)
    return [problem.message for problem in caught.value.problems]


@pytest.mark.parametrize(("right", "wrong", "message"), TOLD)
def test_a_spanish_scenario_is_told_of_in_spanish(
    right: str, wrong: str, message: str, tmp_path: Path
) -> None:
    assert right in SPANISH
    with speaking("es"):
        said = told(tmp_path, SPANISH.replace(right, wrong, 1))
    assert any(message in line for line in said), said
    fields = {name for kind in (Scenario, *INSIDE.values()) for name in kind.model_fields} - {"x", "plan_b"}
    words = set(re.findall(r"\w+", " ".join(said)))
    assert words & (fields | {"did", "not", "find", "expected", "should", "valid"}) == set()


def test_the_scenario_without_faults_is_read(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(SPANISH, encoding="utf-8")
    with speaking("es"):
        read = read_scenario(file)
    assert [fighter.name for fighter in read.fighters] == ["Cat", "Hugo"]
    assert [(intent.who, intent.do, intent.target) for intent in read.script] == [("Cat", "attack", "Hugo")]


@pytest.mark.parametrize("kind", [Scenario, *INSIDE.values()], ids=lambda kind: kind.__name__)
def test_every_field_has_a_spanish_word(kind: Any) -> None:
    assert set(kind.model_fields) - set(texts("es", "fights")["keys"].values()) == set()


WORDLESS = {
    "ruleset": {"ia"},
    "family": None,
    "initiative_by": {"agi", "dex"},
    "do": {"disguise"},
    "size": {"big"},
}
"""Values that are names of their own, or the same in both languages; None: all of them."""


@pytest.mark.parametrize("kind", [Scenario, *INSIDE.values()], ids=lambda kind: kind.__name__)
def test_every_value_that_is_chosen_has_a_spanish_word(kind: Any) -> None:
    for name, field in kind.model_fields.items():
        chosen = {each for each in get_args(field.annotation) if isinstance(each, str) and each}
        without = WORDLESS.get(name, set())
        worded = set(texts("es", "fights")["values"].get(name, {}).values())
        assert without is None or chosen - worded - without == set(), name


NEAR = [
    ("fihters", ("participantes", "fuente"), ("fighters",), "fighters"),  # of the other language, but nearer
    ("armass", ("armas",), ("arms",), "armas"),
    ("nariz", ("brazo", "pie"), ("arm",), "brazo, pie"),
    ("x", (), (), ""),
]


@pytest.mark.parametrize(("word", "known", "also", "near"), NEAR)
def test_the_nearest_name_is_of_the_readers_language(
    word: str, known: tuple[str, ...], also: tuple[str, ...], near: str
) -> None:
    assert nearest(word, known, also) == near
