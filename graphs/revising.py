"""Iris's revision put into the plan: only scenes under objection change, all others stay byte for byte."""

from collections.abc import Sequence

from agents.plan_text import scene_order
from agents.reading import Revision
from concilio.domain.debate import Objection
from concilio.domain.plan import Proposal, ScenePlan
from graphs.records import PlanState


def revised(plan: PlanState, revision: Revision, objections: Sequence[Objection]) -> PlanState:
    """Return the plan after a revision.

    A scene may change, go or come only where an objection is open on it, or on the chapter as a whole.
    """
    known = {scene.id for scene in plan.proposal.scenes} | set(plan.unfinished)
    objected = {o.scene for o in objections}
    whole_chapter = not objected <= known
    before = {scene.id: scene for scene in plan.proposal.scenes}

    def may_change(scene_id: str) -> bool:
        return whole_chapter or scene_id in objected or scene_id not in known

    returned = {s.id: s for s in revision.reading.proposal.scenes if may_change(s.id)}
    removed = {scene_id for scene_id in revision.removed if may_change(scene_id) and scene_id not in returned}
    scenes = {**before, **returned}
    kept: list[ScenePlan] = [scene for scene in scenes.values() if scene.id not in removed]
    unfinished = {
        scene_id: text
        for scene_id, text in {**plan.unfinished, **_new_fragments(revision, before)}.items()
        if scene_id not in returned and scene_id not in removed
    }
    changed = [scene.id for scene in kept if before.get(scene.id) != scene]
    return PlanState(
        proposal=Proposal(scenes=tuple(sorted(kept, key=scene_order))),
        unfinished=unfinished,
        changed=tuple(sorted({*changed, *removed})),
    )


def _new_fragments(revision: Revision, before: dict[str, ScenePlan]) -> dict[str, str]:
    """Fragments of scenes that were whole before stay out: the old scene is better than half a new one."""
    return {k: v for k, v in revision.reading.unfinished.items() if k not in before}
