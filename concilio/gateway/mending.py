"""What servers send in shapes that nobody promised, put right before litellm reads it.

litellm takes a text or nothing as content, and whole numbers as usage; of anything else it makes an error
that holds a traceback. The openai client hands it on unread, so here is the place.
"""

from collections.abc import Mapping
from typing import Any, cast

MOST_PARTS = 10_000
"""Parts of one content that are read."""


def text_of_content(content: object) -> str | None:
    """Return the text of a message's content: its own, or that of its text parts joined.

    Anything else (a number, an object) is None: an answer without content.
    """
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [_text_of_part(part) for part in cast(list[object], content)[:MOST_PARTS]]
    return "".join(parts) or None


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    fields = cast(Mapping[str, object], part)
    text = fields.get("text") if fields.get("type", "text") in ("text", "output_text") else None
    return text if isinstance(text, str) else ""


def is_sound_usage(usage: object) -> bool:
    """Tell whether a usage is one: counts of tokens that are whole numbers, not below zero."""
    counts = [getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
    total = getattr(usage, "total_tokens", None)
    return all(_is_count(n) for n in counts) and (total is None or _is_count(total))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def mend(response: Any) -> None:
    """Put right a chat completion of the openai client, in place; a choice that is none is taken out."""
    choices: object = getattr(response, "choices", None)
    if isinstance(choices, list):
        kept = [c for c in cast(list[Any], choices) if getattr(c, "message", None) is not None]
        for choice in kept:
            _mend_choice(choice)
        response.choices = kept
    elif choices is not None or hasattr(response, "choices"):
        response.choices = []
    usage = getattr(response, "usage", None)
    if usage is not None and not is_sound_usage(usage):
        response.usage = None


def _mend_choice(choice: Any) -> None:
    message = choice.message
    given = getattr(message, "content", None)
    message.content = text_of_content(given)
    refusal = getattr(message, "refusal", None)
    if isinstance(refusal, str) and refusal.strip() and not message.content:
        choice.finish_reason = "content_filter"
    if not isinstance(getattr(choice, "finish_reason", None), str):
        choice.finish_reason = "stop"


def mend_all_responses(client: Any) -> None:
    """Make litellm's client of OpenAI-compatible servers mend what it receives.

    Args:
        client: the class `OpenAIChatCompletion`; left as it is where it has no such step.
    """
    name = "make_openai_chat_completion_request"
    receive = getattr(client, name, None)
    if receive is None:
        return

    async def receive_and_mend(*args: Any, **kwargs: Any) -> Any:
        received = await receive(*args, **kwargs)
        if isinstance(received, tuple):
            mend(cast(tuple[Any, ...], received)[-1])
        return received  # pyright: ignore[reportUnknownVariableType]

    setattr(client, name, receive_and_mend)
