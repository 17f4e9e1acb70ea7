"""The edge to litellm: what it raises, what it is told, and programs of ours behind it."""

import importlib
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from concilio.gateway import ModelRefused, Models
from concilio.gateway.failures import CallFailed, failure
from concilio.gateway.wire import Wire, quiet_environment, reply_of
from concilio.store.database import Database
from concilio.store.journal import Request
from tests.gateway.conftest import Make
from tests.gateway.support import Verdict, ask_verdict


class Said(Exception):  # noqa: N818
    """An error as litellm raises it."""

    def __init__(self, text: str, status: int | None = None) -> None:
        self.status_code = status
        super().__init__(text)


class APIConnectionError(Said):
    """Named as litellm's."""


class AuthenticationError(Said):
    """Named as litellm's."""


class ContextWindowExceededError(Said):
    """Named as litellm's."""


SENT: dict[str, object] = {"max_tokens": 1, "response_format": {}, "seed": 1}
QUOTA = "You exceeded your current quota, please check your plan and billing details."
RATE = "Rate limit reached. You can raise it by adding a payment method: https://x/account/billing."
RENAME = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
FAILURES: list[tuple[Exception, str, str | None]] = [
    (Said("busy", 429), "transient", None),
    (Said("You exceeded your current quota: insufficient_quota", 429), "no_credit", None),
    (Said(QUOTA, 429), "no_credit", None),
    (Said(f"{QUOTA} Quota: requests per minute. Please retry in 20s.", 429), "transient", None),
    (Said(RATE, 429), "transient", None),
    (Said("Your credit balance is too low to access the API.", 400), "no_credit", None),
    (Said("pay first", 402), "no_credit", None),
    (Said("Insufficient Balance", 403), "no_credit", None),
    (Said(f"Unsupported parameter: {RENAME}", 400), "bad_params", "max_completion_tokens"),
    (Said("Unsupported parameters: seed, response_format", 400), "bad_params", "response_format seed"),
    (Said("body.max_tokens: Extra inputs are not permitted", 422), "bad_params", "max_completion_tokens"),
    (Said("max_tokens is too large: 16000; at most 8192", 400), "bad_params", "max_tokens"),
    (Said("boom", 500), "transient", None),
    (Said("no such method", 501), "refused", None),
    (APIConnectionError("refused"), "transient", None),
    (ConnectionResetError("reset"), "transient", None),
    (Said("Connection error."), "transient", None),
    (AuthenticationError("no key", 401), "no_key", None),
    (Said("forbidden", 403), "refused", None),
    (Said("no such model", 404), "refused", None),
    (ContextWindowExceededError("too long", 400), "refused", None),
    (Said("Unsupported parameter: 'seed'", 400), "bad_params", "seed"),
    (Said("max_completion_tokens is too large", 400), "bad_params", "max_tokens"),
    (Said("unknown field", 422), "bad_params", "response_format"),
    (Said("???"), "refused", None),
]


@pytest.mark.parametrize(("error", "kind", "param"), FAILURES)
def test_what_an_error_means(error: Exception, kind: str, param: str | None) -> None:
    """By status and kind, not by luck."""
    failed = failure(error, SENT)
    assert (failed.kind, " ".join(failed.params) or None) == (kind, param)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("litellm.RateLimitError: RateLimitError: OpenAIException - Slow down.", "Slow down."),
        ("OpenAIException - Invalid response object Traceback (most recent call last): File x", "Invalid"),
        ("Connection error.", "Connection error."),
        ("", "Said"),
    ],
)
def test_a_cause_is_the_provider_s_words(said: str, words: str) -> None:
    """Without litellm's prefix, and never with a traceback."""
    cause = failure(Said(said, 500), {}).cause
    assert cause.startswith(words)
    assert "Traceback" not in cause


def test_a_limit_whose_other_name_is_rejected_too_is_not_sent() -> None:
    """Some servers know no limit at all."""
    failed = failure(Said("Unknown parameter: 'max_completion_tokens'", 400), {"max_completion_tokens": 1})
    assert failed.params == ("no_limit",)


def test_a_parameter_that_was_not_sent_is_not_to_blame() -> None:
    """Nothing to leave out: the request is refused."""
    assert failure(Said("bad seed", 400), {}).kind == "refused"


