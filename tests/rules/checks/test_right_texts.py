"""Texts that are right get no finding."""

from pathlib import Path

import pytest

from tests.rules.checks.reading import findings, rules_found

HERE = Path(__file__).parent


@pytest.mark.parametrize("language", ["es", "en"])
def test_an_adventure_that_is_right_has_no_finding(language: str) -> None:
    assert findings((HERE / f"right.{language}.md").read_text(encoding="utf-8")) == ()


NEGATIVES = [
    # rule that must not fire, language, text, why
    ("attack-against-dc", "es", "Un ataque de aliento: salvación de Destreza CD 15.", "the DC is a save's"),
    (
        "attack-against-dc",
        "en",
        "It attacks the door (AC 15), or forces it (DC 14 Strength).",
        "a check's DC",
    ),
    ("attack-against-dc", "es", "Puede atacar y luego hacer una prueba de Atletismo CD 12.", "a check's DC"),
    (
        "opportunity-attack-trigger",
        "es",
        "Quien falla y sale del alcance sufre un ataque de oportunidad.",
        "it leaves",
    ),
    (
        "opportunity-attack-trigger",
        "en",
        "It may stand up and move without provoking opportunity attacks.",
        "denied",
    ),
    (
        "opportunity-attack-trigger",
        "en",
        "Whoever leaves its reach provokes an opportunity attack.",
        "the rule",
    ),
    (
        "bonus-action-off-turn",
        "es",
        "En su turno puede atacar de inmediato como acción adicional si falla.",
        "own turn",
    ),
    (
        "bonus-action-off-turn",
        "en",
        "As a bonus action, the goblin can hide immediately.",
        "own turn is meant",
    ),
    ("crit-on-check", "es", "Con un 20 natural en la tirada de ataque, el golpe es crítico.", "an attack"),
    (
        "crit-on-check",
        "en",
        "On a natural 1 the attack misses; then make a DC 12 Stealth check.",
        "an attack",
    ),
    ("crit-on-check", "en", "On death saving throws, a natural 20 restores 1 hit point.", "a death save"),
    ("fall-damage", "es", "Cae 9 metros y recibe 3d6 de daño contundente.", "1d6 for each 3 m"),
    (
        "fall-damage",
        "es",
        "Cae 3 metros sobre las estacas: 1d6 de daño contundente y 2d6 de daño perforante.",
        "spikes",
    ),
    (
        "fall-damage",
        "en",
        "A creature that falls takes 1d6 bludgeoning damage for every 10 feet.",
        "the rate itself",
    ),
    ("fall-damage", "en", "Falling 300 feet into the gorge deals 20d6 bludgeoning damage.", "20d6 at most"),
    (
        "total-cover-targeted",
        "es",
        "Tras el muro hay cobertura completa y nadie puede atacar a quien esté detrás.",
        "denied",
    ),
    (
        "total-cover-targeted",
        "en",
        "The wall gives total cover; archers inside can shoot anyone outside.",
        "from inside",
    ),
    (
        "condition-no-escape",
        "es",
        "Queda apresado hasta el final de su siguiente turno.",
        "it ends by itself",
    ),
    ("condition-no-escape", "en", "It becomes restrained. A DC 12 Strength check breaks free.", "a way out"),
    ("mixed-units", "es", "Alcance de 9 m (30 pies). El muro mide 3 metros de alto.", "a conversion"),
    (
        "mixed-units",
        "es",
        "Está a 5 metros. Se puso en pie y salió a pie con los dos pies mojados.",
        "feet of a body",
    ),
    (
        "cover-degree",
        "es",
        "La cobertura del pastel es parcial, pero hay cobertura media tras la mesa.",
        "a cake",
    ),
    (
        "damage-type",
        "es",
        "La trampa causa 2d6 de daño a todos y 1d4 de daño adicional al primero.",
        "no type word",
    ),
    (
        "damage-type",
        "en",
        "The trap deals 2d6 damage to each creature and 1d4 extra damage on a hit.",
        "no type word",
    ),
    ("ambiguous-die", "es", "El jugador tira un dado de seis caras: con un 1, cae.", "the size is said"),
    (
        "ambiguous-die",
        "en",
        "Roll a d6: on a 1 the rope snaps. They dice for the wine all night.",
        "the size is said",
    ),
    ("ambiguous-die", "en", "“Roll a die for your life,” she laughs.", "speech"),
    (
        "stat-alias",
        "es",
        "La puerta tiene 10 PG; la reja, 20 puntos de golpe.",
        "the word and its short form",
    ),
    ("unknown-skill", "es", "Una prueba de Destreza (herramientas de ladrón) CD 12 abre el cofre.", "a tool"),
    ("unknown-skill", "en", "A DC 12 Dexterity (thieves' tools) check opens the chest.", "a tool"),
    (
        "unknown-term",
        "es",
        "La banda completa entra en acción. Fue una acción rápida y valiente.",
        "plain words",
    ),
    ("condition-no-escape", "en", "Magic can neither slow you nor cause you to be restrained.", "kept off"),
    ("condition-no-escape", "es", "El fantasma no puede ser agarrado ni quedar apresado.", "kept off"),
    ("condition-no-escape", "en", "It becomes paralyzed for the duration of the spell.", "it ends by itself"),
    ("ambiguous-die", "en", "Roll a d4. You can roll the die before or after the check.", "said before"),
    ("ambiguous-die", "es", "Se tira 1d6. Tras tirar el dado, con un 1, la cuerda cede.", "said before"),
    ("ambiguous-die", "en", "After you roll the die for the ability check, choose.", "a d20"),
    ("condition-no-escape", "es", "Mientras está apresado, su velocidad es 0.", "what it does"),
    ("damage-type", "en", "The armor resists one damage type of your choice.", "no type word"),
    ("unknown-skill", "en", "The wire is thin: the DC is 15 to spot it.", "a verb"),
    ("spell-name", "en", "The mage casts the feather fall spell and then fireball.", "their names"),
]


@pytest.mark.parametrize(
    ("rule", "language", "text", "why"), NEGATIVES, ids=[f"{n[0]}: {n[3]}" for n in NEGATIVES]
)
def test_a_right_sentence_does_not_break_the_rule(rule: str, language: str, text: str, why: str) -> None:
    assert rule not in rules_found(text + "\n", language=language), why
