"""How long a scene takes at the table: an estimate, by what is done in it."""

from rules.playtest.model import Encounter, SceneScript, Throw

SETTING = 6.0
"""Minutes to set a scene and talk about what to do."""
ROLL = 3.0
"""For each roll of the longest way to go, with what is told of it."""
GROUP_ROLL = 5.0
TURN = 1.5
"""For each turn of a fight; a side of many creatures takes one for every two of them."""
UNKNOWN_ROUNDS = 4.0
"""Rounds of a fight of which the figures are not known."""


def minutes_of(script: SceneScript, encounter: Encounter | None, party: int) -> float:
    """Return the minutes that a scene takes."""
    rolls = [sum(map(_roll_minutes, trial)) for trial in script.trials]
    return SETTING + max(rolls, default=0.0) + _fight_minutes(encounter, party)


def _roll_minutes(throw: Throw) -> float:
    return (GROUP_ROLL if throw.kind == "group" else ROLL) * (throw.series[0] if throw.series else 1)


def _fight_minutes(encounter: Encounter | None, party: int) -> float:
    if encounter is None:
        return 0.0
    enemies = sum(number for _, number in encounter.foes)
    rounds = encounter.rounds if encounter.rounds is not None else UNKNOWN_ROUNDS
    return rounds * TURN * (party + (enemies + 1) // 2)
