"""What a decision may not say, and what has changed between two pauses. Pure."""

from collections.abc import Iterator

from concilio.catalogue import say
from concilio.domain.plan import ScenePlan
from concilio.review.model import Decision, Pending

LONGEST_FIELD = 20_000
"""Characters of one field of a plan or an objection."""
LONGEST_TEXT = 200_000
"""Characters of one scene's prose."""
MOST_OBJECTIONS = 100
"""New objections of one decision."""


def problems(pause: Pending, decision: Decision, language: str | None = None) -> tuple[str, ...]:
    """Return what is wrong with a decision about a pause, in words for people; nothing where it stands."""
    return tuple(say(f"review.wrong.{key}", language, **values) for key, values in _faults(pause, decision))


def _faults(pause: Pending, decision: Decision) -> Iterator[tuple[str, dict[str, object]]]:
    known = {scene.id for scene in pause.plan.scenes} | set(pause.unfinished)
    edited = [scene.id for scene in decision.scenes]
    named = [*edited, *decision.prose]
    for scene_id in named:
        if scene_id not in known:
            yield "no_scene", {"scene": scene_id}
    if len(set(edited)) < len(edited):
        yield "twice", {}
    if decision.scenes and pause.kind == "prose":
        yield "plan_is_written", {}
    if decision.prose and pause.kind != "prose":
        yield "no_prose_yet", {}
    yield from _objection_faults(pause, decision, known)
    left = set(pause.unfinished) - set(edited)
    whole = bool(pause.plan.scenes or edited) and not left
    if decision.action == "accept" and not whole:
        yield "not_whole", {"scenes": ", ".join(sorted(left)) or "–"}
    for scene in decision.scenes:
        if any(len(text) > LONGEST_FIELD for text in _texts_of(scene)):
            yield "long_field", {"scene": scene.id, "most": LONGEST_FIELD}
    if any(len(text) > LONGEST_TEXT or not text.strip() for text in decision.prose.values()):
        yield "prose_length", {}


def _texts_of(scene: ScenePlan) -> Iterator[str]:
    yield from (scene.title, scene.place, scene.present, scene.situation)
    yield from (scene.player_action, scene.state_change)
    yield from (text for outcome in scene.outcomes for text in (outcome.label, outcome.text))


def _objection_faults(
    pause: Pending, decision: Decision, known: set[str]
) -> Iterator[tuple[str, dict[str, object]]]:
    open_ids = {o.id for o in pause.ledger.open()}
    for objection_id in decision.waived:
        if objection_id not in open_ids:
            yield "not_open", {"id": objection_id}
    for draft in decision.objections:
        if not draft.text:
            yield "empty_objection", {}
        if draft.scene != str(pause.chapter) and draft.scene not in known:
            yield "no_scene", {"scene": draft.scene}
        if max(len(draft.text), len(draft.proposal), len(draft.field)) > LONGEST_FIELD:
            yield "long_objection", {"scene": draft.scene, "most": LONGEST_FIELD}
    if len(decision.objections) > MOST_OBJECTIONS:
        yield "too_many", {"most": MOST_OBJECTIONS}
    if pause.kind == "prose" and decision.action == "round" and not decision.objections:
        yield "nothing_to_rewrite", {}


def changes(old: Pending, new: Pending, language: str | None = None) -> tuple[str, ...]:
    """Return what changed from one pause to another, a line each, in words for people."""
    found = [say("review.changed.place", language, **_place(new, language))] if _moved(old, new) else []
    for scene in new.plan.scenes:
        before = old.plan.scene(scene.id)
        if before != scene:
            key = "scene_new" if before is None else "scene"
            found.append(say(f"review.changed.{key}", language, scene=scene.id, title=scene.title))
    gone = [s.id for s in old.plan.scenes if new.plan.scene(s.id) is None]
    found += [say("review.changed.scene_gone", language, scene=scene_id) for scene_id in gone]
    found += [
        say("review.changed.prose", language, scene=scene_id)
        for scene_id, text in new.prose.items()
        if old.prose.get(scene_id, text) != text
    ]
    before_open, now_open = {o.id for o in old.ledger.open()}, {o.id for o in new.ledger.open()}
    for key, ids in (("opened", now_open - before_open), ("closed", before_open - now_open)):
        if ids:
            found.append(say(f"review.changed.{key}", language, ids=", ".join(sorted(ids, key=_number))))
    return tuple(found)


def told(pause: Pending, decision: Decision, language: str | None = None) -> str:
    """Return what a decision says, in a line for people."""
    parts = [say(f"review.said.{decision.action}", language)]
    parts += _told_beside(decision, language)
    overruled = [o.id for o in pause.ledger.open() if o.id not in decision.waived and o.author != "designer"]
    if decision.action == "accept" and overruled:
        parts.append(say("review.said.overruled", language, ids=", ".join(overruled)))
    return " ".join(parts)


def told_beside(decision: Decision, language: str | None = None) -> str:
    """Return what a decision says beside its action; empty where that is nothing."""
    return " ".join(_told_beside(decision, language))


def _told_beside(decision: Decision, language: str | None) -> list[str]:
    lists = {
        "edited": [*(scene.id for scene in decision.scenes), *decision.prose],
        "waived": decision.waived,
        "objected": [o.scene for o in decision.objections],
    }
    return [say(f"review.said.{k}", language, ids=", ".join(ids)) for k, ids in lists.items() if ids]


def _number(objection_id: str) -> tuple[int, str]:
    return (len(objection_id), objection_id)


def _moved(old: Pending, new: Pending) -> bool:
    return (old.kind, old.round, old.chapter) != (new.kind, new.round, new.chapter)


def _place(pause: Pending, language: str | None) -> dict[str, object]:
    kind = say(f"review.kind.{pause.kind}", language, round=pause.round)
    return {"chapter": pause.chapter, "kind": kind}
