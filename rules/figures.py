"""Figures of a ruleset: falls, traps, breath, fire, light, encounters, what is typical of a creature."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from rules.entries import (
    Amount,
    Bonus,
    Count,
    Entry,
    Level,
    Measure,
    Model,
    Names,
    Natural,
    Sides,
)

METRES_PER_FOOT = 0.3
Dice = str
ROLLED = r"[1-9]\d{0,2}d([2-9]|[1-9]\d{1,2})"
"""Dice: at least one, of two sides at least."""
DICE = rf"^({ROLLED}([+-]\d{{1,4}})?|\d{{1,4}})$"
"""Dice with a bonus, or a plain number."""


def metres(feet: int) -> float:
    """Return a length of feet in metres, by the table's conversion: 5 feet are 1.5 m."""
    return round(feet * METRES_PER_FOOT, 3)


class Falling(Model):
    """Damage of a fall."""

    metres_per_die: Measure
    sides: Sides
    most_dice: Count
    damage_type: str
    condition: str = ""
    """Condition in which a creature lands."""
    source: str = ""

    def dice(self, metres: float) -> int:
        """Return how many dice a fall of that many metres deals."""
        return min(self.most_dice, int(metres / self.metres_per_die + 1e-9))


class TrapDamage(Model):
    """Damage up to a level."""

    to_level: Level
    dice: str = Field(pattern=rf"^{ROLLED}$")


class Trap(Model):
    """A severity of traps and other harm by the environment."""

    save_dc: tuple[Count, Count]
    """Least and most."""
    attack: tuple[Bonus, Bonus]
    damage: tuple[TrapDamage, ...] = Field(min_length=1)
    source: str = ""

    def damage_at(self, level: int) -> str:
        """Return the dice for a party of that level."""
        return next((d.dice for d in self.damage if level <= d.to_level), self.damage[-1].dice)


class FallingBySize(Model):
    """Damage of a fall where the die depends on the creature's size."""

    metres_per_die: Measure
    most_dice: Count
    damage_type: str
    landing_ability: str = ""
    """Ability whose check keeps a creature on its feet."""
    landing_dr_per_metre: Amount = 0
    """What that check must reach, for each metre fallen."""
    condition: str = ""
    """Condition in which a creature lands where the check fails."""
    instant_m: Amount = 0
    """Metres up to which a fall is over at the end of the next turn."""
    speed_m_s: Amount = 0
    """Metres a second in a longer fall."""
    source: str = ""

    def dice(self, metres: float) -> int:
        """Return how many dice a fall of that many metres deals."""
        return min(self.most_dice, int(metres / self.metres_per_die + 1e-9))

    def landing_dr(self, metres: float) -> float:
        """Return what the check to stay on one's feet must reach."""
        return metres * self.landing_dr_per_metre


class Breath(Model):
    """How long breath lasts: `base + per_point × score`, never less than `least`; times in seconds."""

    ability: str
    """Whose modifier counts, or whose score in a game without modifiers."""
    base_s: Amount = 0
    per_point_s: Amount
    least_s: Amount

    def seconds(self, value: float) -> float:
        """Return the seconds for that modifier or score."""
        return max(self.least_s, self.base_s + self.per_point_s * value)


class Suffocation(Model):
    """What happens to who cannot breathe."""

    held: Breath
    """How long breath is held."""
    out_of_breath: Breath
    """Who has none left lasts this long."""
    surprised: Breath | None = None
    """How long who had no time to breathe in lasts."""
    ends_at: Literal["zero_hit_points", "death"] = "zero_hit_points"
    harm: dict[str, Amount] = {}
    """What is lost for good each minute without breath, by ability."""
    source: str = ""


class Burning(Model):
    """What happens to what is on fire."""

    dice: Dice = Field(pattern=DICE)
    damage_type: str
    when: tuple[Literal["start_of_turn", "end_of_turn"], ...]
    put_out_by: tuple[Literal["action", "check"], ...] = ("action",)
    put_out_dc: Count | None = None
    put_out_ability: str = ""
    reduced_by: str = ""
    """What alone takes from the damage."""
    source: str = ""


