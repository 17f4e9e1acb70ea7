"""What an agent hands to the gateway, and what it gets back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

from concilio.domain.base import Language
from concilio.gateway.tools import Tools

T = TypeVar("T")


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant", "calls", "tool"]
    """`calls` and `tool`: see `concilio.gateway.tools`."""
    content: str


class Followups(Protocol):
    """The words of the messages that follow a reply which cannot be used; agents fill them from prompts/."""

    def continue_from(self, tail: str) -> str:
        """Return the request to go on; `tail` is the end of what has arrived."""
        ...

    def invalid(self, problem: str) -> str:
        """Return the request to answer again, without the problem."""
        ...

    def as_markdown(self) -> str:
        """Return the request to give the same answer in the Markdown shape."""
        ...

    def wrong_language(self) -> str:
        """Return the request to answer again in the adventure's language."""
        ...


@dataclass(frozen=True)
class Ask(Generic[T]):
    """One question to a model, with all that is needed to judge its reply."""

    agent: str
    """Agent id (`iris`, `damian`, …): chooses the model."""
    key: str
    """What the question is within its run, the same in every attempt of it: `ch5/r2/iris/refine`."""
    messages: tuple[ChatMessage, ...]
    read: Callable[[str], T]
    """Text of a reply, JSON or Markdown, to value; raises ReplyIncomplete or ReplyInvalid."""
    followups: Followups
    schema: type[BaseModel] | None = None
    """Shape of the answer for models that can follow one; None for free text."""
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The task as data, for a model that is a program of ours: handed to it as `concilio_task`
    (`{"task": "propose", "payload": {…}}` for the embedded author). Other models never see it."""
    max_tokens: int = 4096
    """Limit of the first reply, in tokens; raised where a reply is cut."""
    temperature: float | None = None
    """None leaves it to the model."""
    seed: int | None = None
    language: Language | None = None
    """Language in which the reply must be; None where it is not checked."""
    tools: Tools | None = None
    """What the model may call before it answers; None: nothing."""


@dataclass(frozen=True)
class Usage:
    """What replies used. None means that nobody said: unknown is not zero."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class Answered(Generic[T]):
    """A whole, readable reply."""

    value: T
    """What `Ask.read` made of the text."""
    text: str
    """The reply, joined from its parts, without reasoning."""
    usage: Usage
    """Sum over all calls of this question."""
    calls: int
    """Replies that it took, those found in the journal included."""
    model: str
    """Model of the last reply, as the settings name it."""
