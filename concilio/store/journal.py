"""The journal of model replies: durable before anything acts on them, so that none is paid for twice.

`Journal` is all that the gateway knows; one run on one machine has the SQLite one, a fleet may bring another.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol


@dataclass(frozen=True)
class Request:
    """What was sent to a model; its id is the key under which the reply is found again."""

    agent: str
    key: str
    """`Ask.key`: what the question is within its run."""
    attempt: int
    """Number of the request within its question, from 0: the question, a continuation, a second asking, …"""
    model: str
    """Model as the settings name it."""
    messages: Sequence[tuple[str, str]]
    """Pairs of role and content."""
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Limit, temperature, seed, schema: whatever else shapes the reply."""

    @cached_property
    def id(self) -> str:
        """SHA-256 of all of it, in hexadecimal."""
        content = [self.agent, self.key, self.attempt, self.model, list(self.messages), dict(self.params)]
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, default=str, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Reply:
    """What a model answered, as it came."""

    text: str
    finish_reason: str = "stop"
    """`stop`, `length`, or what else the provider says."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    """US dollars; None where the price is unknown."""
    model: str = ""
    """Model as our settings name it: what a server calls itself may be a path of its machine."""


@dataclass(frozen=True)
class JournalRow:
    """One kept reply without its text: what accounting needs."""

    request_id: str
    agent: str
    key: str
    reply: Reply
    """With an empty text."""


class Journal(Protocol):
    """Where replies are kept. Every method may raise StoreError."""

    async def get(self, request_id: str) -> Reply | None:
        """Return the kept reply to a request, or None."""
        ...

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; it is durable when this returns. A second reply to the same request is dropped."""
        ...

    async def rows(self) -> Sequence[JournalRow]:
        """Return what was kept so far, oldest first, without the texts."""
        ...


class MemoryJournal:
    """A journal that lasts as long as the process: for trials and tests."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Request, Reply]] = {}

    async def get(self, request_id: str) -> Reply | None:
        """Return the kept reply to a request, or None."""
        found = self._kept.get(request_id)
        return found[1] if found else None

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep the first reply to a request."""
        self._kept.setdefault(request.id, (request, reply))

    async def rows(self) -> Sequence[JournalRow]:
        """Return what was kept so far."""
        return [JournalRow(i, q.agent, q.key, _without_text(r)) for i, (q, r) in self._kept.items()]


def _without_text(reply: Reply) -> Reply:
    return Reply("", reply.finish_reason, reply.tokens_in, reply.tokens_out, reply.cost_usd, reply.model)
