"""Spells as a table of facts."""

from typing import Literal

from pydantic import Field

from rules.entries import Count, Entry, Model, Natural
from rules.figures import metres


class Area(Model):
    """The area of a spell."""

    shape: Literal["sphere", "cone", "cube", "cylinder", "line"]
    feet: Count

    @property
    def metres(self) -> float:
        """Its size in metres."""
        return metres(self.feet)


class Spell(Entry):
    """A spell's name and figures; what a ruleset does not state is None."""

    level: int | None = Field(default=None, ge=0, le=9)
    """0: a cantrip."""
    school: str = ""
    ritual: bool = False
    concentration: bool = False
    casting: str = ""
    """`action`, `bonus action`, `reaction`, or a time (`1 minute`)."""
    range_ft: Natural | None = None
    """Feet; 0: oneself, 5: touch."""
    attack: Literal["", "melee", "ranged"] = ""
    save: str = ""
    """Ability of the saving throw."""
    half: bool = False
    """Whether a successful save still takes half the damage."""
    damage: str = ""
    """Dice at the spell's own level, or at character level 1."""
    damage_type: str = ""
    area: Area | None = None

    @property
    def range_m(self) -> float | None:
        """Range in metres."""
        return None if self.range_ft is None else metres(self.range_ft)
