"""Which model answers whom, and within which limits."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

ToolUse = Literal["auto", "on", "off"]
"""Whether agents may call tools: where litellm knows that their model can, always, never."""


@dataclass(frozen=True)
class Models:
    """The models of a run, named as litellm does (`openai/gpt-4o`), or by a provider of ours (`embedded`)."""

    default: str
    by_agent: Mapping[str, str] = field(default_factory=dict[str, str])
    """Agent id to model, where it is not the default."""
    fallbacks: tuple[str, ...] = ()
    """Asked in this order when an agent's model cannot be reached."""

    def of(self, agent: str) -> tuple[str, ...]:
        """Return the models to try for an agent, best first, none twice."""
        first = self.by_agent.get(agent, self.default)
        return tuple(dict.fromkeys((first, *self.fallbacks)))

    def first(self, agent: str) -> str:
        """Return the model that an agent is meant to have."""
        return self.of(agent)[0]

    def needed(self, agents: Iterable[str]) -> tuple[str, ...]:
        """Return the models that these agents need, without the fallbacks, none twice."""
        return tuple(dict.fromkeys(self.first(agent) for agent in agents))


@dataclass(frozen=True)
class Limits:
    """How much is asked at once, how long and how often."""

    concurrency: int = 16
    """Calls in flight to one provider, over all gateways of the process."""
    requests_per_minute: int | None = None
    """Calls begun in any 60 seconds to one provider, over all gateways of the process; None: no limit."""
    tokens_per_minute: int | None = None
    """Tokens of prompts and replies in any 60 seconds to one provider, over all gateways of the process, as
    far as they can be told beforehand; None: no limit."""
    timeout_s: float = 300.0
    """Longest time for one call, seconds."""
    tries: int = 8
    """Requests for one reply, the first included, when the provider is busy or the line drops."""
    backoff_s: float = 0.5
    """Scale of the jittered exponential wait between tries, seconds."""
    longest_wait_s: float = 300.0
    """Longest wait between two tries, seconds; where `Retry-After` asks for more, the call is given up."""
    continuations: int = 6
    """Times that a question's cut replies are continued, in all."""
    empty_replies: int = 3
    """Replies without content that are borne in a row."""
    longest_reply: int = 250_000
    """Characters of one answer, its continuations included; a longer one is not read."""
    tools: ToolUse = "auto"
    tool_rounds: int = 3
    """Replies to one question that may call tools; the next one must answer."""
    max_tokens_cap: int = 16_384
    """Highest limit to which a cut reply's `max_tokens` is raised (an `Ask` may begin higher)."""


Providers = Mapping[str, Callable[[], None]]
"""Providers that are programs of ours: name to the function that registers it with litellm. A model named
like the provider alone (`embedded`) is its only one. Their calls cost nothing, and get `Ask.payload`."""
