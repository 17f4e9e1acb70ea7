"""Who chooses without a script: whom to attack, or to flee. Pure: statuses in, a name out."""

from collections.abc import Mapping, Sequence

from rules.fights.model import Fighter, Policy
from rules.fights.state import Status

FLEES_BELOW = 0.25
"""Share of the hit points below which the timid run."""


def chosen(policy: Policy, me: Status, foes: Sequence[str], status: Mapping[str, Status]) -> str | None:
    """Return whom to attack among those who can be attacked; None: nobody.

    Ties go to the nearest, then to the order of the scenario.
    """
    if not foes or policy == "passive":
        return None

    def gap(name: str) -> float:
        other = status[name]
        return abs(other.x - me.x) + abs(other.height - me.height)

    if policy == "weakest":
        return min(foes, key=lambda name: (status[name].hp, gap(name)))
    if policy == "strongest":
        return min(foes, key=lambda name: (-status[name].hp, gap(name)))
    return min(foes, key=gap)


def flees(sheet: Fighter, me: Status) -> bool:
    """Tell whether somebody would rather run."""
    return sheet.policy == "flee_when_hurt" and me.hp < FLEES_BELOW * me.max_hp
