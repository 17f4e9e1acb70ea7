"""The table at which a run sits: agents, engine, store and options, made once and passed to every graph."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from agents.seat import Seat
from agents.types import Canon
from concilio.domain.adventure import Adventure, ChapterOutline
from concilio.domain.base import Frozen, Language
from concilio.domain.debate import AgentId, Ending
from concilio.review.model import Decision, Pause, Pending
from concilio.store.chapter import ChapterStore
from rules.facts import Facts
from rules.ruleset import Ruleset


def never(chapter: int, ending: Ending) -> bool:
    """Answer for nobody: where no designer can be asked, an unresolved plan is not written."""
    return False


def nobody(pause: Pending) -> Decision | None:
    """Decide nothing."""
    return None


F = TypeVar("F", bound=Frozen)
OnUnresolved = Literal["write", "ask", "stop"]
DEFAULT_SCENES = 3
"""Scenes of a chapter whose outline does not say how many."""


@dataclass(frozen=True)
class Options:
    """What a designer may set of a run."""

    rounds: int = 3
    """Most rounds of the debate."""
    max_rewrites: int = 2
    """Most rewrites of a scene."""
    seed: int = 0
    on_unresolved: OnUnresolved = "write"
    pauses: frozenset[Pause] = frozenset()
    """Where the designer is asked."""
    asks_unresolved: bool = False
    """Whether the designer is asked as well where the debate ends without agreement."""


@dataclass(frozen=True)
class Table:
    """All that a graph's nodes need beyond their state."""

    adventure: Adventure
    canon: Canon
    """Without what chapters remember: `canon_for` adds it."""
    ruleset: Ruleset
    facts: Facts
    store: ChapterStore
    seats: Mapping[AgentId, Seat]
    options: Options
    confirm_prose: Callable[[int, Ending], bool] = never
    """Says whether an unresolved plan is written where `on_unresolved` is `ask` and nobody can be asked."""
    designer: Callable[[Pending], Decision | None] = nobody
    """Tells what was decided on a pause, or keeps it for the designer and returns None."""
    remembered: tuple[str, ...] = ()
    """What earlier chapters of this run left."""

    @property
    def language(self) -> Language:
        """Language of the adventure."""
        return self.adventure.language

    def outline(self, chapter: int) -> ChapterOutline:
        """Return a chapter's outline; the number is one of the adventure's."""
        return next(c for c in self.adventure.chapters if c.number == chapter)

    def scene_target(self, chapter: int) -> int:
        """Return how many scenes the chapter is to have."""
        return self.outline(chapter).scenes or DEFAULT_SCENES

    def canon_now(self) -> Canon:
        """Return the canon with what earlier chapters left."""
        return self.canon.model_copy(update={"remembered": self.remembered})

    def put(self, value: Frozen) -> str:
        """Store a value; return its reference."""
        return self.store.put_text(value.model_dump_json())

    def get(self, kind: type[F], reference: str) -> F:
        """Return a stored value."""
        return kind.model_validate_json(self.store.get_text(reference))
