"""How one question goes on after each reply: pure decisions, no call and no clock.

::

    reply ── calls tools? ─► the same again, after their answers
       │
       ├── blank? ─► the same again, with a higher limit
       ├── held back by a filter, or larger than any answer? ─► asked again, once
       ├── another language? ─► asked again, once
       ├── ends early (`length`, or the reader misses something)? ─► continued from there, and joined
       ├── unreadable? ─► asked again with the problem ─► asked for in Markdown
       └── read ─► done
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic

from concilio.catalogue import say
from concilio.gateway.ask import Ask, ChatMessage, T
from concilio.gateway.errors import Reason, ReplyIncomplete, ReplyInvalid
from concilio.gateway.reply import strip_reasoning
from concilio.gateway.seam import join
from concilio.gateway.settings import Limits
from concilio.gateway.structured import is_whole_json
from concilio.gateway.tools import CALLING, ToolCall, answered, read_calls
from concilio.store.journal import Reply

TAIL = 300
"""Characters of the cut reply's end that its continuation is asked to follow."""
LONGEST_NUMBER = 100
"""Digits of a number in a reply: a longer one is a model's loop, and readers of numbers choke on it."""
_NO_NUMBER = re.compile(rf"\d{{{LONGEST_NUMBER + 1}}}")
FRESH, TOLD, MARKDOWN = 0, 1, 2
"""How often an unreadable reply was asked for again."""

OtherLanguage = Callable[[str, Any], bool]
"""Text and expected language to: surely another one."""


@dataclass(frozen=True)
class Talk(Generic[T]):
    """A question and what came of it so far."""

    ask: Ask[T]
    max_tokens: int
    """Limit of the next request."""
    attempt: int = 0
    """Number of the next request, from 0."""
    looked_up: tuple[ChatMessage, ...] = ()
    """The calls of tools and their answers, after the question's own messages."""
    tool_rounds: int = 0
    """Replies that called."""
    extra: tuple[ChatMessage, ...] = ()
    """Messages after these."""
    text: str = ""
    """The present draft, as far as it has come, without reasoning."""
    partial: Any = None
    """What the reader could make of the draft so far."""
    continuing: bool = False
    """Whether the next reply goes on from `text`."""
    continuations: int = 0
    blanks: int = 0
    """Replies without content, in a row."""
    stage: int = FRESH
    language_told: bool = False
    filtered: bool = False
    """Whether a provider's filter held a reply back before."""
    size_told: bool = False

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """Return the next request's messages: the question, and only what the follow-up needs."""
        return (*self.ask.messages, *self.looked_up, *self.extra)

    @property
    def wants_schema(self) -> bool:
        """Tell whether the next request may ask for the schema.

        Not when going on in the middle of JSON: a server that enforces a schema would begin anew.
        """
        return self.ask.schema is not None and not self.continuing and self.stage != MARKDOWN

    def may_call(self, limits: Limits) -> bool:
        """Tell whether the next reply may call tools: at the beginning, and not without end."""
        fresh = not self.continuing and not self.extra
        return self.ask.tools is not None and fresh and self.tool_rounds < limits.tool_rounds


@dataclass(frozen=True)
class Done(Generic[T]):
    """The question is answered."""

    value: T
    text: str


class Unusable(Exception):  # noqa: N818 - becomes a ReplyUnusable, with agent and model
    """There is no next step."""

    def __init__(self, reason: Reason, cause: str, text: str, partial: Any = None) -> None:
        self.reason: Reason = reason
        self.cause = cause
        self.text = text
        self.partial = partial
        super().__init__(cause)


def begin(ask: Ask[T]) -> Talk[T]:
    """Return a question before its first request."""
    return Talk(ask=ask, max_tokens=ask.max_tokens)


def take(talk: Talk[T], reply: Reply, limits: Limits, other_language: OtherLanguage) -> Talk[T] | Done[T]:
    """Return what follows from a reply: the next request, or the answer.

    Raises:
        Unusable: neither.
    """
    talk = replace(talk, attempt=talk.attempt + 1)
    if reply.finish_reason == CALLING:
        said, calls = read_calls(reply.text)
        if calls and talk.may_call(limits):
            return _looked_up(talk, reply.text, calls)
        reply = replace(reply, text=said, finish_reason="stop")
    content = strip_reasoning(reply.text)
    cut = reply.finish_reason == "length"
    if reply.finish_reason == "content_filter":
        return _after_filter(talk)
    if len(talk.text) * talk.continuing + len(content) > limits.longest_reply:
        return _after_flood(talk, limits)
    if not content.strip():
        return _after_blank(talk, cut, limits)
    talk = replace(talk, blanks=0)
    text = join(talk.text, content, _context(talk)) if talk.continuing else content
    return _judge(talk, text, cut, limits, other_language)


def _looked_up(talk: Talk[T], text: str, calls: tuple[ToolCall, ...]) -> Talk[T]:
    """Answer a model's calls, and put the question again with the answers."""
    tools = talk.ask.tools
    assert tools is not None
    answers = (ChatMessage("tool", answered(call, tools.answer(call.name, call.arguments))) for call in calls)
    looked_up = (*talk.looked_up, ChatMessage("calls", text), *answers)
    return replace(talk, looked_up=looked_up, tool_rounds=talk.tool_rounds + 1, blanks=0)


