"""What the gateway's tests share: words, readers, a clock that does not wait."""

from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from concilio.gateway import Ask, ChatMessage, ReplyIncomplete, ReplyInvalid
from concilio.gateway.structured import NoJson, read_model


class Words:
    """Follow-up messages that a script's `when` can tell apart."""

    def continue_from(self, tail: str) -> str:
        """Return the request to go on."""
        return f"SIGUE-DESDE {tail}"

    def invalid(self, problem: str) -> str:
        """Return the request to answer again."""
        return f"MAL {problem}"

    def as_markdown(self) -> str:
        """Return the request for Markdown."""
        return "EN-MARKDOWN"

    def wrong_language(self) -> str:
        """Return the request for the right language."""
        return "OTRO-IDIOMA"


class Verdict(BaseModel):
    """The tests' structured answer."""

    verdict: str
    note: str


def read_prose(text: str) -> str:
    """Take a text that ends like a sentence."""
    if not text.rstrip().endswith((".", "!", "?")):
        raise ReplyIncomplete("the end of the sentence", text)
    return text


def read_verdict(text: str) -> Verdict:
    """Take JSON, or Markdown of the form `VEREDICTO: x`."""
    try:
        return read_model(text, Verdict)
    except NoJson:
        label, colon, verdict = text.partition("VEREDICTO:")
        if not colon:
            raise ReplyInvalid("no verdict") from None
        return Verdict(verdict=verdict.strip(), note=label.strip())


def ask_prose(key: str = "k", agent: str = "iris", **changes: Any) -> Ask[str]:
    """Return a question for prose."""
    fields: dict[str, Any] = {
        "agent": agent,
        "key": key,
        "messages": (ChatMessage("system", "Eres Iris."), ChatMessage("user", "Propón la escena.")),
        "read": read_prose,
        "followups": Words(),
        "max_tokens": 100,
    }
    return Ask(**(fields | changes))


def ask_verdict(key: str = "v", agent: str = "damian", **changes: Any) -> Ask[Verdict]:
    """Return a question for a verdict."""
    base: Any = ask_prose(key, agent, schema=Verdict, **changes)
    return replace(base, read=changes.get("read", read_verdict))


class FakeClock:
    """A clock that goes only when somebody sleeps."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        """Return seconds slept so far."""
        return self.time

    async def sleep(self, seconds: float) -> None:
        """Advance without waiting."""
        self.slept.append(seconds)
        self.time += seconds


class Heard:
    """Collects events."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def emit(self, kind: str, **fields: Any) -> None:
        """Keep an event."""
        self.events.append({"kind": kind, **fields})

    def kinds(self) -> list[str]:
        """Return the kinds in order."""
        return [event["kind"] for event in self.events]