class Light(Entry):
    """A source of light."""

    bright_m: Amount
    """Radius of bright light in metres; length where it is a cone."""
    dim_m: Amount
    """Metres of dim light beyond the bright light."""
    cone: bool = False
    hours: Measure | None = None
    """How long it burns; None without end, or not said."""


class LightLevel(Entry):
    """How well lit a place is."""

    obscured: Literal["", "lightly", "heavily"] = ""
    sight_checks: Literal["normal", "advantage", "disadvantage"] = "normal"
    """How Perception checks that rely on sight are made."""
    condition: str = ""
    """Condition that who looks into it suffers."""


class Step(Model):
    """A multiplier from a number of monsters on."""

    monsters: Count
    by: Measure


class Encounters(Model):
    """How hard a fight is: experience points that a character stands, by level, and how numbers weigh."""

    degrees: tuple[str, ...] = Field(min_length=1)
    """Ids, from the lowest."""
    names: dict[str, dict[str, Names]]
    """Words by degree and language."""
    budgets: tuple[tuple[Natural, ...], ...] = Field(min_length=20, max_length=20)
    """Experience points a character by level from 1, then by degree."""
    multipliers: tuple[Step, ...] = ()
    """What the monsters' experience points are multiplied by, for 3 to 5 characters; empty: never."""
    ladder: tuple[Measure, ...] = ()
    """All multipliers in order: small and large parties go one step along it."""
    small_party: Natural = 0
    """Parties of fewer characters go one step up."""
    large_party: Natural = 99
    """Parties of at least so many characters go one step down."""
    budget_is: Literal["threshold", "ceiling"] = "threshold"
    """Whether a degree begins at its figure, or ends there."""
    xp_by_cr: dict[str, Natural]
    """Experience points by challenge rating (`1/4`, `5`)."""
    source: str

    def budget(self, level: int, degree: str) -> int:
        """Return the experience points of one character of that level.

        Raises:
            ValueError: no such degree, or a level outside 1 to 20.
        """
        if not 1 <= level <= len(self.budgets):
            raise ValueError(f"level {level} is outside 1 to {len(self.budgets)}")
        return self.budgets[level - 1][self.degrees.index(degree)]

    def party_budget(self, levels: Sequence[int], degree: str) -> int:
        """Return the experience points of a party, given the level of each of its members.

        Raises:
            ValueError: no such degree, or a level outside 1 to 20.
        """
        return sum(self.budget(level, degree) for level in levels)

    def multiplier(self, monsters: int, characters: int) -> float:
        """Return what so many monsters' experience points are multiplied by for so many characters."""
        steps = [step.by for step in self.multipliers if step.monsters <= monsters]
        if not steps:
            return 1
        place = self.ladder.index(steps[-1])
        shift = (characters < self.small_party) - (characters >= self.large_party)
        return self.ladder[min(max(place + shift, 0), len(self.ladder) - 1)]

    def weight(self, xp: Sequence[int], characters: int) -> float:
        """Return the experience points of monsters as the table weighs them against so many characters."""
        return sum(xp) * self.multiplier(len(xp), characters)

    def degree(self, xp: Sequence[int], levels: Sequence[int]) -> str | None:
        """Return how hard monsters of those experience points are for a party of those levels.

        None: less than the lowest degree. Where figures are ceilings, more than the highest is the highest.

        Raises:
            ValueError: a level outside 1 to 20.
        """
        weight = self.weight(xp, len(levels))
        budgets = [(degree, self.party_budget(levels, degree)) for degree in self.degrees]
        if self.budget_is == "ceiling":
            return next((d for d, most in budgets if weight <= most), self.degrees[-1])
        return next((d for d, least in reversed(budgets) if weight >= least), None)


class Typical(Model):
    """What is typical of creatures of one challenge rating: medians over those of the ruleset."""

    creatures: Count
    """How many there are."""
    ac: Amount
    hp: Amount
    attack: Annotated[float, Field(ge=-1000, le=1000)] | None = None
    """Attack bonus."""
    save_dc: Amount | None = None
    damage: Amount | None = None
    """Average damage of the best attack action, one hit."""
