"""One question through litellm to a real server, and what becomes of each kind of reply."""

import json
from typing import Any

import pytest

from concilio.gateway import (
    Budget,
    Limits,
    ModelRefused,
    Models,
    ModelUnreachable,
    ReplyUnusable,
)
from concilio.store.journal import MemoryJournal
from tests.fake_model import FakeModel
from tests.gateway.conftest import Make
from tests.gateway.support import FakeClock, Heard, Verdict, ask_prose, ask_verdict

SENTENCE = "La lámpara de sal chisporrotea sobre el agua negra del muelle, y alguien cuenta en voz baja."
ENGLISH = (
    "The lantern gutters above the black water of the quay while somebody counts under their breath, slowly, "
    "and the boards of the old customs house creak as if the tide were walking up the stairs on its own."
)
SPANISH = (
    "La lámpara chisporrotea sobre el agua negra del muelle mientras alguien cuenta en voz baja, despacio, "
    "y las tablas de la vieja aduana crujen como si la marea subiera por su propio pie la escalera."
)
GOOD = {"verdict": "refine", "note": "Falta la consecuencia del fallo."}


async def test_a_reply_is_read_and_accounted(fake_model: FakeModel, make_gateway: Make) -> None:
    """Value, text, tokens and the model as the settings name it."""
    fake_model.load({"models": {"iris": [SENTENCE]}})
    gateway = make_gateway()
    answered = await gateway.ask(ask_prose(temperature=0.3, seed=7))
    assert (answered.value, answered.calls, answered.model) == (SENTENCE, 1, "openai/iris")
    assert answered.usage.tokens_out is not None
    assert answered.usage.cost_usd is None, "nobody knows the price of this model"
    sent = fake_model.requests[0]
    assert [m["role"] for m in sent.messages] == ["system", "user"]
    assert (sent.params["max_tokens"], sent.params["temperature"], sent.params["seed"]) == (100, 0.3, 7)
    (use,) = gateway.ledger.use()
    assert (use.agent, use.model, use.calls, use.cost_usd) == ("iris", "openai/iris", 1, None)


async def test_a_known_price_is_counted(fake_model: FakeModel, make_gateway: Make) -> None:
    """The price map is litellm's own."""
    fake_model.load({"default": {"reply": SENTENCE}})
    budget = Budget()
    gateway = make_gateway(models=Models("openai/gpt-4o"), budget=budget)
    answered = await gateway.ask(ask_prose())
    assert answered.usage.cost_usd is not None
    assert budget.spent_usd == answered.usage.cost_usd > 0
    assert budget.unknown_calls == 0


async def test_each_agent_has_its_model(fake_model: FakeModel, make_gateway: Make) -> None:
    """The settings choose by agent."""
    fake_model.load({"models": {"iris": [SENTENCE], "damian": [{"json": GOOD}]}})
    gateway = make_gateway()
    await gateway.ask(ask_prose())
    await gateway.ask(ask_verdict())
    assert fake_model.stats.models == {"iris": 1, "damian": 1}


FAULTS = [
    ([{"status": 429, "retry_after": 2}], "busy"),
    ([{"status": 429, "retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"}], "busy, with a date that is past"),
    ([{"status": 500}, {"status": 502}, {"status": 503}, {"status": 504}], "faults of the server"),
    ([{"drop": "before"}], "a dropped connection"),
    ([{"drop": "midway", "reply": SENTENCE}], "dropped in the middle of the answer"),
    ([{"status": 408}], "the server's time-out"),
    ([{"reply": SENTENCE, "latency_ms": 2000}], "no answer in time"),
]


@pytest.mark.parametrize(("faults", "why"), FAULTS)
async def test_passing_faults_are_tried_again(
    fake_model: FakeModel, make_gateway: Make, clock: FakeClock, faults: list[Any], why: str
) -> None:
    """The reply comes in the end, and nothing was asked more often than that."""
    fake_model.load({"models": {"iris": [*faults, SENTENCE]}})
    heard = Heard()
    answered = await make_gateway(limits=Limits(timeout_s=0.5), events=heard).ask(ask_prose())
    assert answered.value == SENTENCE, why
    assert fake_model.stats.requests == len(faults) + 1, "one retry layer only"
    assert heard.kinds() == ["retry"] * len(faults) + ["call"]
    assert len(clock.slept) == len(faults)


