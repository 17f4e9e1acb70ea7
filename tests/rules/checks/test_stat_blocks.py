"""What an adventure's stat blocks say is held against the text."""

import pytest

from rules.facts import ActionFacts, Facts, StatFacts
from tests.rules.checks.reading import findings

OGLA = StatFacts(
    name="Ogla",
    ac=14,
    hp=60,
    senses={"darkvision": 18.0, "passive_perception": 12},
    actions=(
        ActionFacts("Garra", attack=6, reach_m=1.5),
        ActionFacts("Mirada", range_m=18, save_dc=13, save_ability="wis"),
    ),
)
RUNA = StatFacts(name="Runa", speeds_m={"walk": 9.0}, actions=(ActionFacts("Canto", range_m=18, save_dc=13),))
CORAL = StatFacts(name="Jueza Coral", ac=16, hp=136)
OLD = StatFacts(name="Muela Vieja", ac=11, hp=45)
QUEEN = StatFacts(name="Reina de Trapo", speeds_m={"walk": 6.0}, senses={"blindsight": 18.0})
RAM = StatFacts(
    name="Frost Ram", speeds_m={"walk": 15.0}, actions=(ActionFacts("Icy Bellow", range_m=9, save_dc=14),)
)
FACTS = Facts(
    level=4,
    names=("Ogla", "Tirso"),
    stat_blocks={b.name: b for b in (OGLA, RUNA, CORAL, OLD, QUEEN, RAM)},
)

WRONG = [
    (
        "es",
        "stat-block-drift",
        "La Reina de Trapo espera en su trono. Si la reina se levanta, su velocidad es de 9 metros.",
        "9 metros",
    ),
    ("es", "stat-block-drift", "La Reina de Trapo espera. Tiene una velocidad de 12 metros.", "12 metros"),
    ("es", "stat-block-drift", "La Reina de Trapo tiene visión ciega hasta 36 metros.", "36 metros"),
    (
        "es",
        "stat-block-drift",
        "La Reina de Trapo percibe cuanto anda a 36 metros con su visión ciega.",
        "36 metros",
    ),
    ("en", "stat-block-drift", "The Frost Ram grazes on a ledge. Its speed is 30 feet.", "30 feet"),
    (
        "en",
        "stat-block-drift",
        "When it bellows, each creature makes a DC 16 Constitution saving throw.",
        "DC 16",
    ),
    (
        "es",
        "stat-block-drift",
        "Cuando Ogla clava la mirada, se hace una salvación de Sabiduría CD 17.",
        "CD 17",
    ),
    ("en", "stat-block-drift", "Ogla turns her Mirada on them: a DC 16 Wisdom saving throw.", "DC 16"),
    ("es", "save-not-attack", "Tirso huye, pero los ataques de Runa contra él tienen ventaja.", "ventaja"),
    ("en", "save-not-attack", "Runa's attacks against that creature have advantage.", "advantage"),
    ("es", "stat-block-drift", "Runa (velocidad 15 metros) canta.", "15 metros"),
    ("en", "stat-block-drift", "Runa (speed 50 feet) sings.", "50 feet"),
    ("es", "stat-block-drift", "Ogla tiene visión ciega y no necesita luz.", "visión ciega"),
    ("es", "stat-block-drift", "Ogla (CA 17) espera en el umbral.", "CA 17"),
    ("en", "stat-block-drift", "Ogla has AC 12 and waits.", "AC 12"),
    ("en", "stat-block-drift", "Ogla (45 hit points) waits.", "45 hit points"),
    ("es", "save-not-attack", "Ogla tiene desventaja en sus ataques a distancia por el humo.", "desventaja"),
    ("en", "save-not-attack", "Ogla has disadvantage on its ranged attacks in the smoke.", "disadvantage"),
]
RIGHT = [
    ("es", "La Reina de Trapo espera. El carro tiene una velocidad de 12 metros."),
    ("es", "Otra reina se levanta; su velocidad es de 9 metros."),
    ("es", "La Reina de Trapo percibe con su visión ciega a quien se acerca a 9 metros."),
    ("en", "The Frost Ram grazes on a ledge. Tirso comes near. Its speed is 30 feet."),
    ("en", "The Frost Ram grazes. Its speed is 50 feet."),
    ("en", "When it bellows, each creature makes a DC 14 Constitution saving throw."),
    ("en", "When the rope breaks, each creature makes a DC 16 Dexterity saving throw."),
    ("es", "Cuando Ogla clava la mirada, se hace una salvación de Sabiduría CD 13."),
    ("es", "Ogla espera junto a la trampa: una salvación de Destreza CD 17."),
    ("es", "Un puente de coral (CA 16, 40 PG) y una soga vieja (CA 11, 4 PG)."),
    ("en", "A coral gate (AC 16, 40 HP) and an old rope (AC 11, 4 HP)."),
    ("en", "Runa (speed 30 feet) sings."),
    ("es", "Ogla (CA 14, 60 PG) tiene visión en la oscuridad 18 m."),
    ("en", "Ogla has AC 14 and 60 hit points, and darkvision."),
    ("es", "Ogla golpea la puerta de hierro, que tiene CA 17."),
    ("es", "Tirso tiene visión ciega. Ogla no tiene visión ciega."),
    ("es", "Los ataques contra Ogla tienen desventaja por el humo."),
    ("es", "Ogla tiene desventaja en sus ataques cuerpo a cuerpo."),
]


@pytest.mark.parametrize(("language", "rule", "text", "quote"), WRONG)
def test_what_contradicts_a_block_is_found(language: str, rule: str, text: str, quote: str) -> None:
    found = [f for f in findings(text, FACTS, language=language) if f.rule == rule]
    assert found
    assert quote in found[0].quote


@pytest.mark.parametrize(("language", "text"), RIGHT)
def test_what_agrees_with_a_block_is_right(language: str, text: str) -> None:
    rules = {f.rule for f in findings(text, FACTS, language=language)}
    assert not rules & {"stat-block-drift", "save-not-attack"}


def test_without_facts_nothing_is_said_of_blocks() -> None:
    for language, _, text, _ in WRONG:
        assert not {f.rule for f in findings(text, language=language)} & {
            "stat-block-drift",
            "save-not-attack",
        }
