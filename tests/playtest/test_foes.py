"""Whom a scene's party fights, and whether the fight counts for the scene."""

from collections import Counter
from dataclasses import replace

import pytest

from rules.checks.context import Context
from rules.facts import ActionFacts, Facts, StatFacts
from rules.odds.dice import spread
from rules.playtest.fights import fighter
from rules.playtest.model import Playtest
from rules.ruleset import load_ruleset
from tests.playtest.chapters import PARTY, Scene, chances, chapter, play

SRD = load_ruleset("srd5e")
OUTCOMES = {"es": ("Éxito: Pasan.", "Fallo: No."), "en": ("Success: In.", "Failure: Out.")}
PLACES = {
    "es": ("PJs, 2 ogros.", "Dos ogros atacan."),
    "en": ("PCs, 2 ogres.", "Two ogres guard it, and attack whoever comes."),
}


def played(language: str, action: str) -> Playtest:
    """A scene with two ogres."""
    return play(language, [Scene(action, OUTCOMES[language], *PLACES[language])])


BOTH = [
    ("es", "Derrotar a los ogros y luego Investigación CD 15."),
    ("es", "Matan a los ogros. Investigación CD 15."),
    ("es", "Sigilo CD 15 para rodearlos, y luego combaten."),
    ("en", "Kill the two ogres. Then Investigation DC 15."),
    ("en", "Stealth DC 15 to get behind them, then fight the ogres."),
]


@pytest.mark.parametrize(("language", "action"), BOTH)
def test_a_fight_and_a_roll_both_count(language: str, action: str) -> None:
    found = played(language, action)
    (met,) = found.encounters
    assert met.win is not None
    assert 0.05 < met.win < 0.5
    assert chances(found.scenes[0])[0] == pytest.approx(met.win * 0.55)
    assert met.counted


@pytest.mark.parametrize(
    ("language", "action"),
    [
        ("es", "Combatir a los ogros o pasar con Sigilo CD 15."),
        ("en", "Fight the ogres, or sneak past: Stealth DC 15."),
    ],
)
def test_a_fight_may_be_the_other_way(language: str, action: str) -> None:
    found = played(language, action)
    assert chances(found.scenes[0])[0] == pytest.approx(0.55)
    assert found.encounters[0].counted


APART = [
    ("es", "Sigilo CD 15 para llegar a la puerta."),
    ("es", "Evitan el combate con Sigilo CD 15."),
    ("es", "Sigilo CD 15; si fallan, pelean con los ogros."),
    ("en", "Stealth DC 15 to reach the door."),
    ("en", "A DC 15 Stealth check to avoid the fight."),
]


@pytest.mark.parametrize(("language", "action"), APART)
def test_a_fight_that_is_left_out_is_said(language: str, action: str) -> None:
    found = played(language, action)
    assert chances(found.scenes[0])[0] == pytest.approx(0.55)
    assert not found.encounters[0].counted
    assert "fight_apart" in found.notes


LONE: list[tuple[str, str, str, str, dict[str, int]]] = [
    ("es", "PJs, hidra", "La hidra ataca al grupo.", "Derrotar a la hidra.", {"hidra": 1}),
    ("en", "PCs, hydra.", "The hydra attacks.", "Defeat the hydra.", {"hydra": 1}),
    ("es", "PJs, ogro, noble.", "El ogro ataca al noble.", "Derrotar al ogro.", {"ogro": 1}),
    ("es", "PJs, un troll.", "Los acechan.", "Matar al troll.", {"trol": 1}),
    ("es", "PJs, los goblins.", "Los goblins atacan.", "Derrotarlos.", {}),
    ("en", "PCs, goblins.", "The goblins attack.", "Defeat them.", {}),
]


@pytest.mark.parametrize(("language", "present", "situation", "action", "wanted"), LONE)
def test_a_creature_without_a_number_is_one(
    language: str, present: str, situation: str, action: str, wanted: dict[str, int]
) -> None:
    found = play(language, [Scene(action, OUTCOMES[language], present, situation)])
    assert {name: n for met in found.encounters for name, n in met.foes} == wanted
    assert ("uncounted" in found.notes) == (not wanted)


GUARD = StatFacts("Guardia Real", 17, 58, 3, 2, actions=(ActionFacts("Espada", 5, 2, damage="1d8+3"),))


WRITTEN = ["2 Guardias Reales", "Guardia Real (2)", "dos Guardia Real", "Guardias Reales"]


@pytest.mark.parametrize("present", WRITTEN)
def test_the_designers_own_creature_goes_before_the_srds_also_in_the_plural(present: str) -> None:
    scene = Scene("Derrotarlos.", OUTCOMES["es"], f"PJs, {present}.", "Los guardias atacan.")
    found = play("es", [scene], cast={"Guardia Real": GUARD})
    assert [met.foes for met in found.encounters] == [(("Guardia Real", 2),)]
    assert found.encounters[0].xp == 1400


ASKS_FOR_A_SAVE = {"guardian_naga"}
"""Their best attack does nothing but ask for a saving throw, which a duel leaves out."""


def test_every_creature_fights_the_same_by_its_name_and_as_a_member_of_the_cast() -> None:
    document = chapter("en", [Scene("…", OUTCOMES["en"])])
    for key, creature in SRD.creatures.items():
        cast = {"Zed": replace(creature.facts, name="Zed")}
        named = fighter(Context(document, SRD, Facts(3, PARTY)), creature.names["en"].word)
        own = fighter(Context(document, SRD, Facts(3, PARTY, stat_blocks=cast)), "Zed")
        if key not in ASKS_FOR_A_SAVE:
            assert (named is None) == (own is None), key
        if named and own and key not in ASKS_FOR_A_SAVE:
            assert (named.hp, named.ac, Counter(named.attacks)) == (own.hp, own.ac, Counter(own.attacks)), key


DAMAGE = [
    ("1d8+3 cortante", 7.5),
    ("1d8+3 cortante más 2d6 de fuego", 14.5),
    ("1d8+3 cortante + 2d6 fuego", 14.5),
    ("1d8+3 o 1d10+3 a dos manos", 7.5),
    ("4d6 de fuego (CD 13, la mitad)", 14),
]


@pytest.mark.parametrize(("text", "mean"), DAMAGE)
def test_all_of_a_hits_damage_is_dealt(text: str, mean: float) -> None:
    block = StatFacts("Bestia", 12, 20, 1, actions=(ActionFacts("Golpe", 5, damage=text),))
    document = chapter("es", [Scene("…", OUTCOMES["es"])])
    context = Context(document, SRD, Facts(3, PARTY, stat_blocks={"Bestia": block}))
    found = fighter(context, "Bestia")
    assert found is not None
    assert spread(found.attacks[0].damage).mean == pytest.approx(mean)
