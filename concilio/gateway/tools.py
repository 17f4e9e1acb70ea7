"""Questions that a model may put to a program of ours before it answers: its calls, and what they came to.

A reply that calls is kept in the journal like any other: its text is the calls as JSON (`written`). The
roles `calls` and `tool` stand in a conversation for what providers know as an assistant's message with
`tool_calls` and as messages of the role `tool`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, cast

CALLING = "tool_calls"
"""`finish_reason` of a reply that calls."""
MOST_CALLS = 8
"""Calls of one reply that are answered; the rest get no answer, and are not shown to the model again."""
LONGEST_NAME = 100
LONGEST_ARGUMENTS = 8_000
LONGEST_ANSWER = 6_000
"""Characters of an answer."""


class Tools(Protocol):
    """What a model may call."""

    @property
    def specs(self) -> Sequence[Mapping[str, Any]]:
        """The tools as providers take them: name, description, JSON Schema of the arguments."""
        ...

    def answer(self, name: str, arguments: str) -> str:
        """Return what a call comes to; a wrong one gets a line that says so. Never raises."""
        ...


@dataclass(frozen=True)
class ToolCall:
    """One call of a model, as it wrote it."""

    id: str
    name: str
    arguments: str
    """JSON, or what the model takes for it."""


def calls_of(message: Any) -> tuple[ToolCall, ...]:
    """Return the calls in a message as litellm gives it; what cannot be one is left out."""
    found: list[ToolCall] = []
    listed = getattr(message, "tool_calls", None)
    for one in cast("list[Any]", listed)[:MOST_CALLS] if isinstance(listed, list) else ():
        function = getattr(one, "function", None)
        name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
        if isinstance(name, str) and name and len(name) <= LONGEST_NAME:
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, default=str)
            call_id = getattr(one, "id", None) or f"call-{len(found)}"
            found.append(ToolCall(str(call_id)[:LONGEST_NAME], name, text[:LONGEST_ARGUMENTS]))
    return tuple(found)


def written(content: str, calls: Iterable[ToolCall]) -> str:
    """Return a reply that calls as a text."""
    return json.dumps({"content": content, "calls": [asdict(call) for call in calls]}, ensure_ascii=False)


def read_calls(text: str) -> tuple[str, tuple[ToolCall, ...]]:
    """Return what `written` was given; no call where the text is nothing that it wrote."""
    try:
        data = json.loads(text)
        return data["content"], tuple(ToolCall(**call) for call in data["calls"])
    except (ValueError, TypeError, KeyError):
        return text, ()


def answered(call: ToolCall, answer: str) -> str:
    """Return the content of a `tool` message."""
    return json.dumps({"id": call.id, "content": answer[:LONGEST_ANSWER]}, ensure_ascii=False)


def wire_message(role: str, content: str) -> dict[str, Any]:
    """Return a message of a conversation as providers take it."""
    if role == "calls":
        said, calls = read_calls(content)
        functions = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in calls
        ]
        return {"role": "assistant", "content": said or None, "tool_calls": functions}
    if role == "tool":
        answer = json.loads(content)
        return {"role": "tool", "tool_call_id": answer["id"], "content": answer["content"]}
    return {"role": role, "content": content}
