"""Reading the scenario of a fight: YAML in either language; all that is wrong with it, each at its place."""

from collections.abc import Mapping as AnyMapping
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import ValidationError

from concilio.adventure.nodes import Mapping, Node, Scalar, Sequence, compose
from concilio.adventure.problems import AdventureErrors, Problem, Problems
from concilio.bounded import TooLargeError, read_text
from concilio.catalogue import Language, follow, say
from concilio.cli.fight_faults import INSIDE, SHARED_VALUES, Written, of_fault, of_pydantic
from rules.fights.model import Scenario
from rules.fights.setup import Place, faults_of
from rules.folding import fold_words
from rules.ruleset import Ruleset, load_ruleset
from rules.wording import LANGUAGES, texts

MOST_BYTES = 500_000
FREE = frozenset({"potions", "attitudes", "slots"})
"""Fields whose keys are the designer's own."""
ABILITIES = frozenset({"abilities", "saves", "checks", "skills", "skill", "ability", "save", "spell_ability"})
"""Fields whose keys or values are abilities and skills of the ruleset."""
DAMAGE_TYPES = frozenset({"damage_type", "resistances", "vulnerabilities", "immunities"})
MODELS = (Scenario, *INSIDE.values())
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
        self.written = Written(file)
        self.rules: Ruleset = load_ruleset("combate")

    def value(self, node: Node | None, at: Place, field: str) -> Any:
        """Return what a node says, in the words of the models."""
        if node is None:
            return None
        self.written.places.setdefault(at, (node.line, node.column))
        if isinstance(node, Mapping):
            return self._mapping(node, at, field)
        if isinstance(node, Sequence):
            return [self.value(item, (*at, i), field) for i, item in enumerate(node.items)]
        self.written.values[at] = cast(Scalar, node).text
        return self._scalar(cast(Scalar, node), field)

    def _mapping(self, node: Mapping, at: Place, field: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if not at:
            self._choose_rules(node)
        for key, value in node.entries:
            name = self._key(key.text, field)
            place = (*at, name)
            if name in found:
                raise AdventureErrors(
                    (self.written.problem("twice", (key.line, key.column), found=key.text),)
                )
            self.written.places[place] = (key.line, key.column)
            self.written.keys[place] = key.text
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
        problems = [of_pydantic(reading.written, each) for each in error.errors(include_url=False)]
        raise AdventureErrors(tuple(sorted(set(problems))[:MOST_PROBLEMS])) from None
    if faults := faults_of(scenario, load_ruleset(scenario.ruleset)):
        told = {of_fault(reading.written, each) for each in faults}
        raise AdventureErrors(tuple(sorted(told)[:MOST_PROBLEMS]))
    return scenario
