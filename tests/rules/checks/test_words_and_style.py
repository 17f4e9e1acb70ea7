"""Conditions that are none, languages that mix, style: what breaks a rule, and what does not."""

import pytest

from rules.facts import Facts, PartySheet
from tests.rules.checks.reading import findings

FACTS = Facts(level=3, party=(PartySheet(name="Lyra", level=3), PartySheet(name="Ser Bruno", level=3)))

WRONG = [
    # rule, language, text, quote
    (
        "unknown-condition",
        "es",
        "Quien falla la salvación de Constitución CD 12 sufre la condición de mareado.",
        "mareado",
    ),
    (
        "unknown-condition",
        "es",
        "Gana la condición «lisiado» hasta el final de su siguiente turno.",
        "lisiado",
    ),
    (
        "unknown-condition",
        "es",
        "Debe superar una salvación de Sabiduría CD 13 o quedar ralentizada.",
        "ralentizada",
    ),
    ("unknown-condition", "es", "El monje queda **confundido** durante 1 minuto.", "confundido"),
    ("unknown-condition", "es", "**Inmunidades a condiciones** envenenado, sangrante, asustado", "sangrante"),
    ("unknown-condition", "en", "On a failed DC 13 Wisdom save it gains the dazed condition.", "dazed"),
    ("unknown-condition", "en", "It has the *Sluggish* condition.", "Sluggish"),
    (
        "unknown-condition",
        "en",
        "A creature must succeed on a DC 12 Constitution saving throw or be slowed.",
        "slowed",
    ),
    ("unknown-condition", "en", "The target is dazed until the end of its next turn.", "dazed"),
    ("unknown-condition", "en", "Condition Immunities charmed, bleeding, poisoned", "bleeding"),
    (
        "mixed-language",
        "es",
        "El guardia duda. The guard steps back and looks at the door with fear. Luego corre.",
        "The guard steps back",
    ),
    ("mixed-language", "es", "Hace falta una prueba de Stealth CD 13.", "Stealth"),
    ("mixed-language", "es", "La puerta se abre con una prueba de Sleight of Hand CD 13.", "Sleight of Hand"),
    ("mixed-language", "es", "Quien falla el saving throw cae al agua.", "saving throw"),
    (
        "mixed-language",
        "en",
        "The guard waits. El guardia retrocede y mira hacia la puerta con miedo. Then he runs.",
        "El guardia retrocede",
    ),
    ("mixed-language", "en", "It takes a DC 13 Sigilo check.", "Sigilo"),
    ("mixed-language", "en", "The wall gives cobertura media to anyone behind it.", "cobertura media"),
    ("ai-prose", "es", "La torre es un testimonio de tiempos mejores.", "un testimonio de"),
    ("ai-prose", "en", "Little do they know what waits below.", "Little do they know"),
    ("player-agency", "es", "Los personajes deciden seguir al anciano.", "deciden seguir"),
    ("player-agency", "es", "Al verlo, el grupo no puede evitar gritar.", "no puede evitar"),
    ("player-agency", "es", "Lyra siente miedo y retrocede.", "siente miedo"),
    ("player-agency", "es", "Os invade el miedo.", "invade el miedo"),
    ("player-agency", "es", "Sentís un miedo que no se va.", "un miedo"),
    ("player-agency", "en", "The characters decide to follow the old man.", "decide to"),
    ("player-agency", "en", "> The door opens. Your heart races.", "Your heart races"),
    ("player-agency", "en", "Ser Bruno feels compelled to kneel.", "feels compelled"),
    (
        "read-aloud-length",
        "es",
        "> " + "El viento mueve la puerta y nadie responde al otro lado. " * 12,
        "El viento",
    ),
    (
        "read-aloud-length",
        "en",
        "> " + "The wind moves the door and nobody answers on the other side. " * 12,
        "The wind",
    ),
]


@pytest.mark.parametrize(("rule", "language", "text", "quote"), WRONG, ids=[f"{w[0]}: {w[3]}" for w in WRONG])
def test_what_breaks_the_rule_is_found(rule: str, language: str, text: str, quote: str) -> None:
    found = [f for f in findings(text + "\n", FACTS, language=language) if f.rule == rule]
    assert len(found) == 1
    assert quote in found[0].quote


