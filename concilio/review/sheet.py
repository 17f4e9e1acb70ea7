"""A pause as the fields of a form, and a filled form as a decision: plain names and texts. Pure.

A field is named for what it holds: `scene.1.2.place`, `scene.1.2.outcome.0.text`, `prose.1.2`, `waive.O3`,
`objection.0.text`. What of it was changed is found by the pause that the form was made from.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import get_args

from concilio.chapterfile.plan_reader import read_plan
from concilio.chapterfile.plan_values import field_text, to_outcome
from concilio.domain.base import fold, strip_block
from concilio.domain.debate import ObjectionDraft, Severity
from concilio.domain.plan import Degree, Outcome, ScenePlan
from concilio.review.checks import LONGEST_FIELD
from concilio.review.model import Pending

SCENE_FIELDS = ("title", "place", "present", "situation", "player_action", "state_change")
OUTCOME_FIELDS = ("label", "degree", "text", "leads_to")
DEGREES: tuple[Degree, ...] = get_args(Degree)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
SLOTS = 3
"""Places for new objections."""
MOST_OUTCOMES = 24
"""Outcomes of one scene that a form holds."""
_ID = r"\d{1,3}\.\d{1,3}"
_OUTCOME = re.compile(rf"scene\.({_ID})\.outcome\.(\d{{1,2}})\.({'|'.join(OUTCOME_FIELDS)})\Z")
_TEXT = re.compile(
    rf"(scene\.{_ID}\.({'|'.join(SCENE_FIELDS)}|outcome\.\d{{1,2}}\.(label|text))|prose\.{_ID}"
    r"|objection\.\d\.(text|proposal))\Z"
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def is_text_field(name: str) -> bool:
    """Tell whether a name is that of a field in which somebody writes, of any pause."""
    return bool(_TEXT.match(name))


@dataclass(frozen=True)
class Faults:
    """What is wrong with a filled form: by the field's name the key of its text, and the text's values."""

    by_field: dict[str, tuple[str, dict[str, object]]] = field(
        default_factory=dict[str, tuple[str, dict[str, object]]]
    )

    def add(self, name: str, key: str, **values: object) -> None:
        """Note a fault, unless the field has one."""
        self.by_field.setdefault(name, (key, values))


@dataclass(frozen=True)
class Edits:
    """What a filled form says beside its action."""

    scenes: tuple[ScenePlan, ...] = ()
    objections: tuple[ObjectionDraft, ...] = ()
    waived: tuple[str, ...] = ()
    prose: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Merged:
    """A form that was made from one pause, carried over to a later one."""

    values: dict[str, str]
    newer: dict[str, str]
    """Fields that were changed on both sides: what the later pause says."""


def scenes_of(pause: Pending) -> tuple[str, ...]:
    """Return the ids of the scenes that can be edited, whole or not, in their order."""
    if pause.kind == "prose":
        return tuple(pause.prose)
    ids = {*(scene.id for scene in pause.plan.scenes), *pause.unfinished}
    return tuple(sorted(ids, key=lambda each: tuple(map(int, each.split(".")))))


def outcome_count(values: Mapping[str, str], scene: str) -> int:
    """Return how many places for outcomes a scene has: one more than are taken."""
    taken = [
        int(found[2])
        for name, text in values.items()
        if (found := _OUTCOME.match(name)) and found[1] == scene and found[3] != "degree" and text.strip()
    ]
    return min(max(taken, default=-1) + 2, MOST_OUTCOMES)


def fields_of(pause: Pending) -> dict[str, str]:
    """Return the form of a pause in which nothing is changed."""
    values = {f"prose.{scene}": text for scene, text in pause.prose.items()}
    if pause.kind == "prose":
        return values
    for scene in scenes_of(pause):
        values.update(_fields_of_scene(pause, scene))
    return values


def _fields_of_scene(pause: Pending, scene_id: str) -> Iterator[tuple[str, str]]:
    scene = pause.plan.scene(scene_id)
    outcomes: tuple[Outcome, ...]
    if scene is None:
        texts, outcomes = _half(pause, scene_id)
    else:
        texts, outcomes = {key: str(getattr(scene, key)) for key in SCENE_FIELDS}, scene.outcomes
    for key in SCENE_FIELDS:
        yield f"scene.{scene_id}.{key}", texts.get(key, "")
    for index, outcome in enumerate(outcomes[:MOST_OUTCOMES]):
        for key in OUTCOME_FIELDS:
            yield f"scene.{scene_id}.outcome.{index}.{key}", str(getattr(outcome, key) or "")


def _half(pause: Pending, scene_id: str) -> tuple[dict[str, str], tuple[Outcome, ...]]:
    """Return what there is of a scene that is not whole."""
    read = read_plan(pause.unfinished[scene_id], 0, pause.chapter).scenes
    if not read:
        return {"situation": fold(pause.unfinished[scene_id])}, ()
    scene = read[0]
    texts = {f.key: field_text(f.text.text) for f in scene.fields if f.key != "outcomes"}
    outcomes = tuple(to_outcome(o, pause.language, str(pause.chapter)) for o in scene.outcomes)
    return {"title": field_text(scene.title.text), **texts}, outcomes


def cleaned(sent: Mapping[str, str]) -> dict[str, str]:
    """Return what a browser sent with plain newlines, and without characters that no text file holds."""
    return {k: _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")) for k, text in sent.items()}


def filled(pause: Pending, sent: Mapping[str, str]) -> dict[str, str]:
    """Return the form of a pause as it was sent; a field that was not sent is as it was."""
    values = fields_of(pause)
    scenes = set(scenes_of(pause)) if pause.kind != "prose" else set[str]()
    for name, text in sent.items():
        outcome = _OUTCOME.match(name)
        is_new = outcome and outcome[1] in scenes and int(outcome[2]) < MOST_OUTCOMES
        if name in values or is_new or _is_own(pause, name):
            values[name] = text
    return values


def _is_own(pause: Pending, name: str) -> bool:
    """Tell whether a field is the designer's own: an objection, or that one is waived."""
    if name.startswith("waive."):
        return name.removeprefix("waive.") in {o.id for o in pause.ledger.open()}
    return name in {f"objection.{i}.{k}" for i in range(SLOTS) for k in OBJECTION_FIELDS}