def _context(talk: Talk[T]) -> str:
    return "\n".join(message.content for message in talk.ask.messages)


def _after_filter(talk: Talk[T]) -> Talk[T]:
    """Ask the same once more: what a filter let through of a reply is neither content nor a verdict."""
    if talk.filtered:
        raise Unusable("filtered", say("gateway.cause.filtered"), "")
    return replace(talk, filtered=True, text="", partial=None, continuing=False, extra=())


def _after_flood(talk: Talk[T], limits: Limits) -> Talk[T]:
    """Ask for a shorter reply, once; the long one is shown to nobody."""
    if talk.size_told:
        raise Unusable("too_long", say("gateway.cause.too_long", most=limits.longest_reply), "")
    problem = say("gateway.problem.too_long", most=limits.longest_reply)
    return _again(replace(talk, size_told=True), talk.ask.followups.invalid(problem), None)


def _after_blank(talk: Talk[T], cut: bool, limits: Limits) -> Talk[T] | Done[T]:
    """Ask the same again with more room: reasoning that is not content may have eaten the limit."""
    if talk.continuing and not cut:
        return _final(talk)
    if talk.blanks + 1 >= limits.empty_replies:
        raise Unusable("empty", say("gateway.cause.empty"), talk.text)
    return replace(talk, blanks=talk.blanks + 1, max_tokens=_raised(talk, limits))


def _final(talk: Talk[T]) -> Done[T]:
    """Take a draft to which its model has nothing to add."""
    try:
        return Done(_read(talk.ask, talk.text), talk.text)
    except ReplyIncomplete as problem:
        raise _cut(problem.missing, talk.text, problem.partial) from None
    except ReplyInvalid as problem:
        raise _invalid(problem.problem, talk.text) from None


def _read(ask: Ask[T], text: str) -> T:
    try:
        return ask.read(text)
    except ValueError as error:  # pydantic's too: a reader need not wrap what a model's text does to it
        raise ReplyInvalid(str(error)[:400]) from error


def _judge(
    talk: Talk[T], text: str, cut: bool, limits: Limits, other_language: OtherLanguage
) -> Talk[T] | Done[T]:
    foreign = talk.ask.language is not None and other_language(text, talk.ask.language)
    if foreign and not talk.language_told:
        return _again(replace(talk, language_told=True), talk.ask.followups.wrong_language(), None)
    if foreign:  # whatever it says, a verdict too
        raise Unusable("language", say("gateway.cause.language"), text)
    if _NO_NUMBER.search(text):
        return _tell_problem(talk, "", say("gateway.problem.no_number", most=LONGEST_NUMBER))
    try:
        value = _read(talk.ask, text)
    except ReplyIncomplete as problem:
        return _go_on(talk, text, cut, limits, problem.missing, problem.partial)
    except ReplyInvalid as problem:
        if cut:
            return _go_on(talk, text, cut, limits, problem.problem, None)
        return _tell_problem(talk, text, problem.problem)
    if cut and not is_whole_json(text):
        return _go_on(talk, text, cut, limits, say("replies.length"), value)
    return Done(value, text)


def _go_on(talk: Talk[T], text: str, cut: bool, limits: Limits, missing: str, partial: Any) -> Talk[T]:
    """Ask for the rest of a reply that ends early."""
    stuck = talk.continuing and not cut and len(text) <= len(talk.text)
    if stuck or talk.continuations >= limits.continuations:
        raise _cut(missing, text, partial)
    follow_up = talk.ask.followups.continue_from(text[-TAIL:])
    return replace(
        talk,
        text=text,
        partial=partial,
        continuing=True,
        continuations=talk.continuations + 1,
        max_tokens=_raised(talk, limits),
        extra=(ChatMessage("assistant", text), ChatMessage("user", follow_up)),
    )


def _cut(missing: str, text: str, partial: Any) -> Unusable:
    return Unusable("cut", say("gateway.cause.cut", missing=missing), text, partial)


def _invalid(problem: str, text: str) -> Unusable:
    return Unusable("invalid", say("gateway.cause.invalid", problem=problem), text)


def _tell_problem(talk: Talk[T], text: str, problem: str) -> Talk[T]:
    if talk.stage == FRESH:
        return _again(replace(talk, stage=TOLD), talk.ask.followups.invalid(problem), text or None)
    if talk.stage == TOLD:
        return _again(replace(talk, stage=MARKDOWN), talk.ask.followups.as_markdown(), text or None)
    raise _invalid(problem, text)


def _again(talk: Talk[T], follow_up: str, text: str | None) -> Talk[T]:
    """Begin a new draft, after the old one (None: it is not shown) and a word on what was wrong with it."""
    shown = (ChatMessage("assistant", text),) if text is not None else ()
    extra = (*shown, ChatMessage("user", follow_up))
    return replace(talk, extra=extra, text="", partial=None, continuing=False)


def _raised(talk: Talk[T], limits: Limits) -> int:
    return max(talk.max_tokens, min(talk.max_tokens * 2, limits.max_tokens_cap))
