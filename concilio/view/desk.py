"""What the desk's template shows: the form's fields in their order, with what is said beside each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from concilio.catalogue import say
from concilio.review.model import Pending
from concilio.review.sheet import (
    DEGREES,
    SCENE_FIELDS,
    SLOTS,
    destinations,
    fields_of,
    outcome_count,
    own_changes,
    scenes_of,
)
from concilio.view.reviewing import Shown
from rules.findings import Finding

LINE = 64
"""Characters of a line, to tell how high a field must be."""
LOWEST, HIGHEST = 2, 24
"""Lines of a field."""


@dataclass(frozen=True, slots=True)
class DeskField:
    """One field of the form."""

    name: str
    label: str
    value: str
    fault: str = ""
    newer: str | None = None
    """What the pause says now, where it was changed on both sides."""

    @property
    def rows(self) -> int:
        """Return how many lines to show."""
        lines = sum(1 + len(line) // LINE for line in self.value.split("\n"))
        return min(max(lines, LOWEST), HIGHEST)

    @property
    def described(self) -> str:
        """Return the ids of what is said beside it, for `aria-describedby`."""
        said = (("fault", bool(self.fault)), ("newer", self.newer is not None))
        return " ".join(f"{kind}-{self.name}" for kind, there in said if there)


@dataclass(frozen=True, slots=True)
class DeskOutcome:
    """One place for an outcome."""

    number: int
    label: DeskField
    degree: DeskField
    text: DeskField
    leads_to: DeskField
    is_new: bool


@dataclass(frozen=True, slots=True)
class DeskScene:
    """A scene that can be edited."""

    id: str
    title: str
    fields: tuple[DeskField, ...]
    outcomes: tuple[DeskOutcome, ...]
    is_whole: bool
    is_open: bool
    """Whether it is shown unfolded: something is wrong with it, changed, or lacking."""
    is_changed: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class DeskSlot:
    """One place for an objection of the designer's own."""

    number: int
    scene: DeskField
    severity: DeskField
    text: DeskField
    proposal: DeskField
    is_open: bool


class Fields:
    """Makes the fields of a form, with what is wrong or newer beside each."""

    def __init__(self, shown: Shown, language: str) -> None:
        self._shown = shown
        self._language = language

    def make(self, name: str, key: str, empty: str = "") -> DeskField:
        """Return a field by its name, the key of its label, and what an empty one holds."""
        return DeskField(
            name,
            say(key, self._language),
            self._shown.values.get(name, "") or empty,
            self._shown.faults.get(name, ""),
            self._shown.newer.get(name),
        )


def desk_page(shown: Shown, chapter: int, language: str) -> dict[str, Any]:
    """Return what the template needs of a review."""
    kept = [
        DeskField(f"kept-{i}", label_of(name, language), text) for i, (name, text) in enumerate(shown.kept)
    ]
    faults = [(name, label_of(name, language), text) for name, text in shown.faults.items()]
    values: dict[str, Any] = {"shown": shown, "kept": kept, "chapter": chapter, "faults": faults}
    pause = shown.pause
    if pause is None:
        return values
    changed = own_changes(pause, shown.values)
    fields = Fields(shown, language)
    scenes = [_scene(shown, scene, changed, fields) for scene in scenes_of(pause)]
    return values | {
        "pause": pause,
        "kind": say(f"review.kind.{pause.kind}", language, round=pause.round),
        "scenes": scenes,
        "open": pause.ledger.open(),
        "waived": {o.id for o in pause.ledger.open() if shown.values.get(f"waive.{o.id}")},
        "slots": [_slot(slot, changed, shown, fields) for slot in range(SLOTS)],
        **_choices(pause, language),
        "sure": DeskField("sure", "", "", shown.faults.get("sure", "")),
    }


def _choices(pause: Pending, language: str) -> dict[str, Any]:
    """Return what can be chosen: values and their words."""
    scenes = [(scene, say("view.scene_n", language, scene=scene)) for scene in scenes_of(pause)]
    whole = (str(pause.chapter), say("view.desk.whole_chapter", language))
    return {
        "degree_words": [(degree, say(f"view.degree.{degree}", language)) for degree in DEGREES],
        "destination_words": [
            ("", say("view.desk.leads_nowhere_said", language)),
            *((to, say("view.to_end", language) if to == "end" else to) for to in destinations(pause)),
        ],
        "place_words": [*scenes, whole],
        "severity_words": [(each, say(f"debate.severity.{each}", language)) for each in _MILD_FIRST],
    }


