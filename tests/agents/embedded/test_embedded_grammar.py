"""Noun phrases, names, goals and tactics out of an outline's words, in both languages."""

import pytest

from agents.embedded.grammar import grammar_of

ES = grammar_of("es")
EN = grammar_of("en")

PLACES_ES = [
    ("El Salón de Comedor.", "el Salón de Comedor", "en el Salón de Comedor", "del Salón de Comedor"),
    ("Altar del Cristal", "el Altar del Cristal", "en el Altar del Cristal", "del Altar del Cristal"),
    ("La mesa imperial", "la mesa imperial", "en la mesa imperial", "de la mesa imperial"),
    ("Biblioteca en ruinas", "la biblioteca en ruinas", "en la biblioteca en ruinas", None),
    ("Los muelles del río, de noche", "los muelles del río", "en los muelles del río", None),
    ("Un claro del bosque", "el claro del bosque", "en el claro del bosque", "del claro del bosque"),
    ("En el puerto viejo", "el puerto viejo", "en el puerto viejo", "del puerto viejo"),
    ("Bajo el puente de piedra", "el lugar", "bajo el puente de piedra", "del lugar"),
    ("Puerto Gris", "Puerto Gris", "en Puerto Gris", "de Puerto Gris"),
    ("Valdehierro", "Valdehierro", "en Valdehierro", "de Valdehierro"),
    ("Aula magna", "el aula magna", "en el aula magna", "del aula magna"),
    ("El barco «Ceniza»", "el barco «Ceniza»", None, None),
    ("Torre de los Sabios (planta baja)", "la Torre de los Sabios", None, None),
    ("catacumbas", "las catacumbas", None, "de las catacumbas"),
]
PLACES_EN = [
    ("The Great Hall.", "the Great Hall", "in the Great Hall", "of the Great Hall"),
    ("Old library", "the old library", "in the old library", None),
    ("Blackwater Docks", "the Blackwater Docks", "at the Blackwater Docks", None),
    ("A clearing in the woods", "the clearing in the woods", "in the clearing in the woods", None),
    ("Castle Morn", "Castle Morn", "in Castle Morn", "of Castle Morn"),
    ("Mount Ash", "Mount Ash", "on Mount Ash", None),
    ("Waterdown", "Waterdown", "in Waterdown", None),
    ("On the deck of the Albatross", "the deck of the Albatross", "on the deck of the Albatross", None),
    ("Under the bridge", "the place", "under the bridge", None),
]
NO_PLACES = ["{{ 7*7 }}", "../../x", "</system>", "[[5.1-a]]", "", "...", "12", "VEREDICTO: 3"]


@pytest.mark.parametrize(("text", "the", "at", "of"), PLACES_ES)
def test_spanish_places(text: str, the: str, at: str | None, of: str | None):
    noun = ES.place(text)
    assert noun is not None
    assert noun.the == the
    assert at in (None, noun.at)
    assert of in (None, noun.of)


@pytest.mark.parametrize(("text", "the", "at", "of"), PLACES_EN)
def test_english_places(text: str, the: str, at: str | None, of: str | None):
    noun = EN.place(text)
    assert noun is not None
    assert noun.the == the
    assert at in (None, noun.at)
    assert of in (None, noun.of)


@pytest.mark.parametrize("text", [t for t in NO_PLACES if t != "VEREDICTO: 3"])
def test_what_is_no_place_is_none(text: str):
    assert ES.place(text) is None
    assert EN.place(text) is None


NAMES_ES = [
    ("Xandra", 1, "Xandra", "de Xandra"),
    ("Guardia de Honor", 4, "la Guardia de Honor", "de la Guardia de Honor"),
    ("Capitán Roque", 1, "el Capitán Roque", "del Capitán Roque"),
    ("El Rey Mendigo", 1, "el Rey Mendigo", "del Rey Mendigo"),
    ("la Bruja del Pantano", 1, "la Bruja del Pantano", None),
    ("Lobos", 6, "la manada de lobos", "de la manada de lobos"),
    ("Bandido", 6, "la banda de bandidos", None),
    ("Centinela", 3, "la patrulla de centinelas", None),
    ("Guardián", 2, "la patrulla de guardianes", None),
    ("Esqueletos", 8, "la horda de esqueletos", None),
    ("Los Hermanos Grau", 1, "la banda de los Hermanos Grau", None),
    ("Vaela (sirvienta)", 1, "Vaela", None),
    ("Ogro", 1, "el Ogro", "del Ogro"),
]
NAMES_EN = [
    ("Captain Vane", 1, "Captain Vane"),
    ("Honor Guard", 4, "the Honor Guard"),
    ("Wolf", 6, "the pack of wolves"),
    ("Bandits", 3, "the band of bandits"),
    ("The Hollow King", 1, "the Hollow King"),
    ("Queen of Ash", 1, "the Queen of Ash"),
    ("Mara Thorn", 1, "Mara Thorn"),
    ("Watchman", 3, "the patrol of watchmen"),
]


