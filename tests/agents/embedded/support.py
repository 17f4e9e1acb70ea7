"""Tasks for the embedded author without a gateway: outlines of our own, and the debate without its engine."""

import json
from dataclasses import dataclass
from typing import Any

from agents.embedded.author import answer
from agents.references import render_references
from agents.types import (
    Canon,
    Person,
    ProposeTask,
    RefineTask,
    ReviewReply,
    ReviewTask,
    RevisionReply,
    Sheet,
    WriteTask,
)
from concilio.chapterfile.outcomes import degree_of
from concilio.domain.adventure import ChapterOutline
from concilio.domain.debate import Objection
from concilio.domain.plan import Mechanic, Outcome, Proposal, ScenePlan
from graphs.linting import scene_mechanics
from rules.ruleset import load_ruleset

MOST_ROUNDS = 3
AUTHORS: dict[str, Any] = {"check": "damian", "criticise": "ruben"}

CAST_ES = (
    Person(name="Capitana Ferrán", note="corsaria, antagonista"),
    Person(name="Lobos de mar", note="banda de piratas", count=5),
    Person(name="Odalys", note="rehén, aliada del grupo"),
)
CAST_EN = (
    Person(name="Captain Brandt", note="pirate, villain"),
    Person(name="Hound", count=4, note="beasts"),
    Person(name="Ottilie", note="hostage and friend"),
)
PARTY = (
    Sheet(name="Ulla", level=3, bonuses={"athletics": 5, "perception": 2, "intimidation": 4, "str": 3}),
    Sheet(name="Pim", level=3, bonuses={"stealth": 7, "sleight_of_hand": 7, "acrobatics": 5, "dex": 3}),
)


def canon(language: str, cast: tuple[Person, ...] = (), level: int = 3, **values: Any) -> Canon:
    """Return a canon."""
    return Canon.model_validate(
        {"adventure": "A", "language": language, "ruleset": "srd5e", "level": level, "cast": cast, **values}
    )


@dataclass(frozen=True)
class Debate:
    """How a debate without a gateway went."""

    plan: Proposal
    rounds: int | None
    """Round in which both accepted; None where they never did."""
    reviews: tuple[ReviewReply, ...]
    revisions: tuple[RevisionReply, ...]
    first: Proposal


@dataclass(frozen=True)
class Written:
    """One written scene."""

    plan: ScenePlan
    mechanics: tuple[Mechanic, ...]
    draft: str
    text: str
    unknown: tuple[str, ...]


def ask(task: str, value: Any) -> str:
    """Return the author's reply to a task value."""
    return answer(task, value.model_dump(mode="json"))


def as_plan(draft: dict[str, Any]) -> ScenePlan:
    """Return a scene draft as the plan reader would."""
    outcomes = tuple(Outcome(degree=degree_of(o["label"]), **o) for o in draft["outcomes"])  # pyright: ignore
    return ScenePlan.model_validate({**draft, "outcomes": outcomes})


def propose(canon: Canon, outline: ChapterOutline, seed: int, count: int) -> Proposal:
    """Return the first draft."""
    task = ProposeTask(seed=seed, canon=canon, outline=outline, scene_target=count)
    return Proposal(scenes=tuple(map(as_plan, json.loads(ask("propose", task))["scenes"])))


def review(kind: str, plan: Proposal, base: dict[str, Any], **values: Any) -> ReviewReply:
    """Return a reviewer's turn."""
    task = ReviewTask.model_validate({"task": kind, **base, "plan": plan, "round": 1, **values})
    return ReviewReply.model_validate_json(ask(kind, task))


def refine(
    plan: Proposal, base: dict[str, Any], objections: list[Objection], round_: int = 2
) -> RevisionReply:
    """Return a revision."""
    task = RefineTask.model_validate({**base, "plan": plan, "objections": objections, "round": round_})
    return RevisionReply.model_validate_json(ask("refine", task))


def merged(plan: Proposal, revision: RevisionReply) -> Proposal:
    """Return a plan with the changed scenes put in."""
    new = {scene.id: as_plan(scene.model_dump()) for scene in revision.scenes}
    return Proposal(scenes=tuple(new.get(scene.id, scene) for scene in plan.scenes))


def debate(canon: Canon, outline: ChapterOutline, seed: int, count: int) -> Debate:
    """Hold a debate as the graph does, without its engine."""
    base: dict[str, Any] = {"seed": seed, "canon": canon, "outline": outline, "scene_target": count}
    first = plan = propose(canon, outline, seed, count)
    open_: dict[str, list[Objection]] = {"check": [], "criticise": []}
    changed = tuple(scene.id for scene in plan.scenes)
    reviews: list[ReviewReply] = []
    revisions: list[RevisionReply] = []
    number = 0
    for round_ in range(1, MOST_ROUNDS + 1):
        for kind, own in open_.items():
            reply = review(kind, plan, base, round=round_, objections=own, changed=changed)
            reviews.append(reply)
            open_[kind] = [o for o in own if o.id not in reply.closed]
            for draft in reply.objections:
                number += 1
                values = draft.model_dump()
                open_[kind].append(
                    Objection(id=f"O{number}", author=AUTHORS[kind], raised_in=round_, **values)
                )
        if [r.verdict for r in reviews[-2:]] == ["accept", "accept"]:
            return Debate(plan, round_, tuple(reviews), tuple(revisions), first)
        revision = refine(plan, base, [*open_["check"], *open_["criticise"]], round_ + 1)
        revisions.append(revision)
        plan, changed = merged(plan, revision), tuple(scene.id for scene in revision.scenes)
        open_ = {kind: [_answered(o, revision) for o in own] for kind, own in open_.items()}
    return Debate(plan, None, tuple(reviews), tuple(revisions), first)


def _answered(objection: Objection, revision: RevisionReply) -> Objection:
    given = next(a for a in revision.answers if a.objection == objection.id)
    return objection.model_copy(update={"answer": given.text, "answer_kind": given.kind})


def write_task(
    canon: Canon, outline: ChapterOutline, seed: int, plan: Proposal, scene: ScenePlan
) -> WriteTask:
    """Return the task of writing one scene."""
    return WriteTask(
        seed=seed,
        canon=canon,
        outline=outline,
        scene=scene,
        mechanics=scene_mechanics(scene, canon.language, load_ruleset("srd5e")),
        ends_in=scene.state_change,
        scene_ids=tuple(s.id for s in plan.scenes),
    )


def write(canon: Canon, outline: ChapterOutline, seed: int, plan: Proposal) -> list[Written]:
    """Return a chapter's scenes, written."""
    written: list[Written] = []
    for scene in plan.scenes:
        task = write_task(canon, outline, seed, plan, scene)
        draft = ask("write", task)
        rendered = render_references(draft, task.mechanics)
        written.append(Written(scene, task.mechanics, draft, rendered.text, rendered.unknown))
    return written
