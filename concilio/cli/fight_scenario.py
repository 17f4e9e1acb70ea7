"""Reading the scenario of a fight: YAML in either language; all that is wrong with it, each at its place."""

from collections.abc import Mapping as AnyMapping
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from concilio.adventure.nodes import Mapping, Node, Scalar, Sequence, compose
from concilio.adventure.problems import AdventureErrors, Problem, Problems, shown
from concilio.bounded import TooLargeError, read_text
from concilio.catalogue import Language, follow, has_text, say, user_language
from rules.entries import Model
from rules.fights import model
from rules.fights.model import Scenario
from rules.fights.setup import Fault, Place, ScenarioError, faults_of, nearest
from rules.folding import fold_words
from rules.ruleset import Ruleset, load_ruleset
from rules.wording import LANGUAGES, texts

MOST_BYTES = 500_000
FREE = frozenset({"potions", "attitudes", "slots"})
"""Fields whose keys are the designer's own."""
ABILITIES = frozenset({"abilities", "saves", "checks", "skills", "skill", "ability", "save", "spell_ability"})
"""Fields whose keys or values are abilities and skills of the ruleset."""
DAMAGE_TYPES = frozenset({"damage_type", "resistances", "vulnerabilities", "immunities"})
SHARED_VALUES = {"attitudes": "attitude"}
MODELS = (
    Scenario,
    model.Fighter,
    model.Weapon,
    model.Intent,
    model.Goal,
    model.Scores,
    model.PlanB,
    model.Ammunition,
)
MOST_PROBLEMS = 50


def read_scenario(path: Path, language: str | None = None) -> Scenario:
    """Return the scenario of a file.

    Raises:
        AdventureErrors: it cannot be read, or something in it is misspelt or does not fit; holds all that is.
    """
    problems = Problems(str(path))
    text = _text(path)
    node = compose(text, problems)
    if problems.found:
        raise AdventureErrors(tuple(problems.found))
    reading = _Reading(str(path))
    data = reading.value(node, (), "")
    if not isinstance(data, dict):
        raise AdventureErrors((Problem(str(path), 1, 1, say("fights.problem.no_mapping", language)),))
    return _validated(reading, cast("dict[str, Any]", data))


def _text(path: Path) -> str:
    try:
        return read_text(path, MOST_BYTES, "utf-8-sig")
    except TooLargeError:
        raise AdventureErrors((_whole(path, "too_large"),)) from None
    except UnicodeError:
        raise AdventureErrors((_whole(path, "no_text"),)) from None
    except (OSError, ValueError):
        raise AdventureErrors((_whole(path, "unreadable"),)) from None


def _whole(path: Path, code: str) -> Problem:
    return Problem(str(path), 0, 0, say(f"fights.problem.{code}"))


