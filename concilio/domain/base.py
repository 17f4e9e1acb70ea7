"""What every datum of the domain shares: frozen, closed, and texts without stray white space."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

Language = Literal["es", "en"]
"""Language of an adventure and of all that is written for it."""


class Frozen(BaseModel):
    """A value: never changed after it is made, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def fold(text: str) -> str:
    """Return the text as one paragraph: every run of white space, newlines too, becomes one space."""
    return " ".join(text.split())


def strip_block(text: str) -> str:
    """Return a multi-paragraph text with Unix newlines, no trailing spaces and no blank ends."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


Line = Annotated[str, AfterValidator(fold)]
"""Text of one paragraph."""


def _is_filled(text: str) -> str:
    if not text:
        raise PydanticCustomError("blank", "must hold more than white space")
    return text


FilledLine = Annotated[str, Field(min_length=1), AfterValidator(fold), AfterValidator(_is_filled)]
"""Text of one paragraph that is not empty, measured after white space is folded."""

Block = Annotated[str, AfterValidator(strip_block)]
"""Text of several paragraphs."""
