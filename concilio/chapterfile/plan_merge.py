"""Several readings of one plan merged: a cut reply, its continuation, a scene or fields asked for alone."""

from dataclasses import replace

from concilio.chapterfile.plan_scan import PlanText
from concilio.chapterfile.plan_values import cut_field, missing_fields
from rules.document import FIELD_KEYS, PlanScene


def _completeness(scene: PlanScene) -> int:
    return 2 * (len(FIELD_KEYS) - len(missing_fields(scene))) - (cut_field(scene) is not None)


def _patched(best: PlanScene, other: PlanScene) -> PlanScene:
    """Return the scene with the fields that it lacks, or has cut, taken from another reading."""
    bad = {*missing_fields(best), cut_field(best)}
    bad_in_other = {*missing_fields(other), cut_field(other)}
    taken = [f for f in other.fields if f.key in bad and f.key not in bad_in_other]
    keys = {f.key for f in taken}
    if not taken and (best.title.text or not other.title.text):
        return best
    return replace(
        best,
        title=best.title if best.title.text else other.title,
        fields=(*(f for f in best.fields if f.key not in keys), *taken),
        outcomes=other.outcomes if "outcomes" in keys else best.outcomes,
        ends_text=best.ends_text and cut_field(best) not in keys,
    )


def merge_readings(*readings: PlanText) -> tuple[PlanScene, ...]:
    """Merge several readings of the same plan, in the order in which they came.

    By scene id the more complete reading wins (the earlier one where they are equal), and what it lacks or
    has cut is filled from the others; fields without a heading go to the first scene that lacks something.
    Scenes come back in the order of their numbers; their passages may point into different texts.
    """
    merged: dict[str, PlanScene] = {}
    for reading in readings:
        if reading.orphan and (open_id := next((s.id for s in merged.values() if _lacks(s)), None)):
            merged[open_id] = _patched(merged[open_id], reading.orphan)
        for scene in reading.scenes:
            known = merged.get(scene.id)
            merged[scene.id] = scene if known is None else _better(known, scene)
    return tuple(sorted(merged.values(), key=lambda s: _order(s.id)))


def _lacks(scene: PlanScene) -> bool:
    return bool(missing_fields(scene)) or cut_field(scene) is not None


def _better(known: PlanScene, new: PlanScene) -> PlanScene:
    if _completeness(new) > _completeness(known):
        return _patched(new, known)
    return _patched(known, new)


def _order(scene_id: str) -> tuple[int, ...]:
    return tuple(int(part) for part in scene_id.split("."))
