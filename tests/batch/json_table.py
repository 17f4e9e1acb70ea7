"""The table of `tests.table_scripts`, with its plan and its reviews as JSON."""

from collections.abc import Mapping
from typing import Any

from tests.table_scripts import PLAN, table_script

_FIELDS = {
    "LUGAR": "place",
    "PRESENTES": "present",
    "SITUACIÓN INICIAL": "situation",
    "ACCIÓN DEL JUGADOR": "player_action",
    "CAMBIO DE ESTADO": "state_change",
}
_MARKS = ("action", "state_change", "outcomes", "pacing", "numbers", "time")
_REVIEW: Mapping[str, Any] = {
    "summary": "Las dos escenas se pueden jugar esta noche.",
    "rows": [],
    "marks": dict.fromkeys(_MARKS, "good"),
    "objections": [],
    "closed": [],
    "verdict": "accept",
}


def json_script(**options: Any) -> Mapping[str, Any]:
    """Return a script whose plan and reviews are data, and whose prose is text."""
    plan = {"scenes": [_scene(text) for text in PLAN.split("### ")[1:]]}
    review = {"json": _REVIEW, "repeat": True}
    return table_script(iris={"json": plan, "repeat": True}, damian=review, ruben=review, **options)


def _scene(text: str) -> dict[str, Any]:
    heading, *lines = text.strip().splitlines()
    scene: dict[str, Any] = {"id": heading.split("Escena ")[1][:3], "title": heading.split(" — ")[1]}
    outcomes: list[dict[str, str]] = []
    for line in lines:
        label, _, said = line.strip(" -").partition(": ")
        if label in _FIELDS:
            scene[_FIELDS[label]] = said
        elif said:
            told, _, target = said.rstrip(")").partition(" (→ ")
            outcomes.append({"label": label, "text": told, "leads_to": target.replace("fin", "end")})
    return scene | {"outcomes": outcomes}
