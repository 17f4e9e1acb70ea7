"""Skills, damage types, dice, lengths and names that the ruleset does not have, by their place."""

import pytest

from tests.rules.checks.test_variants import rules_of

FAULTS = [
    ("es", "unknown-skill", "Cruzar la cornisa requiere Saltar CD 13 y buena suerte."),
    ("es", "unknown-skill", "Reconocer el blasón exige Saber (local) CD 10."),
    ("es", "unknown-skill", "Equilibrio CD 14 para cruzar la viga."),
    ("en", "unknown-skill", "A scholar knows the crest with a Knowledge (local) check (DC 10)."),
    ("en", "unknown-skill", "Gather Information DC 12 brings up the rumour."),
    ("en", "unknown-skill", "Posing as monks takes a DC 15 Charisma (Disguise) check."),
    ("es", "damage-type", "La viga causa 1d10 de daño por golpe a quien pase."),
    ("es", "damage-type", "La espada causa 1d8 de daño físico."),
    ("es", "damage-type", "La lápida causa 1d6 de daño de energía negativa."),
    ("en", "damage-type", "The sword deals 1d8 physical damage."),
    ("en", "damage-type", "The light deals 2d6 points of positive energy damage."),
    ("es", "mixed-units", "El pasillo mide 10 metros. La reja está a 30'."),
    ("en", "mixed-units", "The corridor is 30' long. The gate is 10 m away."),
    ("es", "ambiguous-die", "El objetivo recibe dos dados de daño."),
    ("es", "ambiguous-die", "El jugador tira los dados y suma 3."),
    ("en", "ambiguous-die", "The trap deals several dice of fire damage."),
    ("en", "ambiguous-die", "The player rolls dice and adds 3."),
    ("es", "mixed-language", "Debe superar una salvación de Wisdom CD 12."),
    ("es", "mixed-language", "Haz un check de Perception CD 13."),
    ("es", "mixed-language", "La trampa exige una prueba de Dexterity CD 12."),
    ("en", "mixed-language", "Make a DC 12 Sabiduría saving throw."),
    ("en", "mixed-language", "It takes a Sigilo check, DC 14."),
    ("es", "unknown-condition", "El personaje queda sangrando: 1d4 por turno."),
    ("es", "unknown-condition", "Los que fallen quedan indefensos durante 2 asaltos."),
    ("en", "unknown-condition", "The hero is bleeding and takes 1d4 damage each turn."),
    ("en", "unknown-condition", "A creature that fails the saving throw is fascinated for 1 minute."),
    ("es", "unknown-term", "El héroe gasta un punto de destino."),
    ("en", "unknown-term", "The wizard spends an action point."),
    ("en", "unknown-term", "He may take 10 on the lock."),
    ("es", "term-variant", "El coloso tiene CA 15 y 60 puntos de vida."),
    ("es", "term-variant", "El enemigo usa la acción de Retirada."),
    ("en", "term-variant", "The pillars give full cover to those behind."),
    ("en", "term-variant", "The goblin takes the Withdraw action."),
    ("es", "cover-degree", "La carreta da cobertura estándar."),
    ("en", "cover-degree", "The wagon grants standard cover."),
    ("es", "stat-alias", "El guardia tiene CA 12. El ogro tiene defensa 11."),
    ("en", "stat-alias", "The guard has AC 12. The ogre has Defense 11."),
    ("es", "unknown-term", "Tira de Fortaleza CD 13 o se marea."),
    ("es", "spell-name", "Lo copia con el conjuro Página ilusoria."),
    ("es", "spell-name", "El clérigo lanza Sostener persona."),
    ("en", "spell-name", "The cleric casts Hold Human."),
    ("en", "spell-name", "The sorcerer casts Hands of Burning."),
]
RIGHT = [
    ("es", "Trepar por el muro: CD 12 de Fuerza (Atletismo)."),
    ("es", "Saltar (CD 13 de Atletismo) es la vía rápida."),
    ("es", "El grupo puede escalar la torre o nadar por el foso."),
    ("es", "En un crítico se tiran dos veces los dados de daño del arma."),
    ("es", "El mercader vende un par de dados de hueso."),
    ("es", "Tiene un dado de hueso. Si lo ven, se tira el dado y gana quien antes se ríe."),
    ("es", "El gólem es inmune al daño físico."),
    ("es", "Recibe 2d6 de daño de fuego por golpe."),
    ("es", "La sacerdotisa queda fascinada con el cuadro."),
    ("es", "El grupo llega con ventajas y con desventajas al pleito."),
    ("en", "Jump (DC 13 Athletics) is the quick way."),
    ("en", "The party can search the room or listen at the door."),
    ("en", "Roll the weapon's damage dice twice on a critical hit."),
    ("en", "The golem is immune to physical damage."),
    ("en", "At Hit Dice time, each hero rolls the die they were given."),
    ("en", "The ladder has 30 rungs; 'the bill is 30' he writes."),
    ("en", "He can take 10 coins and leave."),
    ("en", "The guard has AC 12. In their defence 14 men stand up."),
    ("es", "El guardia tiene CA 12 y una armadura de 75 po."),
    ("en", "She is terrified of dogs."),
]


@pytest.mark.parametrize(("language", "rule", "text"), FAULTS)
def test_a_word_that_the_ruleset_does_not_have_is_found(language: str, rule: str, text: str):
    assert rule in rules_of(language, text)


@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_a_right_sentence_near_it_has_no_finding(language: str, text: str):
    assert rules_of(language, text) == set()