def test_a_parameter_is_left_out_once() -> None:
    """A second complaint about it is a refusal."""
    wire = Wire({})
    assert wire.leave_out("m", "seed")
    assert not wire.leave_out("m", "seed")
    assert wire.leave_out("other", "seed")


def test_the_environment_keeps_libraries_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where a user's shell asks for tracing."""
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGCHAIN_TRACING_V2", "true")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "")
    monkeypatch.setenv("LITELLM_MODE", "")
    quiet_environment()
    assert os.environ["LANGSMITH_TRACING"] == os.environ["LANGCHAIN_TRACING_V2"] == "false"
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
    assert os.environ["LITELLM_MODE"] == "PRODUCTION"


def test_importing_the_gateway_loads_neither_litellm_nor_langgraph() -> None:
    """They cost seconds: `check` and `--help` do without."""
    code = (
        "import sys, concilio.gateway, concilio.store.run\n"
        "print({'litellm', 'langgraph', 'py3langid'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.strip() == "set()"


def register_echo(failing: bool = False) -> None:
    """Register a program that answers with the task it was handed."""
    litellm: Any = importlib.import_module("litellm")

    class Echo(litellm.CustomLLM):  # type: ignore[misc]
        async def acompletion(self, *args: Any, **kwargs: Any) -> Any:
            options = kwargs["optional_params"]
            if failing:
                raise KeyError("a fault of ours")
            note = json.dumps([options["concilio_task"], options["seed"]])
            text = json.dumps({"verdict": "accept", "note": note})
            return litellm.ModelResponse(
                choices=[{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
            )

    litellm.custom_provider_map = [{"provider": "echo", "custom_handler": Echo()}]


async def test_a_program_of_ours_gets_its_task_and_costs_nothing(make_gateway: Make) -> None:
    """By the very same gateway; registered once, when it is first asked."""
    registered: list[int] = []

    def register() -> None:
        registered.append(1)
        register_echo()

    gateway = make_gateway(models=Models("echo"), providers={"echo": register})
    task = {"task": "check", "payload": {"chapter": 5}}
    for key in ("a", "b"):
        answered = await gateway.ask(ask_verdict(key, payload=task, seed=11))
    assert answered.value == Verdict(verdict="accept", note=json.dumps([task, 11]))
    assert answered.model == "echo"
    assert answered.usage.cost_usd == 0.0
    assert registered == [1]


async def test_a_fault_of_a_program_of_ours_is_not_tried_again(make_gateway: Make) -> None:
    """It would fail the same way."""
    gateway = make_gateway(models=Models("echo"), providers={"echo": lambda: register_echo(failing=True)})
    with pytest.raises(ModelRefused):
        await gateway.ask(ask_verdict())


USAGES: list[tuple[object, object, object, tuple[int | None, int | None, float | None]]] = [
    # (tokens in, tokens out, price; what is believed of them)
    (10, 20, 0.5, (10, 20, 0.5)),
    (10**30, 20, 1e24, (None, 20, None)),
    (10, 10**30, 1e24, (10, None, None)),
    (-5, 20, -0.5, (None, 20, None)),
    (2**63, 2**63, 1.0, (None, None, None)),
    (10, 20, math.nan, (10, 20, None)),
    (10, 20, math.inf, (10, 20, None)),
    (10, 20, -1.0, (10, 20, None)),
    (1e300, "many", 0.5, (None, None, None)),
]


@pytest.mark.parametrize(("tokens_in", "tokens_out", "price", "believed"), USAGES)
async def test_absurd_usage_is_taken_as_not_told(
    tokens_in: object, tokens_out: object, price: object, believed: tuple[Any, ...], tmp_path: Path
) -> None:
    """Neither figures nor database overflow, and the reply is kept."""
    response = SimpleNamespace(
        choices=[SimpleNamespace(message=SimpleNamespace(content="Hola"), finish_reason="stop")],
        usage=SimpleNamespace(prompt_tokens=tokens_in, completion_tokens=tokens_out),
        _hidden_params={"response_cost": price},
    )
    reply = reply_of(response, "m")
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd) == believed
    database = Database(tmp_path / "store.sqlite")
    try:
        await database.put(Request("iris", "k", 0, "m", [("user", "x")]), reply)
        assert [row.reply.tokens_in for row in await database.rows()] == [believed[0]]
    finally:
        database.close()


def test_call_failed_tells_its_cause() -> None:
    """For the log."""
    assert str(CallFailed("transient", "busy")) == "busy"
