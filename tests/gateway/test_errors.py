"""What leaves the gateway: a small tree, in the user's language, without secrets."""

import inspect
import re

import pytest

from concilio.gateway import errors
from concilio.gateway.errors import (
    BudgetSpent,
    GatewayError,
    MissingKey,
    ModelRefused,
    ModelUnreachable,
    OutOfCredit,
    ReplyUnusable,
)

EXAMPLES: list[GatewayError] = [
    GatewayError(agent="iris", model="openai/iris", cause="no"),
    ModelUnreachable(agent="iris", model="openai/iris", cause="no"),
    MissingKey(variable="OPENAI_API_KEY", model="openai/gpt-4o"),
    ModelRefused(status=404, agent="iris", model="openai/iris", cause="no such model"),
    OutOfCredit(status=429, agent="iris", model="openai/iris", cause="insufficient_quota"),
    BudgetSpent(spent_usd=1.5, limit_usd=1, agent="iris", model="openai/iris"),
    ReplyUnusable(text="t", partial=[1], agent="iris", model="openai/iris", cause="cut"),
]


def test_the_docstring_draws_the_whole_tree() -> None:
    """Every class of the module stands in the drawing, and nothing else does."""
    classes = {n for n, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__}
    drawn = set(re.findall(r"^\W*([A-Z]\w+)  ", errors.__doc__ or "", re.MULTILINE))
    assert drawn == classes


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("error", EXAMPLES, ids=lambda e: type(e).__name__)
def test_each_says_what_happened_in_both_languages(error: GatewayError, language: str) -> None:
    """A text, with the model's name and no empty place."""
    text = error.explain(language)
    assert error.model in text
    assert "{" not in text


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_missing_key_says_in_two_lines_what_to_set(language: str) -> None:
    """What to set, and how to do without."""
    lines = MissingKey(variable="OPENAI_API_KEY", model="openai/gpt-4o").explain(language).splitlines()
    assert len(lines) == 2
    assert "OPENAI_API_KEY" in lines[0]
    assert "export OPENAI_API_KEY=" in lines[1]
    assert "--model embedded" in lines[1]


SECRETS = [
    "sk-abcdef1234567890",
    "sk-proj-AbC_def-123",
    "Bearer abc.def.ghi",
    "http://ana:clave@servidor/v1",
    "https://x/v1?key=AIzaSyA123",
    "valor-de-la-variable",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_told(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By shape, and by the value of a variable that names a key."""
    monkeypatch.setenv("OPENROUTER_API_KEY", "valor-de-la-variable")
    error = ModelRefused(cause=f"wrong: {secret} given", model="openai/x")
    hidden = secret.split("//")[-1].split("@")[0].removeprefix("Bearer ").split("key=")[-1]
    assert hidden not in f"{error}{error.args}{error.cause}"
    assert error.cause.startswith("wrong: ")


def test_a_cause_is_one_short_line() -> None:
    """Some providers answer with a page."""
    cause = ModelRefused(cause="<html>\n" + "x" * 5000).cause
    assert "\n" not in cause
    assert len(cause) <= errors.LONGEST_CAUSE


def test_braces_in_a_cause_are_only_text() -> None:
    """A provider's message is no format string."""
    assert "{agent.__class__}" in ModelRefused(cause="{agent.__class__} {0}").explain("en")


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0.0075, "0.0075"), (0.00001, "0.00001"), (0.0000321, "0.000032"), (0.0, "0.00"), (1.5, "1.50")],
)
def test_a_small_limit_is_not_shown_as_none(amount: float, shown: str) -> None:
    error = BudgetSpent(spent_usd=0.0075, limit_usd=amount)
    assert f"$0.0075 of ${shown}." in error.explain("en")
    assert f"0,0075 $ de {shown.replace('.', ',')} $." in error.explain("es")