_MILD_FIRST = ("major", "minor", "blocker")
"""What is not chosen is a major objection, as everywhere."""


def _scene(shown: Shown, scene_id: str, changed: Mapping[str, str], fields: Fields) -> DeskScene:
    pause = shown.pause
    assert pause is not None
    prefix = f"scene.{scene_id}."
    if pause.kind == "prose":
        names: tuple[DeskField, ...] = (fields.make(f"prose.{scene_id}", "view.desk.prose"),)
        outcomes: tuple[DeskOutcome, ...] = ()
        plan = pause.plan.scene(scene_id)
        title = plan.title if plan else ""
    else:
        names = tuple(fields.make(f"{prefix}{key}", f"debate.field.{key}") for key in SCENE_FIELDS)
        count = outcome_count(shown.values, scene_id)
        outcomes = tuple(_outcome(f"{prefix}outcome.{i}", i, shown, fields) for i in range(count))
        title = shown.values.get(f"{prefix}title", "")
    own = (prefix, f"prose.{scene_id}")
    touched = [n for n in (*changed, *shown.faults, *shown.newer) if n.startswith(own[0]) or n == own[1]]
    return DeskScene(
        id=scene_id,
        title=title,
        fields=names,
        outcomes=outcomes,
        is_whole=scene_id not in pause.unfinished,
        is_open=bool(touched) or scene_id in pause.unfinished,
        is_changed=any(n.startswith(own[0]) or n == own[1] for n in changed),
        findings=tuple(f for f in pause.findings if f.scene == scene_id),
    )


def _outcome(place: str, index: int, shown: Shown, fields: Fields) -> DeskOutcome:
    pause = shown.pause
    assert pause is not None
    return DeskOutcome(
        number=index + 1,
        label=fields.make(f"{place}.label", "view.desk.outcome_label"),
        degree=fields.make(f"{place}.degree", "view.desk.degree", DEGREES[-1]),
        text=fields.make(f"{place}.text", "view.desk.outcome_text"),
        leads_to=fields.make(f"{place}.leads_to", "view.desk.leads_to"),
        is_new=f"{place}.text" not in fields_of(pause),
    )


def _slot(slot: int, changed: Mapping[str, str], shown: Shown, fields: Fields) -> DeskSlot:
    place = f"objection.{slot}"
    used = any(name.startswith(f"{place}.") for name in (*changed, *shown.faults))
    return DeskSlot(
        number=slot + 1,
        scene=fields.make(f"{place}.scene", "view.desk.objection_scene"),
        severity=fields.make(f"{place}.severity", "view.desk.objection_severity"),
        text=fields.make(f"{place}.text", "view.desk.objection_text"),
        proposal=fields.make(f"{place}.proposal", "view.desk.objection_proposal"),
        is_open=slot == 0 or used,
    )


def label_of(name: str, language: str) -> str:
    """Return what a field is called where it stands alone: its scene or number, and its label."""
    kind, _, rest = name.partition(".")
    head, _, key = rest.rpartition(".")
    if kind == "scene":
        scene, _, index = head.partition(".outcome.")
        place = say("view.desk.of_scene", language, scene=scene)
        if index.isdecimal():
            outcome = say("view.desk.outcome_n", language, number=int(index) + 1)
            return f"{place} · {outcome} · {say(f'view.desk.{_OUTCOME_LABELS.get(key, key)}', language)}"
        return f"{place} · {say(f'debate.field.{key}', language)}"
    if kind == "prose":
        return f"{say('view.desk.of_scene', language, scene=rest)} · {say('view.desk.prose', language)}"
    if kind == "objection" and head.isdecimal():
        number = say("view.desk.objection_n", language, number=int(head) + 1)
        return f"{number} · {say(f'view.desk.objection_{key}', language)}"
    if kind == "waive":
        return say("view.desk.waive", language, id=rest)
    return say("view.desk.stop", language) if kind == "sure" else ""


_OUTCOME_LABELS = {"label": "outcome_label", "text": "outcome_text"}
