"""What a run's `run.json` says of it, taken field by field: one that is not as we write it hides no other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, TypeAdapter, ValidationError

from concilio.store.run import RunInfo

T = TypeVar("T")
HIGHEST_CHAPTER = 999
Number = Annotated[StrictInt, Field(ge=0, le=HIGHEST_CHAPTER)]
"""A chapter's number."""


class WrittenChapter(BaseModel):
    """A chapter in a run's result."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    number: Number
    ending: StrictStr = ""


@dataclass(frozen=True)
class Stated:
    """What could be read; what could not is named in `odd` and left as if it were not said."""

    adventure: str
    title: str
    chapters: tuple[int, ...]
    """Chapters that were asked for."""
    endings: tuple[tuple[int, str], ...]
    """Number and ending of the chapters that are written."""
    exit: int | None
    odd: tuple[str, ...]
    """Fields of `run.json` that are not as we write them."""


_TEXT = TypeAdapter[str](StrictStr)
_NUMBER = TypeAdapter[int](Number)
_WRITTEN = TypeAdapter(WrittenChapter)
_EXIT: TypeAdapter[int | None] = TypeAdapter(Annotated[StrictInt | None, Field(ge=0, le=255)])


def stated_of(info: RunInfo) -> Stated:
    """Return what a run's inputs and result say."""
    reader = _Reader()
    written = reader.items(_WRITTEN, info.result, "result", "chapters")
    return Stated(
        adventure=reader.one(_TEXT, info.inputs, "inputs", "adventure", ""),
        title=reader.one(_TEXT, info.inputs, "inputs", "title", ""),
        chapters=reader.items(_NUMBER, info.inputs, "inputs", "chapters"),
        endings=tuple((chapter.number, chapter.ending) for chapter in written),
        exit=reader.one(_EXIT, info.result, "result", "exit", None),
        odd=tuple(dict.fromkeys(reader.odd)),
    )


class _Reader:
    """Takes fields out of what JSON held, and notes which were not of their type."""

    def __init__(self) -> None:
        self.odd: list[str] = []

    def one(self, kind: TypeAdapter[T], holder: Mapping[str, Any], place: str, name: str, default: T) -> T:
        """Return a field, or the default where it is not there or is not of its type."""
        if name not in holder:
            return default
        found = self._taken(kind, [holder[name]], f"{place}.{name}")
        return found[0] if found else default

    def items(self, kind: TypeAdapter[T], holder: Mapping[str, Any], place: str, name: str) -> tuple[T, ...]:
        """Return those members of a list that are of their type."""
        listed = holder.get(name, [])
        if isinstance(listed, list):
            return tuple(self._taken(kind, listed, f"{place}.{name}"))  # pyright: ignore[reportUnknownArgumentType]
        self.odd.append(f"{place}.{name}")
        return ()

    def _taken(self, kind: TypeAdapter[T], values: Iterable[object], field: str) -> list[T]:
        found: list[T] = []
        for value in values:
            try:
                found.append(kind.validate_python(value))
            except ValidationError:
                self.odd.append(field)
        return found
