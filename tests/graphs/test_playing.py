"""A plan that is played reaches the reviewers: what the engine computes of it, in their language."""

from typing import Any

import pytest

from graphs.playing import RULE, played_notes, read_way
from rules.checks.context import Context
from rules.document import Passage, PlanOutcome, PlanScene
from rules.facts import Facts
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
    "es": ["Éxito 55 % → 3.3", "3.2", "200 PX", "2024", "27 % de las veces: 3.3 Éxito"],
    "en": ["Success 55 % → 3.3", "3.2", "200 XP", "2024", "27 % of the time: 3.3 Success"],
}


@pytest.mark.parametrize("language", ["es", "en"])
def test_notes_tell_scenes_ends_and_encounters(language: Any) -> None:
    document = chapter(language, SCENES[language])
    assert document.plan is not None
    context = Context(document, load_ruleset("srd5e"), Facts(3, PARTY))
    notes = played_notes(context, document.plan.scenes, (), language)
    told = "\n".join(f"{note.scene}: {note.message}" for note in notes)
    assert [text for text in SAID[language] if text not in told] == []
    assert {note.rule for note in notes} == {RULE}
    assert {note.severity for note in notes} == {"note"}, "facts are no faults"


def test_what_cannot_be_played_gives_no_note() -> None:
    document = chapter("es", SCENES["es"])
    assert played_notes(Context(document, load_ruleset("srd5e"), Facts()), (), (), "es") == ()


def test_a_destination_and_a_degree_are_read_as_their_author_means_them() -> None:
    outcome = PlanOutcome(Passage("Acaba bien [éxito]", 0), Passage("Salen. (→ 3.4)", 20))
    way = read_way("es", PlanScene("3.1", Passage("T", 0), Passage("", 0)), outcome)
    assert (way.label, way.degree, way.leads_to) == ("Acaba bien", "success", "3.4")


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
        assert f"1.2 · {RULE}: se juega en el 100 %; Éxito " in asked
    asked = "".join(message["content"] for request in fake_model.of("iris") for message in request.messages)
    assert RULE not in asked
