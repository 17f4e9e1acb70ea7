"""JSON in what models write: found among chatter and fences, repaired, and cut told from broken.

Linear in the text; bounded in depth and size, for replies are not to be trusted.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from concilio.catalogue import say
from concilio.faults import told
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid

M = TypeVar("M", bound=BaseModel)
DEEPEST = 60
"""Levels of nesting; deeper is an attack or a loop, not an answer."""
LONGEST = 2_000_000
"""Characters of a reply that are looked at."""
LONGEST_REPAIR = 300_000
"""Characters that are handed to the repair library."""
MOST_UNCLOSED = 4
"""Brackets without a partner from which the search begins anew: each costs a walk through the text."""
MOST_PROBLEMS = 8
"""Problems of one reply that are told to the model."""

_OBJECT = re.compile(r"\{\s*(?:[\"'“}]|\w+\s*:|\Z)")
_LIST = re.compile(r"\s*(?:`{3,}[^\n`]*\n\s*)*\[\s*(?:[\"'{\[\]\d-]|\Z)")
_STRUCTURE = re.compile(r'["\\{}\[\]]')


class NoJson(ReplyInvalid):
    """There is no JSON in the text: perhaps it is Markdown."""


@dataclass(frozen=True)
class JsonReply:
    """The JSON of a reply."""

    value: Any
    complete: bool
    """False where it ends before its brackets are closed."""
    repaired: bool
    """True where it was not valid as it stood."""
    start: int
    """Offset of its first character in the text."""
    end: int


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    closed: bool


def find_json(text: str) -> JsonReply | None:
    """Return the longest JSON object (or the list that the text begins with), or None where there is none.

    Raises:
        ReplyInvalid: there is one, but it is broken beyond repair.
    """
    text = text[:LONGEST]
    spans = sorted(_spans(text), key=lambda span: (span.end - span.start, span.closed), reverse=True)
    problem: ReplyInvalid | None = None
    for span in spans[:3]:
        try:
            return _parse(text, span)
        except ReplyInvalid as error:
            problem = problem or error
    if problem:
        raise problem
    return None


def _spans(text: str) -> list[_Span]:
    beginning = _LIST.match(text)
    spans = [_scan(text, text.index("[", beginning.start()))] if beginning else []
    position = spans[0].end if spans else 0
    unclosed = 0
    while unclosed < MOST_UNCLOSED and (found := _OBJECT.search(text, position)):
        span = _scan(text, found.start())
        spans.append(span)
        unclosed += not span.closed
        position = span.end if span.closed else found.start() + 1
    return spans


def _scan(text: str, start: int) -> _Span:
    """Return the bracket at `start` up to its partner, or up to the text's end; strings are passed over."""
    depth = 0
    quoted = False
    escaped_at = -1
    for mark in _STRUCTURE.finditer(text, start):
        if mark.start() == escaped_at:
            continue
        character = mark[0]
        if character == "\\":
            escaped_at = mark.start() + 1 if quoted else -1
        elif character == '"':
            quoted = not quoted
        elif not quoted:
            depth += 1 if character in "{[" else -1
            if depth == 0:
                return _Span(start, mark.end(), True)
            if depth > DEEPEST:
                raise ReplyInvalid(say("replies.json_deep", most=DEEPEST))
    return _Span(start, len(text), False)


def _parse(text: str, span: _Span) -> JsonReply:
    source = text[span.start : span.end]
    try:
        return JsonReply(_writable(json.loads(source, strict=False)), True, False, span.start, span.end)
    except (ValueError, RecursionError):
        pass
    closed = span.closed or _ends_closed(source)
    body = source if span.closed else _without_tail_fence(source)
    value = _repaired(body)
    if not isinstance(value, (dict, list)) or not value:
        raise ReplyInvalid(say("replies.json_broken"))
    return JsonReply(_writable(value), closed, True, span.start, span.end)


