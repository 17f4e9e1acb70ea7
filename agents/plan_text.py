"""Plans as text for prompts: whole scenes where they matter, one line each where they do not."""

from collections.abc import Iterable

from concilio.chapterfile.plan_markdown import render_plan, render_scene
from concilio.domain.base import Language
from concilio.domain.plan import Proposal, ScenePlan


def chapter_of(scene_id: str) -> int:
    """Return the chapter's number in a scene's id."""
    return int(scene_id.split(".")[0])


def scene_number(scene_id: str) -> int:
    """Return the scene's number within its chapter."""
    return int(scene_id.split(".")[1])


def scene_order(scene: ScenePlan) -> tuple[int, ...]:
    """Return the key that sorts scenes by number (`5.10` after `5.9`)."""
    return tuple(int(part) for part in scene.id.split("."))


def scene_text(scene: ScenePlan, language: Language) -> str:
    """Return one scene as Markdown."""
    return render_scene(scene, chapter_of(scene.id), language)


def whole_plan(plan: Proposal, language: Language) -> str:
    """Return the plan with every scene whole."""
    return render_plan(plan, chapter_of(plan.scenes[0].id) if plan.scenes else 0, language)


def partial_plan(plan: Proposal, whole: Iterable[str], language: Language) -> str:
    """Return the plan with these scenes whole and the others by title and change of state."""
    wanted = set(whole)
    parts = [
        scene_text(scene, language).rstrip()
        if scene.id in wanted
        else f"{scene.id} — {scene.title}: {scene.state_change}"
        for scene in plan.scenes
    ]
    return "\n\n".join(parts)


def plan_in_question(plan: Proposal, objected: set[str], language: Language) -> str:
    """Return the plan for a revision: all of it where an objection is on the chapter as a whole."""
    if objected <= {scene.id for scene in plan.scenes}:
        return partial_plan(plan, objected, language)
    return whole_plan(plan, language)
