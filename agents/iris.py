"""Iris proposes scene plans and revises them."""

import asyncio
from collections.abc import Iterable
from typing import Any

from agents.plan_text import (
    chapter_of,
    partial_plan,
    plan_in_question,
    scene_number,
    scene_order,
    scene_text,
)
from agents.reading import PlanReading, Revision, read_plan_reply, read_revision
from agents.seat import Seat
from agents.types import CompleteTask, LintNote, ProposalReply, ProposeTask, RefineTask, RevisionReply
from concilio.domain.plan import Proposal, ScenePlan
from concilio.gateway.errors import ReplyUnusable

SKELETON_FROM = 8
"""From this many scenes on, a skeleton is asked for first and then each scene, side by side."""
COMPLETION_ATTEMPTS = 2
"""How often a scene that came back unfinished is asked for alone."""
TOKENS_PER_SCENE = 700
TOKENS_SPARE = 800


async def propose(seat: Seat, key: str, task: ProposeTask) -> PlanReading:
    """Return a plan for the chapter, every scene whole unless it could not be had.

    Raises:
        GatewayError: the model could not be reached or never gave a readable scene.
    """
    if task.scene_target >= SKELETON_FROM:
        return await _propose_long(seat, key, task)
    reading = await _ask_for_plan(seat, key, "iris.propose", task, task.scene_target)
    return await _complete(seat, key, task, with_promised_scenes(reading, task.scene_target))


async def refine(seat: Seat, key: str, task: RefineTask, notes: tuple[LintNote, ...] = ()) -> Revision:
    """Return the changed scenes, those taken out, and an answer to each objection.

    Args:
        seat: hers.
        key: of the call.
        task: plan and open objections.
        notes: what else she should know of scenes: that the designer wrote them.

    Raises:
        GatewayError: as `propose`.
    """
    digest = plan_in_question(task.plan, {o.scene for o in task.objections}, seat.language)
    try:
        answered = await seat.ask(
            key,
            "iris.refine",
            task,
            lambda text: read_revision(text, task.outline.number, seat.language, task.scene_target),
            schema=RevisionReply,
            max_tokens=_limit(len(task.plan.scenes)),
            plan=digest,
            notes=notes,
        )
        revision = answered.value
    except ReplyUnusable as error:
        if not isinstance(error.partial, Revision):
            raise
        revision = error.partial
    whole = await _complete(seat, key, task, revision.reading)
    return Revision(whole, revision.removed, revision.answers)


def with_promised_scenes(reading: PlanReading, target: int) -> PlanReading:
    """Return the reading with scenes that its outcomes lead to and it lacks (a cut reply) as unfinished."""
    known = {scene.id for scene in reading.proposal.scenes} | set(reading.unfinished)
    promised = {o.leads_to for scene in reading.proposal.scenes for o in scene.outcomes if o.leads_to}
    chapters = {chapter_of(scene_id) for scene_id in known}
    missing = {
        scene_id: scene_id
        for scene_id in sorted(promised - known - {"end"})
        if chapter_of(scene_id) in chapters and scene_number(scene_id) <= max(target, len(known) + 1)
    }
    return PlanReading(reading.proposal, {**reading.unfinished, **missing})


def _limit(scenes: int) -> int:
    return TOKENS_PER_SCENE * max(1, scenes) + TOKENS_SPARE


async def _ask_for_plan(
    seat: Seat,
    key: str,
    prompt: str,
    task: ProposeTask | CompleteTask,
    scenes: int,
    fragment: str = "",
    **values: Any,
) -> PlanReading:
    try:
        answered = await seat.ask(
            key,
            prompt,
            task,
            lambda text: read_plan_reply(
                text, task.outline.number, seat.language, fragment, task.scene_target
            ),
            schema=ProposalReply,
            max_tokens=_limit(scenes),
            **values,
        )
    except ReplyUnusable as error:
        if isinstance(error.partial, PlanReading):
            return error.partial
        raise
    return answered.value


async def _propose_long(seat: Seat, key: str, task: ProposeTask) -> PlanReading:
    skeleton_task = task.model_copy(update={"skeleton": True})
    skeleton = await _ask_for_plan(seat, f"{key}/skeleton", "iris.skeleton", skeleton_task, task.scene_target)
    sketches = {s.id: scene_text(s, seat.language) for s in skeleton.proposal.scenes} | skeleton.unfinished
    written = await asyncio.gather(
        *(_scene_alone(seat, key, task, skeleton, scene_id, sketches) for scene_id in sketches)
    )
    return _merged(PlanReading(Proposal(), sketches), written)


async def _complete(
    seat: Seat, key: str, task: ProposeTask | RefineTask, reading: PlanReading
) -> PlanReading:
    """Ask for each unfinished scene alone, side by side, until all are whole or the attempts run out."""
    for attempt in range(1, COMPLETION_ATTEMPTS + 1):
        if not reading.unfinished:
            break
        written = await asyncio.gather(
            *(
                _scene_alone(seat, f"{key}/complete{attempt}", task, reading, scene_id, reading.unfinished)
                for scene_id in reading.unfinished
            )
        )
        reading = _merged(reading, written)
    return reading


async def _scene_alone(
    seat: Seat,
    key: str,
    task: ProposeTask | RefineTask,
    reading: PlanReading,
    scene_id: str,
    fragments: dict[str, str],
) -> PlanReading:
    complete = CompleteTask(
        seed=task.seed,
        canon=task.canon,
        outline=task.outline,
        scene_target=task.scene_target,
        plan=reading.proposal,
        wanted=(scene_id,),
        fragments={scene_id: fragments[scene_id]},
    )
    others = partial_plan(reading.proposal, (), seat.language)
    try:
        return await _ask_for_plan(
            seat, f"{key}/{scene_id}", "iris.complete", complete, 1, fragments[scene_id], plan=others
        )
    except ReplyUnusable:
        return PlanReading(Proposal(), {scene_id: fragments[scene_id]})


def _merged(base: PlanReading, written: Iterable[PlanReading]) -> PlanReading:
    """Return the base with the scenes that came whole put in, in the order of their numbers."""
    scenes: dict[str, ScenePlan] = {scene.id: scene for scene in base.proposal.scenes}
    wanted = dict(base.unfinished)
    for reading in written:
        for scene in reading.proposal.scenes:
            if scene.id in wanted:
                scenes[scene.id] = scene
                del wanted[scene.id]
    return PlanReading(Proposal(scenes=tuple(sorted(scenes.values(), key=scene_order))), wanted)
