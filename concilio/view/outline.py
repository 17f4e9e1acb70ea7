"""What a chapter is for: its objective and graded consequences, before anybody reads on."""

from collections.abc import Sequence
from dataclasses import dataclass

from concilio.adventure.labels import consequences_of, label_key
from concilio.chapterfile.words import folded
from concilio.domain.chapter import Chapter
from concilio.domain.playtest import PlayedConsequence


@dataclass(frozen=True, slots=True)
class Outline:
    """A chapter's outline as its page tells it."""

    objective: str = ""
    consequences: tuple[tuple[str, float | None], ...] = ()
    """What may come of it, best first as written, each with its chance where the plan was played."""
    other: tuple[tuple[str, str], ...] = ()
    """The other labelled lines as they stand."""


def outline_of(chapter: Chapter) -> Outline:
    """Return the outline that stands in a chapter's header."""
    objective: list[str] = []
    consequences: list[str] = []
    other: list[tuple[str, str]] = []
    for field in chapter.header:
        key = label_key(field.label)
        if key == "objective":
            objective.append(field.text)
        elif key == "consequences":
            consequences += consequences_of(field.text)
        else:
            other.append((field.label, field.text))
    played = chapter.playtest.consequences if chapter.playtest else ()
    graded = tuple((text, _chance(text, played)) for text in consequences)
    return Outline("\n".join(objective), graded, tuple(other))


def _chance(text: str, played: Sequence[PlayedConsequence]) -> float | None:
    """Return how likely a consequence is; the played plan has it without its degree (`Success: …`)."""
    whole = folded(text)
    return next((each.chance for each in played if each.text and whole.endswith(folded(each.text))), None)
