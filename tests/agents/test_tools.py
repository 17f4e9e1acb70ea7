"""What reviewers may ask the rules engine: right answers, and a line for every wrong question."""

import json
from typing import Any

import pytest

from agents.prompting import PromptBook
from agents.tools import TOOLS, Engine, EngineTools, parameters
from rules.facts import Facts
from rules.ruleset import load_ruleset


def tools(language: Any = "es") -> EngineTools:
    """Return the tools of a language."""
    return EngineTools(Engine(load_ruleset("srd5e"), Facts(3), language), PromptBook(language))


ANSWERS: list[tuple[str, dict[str, Any], str, Any]] = [
    ("odds_check", {"bonus": 7, "dc": 15, "advantage": True}, "p", 0.8775),
    ("odds_check", {"group": [0, 0], "dc": 11}, "p", 0.75),
    ("odds_attack", {"attack": 5, "ac": 15, "damage": "1d8+3"}, "p_hit", 0.55),
    ("odds_attack", {"attack": 5, "ac": 15, "damage": "1d8+3", "hp": 4}, "p_down", 0.55),
    ("odds_save", {"bonus": 3, "dc": 15}, "p", 0.45),
    ("odds_save", {"bonus": 3, "dc": 15, "damage": "2d6"}, "mean", 5.3125),
    ("odds_save", {"bonus": 3, "dc": 15, "damage": "2d6", "on_success": "none"}, "mean", 3.85),
    ("odds_roll", {"dice": "2d6"}, "mean", 7.0),
    ("explain_rule", {"rule": "fall-damage"}, "rule", "fall-damage"),
]


@pytest.mark.parametrize(("name", "given", "key", "value"), ANSWERS)
def test_a_question_gets_the_engines_figures(name: str, given: dict[str, Any], key: str, value: Any) -> None:
    found = json.loads(tools().answer(name, json.dumps(given)))
    assert found[key] == (pytest.approx(value) if isinstance(value, float) else value)


def test_a_duel_is_told_for_both_sides() -> None:
    sides = {"a": "hp=12 ac=18 attack=+5 damage=1d8+3", "b": "hp=22 ac=12 attack=+4 damage=1d8+2"}
    found = json.loads(tools().answer("odds_duel", json.dumps(sides)))
    assert found["p_a"] + found["p_b"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("language", "text"),
    [("es", "Una caída de 30 metros causa 4d6 de daño."), ("en", "A fall of 100 feet deals 4d6 damage.")],
)
def test_a_text_is_checked(language: Any, text: str) -> None:
    found = json.loads(tools(language).answer("check_text", json.dumps({"text": text})))
    assert [one["rule"] for one in found["findings"]] == ["fall-damage"]


WRONG = [
    ("no_such_tool", "{}"),
    ("odds_check", ""),
    ("odds_check", "{"),
    ("odds_check", "[]"),
    ("odds_check", '{"dc": "high"}'),
    ("odds_check", '{"dc": 15, "secret": 1}'),
    ("odds_check", '{"dc": 1e400}'),
    ("odds_attack", '{"attack": 1, "ac": 1, "damage": "999999999d6"}'),
    ("odds_attack", '{"attack": 1, "ac": 1, "damage": "{0.__class__}"}'),
    ("odds_roll", '{"dice": "a lot"}'),
    ("odds_duel", '{"a": "goblin", "b": "nobody at all"}'),
    ("explain_rule", '{"rule": "../../etc/passwd"}'),
    ("check_text", '{"text": 5}'),
]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(("name", "arguments"), WRONG)
def test_a_wrong_question_gets_a_line(language: Any, name: str, arguments: str) -> None:
    found = json.loads(tools(language).answer(name, arguments))
    assert list(found) == ["error"]
    assert found["error"]
    assert "Traceback" not in found["error"]


SOUND: dict[str, dict[str, Any]] = {
    "odds_check": {"dc": 15, "bonus": 1},
    "odds_attack": {"attack": 5, "ac": 15, "damage": "1d8"},
    "odds_save": {"dc": 15, "bonus": 1, "damage": "1d8"},
}
NUMBERS = [
    (name, field)
    for name, tool in TOOLS.items()
    for field, shape in parameters(tool.arguments)["properties"].items()
    if '"integer"' in json.dumps(shape)
]


def test_the_tools_that_take_numbers_are_all_held() -> None:
    """By the list that models are given: it bounds every number."""
    assert {name for name, _ in NUMBERS} == set(SOUND)
    assert len(NUMBERS) == 10
    shapes = [parameters(TOOLS[name].arguments)["properties"][field] for name, field in NUMBERS]
    assert all('"minimum"' in json.dumps(shape) for shape in shapes)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize(("name", "field"), NUMBERS)
def test_a_truth_value_is_no_number(language: Any, name: str, field: str, truth: bool) -> None:
    """Python takes `true` for 1: `bonus: true` would be answered, and wrongly."""
    given = {**SOUND[name], field: [truth] if field == "group" else truth}
    found = json.loads(tools(language).answer(name, json.dumps(given)))
    assert list(found) == ["error"]
    assert field in found["error"]
    assert {"es": "número entero", "en": "whole number"}[language] in found["error"]


def test_a_number_that_is_written_as_text_will_do() -> None:
    assert json.loads(tools().answer("odds_check", '{"dc": "15", "bonus": 7}'))["p"] == 0.65


@pytest.mark.parametrize("language", ["es", "en"])
def test_each_tool_says_what_it_is_for_in_the_table_s_language(language: Any) -> None:
    specs = tools(language).specs
    assert [spec["function"]["name"] for spec in specs] == list(TOOLS)
    assert all(len(spec["function"]["description"]) > 20 for spec in specs)
    assert "description" not in json.dumps([parameters(tool.arguments) for tool in TOOLS.values()])
