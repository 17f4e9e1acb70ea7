"""`concilio doctor` tells what is there, where it came from and what is missing, and never a key."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from concilio.catalogue import LANGUAGES, has_text
from concilio.cli.doctor import command, parse_agents
from concilio.diagnosis import installed
from concilio.diagnosis.collect import ModelState, diagnose
from concilio.diagnosis.installed import folder, package_problems
from concilio.diagnosis.report import Diagnosis, Package
from concilio.settings import load_settings
from tests.fake_model import FakeModel


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting and no key comes from outside; the current folder is empty."""
    for name in [n for n in os.environ if n.startswith("CONCILIO_") or n.endswith(("_API_KEY", "_BASE"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("CONCILIO_LANG", "en")
    monkeypatch.chdir(tmp_path)


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, standalone_mode=False)


def as_json(*arguments: str) -> tuple[int, dict[str, Any]]:
    result = doctor(*arguments, "--format", "json")
    return result.return_value, json.loads(result.stdout)


def test_without_any_setting_nothing_is_missing_and_a_real_model_is_advised() -> None:
    status, told = as_json()
    assert status == 0
    assert {seat["model"] for seat in told["seats"]} == {"embedded"}
    assert {seat["answers"] for seat in told["seats"]} == {True}
    assert [p["kind"] for p in told["problems"]] == ["advice"]
    assert "embedded author" in told["problems"][0]["message"]
    assert all(package["version"] for package in told["packages"])
    assert {"litellm", "langgraph", "click"} <= {package["name"] for package in told["packages"]}


def test_the_json_is_the_published_shape() -> None:
    assert Diagnosis.model_validate(as_json()[1]).complete


def test_a_model_without_its_key_is_missing_and_the_variable_is_named() -> None:
    status, told = as_json("--model", "openai/gpt-4o", "--agent", "ruben=anthropic/claude-x")
    keys = {seat["agent"]: seat["key_variable"] for seat in told["seats"]}
    assert status == 1
    assert (keys["iris"], keys["ruben"]) == ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")
    remedies = [p["remedy"] for p in told["problems"] if p["kind"] == "missing"]
    assert [r.split("=")[0] for r in remedies] == ["export OPENAI_API_KEY", "export ANTHROPIC_API_KEY"]


def test_a_key_that_is_set_is_enough_and_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-to-be-seen")
    for form in ("text", "json"):
        result = doctor("--model", "openai/gpt-4o", "--format", form)
        assert result.return_value == 0
        assert "not-to-be-seen" not in result.output


def test_debaters_that_share_a_model_are_advised_to_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    shared = as_json("--model", "openai/a")[1]["problems"]
    assert [(p["kind"], "iris, damian, ruben" in p["message"]) for p in shared] == [("advice", True)]
    apart = as_json("--model", "openai/a", "--agent", "damian=openai/b", "--agent", "ruben=openai/c")
    assert apart[1]["problems"] == []


def test_each_setting_says_where_it_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "concilio.toml").write_text('seed = 4\n[agents]\nprose = "embedded"\n', encoding="utf-8")
    monkeypatch.setenv("CONCILIO_ROUNDS", "2")
    told = {s["name"]: (s["value"], s["layer"], s["where"]) for s in as_json()[1]["settings"]}
    assert told["rounds"] == ("2", "variable", "CONCILIO_ROUNDS")
    assert told["seed"][:2] == ("4", "file")
    assert told["seed"][2].endswith("concilio.toml:1")
    assert told["agents"][2].endswith("concilio.toml:3")
    assert told["max_rewrites"] == ("2", "default", "")


def test_a_variable_that_sets_nothing_is_told_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCILIO_ROUND", "2")
    problems = as_json()[1]["problems"]
    assert any("CONCILIO_ROUND " in p["message"] and "CONCILIO_ROUNDS" in p["remedy"] for p in problems)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_has_every_part_in_the_users_language(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCILIO_LANG", language)
    lines = doctor("--model", "openai/x").output.splitlines()
    titles = [line for line in lines if line and not line.startswith(" ")]
    expected = {
        "es": ["Instalado", "Modelos", "Ajustes", "Carpeta de salida", "Qué hacer"],
        "en": ["Installed", "Models", "Settings", "Output folder", "What to do"],
    }
    assert titles == expected[language]


def test_settings_that_are_wrong_end_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "concilio.toml").write_text("ronds = 4", encoding="utf-8")
    error = doctor().exception
    assert getattr(error, "exit_code", None) == 2
    assert "concilio.toml:1" in str(error)
    assert "rounds" in str(error)


@pytest.mark.parametrize(
    ("values", "pairs"),
    [
        (["iris=openai/a"], {"iris": "openai/a"}),
        (["iris = a", "ruben=b=c"], {"iris": "a", "ruben": "b=c"}),
        ([], {}),
    ],
)
def test_agents_are_pairs(values: list[str], pairs: dict[str, str]) -> None:
    assert parse_agents(values) == pairs


@pytest.mark.parametrize("value", ["iris", "=m", "iris=", "", " = "])
def test_an_agent_that_is_no_pair_is_wrong_use(value: str) -> None:
    error = doctor("--agent", value).exception
    assert getattr(error, "exit_code", None) == 2


def test_a_folder_that_cannot_be_written_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    settings = load_settings({"out": file / "below"})
    diagnosis = diagnose(settings, lambda _: ModelState(answers=True))
    assert not diagnosis.complete
    assert [p.message for p in diagnosis.problems if p.kind == "missing"] == [
        f"{file / 'below'} cannot be written."
    ]


def test_looking_at_a_folder_makes_nothing(tmp_path: Path) -> None:
    found = folder(tmp_path / "a" / "b")
    assert (found.exists, found.writable) == (False, True)
    assert list(tmp_path.iterdir()) == []


def test_packages_that_are_missing_or_stolen_are_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    found = (
        Package(name="rich", version=None),
        Package(name="litellm", version="1.82.8"),
        Package(name="click", version="8.3"),
    )
    messages = [p.message for p in package_problems(found)]
    assert len(messages) == 2
    assert "rich" in messages[0]
    assert "MAL-2026-2144" in messages[1]
    monkeypatch.setattr(installed, "NEWEST_PYTHON", (3, 0))
    assert len(list(package_problems(()))) == 1


def test_a_model_that_does_not_answer_is_missing() -> None:
    settings = load_settings({"model": "openai/x"})
    diagnosis = diagnose(settings, lambda _: ModelState(answers=False, detail="nobody there"))
    (problem,) = [p for p in diagnosis.problems if p.kind == "missing"]
    assert "nobody there" in problem.message


@pytest.mark.usefixtures("litellm_loaded")
@pytest.mark.parametrize(
    ("step", "answers"),
    [
        ({"reply": "hello"}, True),
        ({"reply": "", "repeat": True}, True),
        ({"reply": "he", "finish_reason": "length", "repeat": True}, True),
        ({"status": 401, "reply": "wrong key", "repeat": True}, False),
        ({"status": 500, "reply": "down", "repeat": True}, False),
    ],
    ids=["answers", "empty", "cut", "refused", "down"],
)
def test_probing_tells_whether_a_model_answers(
    fake_model: FakeModel, step: dict[str, object], answers: bool
) -> None:
    fake_model.load({"models": {"m": [step]}})
    status, told = as_json("--model", "openai/m", "--probe")
    assert {seat["answers"] for seat in told["seats"]} == {answers}
    assert status == (0 if answers else 1)
    assert len(fake_model.requests) == 1, "one question, however many seats share the model"


def test_without_probing_nothing_is_sent(fake_model: FakeModel) -> None:
    assert {seat["answers"] for seat in as_json("--model", "openai/m")[1]["seats"]} == {None}
    assert fake_model.requests == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_has_an_example(language: str) -> None:
    assert has_text("doctor.help", language)
    assert "concilio doctor --probe" in doctor("--help").output
