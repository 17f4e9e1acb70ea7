"""What a chapter is played with, and what comes of it. Probabilities are 0 to 1, times are minutes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.odds.checks import RollMode

Degree = Literal["critical_success", "success", "partial", "failure", "critical_failure", "choice"]
"""As `concilio.domain.plan.Degree`."""
GOOD: frozenset[Degree] = frozenset({"critical_success", "success"})
BAD: frozenset[Degree] = frozenset({"failure", "critical_failure"})
END = "end"
"""Where an outcome leads that ends the chapter."""
Kind = Literal["check", "group", "save", "attack", "contest", "passive", "fight"]
Basis = Literal["roll", "fight", "equal"]
"""By what an outcome's probability is known; `equal`: no roll is stated, all are as likely."""


class PlaytestError(ValueError):
    """A chapter that cannot be played; `code` names the text, `values` fill it in."""

    def __init__(self, code: str, **values: object) -> None:
        self.code, self.values = code, values
        super().__init__(f"{code}: {values}")


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a scene may end, as its plan states it."""

    label: str
    degree: Degree
    text: str
    leads_to: str | None
    """Id of a scene, `end`, any other text, or None where the plan does not say."""
    band: tuple[int, int] | None = None
    """By how much a roll is beaten, or (negative) fails, for it, both included; None: it is not said."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One roll that a scene asks for."""

    kind: Kind
    text: str
    """As written."""
    traits: tuple[str, ...]
    """Ids of skills or abilities; whoever rolls chooses the best. Empty: the plan names none."""
    dc: int
    """DC or AC; the opponent's bonus in a contest."""
    who: str = ""
    """Who rolls, where the plan says so; else the best of the party."""
    mode: RollMode = "normal"
    series: tuple[int, int] | None = None
    """Successes that are needed before so many failures; None: it is rolled once."""
    known: bool = True
    """Whether the plan states what is rolled against."""


Trial = tuple[Throw, ...]
"""Rolls that must all succeed."""


@dataclass(frozen=True, slots=True)
class Link:
    """What an outcome of one scene changes in another scene's roll."""

    source: int
    """Index of the scene that was played before."""
    outcomes: frozenset[int]
    """Its outcomes that do it, by index."""
    target: int
    dc: int | None = None
    """DC in the place of the stated one."""
    change: int = 0
    """Added to the DC."""
    mode: RollMode = "normal"


@dataclass(frozen=True, slots=True)
class SceneScript:
    """A scene ready to be played."""

    id: str
    title: str
    ways: tuple[Way, ...]
    trials: tuple[Trial, ...] = ()
    """The party takes the one with the best chance."""
    near: int = 4
    """By how much a roll may fail for a partial success."""
    far: int = 10
    """By how much a roll must be beaten, or fail, for a critical degree."""
    near_stated: bool = False
    far_stated: bool = False
    targets: tuple[int | None, ...] = ()
    """Where each way leads: index of a scene; None: the end of the chapter."""
    stated: tuple[bool, ...] = ()
    """Whether the plan says so of each way; otherwise the next scene follows."""
    minutes: float = 0.0


@dataclass(frozen=True, slots=True)
class WayOdds:
    """How likely an outcome is where its scene is played."""

    label: str
    degree: Degree
    chance: float
    to: str
    """Id of the scene that follows, or `end`."""
    stated: bool
    """Whether the plan says where it leads."""


@dataclass(frozen=True, slots=True)
class ThrowOdds:
    """A roll of the trial that the party takes, as it is rolled without what earlier scenes change."""

    throw: Throw
    who: str
    bonus: int
    chance: float


@dataclass(frozen=True, slots=True)
class Encounter:
    """The creatures that a scene sets against the party."""

    scene: str
    foes: tuple[tuple[str, int], ...]
    """Name and number."""
    xp: int
    degrees: Mapping[str, str | None]
    """How hard by each of the ruleset's budgets (`2014`, `2024`); None: less than the lowest degree."""
    budgets: Mapping[str, Mapping[str, int]]
    """Experience points of the party by budget and degree."""
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    """Experience points that count by each budget: in 2014 adjusted by how many there are on either side."""
    win: float | None = None
    """Chance that the party wins; None where a creature's attacks are not known."""
    rounds: float | None = None
    """Expected number."""
    losses: float | None = None
    """Expected number of characters at 0 hit points at the end."""
    error: float | None = None
    """Standard error of `win`: fights are sampled."""
    samples: int = 0
    unknown: tuple[str, ...] = ()
    """Creatures whose attacks are not known."""
    counted: bool = True
    """Whether the scene's outcomes depend on it; they do not where a roll decides that is no part of it."""
    left_out: tuple[str, ...] = ()
    """Creatures that can do more than attack (spells, breath, rays), which is not counted."""


@dataclass(frozen=True, slots=True)
class SceneOdds:
    """What comes of a scene."""

    id: str
    title: str
    reach: float
    """Chance that it is played at all."""
    visits: float | None
    """How often it is expected to be played; None where that has no end."""
    minutes: float
    """Each time that it is played."""
    basis: Basis
    throws: tuple[ThrowOdds, ...]
    ways: tuple[WayOdds, ...]


@dataclass(frozen=True, slots=True)
class EndOdds:
    """One end of the chapter."""

    scene: str
    label: str
    """Of its last outcome; empty where the scene states none."""
    degree: Degree
    chance: float


@dataclass(frozen=True, slots=True)
class ConsequenceOdds:
    """A graded consequence of the outline, with the outcome that brings it."""

    text: str
    scene: str
    label: str
    chance: float


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """An outcome that leads nowhere."""

    scene: str
    label: str
    """Empty: the scene itself, which states no outcome."""
    why: Literal["unknown_scene", "no_outcomes", "unstated"]
    """`unstated`: it does not say where it leads, and nothing later asks for it."""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Hinge:
    """A scene's roll by what hangs on it."""

    scene: str
    text: str
    after_success: float
    """Chance of the best end where it succeeds."""
    after_failure: float

    @property
    def swing(self) -> float:
        """How much of the best end's chance hangs on it."""
        return self.after_success - self.after_failure


@dataclass(frozen=True, slots=True)
class Playtest:
    """A chapter as it is expected to go."""

    scenes: tuple[SceneOdds, ...]
    ends: tuple[EndOdds, ...]
    """The likeliest first."""
    endless: float
    """Chance that it never ends, because scenes lead round in a circle."""
    minutes: float | None
    """Expected; None where it may never end."""
    best: float | None
    """Chance of the best end: of the first graded consequence, or of a success in the last scene played."""
    consequences: tuple[ConsequenceOdds, ...]
    unreached: tuple[str, ...]
    """Scenes that nobody can reach."""
    dead_ends: tuple[DeadEnd, ...]
    hinges: tuple[Hinge, ...]
    """The one on which most hangs first."""
    encounters: tuple[Encounter, ...]
    notes: tuple[str, ...]
    """What had to be supposed, by codes."""