OBJECTION_FIELDS = ("scene", "severity", "text", "proposal")


def own_changes(pause: Pending, values: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a filled form that the designer changed or wrote."""
    before = fields_of(pause)
    written = {n for n, text in values.items() if not _same(n, before.get(n, _default(n)), text)}
    used = {i for i in range(SLOTS) if _slot_is_used(values, i)}
    idle = {f"objection.{i}.{k}" for i in range(SLOTS) if i not in used for k in OBJECTION_FIELDS}
    return {name: values[name] for name in values if name in written - idle}


def _default(name: str) -> str:
    """Return what an empty place holds."""
    return DEGREES[-1] if name.endswith(".degree") and _OUTCOME.match(name) else ""


def _same(name: str, before: str, after: str) -> bool:
    if name.startswith("prose."):
        return strip_block(before) == strip_block(after)
    return fold(before) == fold(after)


def carried(old: Pending, values: Mapping[str, str], new: Pending) -> Merged:
    """Return a form that was made from one pause over to a later one: what was changed in it is kept.

    The outcomes of a scene are one thing here: places may have moved.
    """
    mine = own_changes(old, values)
    before, now = fields_of(old), fields_of(new)
    ours = {found[1] for name in mine if (found := _OUTCOME.match(name))}
    changed = dict(mine) | {n: t for n, t in values.items() if (f := _OUTCOME.match(n)) and f[1] in ours}
    kept = {n: text for n, text in now.items() if not ((f := _OUTCOME.match(n)) and f[1] in ours)}
    merged = filled(new, kept | changed)
    gone = {n for n in now if (f := _OUTCOME.match(n)) and f[1] in ours and n not in changed}
    newer = {
        n: now[n]
        for n in changed
        if n in now and not _same(n, before.get(n, ""), now[n]) and not _same(n, changed[n], now[n])
    }
    return Merged({n: "" if n in gone else text for n, text in merged.items()}, newer)


def read_edits(pause: Pending, values: Mapping[str, str], faults: Faults) -> Edits:
    """Return what a filled form says; what cannot be read is noted as a fault and left out."""
    before = fields_of(pause)
    return Edits(
        scenes=tuple(_scenes(pause, before, values, faults)),
        objections=tuple(_objections(pause, values, faults)),
        waived=tuple(o.id for o in pause.ledger.open() if values.get(f"waive.{o.id}")),
        prose=_prose(pause, before, values, faults),
    )


def _prose(
    pause: Pending, before: Mapping[str, str], values: Mapping[str, str], faults: Faults
) -> dict[str, str]:
    written: dict[str, str] = {}
    for scene in pause.prose if pause.kind == "prose" else ():
        name = f"prose.{scene}"
        text = values[name]
        if not text.strip():
            faults.add(name, "wrong.prose_length")
        elif not _same(name, before[name], text):
            written[scene] = strip_block(text)
    return written


def _scenes(
    pause: Pending, before: Mapping[str, str], values: Mapping[str, str], faults: Faults
) -> Iterator[ScenePlan]:
    for scene_id in scenes_of(pause) if pause.kind != "prose" else ():
        own = {n: t for n, t in values.items() if n.startswith(f"scene.{scene_id}.")}
        if all(_same(name, before.get(name, _default(name)), text) for name, text in own.items()):
            continue
        scene = _scene(pause, scene_id, own, faults)
        if scene is not None and scene != pause.plan.scene(scene_id):
            yield scene


def _scene(pause: Pending, scene_id: str, own: Mapping[str, str], faults: Faults) -> ScenePlan | None:
    """Return a scene as it was written; None where something is wrong with it."""
    count = len(faults.by_field)
    for key in SCENE_FIELDS:
        name = f"scene.{scene_id}.{key}"
        _measure(name, own[name], faults)
        if not fold(own[name]):
            faults.add(name, "wrong.field_missing")
    base = pause.plan.scene(scene_id)
    known = base.outcomes if base else ()
    outcomes: list[Outcome] = []
    for index in range(MOST_OUTCOMES):
        outcome = _outcome(pause, scene_id, index, own, faults, known)
        outcomes += [outcome] if outcome else []
    if len(faults.by_field) == count and not outcomes:
        faults.add(f"scene.{scene_id}.outcome.0.text", "wrong.no_outcome")
    if len(faults.by_field) > count:
        return None
    texts = {key: own[f"scene.{scene_id}.{key}"] for key in SCENE_FIELDS}
    return ScenePlan(id=scene_id, outcomes=tuple(outcomes), **texts)


def _outcome(
    pause: Pending,
    scene_id: str,
    index: int,
    own: Mapping[str, str],
    faults: Faults,
    known: tuple[Outcome, ...],
) -> Outcome | None:
    """Return the outcome in one place; None where it is empty or wrong."""
    place = f"scene.{scene_id}.outcome.{index}"
    label, degree, text, leads_to = (own.get(f"{place}.{key}", "") for key in OUTCOME_FIELDS)
    if not fold(label) and not fold(text):
        return None
    given = known[index] if index < len(known) else None
    for key, value in (("label", label), ("text", text)):
        _measure(f"{place}.{key}", value, faults)
        if not fold(value) and (given is None or getattr(given, key)):
            faults.add(f"{place}.{key}", "wrong.field_missing")
    if degree not in DEGREES:
        faults.add(f"{place}.degree", "wrong.no_choice")
        return None
    if leads_to and leads_to not in destinations(pause) and leads_to != (given.leads_to if given else None):
        faults.add(f"{place}.leads_to", "wrong.no_scene", scene=leads_to[:40])
    return Outcome(label=label, degree=degree, text=text, leads_to=leads_to or None)


def destinations(pause: Pending) -> tuple[str, ...]:
    """Return where an outcome may lead."""
    return (*scenes_of(pause), "end")


def _slot_is_used(values: Mapping[str, str], slot: int) -> bool:
    return any(fold(values.get(f"objection.{slot}.{key}", "")) for key in ("text", "proposal"))


def _objections(pause: Pending, values: Mapping[str, str], faults: Faults) -> Iterator[ObjectionDraft]:
    places = {*scenes_of(pause), str(pause.chapter)}
    for slot in range(SLOTS):
        if not _slot_is_used(values, slot):
            continue
        name = f"objection.{slot}"
        scene, severity, text, proposal = (values.get(f"{name}.{key}", "") for key in OBJECTION_FIELDS)
        wrong = len(faults.by_field)
        for key, value in (("text", text), ("proposal", proposal)):
            _measure(f"{name}.{key}", value, faults)
        if not fold(text):
            faults.add(f"{name}.text", "wrong.empty_objection")
        if scene not in places:
            faults.add(f"{name}.scene", "wrong.no_scene", scene=scene[:40] or "–")
        if severity not in SEVERITIES:
            faults.add(f"{name}.severity", "wrong.no_choice")
        elif len(faults.by_field) == wrong:
            yield ObjectionDraft(scene=scene, severity=severity, text=text, proposal=proposal)


def _measure(name: str, text: str, faults: Faults) -> None:
    if len(text) > LONGEST_FIELD:
        faults.add(name, "wrong.field_length", most=LONGEST_FIELD)
