"""Texts without the characters that no page, PDF or program should be given."""

import re
from typing import Any, TypeVar, cast

from pydantic import BaseModel

M = TypeVar("M", bound=BaseModel)
_UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufff9-\uffff]"
    "|[" + "".join(chr(plane * 0x10000 + end) for plane in range(1, 17) for end in (0xFFFE, 0xFFFF)) + "]"
)
"""Control characters, those that turn the direction of writing, half characters, and none at all."""


def tidy(text: str) -> str:
    """Return a text without such characters."""
    return _UNFIT.sub("", text)


def tidy_model(value: M) -> M:
    """Return a model all of whose texts are tidy.

    Raises:
        ValidationError: a text that must not be empty held nothing else.
    """
    return type(value).model_validate(_tidied(value.model_dump(by_alias=True)))


def _tidied(value: Any) -> Any:
    if isinstance(value, str):
        return tidy(value)
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value).items()
        return {_tidied(key): _tidied(each) for key, each in pairs}
    if isinstance(value, list | tuple):
        return [_tidied(each) for each in cast("list[Any]", value)]
    return value