async def test_retry_after_is_honoured(fake_model: FakeModel, make_gateway: Make, clock: FakeClock) -> None:
    """The provider's wish counts, and is told: how long, and why."""
    fake_model.load({"models": {"iris": [{"status": 429, "retry_after": 7, "reply": "slow down"}, SENTENCE]}})
    heard = Heard()
    await make_gateway(limits=Limits(longest_wait_s=30), events=heard).ask(ask_prose())
    assert 7 <= clock.slept[0] <= 7 * 1.25
    told = heard.events[0]
    assert (told["kind"], told["model"], told["cause"]) == ("retry", "openai/iris", "slow down")
    assert told["wait_s"] == round(clock.slept[0], 2)


@pytest.mark.parametrize("wish", [9000, "inf", "1e300"])
async def test_a_wait_beyond_our_longest_is_given_up_at_once(
    fake_model: FakeModel, make_gateway: Make, clock: FakeClock, wish: Any
) -> None:
    """Asking sooner than told would only be refused again, and a silent hour helps nobody."""
    fake_model.load({"models": {"iris": [{"status": 429, "retry_after": wish, "repeat": True}]}})
    with pytest.raises(ModelUnreachable) as caught:
        await make_gateway(limits=Limits(longest_wait_s=30)).ask(ask_prose())
    assert "30" in caught.value.cause
    assert "longest_wait_s" in caught.value.cause
    assert (fake_model.stats.requests, clock.slept) == (1, [])


async def test_a_fault_that_stays_is_unreachable(fake_model: FakeModel, make_gateway: Make) -> None:
    """After all tries the model counts as unreachable."""
    fake_model.load({"models": {"iris": [{"status": 503, "repeat": True}]}})
    with pytest.raises(ModelUnreachable) as caught:
        await make_gateway(limits=Limits(tries=3)).ask(ask_prose())
    assert (caught.value.agent, caught.value.model) == ("iris", "openai/iris")
    assert fake_model.stats.requests == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 501])
async def test_what_cannot_heal_is_asked_once(fake_model: FakeModel, make_gateway: Make, status: int) -> None:
    """A refusal is not repeated."""
    fake_model.load({"models": {"iris": [{"status": status, "reply": "no", "repeat": True}]}})
    with pytest.raises(ModelRefused) as caught:
        await make_gateway().ask(ask_prose())
    assert caught.value.status == status
    assert fake_model.stats.requests == 1


