"""Several files into one adventure: what each states is joined, and what contradicts is a problem."""

from collections.abc import Iterable
from typing import Any, cast

from concilio.adventure.chapters import Placed
from concilio.adventure.frontmatter import FrontMatter, Stated
from concilio.adventure.problems import Problems


def merge_single(fronts: Iterable[FrontMatter], problems: Problems) -> dict[str, Any]:
    """Return the single values, the first to state one wins; another value is a problem at its place."""
    found: dict[str, Stated] = {}
    for front in fronts:
        for key, stated in front.single.items():
            first = found.setdefault(key, stated)
            if first.value != stated.value:
                _add(problems, stated, "conflict", key=key, file=first.file, line=first.line)
    return {key: stated.value for key, stated in found.items()}


def merge_lists(fronts: Iterable[FrontMatter], key: str, problems: Problems) -> list[Any]:
    """Return a list's entries of all files, each once; one name with two contents is a problem."""
    found: list[Any] = []
    first_of: dict[str, Stated] = {}
    for front in fronts:
        for stated in front.lists.get(key, ()):
            name = _name(stated.value)
            first = first_of.setdefault(name.casefold(), stated) if name else stated
            if first is stated:
                found.append(stated.value)
            elif first.value != stated.value:
                _add(problems, stated, "repeated_name", name=name, file=first.file, line=first.line)
    return found


def _name(value: Any) -> str:
    name: object = cast("dict[str, Any]", value).get("name", "") if isinstance(value, dict) else value
    return str(name)


def check_numbers(chapters: tuple[Placed, ...], problems: Problems) -> None:
    """Note every chapter whose number another one has already."""
    first: dict[int, Placed] = {}
    for placed in (one for one in chapters if one.sure):
        outline = placed.outline
        earlier = first.setdefault(outline.number, placed)
        if earlier is not placed:
            place = Stated(None, placed.file, outline.line, placed.column)
            _add(
                problems,
                place,
                "duplicate_chapter",
                number=outline.number,
                file=earlier.file,
                line=earlier.outline.line,
            )


def _add(problems: Problems, at: Stated, key: str, /, **values: object) -> None:
    own = Problems(at.file)
    own.add(key, at.line, at.column, **values)
    problems.found.extend(own.found)
