"""The author's front door: tasks by name, the seed, and the way through litellm."""

from typing import Any

import pytest
from pydantic import ValidationError

from agents.embedded.author import PROVIDER, answer, register
from agents.embedded.provider import task_of
from agents.types import CompleteTask, ProposalReply, ProposeTask, VerdictReply
from concilio.domain.adventure import ChapterOutline
from concilio.domain.plan import Proposal
from tests.agents.embedded.support import ask, canon, propose, review

OUTLINE = ChapterOutline(number=8, title="El faro", kind="Exploración")


def propose_task(seed: int = 1, target: int = 3) -> ProposeTask:
    """Return a task."""
    return ProposeTask(seed=seed, canon=canon("es"), outline=OUTLINE, scene_target=target)


def test_an_unknown_task_is_refused():
    with pytest.raises(KeyError):
        answer("sing", {})


def test_a_payload_of_another_form_is_refused():
    with pytest.raises(ValidationError):
        answer("propose", {"seed": 1})


def test_the_seed_given_beside_the_payload_wins():
    payload = propose_task(seed=1).model_dump(mode="json")
    assert answer("propose", payload, 9) == answer("propose", propose_task(seed=9).model_dump(mode="json"))
    assert answer("propose", payload, 9) != answer("propose", payload)


@pytest.mark.parametrize(("target", "scenes"), [(1, 1), (2, 2), (12, 12), (40, 40), (90, 40)])
def test_as_many_scenes_as_are_wanted(target: int, scenes: int):
    ids = [scene.id for scene in propose(canon("es"), OUTLINE, 1, target).scenes]
    assert ids == [f"8.{n}" for n in range(1, scenes + 1)]


def test_a_skeleton_is_answered_by_whole_scenes():
    task = propose_task().model_copy(update={"skeleton": True})
    assert all(scene.outcomes for scene in ProposalReply.model_validate_json(ask("propose", task)).scenes)


def test_wanted_scenes_fit_the_rest_of_the_plan():
    whole = ProposalReply.model_validate_json(ask("propose", propose_task()))
    task = CompleteTask(
        seed=1,
        canon=canon("es"),
        outline=OUTLINE,
        scene_target=3,
        plan=Proposal(),
        wanted=("8.2",),
        fragments={"8.2": "half"},
    )
    (scene,) = ProposalReply.model_validate_json(ask("complete", task)).scenes
    assert (scene.id, scene.title) == ("8.2", whole.scenes[1].title)
    assert len(scene.outcomes) == 3


def test_the_verdict_alone_is_that_of_the_review():
    plan = propose(canon("es"), OUTLINE, 1, 3)
    base: dict[str, Any] = {"seed": 1, "canon": canon("es"), "outline": OUTLINE, "scene_target": 3}
    for kind in ("check", "criticise"):
        task = {"task": kind, **propose_task().model_dump(mode="json", exclude={"task", "skeleton"})}
        payload = task | {"plan": plan.model_dump(mode="json"), "round": 1}
        alone = VerdictReply.model_validate_json(answer("verdict", payload))
        assert alone.verdict == review(kind, plan, base).verdict


def test_a_call_without_a_task_is_refused():
    with pytest.raises(ValueError, match="concilio_task"):
        task_of({"seed": 1})


async def test_it_is_reached_through_litellm_and_costs_nothing():
    from concilio.gateway.wire import load_litellm

    litellm = load_litellm()
    register()
    register()
    assert sum(entry["provider"] == PROVIDER for entry in litellm.custom_provider_map) == 1
    payload = propose_task().model_dump(mode="json")
    response: Any = await litellm.acompletion(
        model=f"{PROVIDER}/{PROVIDER}",
        messages=[{"role": "user", "content": "¿?"}],
        concilio_task={"task": "propose", "payload": payload},
        seed=1,
    )
    assert response.choices[0].message.content == answer("propose", payload)
    assert response.choices[0].finish_reason == "stop"
    assert response.usage.total_tokens == 0
