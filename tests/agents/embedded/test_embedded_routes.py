"""What a scene's outcome decides: where it leads and what it costs, as a played plan reads it."""

from itertools import product

import pytest

from agents.embedded.beats import all_beats
from agents.embedded.brief import make_brief
from agents.embedded.drafting import outcomes
from agents.embedded.frames import frames_of
from agents.embedded.scenes import plan_scenes
from agents.embedded.slots import fill
from agents.types import Person
from concilio.domain.adventure import ChapterOutline
from concilio.domain.plan import Proposal
from rules.checks.context import Context
from rules.facts import Facts
from rules.playtest.reading import trials
from rules.ruleset import load_ruleset
from tests.agents.embedded.support import PARTY as SHEETS
from tests.agents.embedded.support import canon, debate
from tests.playtest.chapters import PARTY, Scene, chapter, play

OUTLINES = {
    "es": ("Sigilo / Social", "Sacar el libro de la aduana"),
    "es two parts": ("Sigilo", "Robar el sello y escapar del palacio"),
    "en": ("Stealth / Social", "Get the ledger out of the customs house"),
    "en two parts": ("Stealth", "Steal the seal and escape from the palace"),
    "en fight": ("Combat", "Defeat Hale"),
}
COUNTS = (1, 2, 3, 4, 5, 8, 12)


def _plan(name: str, count: int, seed: int = 3) -> Proposal:
    kind, objective = OUTLINES[name]
    outline = ChapterOutline(number=3, title="X", kind=kind, objective=objective, scenes=count)
    cast = (Person(name="Hale", note="villano villain"),)
    return debate(canon(name[:2], cast, party=SHEETS), outline, seed, count).plan


def _leads(plan: Proposal) -> dict[str, dict[str, str | None]]:
    return {s.id: {o.degree or o.label: o.leads_to for o in s.outcomes} for s in plan.scenes}


@pytest.mark.parametrize(("name", "count"), list(product(OUTLINES, COUNTS)))
def test_every_scene_is_reached_and_every_way_ends(name: str, count: int):
    leads = _leads(_plan(name, count))
    ids = list(leads)
    reached = {ids[0]}
    for scene in ids:  # all ways lead forward, so one pass is enough
        assert scene in reached, scene
        targets = {to for to in leads[scene].values() if to}
        assert all(to == "end" or ids.index(to) > ids.index(scene) for to in targets)
        reached |= targets
    assert set(leads[ids[-1]].values()) == {"end"}
    assert all("end" not in leads[scene].values() for scene in ids[:-1])


@pytest.mark.parametrize(("name", "count"), list(product(OUTLINES, [3, 4, 5, 8])))
def test_a_chapter_with_moves_to_spare_lets_a_success_pass_one_over(name: str, count: int):
    plan = _plan(name, count)
    leads = _leads(plan)
    parting = [scene for scene, ways in leads.items() if len(set(ways.values())) > 1]
    finals = 2 if name.endswith("parts") else 1
    assert bool(parting) is (count - finals >= 2)
    for scene in parting:
        spared = leads[scene]["failure"]
        success = next(o for s in plan.scenes if s.id == scene for o in s.outcomes if o.degree == "success")
        assert str(spared) in success.text, "the game master is told which scene falls away"


@pytest.mark.parametrize(("name", "count"), list(product(OUTLINES, [2, 3, 4, 5, 8, 12])))
def test_a_failure_costs_points_a_scene_or_the_odds_of_the_next(name: str, count: int):
    kind, objective = OUTLINES[name]
    outline = ChapterOutline(number=3, title="X", kind=kind, objective=objective, scenes=count)
    brief = make_brief(canon(name[:2], party=SHEETS), outline, 3)
    specs = plan_scenes(brief, count)
    for spec in specs[:-1]:
        failure = outcomes(brief, spec)[-1]
        dear = "+2" in failure.text or spec.beat.shape.harm != "none"
        assert dear or spec.spared or specs.index(spec) < count - 9, failure.text


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_failed_scene_makes_the_next_one_harder_in_the_played_plan(language: str):
    """The figure is read where it is printed: the roll of 3.2 hangs on how 3.1 went."""
    plan = _plan(language, 2)
    labels = {o.degree: o.label for o in plan.scenes[0].outcomes}
    found = play(
        language,
        [
            Scene(s.player_action, [f"{o.label}: {o.text} (→ {o.leads_to})" for o in s.outcomes])
            for s in plan.scenes
        ],
        party=PARTY,
    )
    assert labels["failure"]
    assert [hinge.scene for hinge in found.hinges] == ["3.2", "3.1"], "the first roll weighs as well"


def _actions(language: str, frame: str) -> list[str]:
    """Return a frame filled with every pair of ways of every beat."""
    check = {"es": "una prueba de {} CD 14", "en": "a DC 14 {} check"}[language]
    ruleset = load_ruleset("srd5e")

    def told(skill: str) -> str:
        ability = ruleset.word("ability", ruleset.ability_of(skill), language)
        return check.format(f"{ability} ({ruleset.word('skill', skill, language)})")

    made: list[str] = []
    for beat in all_beats(language).values():
        for main, other in zip(beat.shape.main, beat.shape.other, strict=False):
            ways = {"way.main": beat.words.ways[main], "way.other": beat.words.ways[other]}
            made.append(fill(frame, {**ways, "check.main": told(main), "check.other": told(other)}))
    return made


@pytest.mark.parametrize(
    ("language", "at"), [(lang, i) for lang in ("es", "en") for i in range(len(frames_of(lang)["action"]))]
)
def test_two_ways_are_played_as_two_ways_and_by_one_character(language: str, at: int):
    """What a game master reads as a choice is not played as two rolls in a row, nor as a group's."""
    actions = _actions(language, frames_of(language)["action"][at])
    document = chapter(language, [Scene(action, ("A: B.", "C: D.")) for action in actions])
    assert document.plan is not None
    context = Context(document, load_ruleset("srd5e"), Facts(3, PARTY))
    for action, scene in zip(actions, document.plan.scenes, strict=True):
        found, _ = trials(context, scene)
        assert [len(trial) for trial in found] == [1, 1], action
        assert {throw.kind for trial in found for throw in trial} == {"check"}, action


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("count", range(1, 8))
def test_a_chapter_goes_through_its_places_once(language: str, count: int):
    place = {"es": "La cripta / La escalera / La torre", "en": "The crypt / The stairs / The tower"}[language]
    outline = ChapterOutline(number=1, title="X", place=place, scenes=count)
    brief = make_brief(canon(language), outline, 1)
    at = [brief.places.index(spec.stage.place) for spec in plan_scenes(brief, count)]
    assert at == sorted(at)
    assert at[-1] == 2
    assert count == 1 or at[0] == 0