def _writable(value: Any) -> Any:
    """Return JSON whose texts UTF-8 can hold: an escape may name half a character."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_writable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_writable(k): _writable(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def _repaired(source: str) -> Any:
    if len(source) > LONGEST_REPAIR:
        raise ReplyInvalid(say("replies.json_long"))
    import json_repair  # 60 ms: only where something is broken

    try:
        return json_repair.loads(source, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError) as error:
        raise ReplyInvalid(say("replies.json_broken")) from error


_TAIL_FENCE = re.compile(r"\n[ \t]*`{3,}[ \t]*\Z")


def _without_tail_fence(source: str) -> str:
    source = source.rstrip()
    while shorter := _TAIL_FENCE.sub("", source).rstrip():
        if shorter == source:
            break
        source = shorter
    return source


def _ends_closed(source: str) -> bool:
    """Tell whether a text whose quotes do not add up ends like a whole one: closers match openers."""
    body = _without_tail_fence(source)
    if not body.endswith(("}", "]")):
        return False
    return body.count("{") <= body.count("}") and body.count("[") <= body.count("]")


def is_whole_json(text: str) -> bool:
    """Tell whether the text holds JSON that is closed: more tokens would add nothing to it."""
    try:
        found = find_json(text)
    except ReplyInvalid:
        return False
    return found is not None and found.complete


def parse_json_reply(text: str) -> Any:
    """Return the JSON value of a reply, repaired where need be.

    Raises:
        NoJson: there is none; the reply may be Markdown.
        ReplyInvalid: broken beyond repair.
        ReplyIncomplete: it is cut; `partial` is what could be read.
    """
    found = find_json(text)
    if found is None:
        raise NoJson(say("replies.no_json"))
    if not found.complete:
        raise ReplyIncomplete(say("replies.json_open"), found.value)
    return found.value


def read_model(text: str, model: type[M]) -> M:
    """Return a reply's JSON as a value of a pydantic model.

    Raises:
        NoJson: there is none; the reply may be Markdown.
        ReplyInvalid: broken, or not of the model's shape; the problem names fields.
        ReplyIncomplete: it is cut; `partial` is a value of the model where what arrived has its shape, else
            the raw JSON.
    """
    try:
        value = parse_json_reply(text)
    except ReplyIncomplete as cut:
        raise ReplyIncomplete(cut.missing, _validated_or_raw(cut.partial, model)) from None
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise ReplyInvalid(refused(error)) from error


def refused(error: ValidationError) -> str:
    """Return what a model's reply has not the shape of, without its values: they may be long."""
    return told(error, found=False, most=MOST_PROBLEMS)


def _validated_or_raw(value: Any, model: type[BaseModel]) -> Any:
    try:
        return model.model_validate(value)
    except ValidationError:
        return value


def merge_json(first: Any, second: Any) -> Any:
    """Return two readings of one answer as one.

    Objects are joined by key; lists of objects by the objects' `id`, new ones at the end. Of two texts the
    longer one stands, for the shorter may be cut; of other values the second.
    """
    if isinstance(first, dict) and isinstance(second, dict):
        return _merge_objects(first, second)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(first, list) and isinstance(second, list):
        return _merge_lists(first, second)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(first, str) and isinstance(second, str):
        return first if len(first) > len(second) else second
    return first if second is None else second  # pyright: ignore[reportUnknownVariableType]


def _merge_objects(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    merged = {key: merge_json(first[key], second[key]) if key in second else first[key] for key in first}
    return merged | {key: value for key, value in second.items() if key not in first}


def _merge_lists(first: list[Any], second: list[Any]) -> list[Any]:
    merged = list(first)
    places = {item["id"]: i for i, item in enumerate(first) if _has_id(item)}
    for item in second:
        place = places.get(item["id"]) if _has_id(item) else None
        if place is not None:
            merged[place] = merge_json(merged[place], item)
        elif item not in merged:
            merged.append(item)
    return merged


def _has_id(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("id"), str)  # pyright: ignore[reportUnknownMemberType]
