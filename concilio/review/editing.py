"""A scene as text that a designer edits, and what an edited text says. Pure."""

from concilio.catalogue import has_text, say, user_language
from concilio.chapterfile.plan_markdown import render_scene
from concilio.chapterfile.plan_reader import PlanIncomplete, read_plan, to_scene_plan
from concilio.domain.base import strip_block
from concilio.domain.plan import ScenePlan
from concilio.review.model import Pending

LONGEST_SCENE = 100_000
"""Characters of an edited scene."""


class EditError(Exception):
    """An edited text that is not that scene; the message says what to mend."""


def scene_texts(pause: Pending) -> dict[str, str]:
    """Return what can be edited at a pause: scene id to its prose, or to its plan as Markdown."""
    if pause.kind == "prose":
        return dict(pause.prose)
    whole = {s.id: render_scene(s, pause.chapter, pause.language).strip() for s in pause.plan.scenes}
    return whole | {k: text for k, text in pause.unfinished.items() if k not in whole}


def is_edited(before: str, after: str) -> bool:
    """Tell whether a text was changed: a browser's or editor's newlines and blank ends are no change."""
    return strip_block(before) != strip_block(after)


def edited_scene(pause: Pending, scene_id: str, text: str, language: str | None = None) -> ScenePlan:
    """Return the scene that an edited text holds.

    Args:
        pause: of which the scene is.
        scene_id: its number, which the text must keep.
        text: in the plan's shape.
        language: of what is said where it is refused; None for the user's.

    Raises:
        EditError: there is no scene, another or more than one, or it is not whole.
    """
    found = read_plan(text[:LONGEST_SCENE], 0, pause.chapter).scenes
    if not found:
        raise EditError(say("review.edit.nothing", language))
    scene, *others = found
    if others:
        raise EditError(say("review.edit.more_scenes", language, found=", ".join(s.id for s in found)))
    if scene.id != scene_id:
        raise EditError(say("review.edit.other_scene", language, found=scene.id, scene=scene_id))
    try:
        return to_scene_plan(scene, pause.language)
    except PlanIncomplete as lack:
        raise EditError(_lack(lack, language)) from None
    except ValueError as error:
        raise EditError(say("review.edit.unreadable", language, problem=type(error).__name__)) from None


def _lack(lack: PlanIncomplete, language: str | None) -> str:
    if lack.missing:
        fields = ", ".join(_field(key, language) for key in lack.missing)
        return say("review.edit.missing", language, fields=fields)
    return say("review.edit.cut", language, field=_field(lack.cut or "", language))


def _field(key: str, language: str | None) -> str:
    name = f"debate.field.{key}"
    return say(name, language) if has_text(name, language or user_language()) else key
