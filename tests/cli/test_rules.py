"""`concilio rules`: list, explain, show."""

import json

import pytest
from click.testing import CliRunner, Result

from concilio.cli.rules import command
from rules.catalogue import RULES


@pytest.fixture(autouse=True, params=["es", "en"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every test runs in both languages."""
    monkeypatch.setenv("CONCILIO_LANG", request.param)
    return str(request.param)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


@pytest.mark.parametrize("arguments", [["list"], []])
def test_the_list_names_every_rule_with_its_summary(arguments: list[str]) -> None:
    lines = run(*arguments).stdout.splitlines()
    for rule in RULES:
        assert any(line.split()[:1] == [rule] and len(line.split()) > 4 for line in lines), rule


def test_the_list_as_json_has_all_of_the_catalogue() -> None:
    data = json.loads(run("list", "--format", "json").stdout)
    assert [d["id"] for d in data] == list(RULES)
    assert all(d["why"] and d["good"] and d["bad"] and d["source"] for d in data)


@pytest.mark.parametrize("rule", ["fall-damage", "dc-drift"])
def test_explain_prints_all_parts(rule: str, language: str) -> None:
    result = run("explain", rule)
    data = json.loads(run("explain", rule, "--format", "json").stdout)
    for part in ("summary", "why", "bad", "good", "source"):
        assert data[part] in result.stdout
    assert result.exception is None


def test_an_unknown_rule_ends_with_2_and_the_nearest() -> None:
    error = run("explain", "fall-damge").exception
    assert getattr(error, "exit_code", None) == 2
    assert "fall-damage" in str(error)


def test_show_prints_skills_cover_and_falls(language: str) -> None:
    text = run("show", "srd5e").stdout
    wanted = {
        "es": ("Juego de Manos", "cobertura media", "20d6"),
        "en": ("Sleight of Hand", "half cover", "20d6"),
    }
    assert all(word in text for word in wanted[language])


def test_show_as_json_is_the_ruleset() -> None:
    data = json.loads(run("show", "srd5e", "--format", "json").stdout)
    assert data["skills"]["stealth"]["ability"] == "dex"


def test_an_unknown_ruleset_ends_with_2() -> None:
    error = run("show", "pathfinder").exception
    assert getattr(error, "exit_code", None) == 2
