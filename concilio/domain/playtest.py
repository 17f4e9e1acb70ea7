"""A plan as the engine played it: the numbers that the chapter keeps. Texts are in the chapter's language."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from concilio.domain.base import Frozen, Line
from concilio.domain.plan import SCENE_ID

END = "end"
"""Where an outcome leads that ends the chapter."""


def _tenth_of_a_percent(share: float) -> float:
    return round(share, 3)


def _tenth(number: float) -> float:
    return round(number, 1)


def _is_scene(value: str) -> str:
    if not SCENE_ID.match(value):
        raise PydanticCustomError("scene_id", "a scene id has the form 5.1")
    return value


def _is_scene_or_end(value: str) -> str:
    return value if value == END else _is_scene(value)


SceneId = Annotated[str, AfterValidator(_is_scene)]
"""Id of a scene (`5.1`)."""
Share = Annotated[float, Field(ge=0, le=1), AfterValidator(_tenth_of_a_percent)]
"""A probability, 0 to 1, kept to a tenth of a percent: as it is printed."""
Amount = Annotated[float, Field(ge=0, le=1_000_000), AfterValidator(_tenth)]
"""A number of rounds or characters, kept to a tenth."""


class PlayedOutcome(Frozen):
    """How likely an outcome is where its scene is played."""

    label: Line
    chance: Share
    leads_to: Annotated[str, AfterValidator(_is_scene_or_end)]
    """Id of the scene that follows, or `end`."""


class PlayedScene(Frozen):
    """What comes of a scene."""

    id: SceneId
    reach: Share
    """Chance that it is played at all."""
    basis: Literal["roll", "fight", "equal"]
    """By what its outcomes are known; `equal`: nothing is rolled, so all are taken as equally likely."""
    minutes: int = Field(ge=0)
    """Each time that it is played."""
    outcomes: tuple[PlayedOutcome, ...] = ()


class PlayedEnd(Frozen):
    """One end of the chapter."""

    scene: Line
    label: Line = ""
    """Of the last outcome; empty where the scene states none."""
    chance: Share


class PlayedConsequence(Frozen):
    """A graded consequence of the outline."""

    text: Line
    scene: Line
    """The scene that brings it, with which outcome."""
    label: Line
    chance: Share


class DeadEnd(Frozen):
    """An outcome that leads nowhere."""

    scene: Line
    label: Line = ""
    """Empty: the scene itself, which states no outcome."""
    why: Literal["unknown_scene", "no_outcomes", "unstated"]
    target: Line = ""
    """The scene that is not there."""


class Hinge(Frozen):
    """A roll by what hangs on it."""

    scene: Line
    roll: Line
    after_success: Share
    """Chance of the best end where it succeeds."""
    after_failure: Share
    decisive: bool = False
    """Whether nothing is left of the best end where it fails: a single point of failure."""


class PlayedFight(Frozen):
    """A fight: its weight by each budget and, where it could be fought, what comes of it."""

    scene: Line
    foes: Line
    """Number and name of each."""
    xp: int = Field(ge=0)
    difficulty: dict[Line, Line] = {}
    """How hard in words, by the rules' budget (`2014`, `2024`)."""
    win: Share | None = None
    """Chance that the party wins; None where the fight could not be fought."""
    rounds: Amount | None = None
    losses: Amount | None = None
    """Expected number of characters at 0 hit points at the end."""
    not_counted: Line = ""
    """Creatures that can do more than attack, of which that is not counted: the fight is worse."""
    unknown: Line = ""
    """Creatures of which nobody knows how they attack: the fight was not fought."""


class PlayedPlan(Frozen):
    """A chapter's plan, played for its party."""

    party: Line
    """Who plays, with their levels."""
    minutes: int | None = Field(default=None, ge=0)
    """Expected; None where the chapter may never end."""
    endless: Share = 0.0
    """Chance that it never ends, because scenes lead round in a circle."""
    best: Share | None = None
    """Chance of the best end; None where no end is better than another."""
    scenes: tuple[PlayedScene, ...] = ()
    ends: tuple[PlayedEnd, ...] = ()
    """The likeliest first."""
    consequences: tuple[PlayedConsequence, ...] = ()
    unreached: tuple[SceneId, ...] = ()
    """Scenes that nobody can reach."""
    dead_ends: tuple[DeadEnd, ...] = ()
    hinges: tuple[Hinge, ...] = ()
    """The one on which most hangs first."""
    fights: tuple[PlayedFight, ...] = ()
    assumed: tuple[Line, ...] = ()
    """What had to be supposed, in words."""