RIGHT = [
    # rule, language, text
    (
        "unknown-condition",
        "es",
        "El suelo queda inclinado. La condición del puente es mala y la condición de noble pesa.",
    ),
    (
        "unknown-condition",
        "es",
        "Adquiere la condición de ciudadano. Está mareado y confundido por el viaje.",
    ),
    (
        "unknown-condition",
        "es",
        "Sufre la condición de apresado (CD 12 para liberarse). Tiene las siguientes condiciones.",
    ),
    (
        "unknown-condition",
        "es",
        "Debe superar una salvación CD 13 o queda ralentizado. Mientras está ralentizado, va a la mitad.",
    ),
    ("unknown-condition", "es", "Inmunidades a condiciones: envenenado, cansancio, ninguna otra"),
    (
        "unknown-condition",
        "en",
        "It is in good condition. The weather condition worsens. He has the same condition.",
    ),
    (
        "unknown-condition",
        "en",
        "On a failed DC 13 Wisdom save it gains the frightened condition for 1 minute.",
    ),
    ("unknown-condition", "en", "The guard is confused by the question and slowed by his armor."),
    (
        "unknown-condition",
        "en",
        "On a failed save it is slowed for 1 minute. While slowed, its speed is halved.",
    ),
    ("unknown-condition", "en", "Condition Immunities charmed, exhaustion, prone"),
    (
        "mixed-language",
        "es",
        "«The king is dead and the queen is gone», dice el mensajero. Nadie lo entiende.",
    ),
    ("mixed-language", "es", "Una prueba de Juego de Manos (Sleight of Hand) CD 13 abre la caja."),
    (
        "mixed-language",
        "es",
        "El tema se llama The House of the Rising Sun y suena en la taberna toda la noche.",
    ),
    ("mixed-language", "es", "Hace una prueba de Sigilo CD 13. El DC no cambia."),
    (
        "mixed-language",
        "en",
        "The inn is called La Casa de los Gatos, and its cook is from the south of the river.",
    ),
    (
        "mixed-language",
        "en",
        "“El rey ha muerto y la reina se ha ido por el camino,” says the man from the hills.",
    ),
    ("mixed-language", "en", "A Wisdom (Perception) check reveals the saving throw of the trap."),
    ("ai-prose", "es", "El testigo firma un testimonio. Hay un tapiz en la pared y una sinfonía en el coro."),
    ("ai-prose", "en", "The witness gives testimony beside a tapestry. The air is cold."),
    ("player-agency", "es", "Si los personajes deciden seguir al anciano, llegan a la cripta."),
    (
        "player-agency",
        "es",
        "Los personajes deciden si ayudan. ¿Qué decidís hacer? El grupo puede elegir otro camino.",
    ),
    ("player-agency", "es", "El anciano siente miedo. La guardia decide cerrar la puerta al grupo."),
    (
        "player-agency",
        "es",
        "Quien falla una salvación de Sabiduría CD 12 queda asustado: los personajes sienten miedo.",
    ),
    ("player-agency", "es", "—Los personajes deciden morir —recita el actor."),
    ("player-agency", "en", "If the characters decide to follow the old man, they reach the crypt."),
    ("player-agency", "en", "You decide to run this scene at night. The characters decide whether to help."),
    ("player-agency", "en", "The old man feels afraid. The guards decide to shut the door on the party."),
    ("player-agency", "en", "Once the party chooses to rest, the wolves come."),
    ("read-aloud-length", "es", "> " + "El viento mueve la puerta y nadie responde. " * 8),
    (
        "read-aloud-length",
        "en",
        "> ## Ogre\n> **Armor Class** 11\n"
        + "> - It hits the door and nobody answers on the other side.\n" * 20,
    ),
    ("read-aloud-length", "en", "The wind moves the door and nobody answers on the other side. " * 20),
]


@pytest.mark.parametrize(("rule", "language", "text"), RIGHT, ids=[f"{r[0]}: {r[2][:40]}" for r in RIGHT])
def test_what_is_right_is_left_alone(rule: str, language: str, text: str) -> None:
    assert [f.quote for f in findings(text + "\n", FACTS, language=language) if f.rule == rule] == []


def test_a_text_meant_to_have_two_languages_is_left_alone() -> None:
    text = (
        "El guardia retrocede y mira hacia la puerta.\n\nThe guard steps back and looks at the door.\n\n" * 3
    )
    assert not [f for f in findings(text, language="es") if f.rule == "mixed-language"]


def test_a_foreign_skill_is_told_once() -> None:
    assert [f.rule for f in findings("Una prueba de Stealth CD 13 basta.\n", language="es")] == [
        "mixed-language"
    ]


def test_a_very_long_read_is_a_warning() -> None:
    text = "> " + "El viento mueve la puerta y nadie responde al otro lado. " * 20
    assert [f.severity for f in findings(text, language="es")] == ["warning"]
