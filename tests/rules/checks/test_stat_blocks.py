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
FACTS = Facts(
    level=4,
    names=("Ogla", "Tirso"),
    stat_blocks={b.name: b for b in (OGLA, RUNA, CORAL, OLD)},
)

WRONG = [
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
