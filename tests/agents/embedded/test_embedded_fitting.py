"""Moves, people and words that fit the chapter: who is behind it is there, who flees reads no trails."""

import pytest

from agents.embedded.beats import all_beats, deed_beat
from agents.embedded.brief import make_brief
from agents.embedded.scenes import plan_scenes
from agents.embedded.stage import opponents
from agents.types import Person
from concilio.domain.adventure import ChapterOutline
from tests.agents.embedded.support import canon

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