async def test_a_fallback_answers_where_the_first_cannot_be_reached(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """And a resumed run finds its reply without knocking at the first again."""
    fake_model.load({"models": {"iris": [{"status": 500, "repeat": True}], "suplente": [SENTENCE]}})
    journal = MemoryJournal()
    models = Models("openai/iris", fallbacks=("openai/suplente",))
    answered = await make_gateway(journal, models=models, limits=Limits(tries=2)).ask(ask_prose())
    assert answered.model == "openai/suplente"
    await make_gateway(journal, models=models).ask(ask_prose())
    assert fake_model.stats.models == {"iris": 2, "suplente": 1}


# -- cut replies

CUTS = [
    ([{"reply": SENTENCE, "cut_at": 40}, {"rest": True, "when": "SIGUE-DESDE"}], "an honest cut"),
    (
        [{"reply": SENTENCE, "cut_at": 40, "finish_reason": "stop"}, {"rest": True}],
        "a cut called stop",
    ),
    ([{"reply": SENTENCE, "cut_at": 30}, {"reply": SENTENCE[30:], "cut_at": 30}, {"rest": True}], "twice"),
    ([{"reply": SENTENCE, "cut_at": 40}, SENTENCE], "begun again"),
    ([{"reply": SENTENCE, "cut_at": 40}, {"reply": SENTENCE[20:]}], "with words repeated"),
    (
        [{"reply": SENTENCE, "cut_at": 40}, {"reply": SENTENCE[40:], "preamble": "Claro, sigo:"}],
        "with chatter",
    ),
    (
        [{"reply": SENTENCE, "cut_at": 40}, {"reply": "", "finish_reason": "length"}, {"rest": True}],
        "blank",
    ),
    ([{"reply": SENTENCE, "cut_at": 40}, {"rest": True, "think": "¿por dónde iba?"}], "with reasoning"),
]


@pytest.mark.parametrize(("steps", "why"), CUTS)
async def test_a_cut_reply_is_continued(
    fake_model: FakeModel, make_gateway: Make, steps: list[Any], why: str
) -> None:
    """The joined text is the whole one."""
    fake_model.load({"models": {"iris": steps}})
    answered = await make_gateway().ask(ask_prose())
    assert answered.value == SENTENCE, why
    assert answered.calls == len(steps)


async def test_a_continuation_carries_what_it_needs_and_more_room(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """The question, the part that arrived, and the request to go on."""
    fake_model.load({"models": {"iris": [{"reply": SENTENCE, "cut_at": 40}, {"rest": True}]}})
    await make_gateway().ask(ask_prose())
    first, second = fake_model.requests
    assert [m["role"] for m in second.messages] == ["system", "user", "assistant", "user"]
    assert second.messages[2]["content"] == SENTENCE[:40]
    assert second.last.endswith(SENTENCE[:40])
    assert second.params["max_tokens"] > first.params["max_tokens"]


async def test_a_text_that_looks_whole_at_its_limit_is_still_continued(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """`length` is believed, even where the cut falls at the end of a sentence."""
    steps = [{"reply": SENTENCE, "finish_reason": "length"}, " Luego calla."]
    fake_model.load({"models": {"iris": steps}})
    assert (await make_gateway().ask(ask_prose())).value == f"{SENTENCE} Luego calla."


async def test_closed_json_at_its_limit_is_whole(fake_model: FakeModel, make_gateway: Make) -> None:
    """A model that fills its limit with blanks after its JSON has said everything."""
    fake_model.load(
        {"models": {"damian": [{"reply": json.dumps(GOOD) + "\n" * 50, "finish_reason": "length"}]}}
    )
    answered = await make_gateway().ask(ask_verdict())
    assert answered.value == Verdict(**GOOD)
    assert answered.calls == 1


async def test_cut_json_is_continued_without_a_schema(fake_model: FakeModel, make_gateway: Make) -> None:
    """A server that enforces a schema would begin anew."""
    fake_model.load({"models": {"damian": [{"json": GOOD, "cut_at": 45}, {"rest": True}]}})
    assert (await make_gateway().ask(ask_verdict())).value == Verdict(**GOOD)
    first, second = fake_model.requests
    assert first.params["response_format"]["type"] == "json_schema"
    assert "response_format" not in second.params


async def test_a_reply_that_is_never_finished_is_not_passed_on(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """The error carries what there is, so that the caller can ask for the rest alone; calls are bounded."""
    step = {"reply": "y la sal y el viento y ", "finish_reason": "length", "repeat": True}
    fake_model.load({"models": {"iris": [step]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway(limits=Limits(continuations=3)).ask(ask_prose())
    assert caught.value.partial.startswith("y la sal")
    assert caught.value.text == caught.value.partial
    assert fake_model.stats.requests == 4


async def test_a_model_with_nothing_to_add_is_not_asked_for_ever(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """A cut that the model takes for the end is told at once."""
    fake_model.load({"models": {"iris": ["La puerta de la", {"reply": "", "repeat": True}]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway().ask(ask_prose())
    assert caught.value.partial == "La puerta de la"
    assert fake_model.stats.requests == 2


async def test_a_refusal_to_go_on_leaves_what_there_is(fake_model: FakeModel, make_gateway: Make) -> None:
    """The context may be full: the part that arrived is not lost."""
    too_long = {"status": 400, "reply": "This model's maximum context length is 100 tokens"}
    fake_model.load({"models": {"iris": [{"reply": SENTENCE, "cut_at": 40}, too_long]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway().ask(ask_prose())
    assert caught.value.text == caught.value.partial == SENTENCE[:40]


# -- empty and broken replies

EMPTY = [
    ([""], "empty"),
    ([{"think": "mucho que pensar"}], "only reasoning"),
    ([{"reply": "<think>nunca acabo", "finish_reason": "length"}], "reasoning that ate the limit"),
    ([{"reply": "", "reasoning": "en otro campo"}, "  \n"], "twice"),
]


@pytest.mark.parametrize(("steps", "why"), EMPTY)
async def test_an_empty_reply_is_asked_again_with_more_room(
    fake_model: FakeModel, make_gateway: Make, steps: list[Any], why: str
) -> None:
    """Silence is no answer."""
    fake_model.load({"models": {"iris": [*steps, SENTENCE]}})
    assert (await make_gateway().ask(ask_prose())).value == SENTENCE, why
    assert fake_model.requests[-1].params["max_tokens"] == 100 * 2 ** len(steps)
    assert fake_model.requests[-1].messages == fake_model.requests[0].messages


async def test_silence_to_the_end_is_unusable(fake_model: FakeModel, make_gateway: Make) -> None:
    """Never an empty answer."""
    fake_model.load({"models": {"iris": [{"reply": "", "repeat": True}]}})
    with pytest.raises(ReplyUnusable):
        await make_gateway(limits=Limits(empty_replies=3)).ask(ask_prose())
    assert fake_model.stats.requests == 3


async def test_reasoning_is_not_content(fake_model: FakeModel, make_gateway: Make) -> None:
    """Neither inline nor in its own field."""
    fake_model.load({"models": {"iris": [{"reply": SENTENCE, "think": "acepto", "reasoning": "acepto"}]}})
    assert (await make_gateway().ask(ask_prose())).text == SENTENCE


BROKEN = [
    ([{"json": GOOD, "preamble": "Claro, aquí va:", "fences": 2}], 1, "chatter and nested fences are read"),
    ([{"json": GOOD, "break_json": True}], 1, "broken JSON is repaired"),
    (["Todo bien.", {"json": GOOD, "when": "MAL"}], 2, "a missing verdict is asked for, with the problem"),
    (['{"verdict": 5}', {"json": GOOD, "when": "MAL"}], 2, "a wrong shape too"),
    (
        ["Bien.", "Bien.", {"reply": "Falta. VEREDICTO: refine", "when": "EN-MARKDOWN"}],
        3,
        "in Markdown at last",
    ),
]


@pytest.mark.parametrize(("steps", "calls", "why"), BROKEN)
async def test_a_broken_reply_is_mended_or_asked_again(
    fake_model: FakeModel, make_gateway: Make, steps: list[Any], calls: int, why: str
) -> None:
    """Repair first, then the problem, then the other shape."""
    fake_model.load({"models": {"damian": steps}})
    answered = await make_gateway().ask(ask_verdict())
    assert (answered.value.verdict, answered.calls) == ("refine", calls), why


async def test_pleasantries_to_the_end_are_unusable(fake_model: FakeModel, make_gateway: Make) -> None:
    """Three askings, no more, and the text is there for the curious."""
    fake_model.load({"models": {"damian": [{"reply": "¡Qué gran capítulo!", "repeat": True}]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway().ask(ask_verdict())
    assert caught.value.text == "¡Qué gran capítulo!"
    assert fake_model.stats.requests == 3
    assert "response_format" not in fake_model.requests[2].params, "Markdown is not asked for as JSON"


async def test_what_a_reader_trips_over_is_an_invalid_reply(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """A model's text raises no foreign error."""
    fake_model.load({"models": {"iris": ["no soy un número", "7"]}})
    assert (await make_gateway().ask(ask_prose(read=int))).value == 7


# -- what a model does not take


@pytest.mark.parametrize(
    "message", ["'response_format' of type 'json_schema' is not supported", "invalid request: unknown field"]
)
async def test_a_model_without_structured_output_is_asked_without(
    fake_model: FakeModel, make_gateway: Make, message: str
) -> None:
    """Tried once, and remembered."""
    steps = [{"status": 400, "reply": message}, {"json": GOOD}, {"json": GOOD}]
    fake_model.load({"models": {"damian": steps}})
    gateway = make_gateway()
    await gateway.ask(ask_verdict("a"))
    await gateway.ask(ask_verdict("b"))
    assert ["response_format" in r.params for r in fake_model.requests] == [True, False, False]


async def test_a_limit_that_is_too_high_falls_back_to_the_first(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """Raising the limit must not end the conversation."""
    too_high = {"status": 400, "reply": "max_tokens is too large: 200"}
    fake_model.load({"models": {"iris": [{"reply": SENTENCE, "cut_at": 40}, too_high, {"rest": True}]}})
    assert (await make_gateway().ask(ask_prose())).value == SENTENCE
    assert [r.params["max_tokens"] for r in fake_model.requests] == [100, 200, 100]


# -- language


async def test_another_language_is_asked_again_once(fake_model: FakeModel, make_gateway: Make) -> None:
    """The right answer is taken, the wrong one is not shown again."""
    fake_model.load({"models": {"iris": [ENGLISH, {"reply": SPANISH, "when": "OTRO-IDIOMA"}]}})
    answered = await make_gateway().ask(ask_prose(language="es"))
    assert answered.value == SPANISH
    assert ENGLISH not in fake_model.requests[1].prompt


async def test_another_language_to_the_end_is_unusable(fake_model: FakeModel, make_gateway: Make) -> None:
    """Whatever it says: a verdict in another language is none, so no value comes with the error."""
    fake_model.load({"models": {"iris": [{"reply": SPANISH, "repeat": True}]}})
    with pytest.raises(ReplyUnusable) as caught:
        await make_gateway().ask(ask_prose(language="en"))
    assert (caught.value.reason, caught.value.partial) == ("language", None)
    assert fake_model.stats.requests == 2
