"""The embedded author: a seeded program that proposes, reviews, revises and writes, and is no model.

`answer` is a pure function of its arguments. `register` puts it behind litellm, so that the gateway reaches
it as it reaches any model (`--model embedded`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from agents.embedded.brief import make_brief
from agents.embedded.continuity import continuity
from agents.embedded.drafting import write_scene
from agents.embedded.prose import write
from agents.embedded.reading import read
from agents.embedded.review import review
from agents.embedded.revise import revise
from agents.embedded.rewriting import rewrite
from agents.embedded.scenes import plan_scenes
from agents.embedded.weaknesses import first_draft
from agents.types import (
    CompleteTask,
    ContinuityTask,
    ProposalReply,
    ProposeTask,
    ReadTask,
    RefineTask,
    ReviewTask,
    RewriteTask,
    VerdictReply,
    WriteTask,
)

PROVIDER = "embedded"


def propose(task: ProposeTask) -> ProposalReply:
    """Return the first draft of a chapter's plan. A skeleton is answered by whole scenes."""
    brief = make_brief(task.canon, task.outline, task.seed)
    return ProposalReply(scenes=first_draft(brief, plan_scenes(brief, task.scene_target)))


def complete(task: CompleteTask) -> ProposalReply:
    """Return the wanted scenes, as they should be."""
    brief = make_brief(task.canon, task.outline, task.seed)
    numbers = [int(number) for i in task.wanted if (number := i.partition(".")[2]).isdigit()]
    specs = plan_scenes(brief, max([task.scene_target, *numbers]))
    return ProposalReply(scenes=[write_scene(brief, spec) for spec in specs if spec.id in task.wanted])


def verdict(task: ReviewTask) -> VerdictReply:
    """Return the verdict alone."""
    return VerdictReply(verdict=review(task).verdict)


def _reply(
    model: type[BaseModel], act: Callable[[Any], BaseModel | str]
) -> Callable[[Mapping[str, Any]], str]:
    def run(payload: Mapping[str, Any]) -> str:
        reply = act(model.model_validate(payload))
        return reply if isinstance(reply, str) else reply.model_dump_json()

    return run


_TASKS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "propose": _reply(ProposeTask, propose),
    "complete": _reply(CompleteTask, complete),
    "refine": _reply(RefineTask, revise),
    "check": _reply(ReviewTask, review),
    "criticise": _reply(ReviewTask, review),
    "verdict": _reply(ReviewTask, verdict),
    "write": _reply(WriteTask, write),
    "rewrite": _reply(RewriteTask, rewrite),
    "continuity": _reply(ContinuityTask, continuity),
    "read": _reply(ReadTask, read),
}


def answer(task: str, payload: Mapping[str, Any], seed: int | None = None) -> str:
    """Return the reply to a task: JSON of the task's reply type, Markdown for `write`.

    Args:
        task: `propose`, `complete`, `refine`, `check`, `criticise`, `verdict`, `write`, `rewrite`,
            `continuity` or `read`.
        payload: the task of `agents.types` as JSON values; it carries its own seed.
        seed: wins over the payload's where given.

    Raises:
        KeyError: no such task.
        pydantic.ValidationError: the payload is no such task.
    """
    return _TASKS[task](payload if seed is None else with_seed(payload, seed))


def with_seed(payload: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return a payload with its seed replaced, also inside a rewriting task."""
    if "write" in payload:
        return {**payload, "write": {**payload["write"], "seed": seed}}
    return {**payload, "seed": seed}


def register() -> None:
    """Make litellm know the provider `embedded`; doing it again changes nothing."""
    from agents.embedded.provider import register_provider

    register_provider(PROVIDER, answer)
