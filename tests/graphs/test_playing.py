"""A plan that is played reaches the reviewers: what the engine computes of it, in their language."""

import re
from functools import partial
from typing import Any

import pytest

from agents.embedded.review import guessed_minutes
from concilio.chapterfile.reader import read_chapter
from concilio.chapterfile.render import render_chapter
from concilio.cli.playtest import play
from graphs.playing import RULE, played_facts, played_plan, read_way, without_label
from rules.checks.context import Context
from rules.document import Passage, PlanOutcome, PlanScene
from rules.facts import Facts
from rules.playtest.play import playtest
from rules.ruleset import load_ruleset
from tests.fake_model import FakeModel
from tests.graphs.test_going_on import begin_run, job_of, run
from tests.playtest.chapters import PARTY, Scene, chapter
from tests.table_scripts import table_script

SCENES = {
    "es": [
        Scene("Sigilo (CD 15).", ("Éxito: Pasan. (→ 3.3)", "Fallo: Los ven. (→ fin)")),
        Scene("Hablan.", ("Acuerdo: Firman. (→ fin)",)),
        Scene("…", ("Éxito: Vencen. (→ fin)", "Fallo: Caen. (→ fin)"), "4 goblins.", "Los goblins atacan."),
    ],
    "en": [
        Scene("A DC 15 Stealth check.", ("Success: They pass. (→ 3.3)", "Failure: Seen. (→ end)")),
        Scene("They talk.", ("Agreement: They sign. (→ end)",)),
        Scene(
            "…",
            ("Success: They win. (→ end)", "Failure: They fall. (→ end)"),
            "4 goblins.",
            "The goblins attack.",
        ),
    ],
}
SAID = {
    "es": ["Éxito 55 % → 3.3", "3.2", "200 PX", "2024"],
    "en": ["Success 55 % → 3.3", "3.2", "200 XP", "2024"],
}


@pytest.mark.parametrize("language", ["es", "en"])
def test_notes_tell_scenes_ends_and_encounters(language: Any) -> None:
    document = chapter(language, SCENES[language])
    assert document.plan is not None
    context = Context(document, load_ruleset("srd5e"), Facts(3, PARTY))
    notes = played_facts(context, document.plan.scenes, (), language).notes
    told = "\n".join(f"{note.scene}: {note.message}" for note in notes)
    assert [text for text in SAID[language] if text not in told] == []
    assert {note.rule for note in notes} == {RULE}
    assert {note.severity for note in notes} == {"note"}, "facts are no faults"


@pytest.mark.parametrize("language", ["es", "en"])
def test_reviewers_file_and_command_have_the_same_numbers(language: Any) -> None:
    """One engine, one set of figures: fights are fought for all three, so an end that hangs on one agrees."""
    document = chapter(language, SCENES[language])
    assert document.plan is not None
    context, scenes = Context(document, load_ruleset("srd5e"), Facts(3, PARTY)), document.plan.scenes
    told = "\n".join(note.message for note in played_facts(context, scenes, (), language).notes)
    kept = played_plan(context, scenes, (), language, own_party=True)
    command = playtest(context, scenes, partial(read_way, language), ())
    assert kept is not None
    assert [(e.scene, e.label, e.chance) for e in kept.ends] == [
        (e.scene, e.label, round(e.chance, 3)) for e in command.ends
    ]
    assert command.encounters[0].win is not None
    assert kept.fights[0].win == round(command.encounters[0].win, 3)
    assert kept.fights[0].win != 0.5, "the fight decides its scene"
    assert f"{100 * command.encounters[0].win:.0f} % " in next(
        line for line in told.split("\n") if "XP" in line or "PX" in line
    )
    for end in command.ends:
        assert f"{100 * end.chance:.0f} % " in told
        assert f"{end.scene} {end.label}" in told


@pytest.mark.parametrize(
    ("language", "own", "party", "hard"),
    [
        ("es", True, "Ada (nivel 3), Bruno", ("baja", "fácil")),
        ("es", False, "de serie, porque la aventura no nombra a nadie: Ada", ("baja", "fácil")),
        ("en", False, "default characters, since the adventure names nobody: Ada", ("low", "easy")),
    ],
)
def test_a_chapter_keeps_who_plays_and_what_is_met(
    language: Any, own: bool, party: str, hard: tuple[str, str]
) -> None:
    document = chapter(language, SCENES[language][2:])
    assert document.plan is not None
    context = Context(document, load_ruleset("srd5e"), Facts(3, PARTY))
    kept = played_plan(context, document.plan.scenes, (), language, own)
    assert kept is not None
    assert kept.party.startswith(party)
    assert kept.scenes[0].basis == "fight"
    assert set(kept.fights[0].difficulty) == {"2014", "2024"}
    assert set(kept.fights[0].difficulty.values()) == set(hard)


