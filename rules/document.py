"""What the engine reads: a text cut into its parts, each with its place in the source.

Every `Passage.text` equals `source[start:start + len(text)]`, so that a claim found in a passage points into
the file. The chapter reader (`concilio.chapterfile.reader`) makes these; tests and other programs may too.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

FieldKey = Literal["place", "present", "situation", "player_action", "outcomes", "state_change"]
FIELD_KEYS: tuple[FieldKey, ...] = (
    "place",
    "present",
    "situation",
    "player_action",
    "outcomes",
    "state_change",
)
Role = Literal["proposer", "checker", "critic", "designer"]


class Passage(NamedTuple):
    """A stretch of the source.

    A tuple, because what was read of a passage is kept under it and asked for thousands of times.
    """

    text: str
    start: int
    """Offset of its first character in the source, from 0."""

    @property
    def end(self) -> int:
        """Offset after its last character."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """One outcome of a planned scene."""

    label: Passage
    text: Passage


@dataclass(frozen=True, slots=True)
class PlanField:
    """One labelled field of a planned scene; `outcomes` holds the block of them all."""

    key: FieldKey
    label: Passage
    text: Passage


@dataclass(frozen=True, slots=True)
class PlanScene:
    """A planned scene as written, whole or not."""

    id: str
    title: Passage
    passage: Passage
    """From its heading to its end."""
    fields: tuple[PlanField, ...] = ()
    outcomes: tuple[PlanOutcome, ...] = ()
    ends_text: bool = False
    """Whether the text ends with this scene (nothing follows, no fence was closed): only then may its last
    field have been cut."""

    def field(self, key: FieldKey) -> PlanField | None:
        """Return the field with that key, or None where it is missing."""
        return next((f for f in self.fields if f.key == key), None)


@dataclass(frozen=True, slots=True)
class HeaderField:
    """One labelled line of the outline's header. `key` is the known name (`scenes`, `place`, …) or empty."""

    key: str
    label: Passage
    text: Passage
    passage: Passage
    """Label and text together (`ESCENAS APROX: 2`)."""


@dataclass(frozen=True, slots=True)
class PlanSection:
    """The chapter's plan."""

    heading: Passage
    body: Passage
    scenes: tuple[PlanScene, ...]
    stray: tuple[Passage, ...] = ()
    """Text in the plan that belongs to no scene (chat, fences left over)."""


@dataclass(frozen=True, slots=True)
class DebateMessage:
    """One turn of the debate."""

    speaker: str
    role: Role | None
    round: int
    passage: Passage
    scenes: tuple[PlanScene, ...] = ()
    """Plans inside a proposer's message."""


@dataclass(frozen=True, slots=True)
class WrittenScene:
    """A scene with its agreed plan and its prose."""

    id: str
    title: Passage
    plan: PlanScene | None
    prose: Passage | None


@dataclass(frozen=True, slots=True)
class Document:
    """A chapter file, or free prose (`chapter` None: everything is in `free`)."""

    name: str
    source: str
    language: Literal["es", "en"]
    chapter: int | None
    title: Passage | None = None
    header: tuple[HeaderField, ...] = ()
    plan: PlanSection | None = None
    debate: tuple[DebateMessage, ...] = ()
    outcome: Passage | None = None
    """The line `_Outcome: accepted_`."""
    ending: str = ""
    """Its value (`accepted`, `max_rounds`, …); empty where the file does not say."""
    scenes: tuple[WrittenScene, ...] = ()
    free: tuple[Passage, ...] = ()
    language_is_told: bool = True
    """Whether something tells the language; False where the text had to be taken for one."""
