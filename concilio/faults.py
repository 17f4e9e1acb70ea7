"""What pydantic or the reader of JSON refused, in the user's language: where, what is expected and there.

One place for the whole program: no message of pydantic's own (they are English) reaches a person or a model.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from concilio.catalogue import say
from concilio.printable import printable

MOST_TOLD = 5
"""Faults of one text that are told."""
LONGEST_VALUE = 60
"""Characters of a value that are shown."""
_MOST_PARTS = 12
"""Parts of a field's path that are shown."""

_EXACT = {
    "json_invalid": "json",
    "extra_forbidden": "unknown",
    "string_too_long": "long",
    "string_too_short": "short",
    "too_long": "many",
    "too_short": "few",
    "greater_than": "above",
    "greater_than_equal": "little",
    "less_than": "below",
    "less_than_equal": "much",
    "none_required": "nothing",
    "string_pattern_mismatch": "form",
    "string_unicode": "unicode",
    "scene_id": "scene_id",
    "blank": "blank",
    "int_from_float": "whole",
    "finite_number": "number",
    "enum": "choice",
    "union_tag_invalid": "choice",
}
"""Key of what is expected, by the type of pydantic's error."""
_KINDS = {
    "missing": "missing",
    "string": "text",
    "list": "list",
    "tuple": "list",
    "set": "list",
    "frozen_set": "list",
    "literal": "choice",
    "int": "whole",
    "float": "number",
    "decimal": "number",
    "bool": "truth",
    "model": "object",
    "dict": "object",
    "mapping": "object",
    "date": "time",
    "datetime": "time",
    "time": "time",
    "timezone": "time",
}
"""The same, by how the name of the type begins."""
_BOUNDS = ("max_length", "min_length", "ge", "gt", "le", "lt", "pattern")
_SILENT = frozenset({"missing", "unknown", "json", "unicode", "blank"})
"""Where nothing, or the whole text, or what cannot be shown stands at the place."""


def told(
    error: ValidationError, language: str | None = None, *, found: bool = True, most: int = MOST_TOLD
) -> str:
    """Return what a model refused, some words a field.

    Args:
        error: pydantic's.
        language: to speak; None for the user's.
        found: whether what stands there is shown, too (a model's own reply is not told to it again).
        most: how many faults are told.
    """
    faults = error.errors(include_url=False)
    lines = [_line(fault, language, found) for fault in faults[:most]]
    more = len(faults) - len(lines)
    return "; ".join(lines) + (f"; +{more}" if more > 0 else "")


def unread(error: Exception, language: str | None = None) -> str:
    """Return why what a file holds cannot be read: it has not the form, is no JSON, is no UTF-8."""
    if isinstance(error, ValidationError):
        return told(error, language)
    if type(error).__module__.startswith("concilio."):
        return str(error)  # it has words of its own
    if isinstance(error, UnicodeDecodeError):
        return say("faults.not_utf8", language, position=error.start)
    if isinstance(error, (json.JSONDecodeError, RecursionError)):
        line, column, problem = json_fault(error, language)
        return say("faults.json_at", language, line=line, column=column, problem=problem)
    return say("faults.other", language)


def json_fault(error: ValueError | RecursionError, language: str | None = None) -> tuple[int, int, str]:
    """Return line, column, and what is wrong there in a text that is no JSON."""
    if isinstance(error, json.JSONDecodeError):
        key = next((key for start, key in _SYNTAX.items() if error.msg.startswith(start)), "other")
        return error.lineno, error.colno, say(f"faults.json.{key}", language)
    key = "deep" if isinstance(error, RecursionError) else "digits"
    return 1, 1, say(f"faults.json.{key}", language)


_SYNTAX = {
    "Expecting value": "value",
    "Expecting property name": "key",
    "Expecting ':'": "colon",
    "Expecting ','": "comma",
    "Extra data": "extra",
    "Unterminated string": "string",
    "Invalid control character": "control",
    "Invalid \\": "escape",
    "Illegal trailing comma": "trailing",
}
"""Key of what is wrong, by how the message of the standard library begins."""


def expected_key(kind: str) -> str:
    """Return the key of what is expected, by the type of pydantic's error (`string_type`)."""
    beginning = kind.partition("_")[0]
    return _EXACT.get(kind) or _KINDS.get(kind.rpartition("_")[0]) or _KINDS.get(beginning, "other")


def refusal(fault: ErrorDetails, where: str, language: str | None = None) -> str:
    """Return one fault of a value that its file calls by a name of its own."""
    return _line(fault, language, True, printable(where[:LONGEST_VALUE]))


def _line(fault: ErrorDetails, language: str | None, found: bool, named: str = "") -> str:
    key, where = expected_key(fault["type"]), named or _where(fault["loc"])
    limit = _limit(fault.get("ctx", {}))
    expected = say(f"faults.expected.{key}", language, limit=limit)
    if key == "json":
        return expected
    if not found or key in _SILENT:
        return say("faults.bare", language, where=where, expected=expected)
    there = _found(fault.get("input"), language)
    return say("faults.wrong", language, where=where, expected=expected, found=there)


def _where(place: Sequence[int | str]) -> str:
    """Return the path of a field; what pydantic adds of its own types (`function-after[…]`) is left out."""
    parts = [str(part) for part in place[:_MOST_PARTS] if not set("[(") & set(str(part))]
    return printable(".".join(part[:LONGEST_VALUE] for part in parts)) or "$"


def _limit(context: Mapping[str, Any]) -> object:
    """Return the bound that a value is beyond, or the values that there are, where one is told."""
    bound = next((context[key] for key in _BOUNDS if key in context), None)
    if bound is not None:
        return str(int(bound)) if isinstance(bound, float) and bound.is_integer() else bound
    choices = str(context.get("expected", context.get("expected_tags", "")))
    return choices.replace(" or ", ", ")


def _found(value: object, language: str | None) -> str:
    """Return what stands there: a word, a number, or what kind of thing."""
    if isinstance(value, str):
        text = " ".join(printable(value[: 10 * LONGEST_VALUE]).split())
        short = text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
        return say("faults.found.text", language, value=short)
    if isinstance(value, (list, tuple, set, frozenset)):
        return say("faults.found.list", language, number=len(cast("Sequence[object]", value)))
    if isinstance(value, (bool, int, float)) or value is None:
        return say("faults.found.value", language, value=_as_json(value))
    return say("faults.found.object", language)


def _as_json(value: float | None) -> str:
    try:
        return json.dumps(value)[:LONGEST_VALUE]
    except ValueError:  # more digits than Python writes
        return "…"