def test_what_cannot_be_played_gives_no_note() -> None:
    document = chapter("es", SCENES["es"])
    context = Context(document, load_ruleset("srd5e"), Facts())
    assert played_facts(context, (), (), "es").notes == ()
    assert played_plan(context, (), (), "es", own_party=False) is None


def test_a_destination_and_a_degree_are_read_as_their_author_means_them() -> None:
    outcome = PlanOutcome(Passage("Acaba bien [éxito]", 0), Passage("Salen. (→ 3.4)", 20))
    way = read_way("es", PlanScene("3.1", Passage("T", 0), Passage("", 0)), outcome)
    assert (way.label, way.degree, way.leads_to) == ("Acaba bien", "success", "3.4")


@pytest.mark.parametrize(
    ("language", "people", "situation", "worse"),
    [("es", "1 mago.", "El mago ataca.", "es peor que eso"), ("en", "1 mage.", "The mage attacks.", "worse")],
)
def test_what_a_fight_does_not_count_is_told_wherever_its_figure_is(
    language: Any, people: str, situation: str, worse: str
) -> None:
    """A spell-caster that only strikes is easily beaten: nobody may take that figure for the whole."""
    document = chapter(language, [Scene("…", SCENES[language][2].outcomes, people, situation)])
    assert document.plan is not None
    context, scenes = Context(document, load_ruleset("srd5e"), Facts(3, PARTY)), document.plan.scenes
    told = "\n".join(note.message for note in played_facts(context, scenes, (), language).notes)
    assert worse in told
    kept = played_plan(context, scenes, (), language, own_party=True)
    assert kept is not None
    assert kept.fights[0].not_counted in people.lower()
    assert kept.fights[0].not_counted


async def test_the_reviewers_read_the_odds_of_the_chapter(
    tmp_path: Any, fake_model: FakeModel, litellm_loaded: Any
) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    fake_model.load(table_script())
    job = job_of(tmp_path)
    with begin_run(job) as store:
        await run(job, store, InMemorySaver())
    for agent in ("damian", "ruben"):
        asked = "".join(
            message["content"] for request in fake_model.of(agent) for message in request.messages
        )
        assert re.search(rf"1\.2 · {RULE}: se juega en el 100 %, unos \d+ min; Éxito ", asked)
    asked = "".join(message["content"] for request in fake_model.of("iris") for message in request.messages)
    assert RULE not in asked


async def test_the_chapter_of_a_run_keeps_what_comes_of_its_plan(
    tmp_path: Any, fake_model: FakeModel, litellm_loaded: Any
) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    fake_model.load(table_script())
    job = job_of(tmp_path)
    with begin_run(job) as store:
        whole = (await run(job, store, InMemorySaver())).chapter
    assert whole is not None
    assert whole.playtest is not None
    assert [scene.id for scene in whole.playtest.scenes] == [scene.id for scene in whole.plan.scenes]
    assert abs(sum(end.chance for end in whole.playtest.ends) - 1) < 0.01
    text = render_chapter(whole)
    assert read_chapter(text) == whole
    file = tmp_path / "chapter.md"
    file.write_text(text, encoding="utf-8")
    played = play(str(file), tmp_path / "a.md", 1).result
    beside = store.folder / "chapter.md"
    beside.write_text(text, encoding="utf-8")
    assert play(str(beside), None, None).result == played, "the adventure of the run that wrote it"
    assert [(e.scene, e.label, e.chance) for e in whole.playtest.ends] == [
        (e.scene, e.label, round(e.chance, 3)) for e in played.ends
    ], "`concilio playtest` of the file says what the file says"
    assert [scene.reach for scene in whole.playtest.scenes] == [round(s.reach, 3) for s in played.scenes]


@pytest.mark.parametrize(
    ("text", "label", "kept"),
    [
        ("Éxito: La lente vuelve.", "Éxito", "La lente vuelve."),
        ("ÉXITO PARCIAL: Con una grieta: alumbra.", "Éxito parcial", "Con una grieta: alumbra."),
        ("Failure: It sinks.", "Success", "Failure: It sinks."),
        ("Success:", "Success", "Success:"),
        ("It sinks.", "Failure", "It sinks."),
    ],
)
def test_a_consequence_does_not_name_its_outcome_twice(text: str, label: str, kept: str) -> None:
    assert without_label(text, label) == kept


@pytest.mark.parametrize("place", [0, 1])
def test_a_scene_that_is_not_played_is_guessed_by_the_same_figures(place: int) -> None:
    document = chapter("en", SCENES["en"])
    assert document.plan is not None
    kept = played_plan(
        Context(document, load_ruleset("srd5e"), Facts(3, PARTY)),
        document.plan.scenes,
        (),
        "en",
        own_party=True,
    )
    assert kept is not None
    said = guessed_minutes(rolls=place == 0, combat=False)
    assert 0 <= said - kept.scenes[place].minutes < 5
