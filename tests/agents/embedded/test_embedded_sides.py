"""Nobody of the cast is made an enemy unless note, deed, stat block or objective say so."""

from collections.abc import Iterable
from typing import Any

import pytest

from agents.embedded.brief import Brief, make_brief
from agents.embedded.scenes import SceneSpec, plan_scenes
from agents.embedded.stage import decider_of, opponents
from agents.types import Person
from concilio.domain.adventure import ChapterOutline
from tests.agents.embedded.support import PARTY, canon, debate, write

KINDS = {"es": ("Sigilo", "Social", "Combate", "Persecución"), "en": ("Stealth", "Social", "Combat", "Chase")}
GOALS = {
    "es": ("Sacar el libro de la aduana con Lina", "Averiguar qué calla Lina", "Cruzar la bahía"),
    "en": ("Get the ledger out with Lina", "Find out what Lina keeps to herself", "Cross the bay"),
}


def _brief(language: str, person: Person, seed: int = 1, **values: Any) -> Brief:
    outline = ChapterOutline.model_validate({"number": 1, "title": "X", "scenes": 4, **values})
    other = Person(name="Hale", note="pirata villano pirate villain")
    return make_brief(canon(language, (person, other), party=PARTY), outline, seed)


NO_ENEMIES = [
    ("es", "contable de la aduana"),
    ("es", ""),
    ("es", "amiga del grupo"),
    ("es", "antigua pirata, ahora panadera"),
    ("es", "enemiga de los piratas"),
    ("es", "enemiga de Hale"),
    ("es", "capitana de la guardia, aliada del grupo"),
    ("es", "molinera que guía al grupo hasta la compuerta"),
    ("es", "hermana de Ulla"),
    ("es", "guardia de la duquesa, neutral"),
    ("es", "no es hostil"),
    ("en", "clerk of the customs house"),
    ("en", ""),
    ("en", "friend of the party"),
    ("en", "former pirate, now a baker"),
    ("en", "enemy of the pirates"),
    ("en", "rival of Hale"),
    ("en", "captain of the guard, ally of the party"),
    ("en", "miller who guides the party as far as the sluice"),
    ("en", "sister of Ulla"),
    ("en", "guard of the duchess, neutral"),
    ("en", "not hostile"),
]


@pytest.mark.parametrize(("language", "note"), NO_ENEMIES)
def test_of_whom_the_adventure_says_no_ill_is_no_enemy_in_any_chapter(language: str, note: str):
    for kind in KINDS[language]:
        for goal in GOALS[language]:
            brief = _brief(language, Person(name="Lina", note=note), kind=kind, objective=goal, notes="Lina.")
            assert "Lina" not in {f.name for f in opponents(brief)}, (kind, goal)
            assert "Lina" not in _foes(plan_scenes(brief, 4)), (kind, goal)


def _foes(specs: Iterable[SceneSpec]) -> set[str]:
    """Return whom the texts of some scenes call the enemy: no host, and nobody who decides."""
    named = [spec.stage.figure for spec in specs if spec.beat.shape.foe not in ("host", "partner")]
    return {figure.name for figure in named if figure}


ENEMIES = [
    ("es", Person(name="Lina", note="hostil")),
    ("es", Person(name="Lina", note="amiga de los piratas")),
    ("es", Person(name="Lina", note="sirve a todos; sirvienta de Hale")),
    ("es", Person(name="Lina", note="jefa de bandidos")),
    ("es", Person(name="Lina", note="guía del grupo y traidora")),
    ("es", Person(name="Lina", note="contable", fights=True)),
    ("en", Person(name="Lina", note="hostile")),
    ("en", Person(name="Lina", note="friend of the pirates")),
    ("en", Person(name="Lina", note="servant of Hale")),
    ("en", Person(name="Lina", note="chief of the bandits")),
    ("en", Person(name="Lina", note="guide of the party and a traitor")),
    ("en", Person(name="Lina", note="clerk", fights=True)),
]


@pytest.mark.parametrize(("language", "person"), ENEMIES)
def test_of_whom_the_adventure_says_it_is_an_opponent(language: str, person: Person):
    brief = _brief(language, person, kind=KINDS[language][2], notes="Lina.")
    assert "Lina" in {f.name for f in opponents(brief)}


KEEPERS = [
    ("es", "guardia del puerto", "Sigilo", "Sacar el libro", True),
    ("es", "guardia del puerto", "Social", "Averiguar quién robó el libro", False),
    ("es", "comanda la guarnición", "Persecución", "Escapar de la ciudad", True),
    ("es", "comanda la guarnición", "Social", "Pedir ayuda", False),
    ("en", "harbour watch", "Stealth", "Get the ledger out", True),
    ("en", "harbour watch", "Social", "Find out who stole the ledger", False),
    ("en", "leads the garrison", "Chase", "Escape from the city", True),
    ("en", "leads the garrison", "Social", "Ask for help", False),
]


@pytest.mark.parametrize(("language", "note", "kind", "objective", "hostile"), KEEPERS)
def test_who_keeps_a_place_opposes_those_who_come_unseen_or_flee_and_nobody_else(
    language: str, note: str, kind: str, objective: str, hostile: bool
):
    brief = _brief(language, Person(name="Lina", note=note), kind=kind, objective=objective)
    assert [f.hostile for f in brief.figures if f.name == "Lina"] == [hostile or None]