@pytest.mark.parametrize(("text", "count", "the", "of"), NAMES_ES)
def test_spanish_names_are_singular(text: str, count: int, the: str, of: str | None):
    noun = ES.name(text, count)
    assert noun is not None
    assert noun.the == the
    assert of in (None, noun.of)


@pytest.mark.parametrize(("text", "count", "the"), NAMES_EN)
def test_english_names_are_singular(text: str, count: int, the: str):
    noun = EN.name(text, count)
    assert noun is not None
    assert noun.the == the


GOALS_ES = [
    ("Sustraer la gema del altar.", "sustraer la gema del altar", "la gema del altar"),
    ("Los PJs deben recuperar el mapa antes del alba", "recuperar el mapa antes del alba", "el mapa"),
    ("El grupo tiene que cruzar el paso", "cruzar el paso", None),
    ("La huida del salón", "llevar a cabo la huida del salón", None),
    ("Robo de la corona", "llevar a cabo el robo de la corona", None),
    ("Que los PJs descubran al culpable", "lograr que los personajes descubran al culpable", None),
    ("Hacerse con la llave y salir.", "hacerse con la llave y salir", None),
    ("Ganar tiempo: el barco zarpa", "ganar tiempo", None),
    ("VEREDICTO: aceptar", None, None),
    ("Un misterio", None, None),
    ("Lugar seguro", None, None),
    ("Robar {{ 7*7 }} joyas", "robar joyas", None),
    ("", None, None),
]
GOALS_EN = [
    ("Steal the gem from the altar.", "steal the gem from the altar", "the gem"),
    ("Escaping the hall while it burns", "escape the hall while it burns", None),
    ("The party must recover the map before dawn", "recover the map before dawn", "the map"),
    ("To get out alive", "get out alive", None),
    ("Unmask the duke", "unmask the duke", None),
    ("The theft of the crown", "carry out the theft of the crown", None),
    ("Confusion", None, None),
    ("During the feast", None, None),
    ("Steal 12 gems", None, None),
]


@pytest.mark.parametrize(("text", "goal", "thing"), GOALS_ES)
def test_spanish_goals(text: str, goal: str | None, thing: str | None):
    assert ES.goal(text) == goal
    handled = ES.handled(goal) if goal else None
    assert (handled.the if handled else None) == thing


@pytest.mark.parametrize(("text", "goal", "thing"), GOALS_EN)
def test_english_goals(text: str, goal: str | None, thing: str | None):
    assert EN.goal(text) == goal
    handled = EN.handled(goal) if goal else None
    assert (handled.the if handled else None) == thing


TACTICS_ES: list[tuple[str, list[str]]] = [
    (
        "Hay de todo: bancos volcables para cubrirse (si da tiempo), lámparas pesadas que pueden caer y "
        "despensas contiguas con humo",
        ["los bancos volcables", "las lámparas pesadas", "las despensas contiguas"],
    ),
    (
        "Un pozo, dos balcones, oscuridad total y escaleras de caracol.",
        ["el pozo", "los balcones", "las escaleras de caracol"],
    ),
    ("Puente de cuerda; guardias dormidos; agua helada", ["el puente de cuerda", "el agua helada"]),
    ("Niebla. Sorpresa. Correr y saltar.", []),
    ("Una balanza, a la vista de todos; el brasero, ya encendido", ["la balanza", "el brasero"]),
    ("`rm -rf`; </system>, {{ 7*7 }}, [[5.1-a]]", []),
]
TACTICS_EN: list[tuple[str, list[str]]] = [
    (
        "Tables that can be tipped over, heavy chandeliers and adjoining kitchens with steam",
        ["the tables", "the heavy chandeliers", "the adjoining kitchens"],
    ),
    (
        "A rope bridge, two balconies, total darkness and barrels of powder",
        ["the rope bridge", "the balconies", "the barrels of powder"],
    ),
    ("Surprise; patrols with dogs; crates", ["the crates"]),
    (
        "A coal chute, wide for one; the letter slot, nailed shut from the inside",
        ["the coal chute", "the letter slot"],
    ),
]


@pytest.mark.parametrize(("text", "found"), TACTICS_ES)
def test_spanish_tactics(text: str, found: list[str]):
    assert [noun.the for noun in ES.tactics(text)] == found


@pytest.mark.parametrize(("text", "found"), TACTICS_EN)
def test_english_tactics(text: str, found: list[str]):
    assert [noun.the for noun in EN.tactics(text)] == found


LISTS = [
    (ES, ["Ana"], "Ana"),
    (ES, ["Ana", "Bruno"], "Ana y Bruno"),
    (ES, ["Ana", "Inés"], "Ana e Inés"),
    (ES, ["Ana", "Bruno", "Hielo"], "Ana, Bruno y Hielo"),
    (EN, ["Ann", "Bob"], "Ann and Bob"),
    (EN, ["Ann", "Bob", "Ira"], "Ann, Bob, and Ira"),
]


@pytest.mark.parametrize(("grammar", "names", "joined"), LISTS)
def test_lists(grammar: object, names: list[str], joined: str):
    assert getattr(grammar, "listing")(names) == joined  # noqa: B009 - two grammars behind one name
