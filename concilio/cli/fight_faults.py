"""What is wrong with a fight's scenario, told at its place and by the names under which it was written."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import ErrorDetails

from concilio.adventure.problems import Problem, shown
from concilio.catalogue import has_text, say, user_language
from concilio.faults import refusal
from rules.entries import Model
from rules.fights import model
from rules.fights.setup import Fault, Place, nearest
from rules.wording import texts

INSIDE: dict[str, type[Model]] = {
    "fighters": model.Fighter,
    "script": model.Intent,
    "goal": model.Goal,
    "weapons": model.Weapon,
    "scores": model.Scores,
    "plan_b": model.PlanB,
    "ammunition": model.Ammunition,
}
"""What stands under which key."""
SHARED_VALUES = {"attitudes": "attitude"}
"""Fields whose values are those of another field."""
_AS_WRITTEN = frozenset({"no_target", "no_place"})
"""Faults of which the value itself is told, as it was written."""


@dataclass
class Written:
    """How and where a file writes what was read from it."""

    file: str
    places: dict[Place, tuple[int, int]] = field(default_factory=dict[Place, tuple[int, int]])
    """Line and column of each value, by its keys in the models' words."""
    keys: dict[Place, str] = field(default_factory=dict[Place, str])
    values: dict[Place, str] = field(default_factory=dict[Place, str])

    def place_of(self, at: Place) -> tuple[int, int]:
        """Return line and column of a value, or of the nearest thing around it."""
        while at and at not in self.places:
            at = at[:-1]
        return self.places.get(at, (1, 1))

    def key_of(self, at: Place) -> str:
        """Return the key of a value, or of the list that it stands in, as it was written."""
        while at and at not in self.keys:
            at = at[:-1]
        return self.keys.get(at, "")

    def problem(self, code: str, place: tuple[int, int], near: str = "", **values: str) -> Problem:
        """Return a problem with its words."""
        told = {key: shown(value) for key, value in values.items()}
        return self.problem_told(place, say(f"fights.problem.{code}", None, **told), near)

    def problem_told(self, place: tuple[int, int], message: str, near: str = "") -> Problem:
        """Return a problem, and what was meant perhaps."""
        tail = say("fights.problem.near", near=shown(near)) if near else ""
        return Problem(self.file, *place, message + tail)


def of_fault(written: Written, fault: Fault) -> Problem:
    """Return the problem of what does not fit together in a scenario."""
    as_written = written.values.get(fault.place, fault.found)
    found = as_written if fault.code in _AS_WRITTEN else fault.found
    return written.problem(fault.code, written.place_of(fault.place), fault.near, found=found)


def of_pydantic(written: Written, error: ErrorDetails) -> Problem:
    """Return the problem of a value that has not its model's shape."""
    at: Place = tuple(error["loc"])
    place, kind, key = written.place_of(at), error["type"], written.key_of(at)
    if kind == "extra_forbidden":
        near = nearest(key, *_fields_around(at))
        return written.problem("unknown_key", place, near, found=key)
    if kind == "missing":
        return written.problem("missing", place, found=_own_word(str(at[-1])))
    if kind == "literal_error":
        found = written.values.get(at, str(error.get("input", "")))
        choices = _choices(_field(at), str(error.get("ctx", {}).get("expected", "")))
        return written.problem("no_choice", place, nearest(found, *choices), found=found)
    if has_text(f"fights.problem.{kind}", user_language()):
        return written.problem(kind, place, found=str(error.get("input", "")), field=key)
    return written.problem_told(place, refusal(error, key) + ".")


def _field(at: Place) -> str:
    """Return the field that a value is of, through lists and free keys."""
    shared = next((SHARED_VALUES[str(part)] for part in at if str(part) in SHARED_VALUES), "")
    return shared or next((part for part in reversed(at) if isinstance(part, str)), "")


def _own_word(name: str) -> str:
    """Return what the user's language calls a field."""
    words = texts(user_language(), "fights")["keys"]
    return next((word for word, each in words.items() if each == name), name)


def _choices(name: str, expected: str) -> tuple[list[str], list[str]]:
    """Return what a value may be, in the words of the user's language, and by its id."""
    words: dict[str, Any] = texts(user_language(), "fights")["values"].get(name, {})
    ids = [part for part in (each.strip(" '\"") for each in expected.replace(" or ", ",").split(",")) if part]
    return _told_by([word for word, value in words.items() if value in ids], ids, words.values())


def _fields_around(at: Place) -> tuple[list[str], list[str]]:
    """Return the keys that may stand there, in the words of the user's language, and by their ids."""
    kind: type[Model] = model.Scenario
    for part in at[:-1]:
        kind = INSIDE.get(str(part), kind)
    words: dict[str, Any] = texts(user_language(), "fights")["keys"]
    own = list(kind.model_fields)
    return _told_by([word for word, name in words.items() if name in own], own, words.values())


def _told_by(words: list[str], ids: list[str], worded: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Return words, with the ids that have none; and all ids."""
    have = set(worded)
    return [*words, *(each for each in ids if each not in have)], ids