RACES = [
    ("es", "Sacar el libro antes de que Lina abra la cámara", True),
    ("es", "Hablar con el médico antes de que Lina muera", None),
    ("en", "Get the ledger out before Lina opens the strongroom", True),
    ("en", "Find the healer before Lina dies", None),
]


@pytest.mark.parametrize(("language", "objective", "hostile"), RACES)
def test_before_whom_the_party_has_to_be_done_is_an_opponent(
    language: str, objective: str, hostile: bool | None
):
    brief = _brief(language, Person(name="Lina", note=""), objective=objective)
    assert [f.hostile for f in brief.figures if f.name == "Lina"] == [hostile]


@pytest.mark.parametrize(("language", "name"), [("es", "Pajes"), ("en", "Pages")])
def test_many_are_no_enemies_by_their_number(language: str, name: str):
    brief = _brief(language, Person(name=name, count=5), kind=KINDS[language][0], notes=name)
    assert name not in {f.name for f in opponents(brief)}


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("seed", range(4))
def test_the_friend_of_a_chapter_does_nothing_against_the_party(language: str, seed: int):
    """What the tutorial's reader saw: *Lina risks everything so that nothing leaves this place*."""
    words: dict[str, tuple[str, str, str, str]] = {
        "es": (
            "contable",
            "guardia del puerto",
            "Sigilo / Social",
            "Sacar el libro antes de que la capitana abra la cámara",
        ),
        "en": (
            "clerk",
            "harbour watch",
            "Stealth / Social",
            "Get the ledger out before the captain opens the strongroom",
        ),
    }
    note, watch, kind, goal = words[language]
    cast = (
        Person(name={"es": "Capitana Hale", "en": "Captain Hale"}[language], note=watch),
        Person(name="Lina", note=note),
    )
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=goal, notes="Lina.", scenes=3)
    known = canon(language, cast)
    plan = debate(known, outline, seed, 3).plan
    against = ("Lina risks", "Lina will", "Lina se juega", "Lina hará", "Lina no se detendrá")
    told = "\n".join(s.situation for s in plan.scenes) + "\n".join(
        s.text for s in write(known, outline, seed, plan)
    )
    assert not [words for words in against if words in told]


SLEEPERS = [
    ("es", "un trol que duerme en el foso", "Cruzar el sótano sin despertar a Raigón", False),
    ("es", "un trol que duerme en el foso", "Matar a Raigón", True),
    ("en", "a troll that sleeps in the pit", "Cross the cellar without waking Raigon", False),
    ("en", "a troll that sleeps in the pit", "Kill Raigon", True),
]


@pytest.mark.parametrize(("language", "note", "objective", "stirs"), SLEEPERS)
def test_who_sleeps_opposes_only_those_who_come_for_them(
    language: str, note: str, objective: str, stirs: bool
):
    name = {"es": "Raigón", "en": "Raigon"}[language]
    brief = _brief(language, Person(name=name, note=note, fights=True), objective=objective)
    assert (name in {f.name for f in opponents(brief)}) is stirs


@pytest.mark.parametrize(
    ("language", "objective", "consequence"),
    [
        ("es", "Convencer a Bruno de que suelte a Pim", "Fallo: Detienen a Pim."),
        ("en", "Convince Bruno to free Pim", "Failure: Pim is arrested."),
    ],
)
def test_who_decides_is_whom_the_objective_addresses_first(language: str, objective: str, consequence: str):
    known = canon(language, (Person(name="Pim"), Person(name="Bruno")))
    outline = ChapterOutline(
        number=1, title="X", kind="Social", objective=objective, consequences=(consequence,)
    )
    decider = decider_of(make_brief(known, outline, 1))
    assert decider is not None
    assert decider.name == "Bruno"


HELPS = [
    ("es", "Éxito: Lina enseña al grupo el frasco.", True),
    ("es", "Éxito: Lina les guarda su barca.", True),
    ("es", "Fallo: Lina guarda silencio.", False),
    ("en", "Success: Lina shows the party the vial.", True),
    ("en", "Success: Lina keeps her boat ready for them.", True),
    ("en", "Failure: Lina keeps silent.", False),
]


@pytest.mark.parametrize(("language", "consequence", "helps"), HELPS)
def test_who_does_something_for_the_party_in_a_consequence_is_its_friend(
    language: str, consequence: str, helps: bool
):
    brief = _brief(language, Person(name="Lina"), consequences=(consequence,))
    assert [f.ally for f in brief.figures if f.name == "Lina"] == [helps]


@pytest.mark.parametrize(("language", "note"), [("es", "amiga del grupo"), ("en", "friend of the party")])
def test_a_friend_is_not_coaxed_and_goes_first_where_somebody_helps(language: str, note: str):
    cast = (Person(name="Bruno", note=""), Person(name="Lina", note=note))
    kind = "Exploración / Social" if language == "es" else "Exploration / Social"
    outline = ChapterOutline(number=1, title="X", kind=kind, notes="Bruno, Lina.", scenes=6)
    for seed in range(6):
        for spec in plan_scenes(make_brief(canon(language, cast), outline, seed), 6):
            speaker = spec.stage.speaker
            assert spec.beat.shape.foe != "host" or spec.stage.figure is None or not spec.stage.figure.ally
            assert spec.beat.shape.speaker != "ally" or speaker is None or speaker.name == "Lina"
