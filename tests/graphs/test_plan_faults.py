"""What bars a plan's acceptance besides its rules, and what its numbers are read as."""

import pytest

from agents.reading import read_plan_reply
from concilio.domain.base import Language
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from graphs.plan_faults import plan_faults
from tests.table_scripts import PLAN


def _scene(scene_id: str, *texts: str) -> ScenePlan:
    return ScenePlan(
        id=scene_id,
        title="T",
        place="P.",
        present="P.",
        situation="S.",
        player_action="A.",
        outcomes=tuple(Outcome(label=f"L{n}", text=text) for n, text in enumerate(texts)),
        state_change="C.",
    )


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(
    ("scenes", "faulty"),
    [
        ((_scene("1.1", "A.", "B."), _scene("1.2", "A.", "B.")), []),
        ((_scene("1.1", "A.", "B."), _scene("5.2", "A.", "B.")), ["5.2"]),
        ((_scene("5.1", "A.", "B."), _scene("5.2", "A.", "B.")), ["5.1", "5.2"]),
        ((_scene("1.1", "They  pass.", "they pass.", "They pass."),), ["1.1"]),
        ((_scene("1.1", "They pass.", "They pass.", "They fall."),), []),
    ],
)
def test_what_bars_acceptance(language: Language, scenes: tuple[ScenePlan, ...], faulty: list[str]) -> None:
    found = plan_faults(Proposal(scenes=scenes), 1, 2, language)
    assert [o.scene for o in found] == faulty
    assert all(o.severity == "blocker" and o.text and o.proposal for o in found)


def test_a_plan_numbered_as_another_chapter_gets_this_chapter_s_numbers() -> None:
    """With where its outcomes lead."""
    as_asked = read_plan_reply(PLAN, 1, "es").proposal
    other = PLAN.replace("1.1", "5.1").replace("1.2", "5.2")
    assert other != PLAN
    assert read_plan_reply(other, 1, "es").proposal == as_asked


def test_a_plan_of_two_chapters_keeps_its_numbers_and_is_barred() -> None:
    mixed = read_plan_reply(PLAN.replace("1.2", "5.2"), 1, "es").proposal
    assert [s.id for s in mixed.scenes] == ["1.1", "5.2"]
    assert [o.scene for o in plan_faults(mixed, 1, 2, "es")] == ["5.2"]
