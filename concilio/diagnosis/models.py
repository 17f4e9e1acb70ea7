"""Whether a model can be used: by the environment alone, or by asking it."""

import asyncio
from dataclasses import dataclass

from concilio.catalogue import say
from concilio.diagnosis.collect import ModelState
from concilio.gateway.ask import Ask, ChatMessage
from concilio.gateway.errors import GatewayError, MissingKey, ReplyUnusable
from concilio.gateway.preflight import check_models
from concilio.settings import EMBEDDED

PROBE_TOKENS = 16
PROBE_TIMEOUT_S = 20.0


def look_at_model(model: str) -> ModelState:
    """Tell what the environment says of a model; nothing is sent."""
    if model == EMBEDDED:
        return ModelState(answers=True)
    try:
        check_models([model], probe=False)
    except MissingKey as error:
        return ModelState(key_variable=error.variable)
    return ModelState()


def ask_model(model: str) -> ModelState:
    """Ask a model for a word and tell whether it answers; the answer itself does not matter."""
    state = look_at_model(model)
    if state.key_variable or state.answers:
        return state
    try:
        check_models([model])
        asyncio.run(_ask(model))
    except ReplyUnusable:
        return ModelState(answers=True)
    except GatewayError as error:
        return ModelState(answers=False, detail=error.cause or error.explain())
    return ModelState(answers=True)


@dataclass(frozen=True, slots=True)
class _Again:
    """Whatever is wrong with the reply, the question stays the same."""

    question: str

    def continue_from(self, tail: str) -> str:
        return self.question

    def invalid(self, problem: str) -> str:
        return self.question

    def as_markdown(self) -> str:
        return self.question

    def wrong_language(self) -> str:
        return self.question


async def _ask(model: str) -> None:
    from concilio.gateway.gateway import Gateway
    from concilio.gateway.settings import Limits, Models

    question = say("doctor.probe_message")
    limits = Limits(timeout_s=PROBE_TIMEOUT_S, tries=1, continuations=0, empty_replies=1)
    ask = Ask(
        agent="doctor",
        key="doctor/probe",
        messages=(ChatMessage("user", question),),
        read=str,
        followups=_Again(question),
        max_tokens=PROBE_TOKENS,
    )
    async with Gateway(Models(default=model), limits=limits) as gateway:
        await gateway.ask(ask)
