"""Servers that answer in other shapes than OpenAI's, refuse what it takes, or hold replies back."""

import asyncio
import json
from typing import Any

import pytest

from concilio.gateway import Limits, OutOfCredit, ReplyUnusable, Usage
from concilio.gateway.mending import text_of_content
from tests.fake_model import FakeModel
from tests.gateway.conftest import Make
from tests.gateway.support import FakeClock, Heard, ask_prose, ask_verdict

SENTENCE = "La lámpara de sal chisporrotea sobre el agua negra del muelle, y alguien cuenta en voz baja."
GOOD = {"verdict": "refine", "note": "Falta la consecuencia del fallo."}

PARTS: list[tuple[object, str | None, str]] = [
    ("a", "a", "a text"),
    ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab", "parts"),
    (["a", "b"], "ab", "plain texts"),
    ([{"type": "thinking", "text": "no"}, {"type": "text", "text": "a"}], "a", "reasoning is not content"),
    ([{"type": "image_url", "image_url": {"url": "x"}}], None, "no text"),
    ([{"type": "text", "text": 5}], None, "a number for a text"),
    (5, None, "a number"),
    ({"text": "a"}, None, "an object"),
    (None, None, "nothing"),
]


@pytest.mark.parametrize(("content", "text", "why"), PARTS)
def test_the_text_of_a_content(content: object, text: str | None, why: str) -> None:
    """A text, or the text parts of a list; nothing else."""
    assert text_of_content(content) == text, why


async def test_a_content_in_parts_is_read(fake_model: FakeModel, make_gateway: Make) -> None:
    """Through litellm, which takes none by itself."""
    parts = [{"type": "text", "text": SENTENCE[:20]}, {"type": "text", "text": SENTENCE[20:]}]
    fake_model.load({"models": {"iris": [{"message": {"content": parts}}]}})
    assert (await make_gateway().ask(ask_prose())).value == SENTENCE


@pytest.mark.parametrize("content", [5, True, {"a": 1}, [[1]], []])
async def test_another_content_is_an_empty_reply(
    fake_model: FakeModel, make_gateway: Make, content: Any
) -> None:
    """Asked again, like any answer with nothing in it."""
    fake_model.load({"models": {"iris": [{"message": {"content": content}}, SENTENCE]}})
    answered = await make_gateway().ask(ask_prose())
    assert (answered.value, answered.calls) == (SENTENCE, 2)


USAGES: list[Any] = [
    None,
    "many",
    7,
    [1],
    {"prompt_tokens": "x", "completion_tokens": 2},
    {"prompt_tokens": 1.5, "completion_tokens": 2},
    {"prompt_tokens": -7, "completion_tokens": 2, "total_tokens": -5},
    {"completion_tokens": 2},
]


@pytest.mark.parametrize("usage", USAGES)
async def test_a_usage_that_is_none_is_unknown(fake_model: FakeModel, make_gateway: Make, usage: Any) -> None:
    """Not zero, no error, and no price made of it."""
    fake_model.load({"default": {"reply": SENTENCE, "body": {"usage": usage}}})
    answered = await make_gateway().ask(ask_prose())
    assert (answered.value, answered.usage) == (SENTENCE, Usage())


@pytest.mark.parametrize("choices", [[], None, "x", [{"index": 0, "message": None}], [None]])
async def test_a_response_without_a_choice_is_tried_again(
    fake_model: FakeModel, make_gateway: Make, choices: Any
) -> None:
    """And its error has no traceback of a library in it."""
    fake_model.load({"models": {"iris": [{"body": {"choices": choices}}, SENTENCE]}})
    heard = Heard()
    assert (await make_gateway(events=heard).ask(ask_prose())).value == SENTENCE
    assert heard.kinds() == ["retry", "call"]
    assert "Traceback" not in json.dumps(heard.events)


# -- parameters that a model does not take

RENAME = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."


def _refuses(*texts: str) -> list[Any]:
    return [*({"status": 400, "reply": text} for text in texts), {"json": GOOD, "repeat": True}]


async def test_the_limit_goes_by_its_other_name(fake_model: FakeModel, make_gateway: Make) -> None:
    """Remembered for the model: the second question is right at once."""
    fake_model.load({"models": {"damian": _refuses(RENAME)}})
    gateway = make_gateway()
    for key in ("a", "b"):
        await gateway.ask(ask_verdict(key))
    sent = [r.params for r in fake_model.requests]
    assert [("max_tokens" in p, p.get("max_completion_tokens")) for p in sent] == [
        (True, None),
        (False, 100),
        (False, 100),
    ]


async def test_several_parameters_are_left_out_at_once(fake_model: FakeModel, make_gateway: Make) -> None:
    """A request for each would be three refusals."""
    fake_model.load(
        {"models": {"damian": _refuses("Unsupported parameters: temperature, seed, max_tokens.")}}
    )
    await make_gateway().ask(ask_verdict(temperature=0.2, seed=4))
    assert len(fake_model.requests) == 2
    kept = fake_model.requests[1].params
    assert {"temperature", "seed", "max_tokens"} & set(kept) == set()
    assert {"response_format", "max_completion_tokens"} <= set(kept)


