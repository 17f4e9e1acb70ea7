"""A model that calls tools before it answers: a real conversation with a server, kept and replayed."""

import json
from typing import Any

import pytest

from concilio.gateway import Answered
from concilio.gateway.settings import Limits
from concilio.gateway.tools import MOST_CALLS, read_calls, wire_message, written
from tests.fake_model import FakeModel
from tests.gateway.support import ask_prose

ON = Limits(tools="on", tries=2, tool_rounds=2)


class Sums:
    """A tool for the tests: it adds, and remembers what it was asked."""

    specs = ({"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}},)

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def answer(self, name: str, arguments: str) -> str:
        """Return the sum of a list of numbers."""
        self.asked.append((name, arguments))
        try:
            return str(sum(json.loads(arguments)["n"]))
        except (ValueError, KeyError, TypeError):
            return "no numbers"


def call(arguments: Any, name: Any = "add", call_id: Any = "c1") -> dict[str, Any]:
    """Return a step in which the model calls."""
    function = {"name": name, "arguments": arguments}
    return {
        "message": {
            "content": None,
            "tool_calls": [{"id": call_id, "type": "function", "function": function}],
        },
        "finish_reason": "tool_calls",
    }


async def test_a_call_is_answered_and_the_question_put_again(
    fake_model: FakeModel, make_gateway: Any
) -> None:
    fake_model.load({"models": {"iris": [call('{"n": [3, 4]}'), "La suma es siete."]}})
    tools = Sums()
    answered: Answered[str] = await make_gateway(limits=ON).ask(ask_prose(tools=tools))
    assert (answered.value, answered.calls) == ("La suma es siete.", 2)
    assert tools.asked == [("add", '{"n": [3, 4]}')]
    first, second = fake_model.requests
    assert first.params["tools"] == list(Sums.specs)
    assert first.params["tool_choice"] == "auto"
    assert second.messages[-2]["tool_calls"][0]["function"]["name"] == "add"
    assert second.messages[-1] | {"role": "tool", "tool_call_id": "c1", "content": "7"} == second.messages[-1]


async def test_calls_end_and_the_last_request_forbids_them(fake_model: FakeModel, make_gateway: Any) -> None:
    steps = [call('{"n": [1]}'), call('{"n": [2]}'), "Basta de sumas."]
    fake_model.load({"models": {"iris": steps}})
    answered = await make_gateway(limits=ON).ask(ask_prose(tools=Sums()))
    assert answered.value == "Basta de sumas."
    assert [r.params["tool_choice"] for r in fake_model.requests] == ["auto", "auto", "none"]


async def test_a_model_that_calls_without_end_is_no_endless_bill(
    fake_model: FakeModel, make_gateway: Any
) -> None:
    from concilio.gateway import ReplyUnusable

    fake_model.load({"models": {"iris": [call('{"n": [1]}') | {"repeat": True}]}})
    with pytest.raises(ReplyUnusable):
        await make_gateway(limits=ON).ask(ask_prose(tools=Sums()))
    assert len(fake_model.requests) <= ON.tool_rounds + ON.empty_replies


async def test_what_was_looked_up_is_not_paid_for_twice(fake_model: FakeModel, make_gateway: Any) -> None:
    from concilio.store.journal import MemoryJournal

    fake_model.load({"models": {"iris": [call('{"n": [3, 4]}'), "La suma es siete."]}})
    journal = MemoryJournal()
    for _ in range(2):
        answered = await make_gateway(journal, limits=ON).ask(ask_prose(tools=Sums()))
        assert answered.value == "La suma es siete."
    assert len(fake_model.requests) == 2


@pytest.mark.parametrize("tools", ["auto", "off"])
async def test_tools_are_offered_only_where_they_are_taken(
    tools: Any, fake_model: FakeModel, make_gateway: Any
) -> None:
    fake_model.load({"models": {"iris": ["Sin sumas."]}})
    await make_gateway(limits=Limits(tools=tools)).ask(ask_prose(tools=Sums()))
    (request,) = fake_model.requests
    assert "tools" not in request.params, "nobody knows whether this model takes them"


async def test_a_server_that_takes_no_tools_is_asked_without(
    fake_model: FakeModel, make_gateway: Any
) -> None:
    refused = {"status": 400, "reply": "this model does not support tools"}
    fake_model.load({"models": {"iris": [refused, "Sin sumas."]}})
    answered = await make_gateway(limits=ON).ask(ask_prose(tools=Sums()))
    assert answered.value == "Sin sumas."
    assert "tools" not in fake_model.requests[1].params
    assert "tool_choice" not in fake_model.requests[1].params


HOSTILE: list[dict[str, Any]] = [
    call("{not json"),
    call({"n": [1]}),
    call('{"n": "x"}', name="rm -rf"),
    call("", call_id=None),
    call("x" * 100_000),
    {"message": {"content": "", "tool_calls": None}, "finish_reason": "tool_calls"},
    {"message": {"tool_calls": [call("{}")["message"]["tool_calls"][0]] * 50}, "finish_reason": "tool_calls"},
]


@pytest.mark.parametrize("step", HOSTILE)
async def test_calls_that_are_none_do_no_harm(step: Any, fake_model: FakeModel, make_gateway: Any) -> None:
    fake_model.load({"models": {"iris": [step, "Seguimos."]}})
    tools = Sums()
    answered = await make_gateway(limits=ON).ask(ask_prose(tools=tools))
    assert answered.value == "Seguimos."
    assert len(tools.asked) <= MOST_CALLS


def test_a_reply_that_only_looks_like_calls_is_text() -> None:
    assert read_calls("{}") == ("{}", ())
    assert read_calls(written("hm", ()))[0] == "hm"
    assert wire_message("user", "{}") == {"role": "user", "content": "{}"}
