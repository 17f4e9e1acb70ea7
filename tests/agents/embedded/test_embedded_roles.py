"""Things and persons taken out, places of two words, and whom an outline gives which part."""

from typing import Any

import pytest

from agents.embedded.beats import sentences
from agents.embedded.brief import make_brief
from agents.embedded.drafting import present_line
from agents.embedded.grammar import grammar_of
from agents.embedded.outline import clauses_of
from agents.embedded.places import class_of
from agents.embedded.scenes import SceneSpec, plan_scenes
from agents.embedded.stage import opponents
from agents.types import Person
from concilio.domain.adventure import ChapterOutline
from tests.agents.embedded.support import canon, debate, write


@pytest.mark.parametrize(
    ("language", "goal", "deed"),
    [
        ("es", "sacar el libro antes de que el capitán abra la cámara", "take"),
        ("es", "sacar las actas de la casa", "take"),
        ("es", "llevarse el cáliz sin que nadie lo note", "take"),
        ("es", "sacar a los mineros de la galería", "free"),
        ("es", "sacar al prisionero de la torre", "free"),
        ("en", "get the ledger out before the captain opens the strongroom", "take"),
        ("en", "get the prisoners out of the mine", "free"),
        ("en", "extract the ore sample", "take"),
        ("en", "extract the hostage", "free"),
    ],
)
def test_a_thing_is_taken_out_and_a_person_is_freed(language: str, goal: str, deed: str):
    assert clauses_of(goal, ("stealth",), grammar_of(language))[-1].deed == deed


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("es", "La aduana, una hora antes de la marea", "customs"),
        ("en", "The customs house, one hour before the tide turns", "customs"),
        ("en", "The counting house on the hill", "post"),
        ("en", "The toll house", "house"),
    ],
)
def test_a_house_of_two_words_is_told_by_both(language: str, text: str, kind: str):
    assert class_of(text, language) == kind


def test_what_is_taken_out_is_named_without_its_adverb():
    item = grammar_of("en").handled("recover the ledger out of the vault")
    assert item is not None
    assert item.the == "the ledger"
    assert [noun.the for noun in grammar_of("en").tactics("a coal chute wide enough for one")] == [
        "the coal chute"
    ]


CREW = (
    Person(name="Brígida Noal", note="contable; ha vendido la lente", voice="responde siempre con una cifra"),
    Person(name="Telmo", note="patrón de la barcaza que se lleva la lente"),
    Person(name="Raquero", note="gente de la costa", count=5, fights=True),
    Person(name="Costrón", note="cangrejo del tamaño de un carro", fights=True),
)
HOUSE = (
    Person(name="Lady Sallow", note="tenant of the toll-house"),
    Person(name="Toll Warden", note="a suit of pans and chain that collects what is owed", fights=True),
    Person(name="Corporal Hobb", note="drives the mail sled"),
)


def _outline(number: int = 1, **values: Any) -> ChapterOutline:
    return ChapterOutline.model_validate({"number": number, "title": "X", "scenes": 3, **values})


def _plans(language: str, cast: tuple[Person, ...], outline: ChapterOutline) -> list[SceneSpec]:
    """Return the scenes of a chapter with several seeds."""
    known = canon(language, cast)
    return [spec for seed in range(6) for spec in plan_scenes(make_brief(known, outline, seed), 3)]


def _parts(specs: list[SceneSpec]) -> set[str]:
    """Return who opposes or speaks in some scenes."""
    return {f.name for spec in specs for f in (spec.stage.figure, spec.stage.speaker) if f}


def test_who_is_only_warned_is_not_there():
    outline = _outline(
        place="La lonja",
        kind="Social / Investigación",
        objective="Averiguar quién vendió la lente",
        consequences=("Éxito parcial: Brígida Noal avisa a Telmo y la barcaza zarpa antes.",),
    )
    assert _parts(_plans("es", CREW, outline)) == {"Brígida Noal"}
    made = make_brief(canon("es", CREW), outline, 1)
    assert all("Telmo" not in present_line(made, spec) for spec in plan_scenes(made, 3))