async def test_a_model_that_takes_nothing_is_asked_plainly(fake_model: FakeModel, make_gateway: Make) -> None:
    """One after another is left out, and each once."""
    texts = [
        "'seed' is unknown",
        RENAME,
        "Unknown parameter: max_completion_tokens",
        "no response_format here",
    ]
    fake_model.load({"models": {"damian": _refuses(*texts)}})
    await make_gateway().ask(ask_verdict(seed=4))
    left = set(fake_model.requests[-1].params)
    assert left & {"seed", "max_tokens", "max_completion_tokens", "response_format"} == set()


# -- no credit, and filters


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"message": "You exceeded your current quota.", "type": "insufficient_quota"}),
        (429, {"message": "No.", "code": "insufficient_quota"}),
        (402, {"message": "Payment Required"}),
        (400, {"message": "Your credit balance is too low to access the API. Go to Plans & Billing."}),
    ],
)
async def test_no_credit_is_told_at_once(
    fake_model: FakeModel, make_gateway: Make, clock: FakeClock, status: int, error: dict[str, str]
) -> None:
    """Waiting does not fill an account."""
    fake_model.load({"models": {"iris": [{"status": status, "repeat": True, "body": {"error": error}}]}})
    with pytest.raises(OutOfCredit) as caught:
        await make_gateway().ask(ask_prose())
    assert (fake_model.stats.requests, clock.slept, caught.value.exit_code) == (1, [], 3)


FILTERED = [
    {"reply": '{"verdict": "accept", "note": "x"}', "finish_reason": "content_filter"},
    {"message": {"content": None, "refusal": "I cannot help with that."}},
]


@pytest.mark.parametrize("step", FILTERED)
async def test_what_a_filter_let_through_is_no_answer(
    fake_model: FakeModel, make_gateway: Make, step: dict[str, Any]
) -> None:
    """Not even where it holds a verdict; asked once more, then given up."""
    fake_model.load({"models": {"damian": [{**step, "repeat": True}]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway().ask(ask_verdict())
    assert (caught.value.reason, caught.value.text, caught.value.partial) == ("filtered", "", None)
    assert fake_model.stats.requests == 2
    fake_model.load({"models": {"damian": [step, {"json": GOOD}]}})
    assert (await make_gateway().ask(ask_verdict())).value.verdict == "refine"


# -- size


async def test_a_flood_is_asked_again_and_shown_to_nobody(fake_model: FakeModel, make_gateway: Make) -> None:
    """The second request does not carry the first reply."""
    fake_model.load({"models": {"iris": [{"reply": "Agua. " * 1000}, SENTENCE]}})
    answered = await make_gateway(limits=Limits(longest_reply=2_000)).ask(ask_prose())
    assert answered.value == SENTENCE
    assert "2000" in fake_model.requests[1].last
    assert len(fake_model.requests[1].prompt) < 1_000


async def test_a_flood_to_the_end_is_unusable(fake_model: FakeModel, make_gateway: Make) -> None:
    """Also where it comes in parts that are small by themselves."""
    limits = Limits(longest_reply=2_000)
    fake_model.load({"models": {"iris": [{"reply": "Agua. " * 1000, "repeat": True}]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway(limits=limits).ask(ask_prose())
    assert (caught.value.reason, fake_model.stats.requests) == ("too_long", 2)
    parts = [
        {"reply": f"la marea número {n} trajo {n} redes y " * 25, "finish_reason": "length"} for n in range(9)
    ]
    fake_model.load({"models": {"iris": parts}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway(limits=limits).ask(ask_prose("parts"))
    assert caught.value.reason == "too_long"


@pytest.mark.parametrize("text", ["Tira " + "9" * 10_000 + " dados.", '{"verdict": ' + "7" * 10_000 + "}"])
async def test_a_number_without_end_is_a_broken_reply(
    fake_model: FakeModel, make_gateway: Make, text: str
) -> None:
    """No reader gets to see it, and it is not sent back."""
    fake_model.load({"models": {"iris": [text, SENTENCE]}})
    read: list[str] = []

    def reader(given: str) -> str:
        read.append(given)
        return given

    answered = await make_gateway().ask(ask_prose(read=reader))
    assert (answered.value, read) == (SENTENCE, [SENTENCE])
    assert len(fake_model.requests[1].prompt) < 1_000


async def test_two_chapters_that_find_out_at_once_both_go_on(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """Each of two calls in flight is refused for its seed; neither takes the other's finding for its end."""
    refusal = {"status": 400, "reply": "Unsupported parameter: 'seed'", "times": 2, "latency_ms": 30}
    fake_model.load({"models": {"damian": [refusal, {"json": GOOD, "repeat": True}]}})
    gateway = make_gateway()
    answers = await asyncio.gather(*(gateway.ask(ask_verdict(key, seed=4)) for key in ("ch1/a", "ch2/a")))
    assert [a.value.verdict for a in answers] == ["refine", "refine"]
    assert [("seed" in r.params) for r in fake_model.requests] == [True, True, False, False]
    await gateway.ask(ask_verdict("ch3/a", seed=4))
    assert "seed" not in fake_model.requests[-1].params
