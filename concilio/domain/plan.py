"""Scene plans: what Iris proposes, what Damián and Rubén judge, what the prose agent writes from."""

import re
from typing import Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from concilio.domain.base import FilledLine, Frozen, Line

SCENE_ID = re.compile(r"\d{1,3}\.\d{1,3}\Z")

Degree = Literal["critical_success", "success", "partial", "failure", "critical_failure", "choice"]
"""How good an outcome is for the party; `choice` where the label names a decision or an event instead."""


class Outcome(Frozen):
    """One way in which a scene may end."""

    label: Line
    """As written before the colon (`Éxito en cobertura`)."""
    degree: Degree = "choice"
    text: Line
    leads_to: str | None = None
    """Id of a scene (`5.3`), `end` for the end of the chapter, or None where the plan does not say."""


class ScenePlan(Frozen):
    """One scene, complete enough to be run."""

    id: str
    """`chapter.scene`, for example `5.1`."""
    title: FilledLine
    place: FilledLine
    present: FilledLine
    situation: FilledLine
    player_action: FilledLine
    outcomes: tuple[Outcome, ...] = Field(min_length=1)
    state_change: FilledLine

    @field_validator("id")
    @classmethod
    def _id_has_the_form(cls, value: str) -> str:
        if not SCENE_ID.match(value):
            raise PydanticCustomError("scene_id", "a scene id has the form 5.1")
        return value


class Proposal(Frozen):
    """A chapter's plan: its scenes in order."""

    scenes: tuple[ScenePlan, ...] = ()

    def scene(self, scene_id: str) -> ScenePlan | None:
        """Return the scene with that id, or None."""
        return next((s for s in self.scenes if s.id == scene_id), None)


class Mechanic(Frozen):
    """One mechanical statement of a plan that prose places by reference."""

    ref: str
    """`scene-letter`, for example `5.1-a`."""
    text: Line
    """Words and numbers to print, in the adventure's language, with their article where the language
    wants one (`una prueba de Fuerza (Atletismo) CD 15`, `a DC 15 Strength (Athletics) check`)."""
    kind: str
    """Kind of claim (`check`, `save`, `damage`, `armor_class`, `hit_points`, `distance`, `cover`, …)."""