def test_who_took_the_thing_opposes():
    outline = _outline(kind="Persecución", objective="Alcanzar la barcaza de Telmo y recuperar la lente")
    assert [f.name for f in opponents(make_brief(canon("es", CREW), outline, 1))] == ["Telmo"]


def test_a_named_creature_with_a_stat_block_is_in_the_fight():
    outline = _outline(
        place="La linterna del faro",
        kind="Combate",
        objective="Mantener encendida la luz mientras los raqueros suben por la escalera",
        fields=({"label": "LUZ (nota)", "text": "La luz guía al barco y atrae al Costrón."},),
    )
    made = make_brief(canon("es", CREW), outline, 1)
    fights = [spec for spec in plan_scenes(made, 3) if spec.is_fight]
    assert fights
    assert all("Costrón" in present_line(made, spec) for spec in fights)


def test_a_creature_of_another_chapter_has_no_part():
    outline = _outline(
        place="The Shelf Road",
        kind="Survival",
        objective="Bring the sled over",
        notes="Hobb counts the sacks. The toll-house is barred.",
    )
    assert "Toll Warden" not in _parts(_plans("en", HOUSE, outline))


def test_who_is_to_wake_does_nothing_before():
    outline = _outline(
        place="The toll-house",
        kind="Stealth / Social",
        objective="Put the letter into Lady Sallow's own hand and keep the Toll Warden from collecting it",
        consequences=(
            "Success: She reads it.",
            "Partial success: The Toll Warden wakes.",
            "Failure: It is lost.",
        ),
    )
    assert "Toll Warden" not in _parts(_plans("en", HOUSE, outline))


@pytest.mark.parametrize(
    ("language", "note"),
    [("es", "guardia del puerto"), ("en", "guard of the port")],
)
def test_nobody_bargains_with_whom_they_rob(language: str, note: str):
    goal = {"es": "Sacar el libro de la cámara", "en": "Get the ledger out of the vault"}[language]
    kind = {"es": "Sigilo / Social", "en": "Stealth / Social"}[language]
    specs = _plans(language, (Person(name="Hale", note=note),), _outline(kind=kind, objective=goal))
    assert not [
        spec.beat.id for spec in specs if spec.beat.id in ("social.price", "social.room", "social.proof")
    ]


@pytest.mark.parametrize(
    ("language", "element"),
    [
        ("es", "peldaños mojados"),
        ("es", "la campana que obliga a callar"),
        ("en", "wet steps"),
        ("en", "a bridge that crumbles under weight"),
    ],
)
def test_what_hinders_gives_no_advantage(language: str, element: str):
    made = make_brief(canon(language), _outline(kind="Social", tactics=element, objective="x"), 1)
    assert [(one.text, one.noun) for one in made.elements] == [(element, None)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_plan_and_prose_name_the_same_edge(seed: int):
    outline = _outline(
        place="La lonja",
        kind="Social",
        objective="Averiguar quién vendió la lente",
        tactics="una balanza que desmiente un peso; un brasero encendido; peldaños mojados",
    )
    known = canon("es", CREW)
    plan = debate(known, outline, seed, 3).plan
    for scene in write(known, outline, seed, plan):
        planned = [s for s in sentences(scene.plan.player_action) if "ventaja" in s and "balanza" in s]
        assert all(sentence in scene.text for sentence in planned)
        assert ("ventaja en la tirada" in scene.text) == ("ventaja" in scene.plan.player_action)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_voice_of_the_designer_is_directed_and_not_invented(seed: int):
    outline = _outline(place="La lonja", kind="Social", objective="Averiguar quién vendió la lente")
    known = canon("es", CREW[:1])
    text = "\n".join(s.text for s in write(known, outline, seed, debate(known, outline, seed, 3).plan))
    assert "responde siempre con una cifra" in text
    assert "dice Brígida" not in text
    assert not [line for line in text.splitlines() if line.startswith("—") and "Brígida" in line]
