"""Faults mixed at random, by a seed: what a provider does on a bad day."""

import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tests.fake_model.script import Step

Fault = Literal["busy", "error", "unavailable", "drop", "midway", "garbled", "cut", "broken"]
FAULTS: dict[Fault, dict[str, Any]] = {
    "busy": {"status": 429, "retry_after": 0, "reply": "slow down"},
    "error": {"status": 500, "reply": "internal error"},
    "unavailable": {"status": 503, "reply": "overloaded"},
    "drop": {"drop": "before"},
    "midway": {"drop": "midway"},
    "garbled": {"garbled": True},
}
SHORTEST_CUT = 80
"""Characters below which an answer is not cut."""


class Chaos(BaseModel):
    """How often something goes wrong, and what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rate: float = Field(ge=0, le=1)
    """Share of the requests that meet a fault."""
    seed: int = 0
    kinds: tuple[Fault, ...] = (*FAULTS, "cut", "broken")


class Mischief:
    """Draws faults for one play of a script.

    What befalls a request depends on the seed, on what it says and on how often it came, and not on what
    comes between: a stretch of bad luck cannot gather on one call by the order in which others arrive.
    """

    def __init__(self, chaos: Chaos) -> None:
        self._chaos = chaos
        self._came: Counter[str] = Counter()

    def spoil(self, step: Step, text: str, messages: Sequence[dict[str, Any]]) -> Step:
        """Return the step, right or with a fault of its own."""
        said = json.dumps(messages, sort_keys=True)
        self._came[said] += 1
        luck = random.Random(f"{self._chaos.seed} {self._came[said]} {said}")
        if luck.random() >= self._chaos.rate:
            return step
        kind = luck.choice(self._chaos.kinds)
        if kind in FAULTS:
            return step.model_copy(update=FAULTS[kind])
        if kind == "broken":
            return step.model_copy(update={"break_json": True} if text.startswith("{") else {"reply": ""})
        if len(text) < SHORTEST_CUT:
            return step
        return step.model_copy(update={"cut_at": int(len(text) * luck.uniform(0.2, 0.9))})


def rest_of(text: str, messages: Sequence[dict[str, Any]]) -> str:
    """Return what a text still lacks where its beginning stands in the conversation; else all of it."""
    said = [str(m.get("content", "")) for m in messages if m.get("role") == "assistant"]
    begun = [part for part in said if part and text.startswith(part)]
    return text[len(max(begun, key=len)) :] if begun else text