class _Reading:
    """One file on its way from nodes to plain values; remembers where each one stands."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.places: dict[Place, tuple[int, int]] = {}
        self.rules: Ruleset = load_ruleset("combate")

    def value(self, node: Node | None, at: Place, field: str) -> Any:
        """Return what a node says, in the words of the models."""
        if node is None:
            return None
        self.places.setdefault(at, (node.line, node.column))
        if isinstance(node, Mapping):
            return self._mapping(node, at, field)
        if isinstance(node, Sequence):
            return [self.value(item, (*at, i), field) for i, item in enumerate(node.items)]
        return self._scalar(cast(Scalar, node), field)

    def _mapping(self, node: Mapping, at: Place, field: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if not at:
            self._choose_rules(node)
        for key, value in node.entries:
            name = self._key(key.text, field)
            place = (*at, name)
            if name in found:
                raise AdventureErrors((self.problem("twice", (key.line, key.column), found=key.text),))
            self.places[place] = (key.line, key.column)
            own = field if field in FREE | ABILITIES else name
            found[name] = self.value(value, place, SHARED_VALUES.get(own, own))
        return found

    def _choose_rules(self, node: Mapping) -> None:
        """Read by the ruleset that the file names, and speak its language, where they are ours."""
        said = {self._key(key.text, ""): value for key, value in node.entries}
        ruleset, language = (self._said(said.get(name), name) for name in ("ruleset", "language"))
        if ruleset in get_args(Scenario.model_fields["ruleset"].annotation):
            self.rules = load_ruleset(ruleset)
        if language in LANGUAGES:
            follow(cast(Language, language))

    def _said(self, node: Node | None, field: str) -> str:
        return str(self._scalar(node, field)) if isinstance(node, Scalar) else ""

    def _key(self, text: str, field: str) -> str:
        if field in FREE:
            return text
        if field in ABILITIES:
            return self._ability(text)
        return _keys().get(_folded(text), text)

    def _ability(self, text: str) -> str:
        """Return the id of an ability or a skill; an unknown word as it is."""
        for language in LANGUAGES:
            found = self.rules.find("ability", text, language) or self.rules.find("skill", text, language)
            if found:
                return found
        return text

    def _scalar(self, node: Scalar, field: str) -> Any:
        if node.is_null:
            return None
        text = node.text.strip()
        if field in ABILITIES:
            return self._ability(text)
        if field in DAMAGE_TYPES:
            found = (self.rules.find("damage_type", text, language) for language in LANGUAGES)
            return next((kind for kind in found if kind), text)
        values = {**_values().get("truth", {}), **_values().get(field, {})}
        return values.get(fold_words(text), text) if field in _worded() else text

    def problem(self, code: str, place: tuple[int, int], **values: str) -> Problem:
        """Return a problem with its words."""
        told = {key: shown(value) for key, value in values.items()}
        return Problem(self.file, *place, say(f"fights.problem.{code}", None, **told))

    def place_of(self, at: Place) -> tuple[int, int]:
        """Return line and column of a value, or of the nearest thing around it."""
        while at and at not in self.places:
            at = at[:-1]
        return self.places.get(at, (1, 1))


def _folded(key: str) -> str:
    return fold_words(key.replace("_", " ").replace("-", " "))


@cache
def _keys() -> AnyMapping[str, str]:
    """Return the fields by their words in every language, and by their own names."""
    words = {_folded(w): name for lang in LANGUAGES for w, name in texts(lang, "fights")["keys"].items()}
    return {**words, **{_folded(name): name for kind in MODELS for name in kind.model_fields}}


@cache
def _values() -> AnyMapping[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        for field, words in texts(language, "fights")["values"].items():
            found.setdefault(field, {}).update({fold_words(w): v for w, v in words.items()})
    return found


@cache
def _worded() -> frozenset[str]:
    """Return the fields whose values are chosen from words: those that have some, and what is true or not."""
    truths = {n for kind in MODELS for n, f in kind.model_fields.items() if f.annotation is bool}
    return frozenset({*_values(), *truths})


def _validated(reading: _Reading, data: dict[str, Any]) -> Scenario:
    try:
        scenario = Scenario.model_validate(data)
    except ValidationError as error:
        problems = [_of_pydantic(reading, each) for each in error.errors(include_url=False)]
        raise AdventureErrors(tuple(sorted(set(problems))[:MOST_PROBLEMS])) from None
    if faults := faults_of(scenario, load_ruleset(scenario.ruleset)):
        raise AdventureErrors(tuple(sorted({_of_fault(reading, each) for each in faults})[:MOST_PROBLEMS]))
    return scenario


def _of_fault(reading: _Reading, fault: Fault) -> Problem:
    near = say("fights.problem.near", near=shown(fault.near)) if fault.near else ""
    message = say(f"fights.problem.{fault.code}", None, found=shown(fault.found)) + near
    return Problem(reading.file, *reading.place_of(fault.place), message)


def _of_pydantic(reading: _Reading, error: ErrorDetails) -> Problem:
    at: Place = tuple(error["loc"])
    name = str(at[-1]) if at else ""
    place, found = reading.place_of(at), str(error.get("input", ""))
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        return _told(reading, place, "unknown_key", nearest(name, _fields_around(at)), found=name)
    if kind == "missing":
        return _told(reading, place, "missing", found=name)
    if kind == "literal_error":
        choices = _choices(name, str(context.get("expected", "")))
        return _told(reading, place, "no_choice", nearest(found, choices), found=found)
    bounds = [_plain(context[key]) for key in ("ge", "le", "max_length", "min_length") if key in context]
    code = kind if has_text(f"fights.problem.{kind}", user_language()) else "wrong_value"
    return _told(reading, place, code, found=found, field=name, limit="".join(bounds[:1]))


def _plain(bound: float) -> str:
    """Return a bound as people write it: `1`, not `1.0`."""
    return str(int(bound)) if bound == int(bound) else str(bound)


def _told(reading: _Reading, place: tuple[int, int], code: str, near: str = "", **values: str) -> Problem:
    said = reading.problem(code, place, **values)
    tail = say("fights.problem.near", near=shown(near)) if near else ""
    return Problem(said.file, said.line, said.column, said.message + tail)


def _choices(field: str, expected: str) -> list[str]:
    """Return what a value may be, by its id and in the words of the user's language."""
    words = texts(user_language(), "fights")["values"].get(field, {})
    ids = [part.strip(" '\"") for part in expected.replace(" or ", ",").split(",")]
    return [*(word for word, value in words.items() if value in ids), *ids]


def _fields_around(at: Place) -> list[str]:
    """Return the keys that the thing around may have, in both their names."""
    kind: type[Model] = Scenario
    inside = {"fighters": model.Fighter, "script": model.Intent, "goal": model.Goal, "weapons": model.Weapon,
              "scores": model.Scores, "plan_b": model.PlanB, "ammunition": model.Ammunition}  # fmt: skip
    for part in at[:-1]:
        kind = inside.get(str(part), kind)
    own = list(kind.model_fields)
    words = texts(user_language(), "fights")["keys"]
    return [*own, *(word for word, name in words.items() if name in own)]


__all__ = ["ScenarioError", "read_scenario"]
