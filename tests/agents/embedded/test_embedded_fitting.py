"""Moves, people and words that fit the chapter: who is behind it is there, who flees reads no trails."""

import pytest

from agents.embedded.beats import all_beats, deed_beat
from agents.embedded.brief import make_brief
from agents.embedded.drafting import resolution
from agents.embedded.frames import frames_of
from agents.embedded.scenes import plan_scenes
from agents.embedded.stage import opponents
from agents.types import Person, Sheet
from concilio.domain.adventure import ChapterOutline
from tests.agents.embedded.support import canon, debate, propose, write

FLIGHTS = [
    ("es", "Persecución / Exploración", "Escapar de los jinetes"),
    ("en", "Chase / Exploration", "Escape the riders"),
]


@pytest.mark.parametrize(("language", "kind", "objective"), FLIGHTS)
@pytest.mark.parametrize("number", range(1, 5))
def test_who_flees_follows_no_trail(language: str, kind: str, objective: str, number: int) -> None:
    outline = ChapterOutline(number=number, title="X", kind=kind, objective=objective)
    specs = plan_scenes(make_brief(canon(language), outline, number), 6)
    assert not any(spec.beat.shape.tracking for spec in specs)
    assert any(beat.shape.tracking for beat in all_beats(language).values())


LED = [
    ("es", "Persecución", "Escapar de los jinetes.", "Jinetes", "manda a los jinetes que persiguen al grupo"),
    ("en", "Chase", "Escape the riders.", "Riders", "leads the riders who hunt the party"),
]


@pytest.mark.parametrize(("language", "kind", "objective", "gang", "note"), LED)
def test_who_leads_a_named_gang_is_there(
    language: str, kind: str, objective: str, gang: str, note: str
) -> None:
    cast = (Person(name=gang, count=6), Person(name="Baltasar Ruiz", note=note))
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective)
    brief = make_brief(canon(language, cast), outline, 1)
    assert {f.name for f in opponents(brief)} == {gang, "Baltasar Ruiz"}
    last = plan_scenes(brief, 3)[-1]
    assert last.stage.speaker is None or last.stage.speaker.name == "Baltasar Ruiz"


CULPRITS = [
    (
        "es",
        "Investigación",
        "Averiguar quién mató al pintor.",
        "Tib avisa al grupo.",
        "mandó; asesinó al pintor",
    ),
    (
        "en",
        "Investigation",
        "Find out who killed the painter.",
        "Tib calls the party.",
        "murdered the painter",
    ),
]


@pytest.mark.parametrize(("language", "kind", "objective", "notes", "note"), CULPRITS)
def test_who_is_behind_it_is_there_where_it_is_found_out(
    language: str, kind: str, objective: str, notes: str, note: str
) -> None:
    cast = (Person(name="Lucan Frey", note=note), Person(name="Tib", note="aprendiz, apprentice"))
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective, notes=notes)
    last = plan_scenes(make_brief(canon(language, cast), outline, 1), 3)[-1]
    assert last.stage.figure
    assert last.stage.figure.name == "Lucan Frey"


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_decisive_moment_may_stand_anywhere(language: str) -> None:
    """Two-part objectives play their first part in the opening scene: nothing may lie behind it yet."""
    words = deed_beat(language, "learn").words
    past = {"es": ("hasta ahora", "lo anterior", "lo que se sabe"), "en": ("so far", "what is known")}
    assert not any(phrase in text for text in (*words.opening, *words.situation) for phrase in past[language])


TWO_PARTS = [
    ("es", "Sigilo", "Robar el sello y escapar del palacio"),
    ("en", "Stealth", "Steal the seal and escape from the palace"),
]


@pytest.mark.parametrize(("language", "kind", "objective"), TWO_PARTS)
@pytest.mark.parametrize("seed", range(4))
def test_a_failed_first_part_costs_and_the_second_part_can_still_be_played(
    language: str, kind: str, objective: str, seed: int
) -> None:
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective)
    plan = propose(canon(language), outline, seed, 3)
    dear = frames_of(language)["dear"]
    failed = {
        scene.id: next(o.text for o in scene.outcomes if o.degree == "failure") for scene in plan.scenes
    }
    told = [fact.partition("{deed}")[2] for fact, _ in dear]
    assert any(end in failed["1.2"] for end in told)
    assert not any(end in failed["1.3"] for end in told)


HELP = {
    "es": "{name} puede ayudar con una prueba de Sabiduría (Medicina) CD 12; si sale, hay ventaja.",
    "en": "{name} can help with a DC 12 Wisdom (Medicine) check; if it works, whoever rolls has advantage.",
}
MEDICINE = {"es": "(Medicina)", "en": "(Medicine)"}


@pytest.mark.parametrize(("language", "kind", "objective"), TWO_PARTS)
def test_the_prose_tells_the_margins_of_the_plan_and_its_helpers(
    language: str, kind: str, objective: str
) -> None:
    names = ("Ada", "Bruno", "Celso", "Dora")
    party = tuple(
        Sheet(name=name, level=3, bonuses={"wis": 4 - i, "int": 3 - i, "cha": i, "dex": 2, "str": 1})
        for i, name in enumerate(names)
    )
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective)
    known = canon(language, party=party)
    for seed in range(4):
        brief = make_brief(known, outline, seed)
        held = debate(known, outline, seed, 3)
        help_said = HELP[language].format(name="Dora")
        scenes = [
            s.model_copy(update={"player_action": f"{s.player_action} {help_said}"}) for s in held.plan.scenes
        ]
        plan = held.plan.model_copy(update={"scenes": tuple(scenes)})
        for spec, scene in zip(plan_scenes(brief, 3), write(known, outline, seed, plan), strict=True):
            told = [s for s in resolution(brief, spec) if s in scene.plan.player_action]
            margins = frames_of(language)["margin"].values()
            assert sum(scene.text.count(f"** ({margin}):") for margin in margins) == bool(told)
            asked = next(p for p in scene.text.split("\n\n") if MEDICINE[language] in p)
            assert "Dora" in asked[: asked.index(MEDICINE[language])].rpartition(". ")[2]
