"""Other words for terms, words of older editions, other names of a figure, wrong names of spells."""

import pytest

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.facts import Facts
from rules.ruleset import load_ruleset

FAULTS = [
    ("es", "term-variant", "La grava cuenta como terreno dificultoso."),
    ("es", "term-variant", "Pide un chequeo de Percepción CD 12."),
    ("es", "term-variant", "El trasgo usa su acción bonus para esconderse."),
    ("en", "term-variant", "Moving away provokes an attack of opportunity."),
    ("en", "term-variant", "Make a DC 13 Dexterity saving roll."),
    ("en", "term-variant", "It has 22 hitpoints."),
    ("es", "unknown-term", "El guardia tiene CA 16 (CA de toque 11)."),
    ("es", "unknown-term", "Mientras está desprevenido, su CA baja a 12."),
    ("es", "unknown-term", "El gólem tiene reducción de daño 5/adamantina."),
    ("en", "unknown-term", "Its base attack bonus is +6."),
    ("en", "unknown-term", "The golem has damage reduction 10/magic."),
    ("en", "unknown-term", "The surprised guards are flat-footed until they act."),
    ("es", "unknown-condition", "La criatura queda confusa durante 1 minuto."),
    ("es", "unknown-condition", "En un fallo, la criatura sufre el estado de sangrado."),
    ("en", "unknown-condition", "The target has the fatigued condition until it rests."),
    ("es", "stat-alias", "Pide una prueba CD 12. La otra prueba es DC 15 de Sigilo."),
    ("en", "stat-alias", "The door has AC 15; the guard has Armour Rating 13."),
    ("en", "stat-alias", "The ogre has 59 hit points, the wolf 11 life points."),
    ("es", "spell-name", "El clérigo lanza Curar heridas leves."),
    ("es", "spell-name", "El mago lanza misil mágico."),
    ("en", "spell-name", "The priestess casts cure light wounds."),
    ("en", "spell-name", "She is saved with the feather falling spell."),
    ("en", "spell-name", "The warlock casts eldrich blast twice."),
]
RIGHT = [
    ("es", "Lanza un dardo de fuego a la paja y la paja arde."),
    ("es", "Pilla desprevenidos a los guardias."),
    ("es", "Tras un breve descanso siguen el camino."),
    ("es", "No tiene CA de toque: esa regla no existe aquí."),
    ("es", "El médico manda un chequeo al herido."),
    ("es", "El mago lanza bola de fuego contra la primera fila."),
    ("es", "La prueba es CD 12 y la otra, CD 15."),
    ("en", "She casts a long shadow over the hall."),
    ("en", "The spell reverses gravity in the well."),
    ("en", "The priest casts cure wounds on the captain."),
    ("en", "The guards are caught flat-footed by the rain."),
    ("en", "The imp has 10 hit points and can use a bonus action to hide."),
]
BEFORE = {
    "es": "El grupo llega por el camino del norte cuando cae la tarde y no hay nadie en la posada.\n\n",
    "en": "The party comes by the northern road when the evening falls and there is nobody at the inn.\n\n",
}


def rules_of(language: str, text: str) -> set[str]:
    document = read_document(f"{BEFORE[language]}{text}\n", "x.md", language)
    return {finding.rule for finding in check(document, load_ruleset("srd5e"), Facts())}


@pytest.mark.parametrize(("language", "rule", "text"), FAULTS)
def test_another_word_is_found(language: str, rule: str, text: str):
    assert rule in rules_of(language, text)


@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_a_right_sentence_near_it_has_no_finding(language: str, text: str):
    assert rules_of(language, text) == set()
