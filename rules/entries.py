"""The words and small figures of a ruleset: what has a name, and how it is written in each language."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal[
    "ability",
    "skill",
    "condition",
    "damage_type",
    "cover",
    "action",
    "term",
    "sense",
    "unit",
    "difficulty",
    "class",
    "spell",
]
WordStatus = Literal["canonical", "synonym", "wrong", "unknown"]
Mode = Literal["normal", "advantage", "disadvantage"]
"""How a d20 is rolled."""
Ending = Literal[
    "check", "save", "action", "movement", "rest", "time", "magic", "healing", "distance", "wake"
]
"""How a condition ends: an ability check or a new saving throw, somebody's action, moving, a rest, a
duration, magic, healing, getting away from what causes it, or being woken."""


MOST = 1_000_000_000
"""No figure of a game is larger; one that is would be written out in every message."""
Amount = Annotated[float, Field(ge=0, le=MOST)]
"""What may be nothing: a length, a time, a share."""
Measure = Annotated[float, Field(gt=0, le=MOST)]
"""What is nothing only by a slip: the length of a unit, the metres of one die."""
Natural = Annotated[int, Field(ge=0, le=MOST)]
Count = Annotated[int, Field(ge=1, le=MOST)]
Bonus = Annotated[int, Field(ge=-1000, le=1000)]
"""A modifier, which may be negative."""
Sides = Annotated[int, Field(ge=2, le=1000)]
"""Of a die."""
Score = Annotated[int, Field(ge=0, le=1000)]
"""Of an ability."""
Share = Annotated[float, Field(ge=0, le=1)]
Level = Annotated[int, Field(ge=1, le=20)]


class Model(BaseModel):
    """What every part of a ruleset is: frozen, with no key and no figure that is none."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Names(Model):
    """The words of one thing in one language."""

    word: str = Field(min_length=1)
    """The canonical word."""
    also: tuple[str, ...] = ()
    """Other words in common use."""
    abbr: tuple[str, ...] = ()
    """Short forms, as right as the word."""
    wrong: tuple[str, ...] = ()
    """Known errors that mean this."""
    everyday: tuple[str, ...] = ()
    """Those of the words above that plain narration uses too."""
    inflect: str = ""
    """Name of the list of endings (`inflections`) by which the words bend."""
    plural: str = ""
    article: str = ""
    """Indefinite article, where the language has one by gender."""
    printed: str = ""
    """How it is printed in a phrase where that is not the word itself."""


class Entry(Model):
    """Anything that has a name."""

    names: dict[str, Names]
    """By language."""
    source: str = ""
    """Where its figures are said."""


class Skill(Entry):
    """A skill."""

    ability: str


class Effects(Model):
    """What a condition does to who has it. What is not said is as always."""

    implies: tuple[str, ...] = ()
    """Conditions that come with it."""
    acts: bool = True
    """Whether actions and reactions can be taken."""
    moves: bool = True
    """Whether the creature can move (speed above 0)."""
    speaks: bool = True
    attacks: Mode = "normal"
    """How its own attack rolls are made."""
    attacked: Mode = "normal"
    """How attack rolls against it are made."""
    attacked_near: Mode | None = None
    """The same from within `near_m` where that differs."""
    near_m: Amount = 1.5
    """Metres that count as near."""
    critical_when_near: bool = False
    """Whether every hit from near is a critical hit."""
    checks: Mode = "normal"
    """How its ability checks are made."""
    fails_saves: tuple[str, ...] = ()
    """Abilities whose saving throws fail by themselves."""
    saves: dict[str, Mode] = {}
    """How saving throws are made, by ability."""
    fails_checks_by: tuple[Literal["sight", "hearing"], ...] = ()
    """Senses without which ability checks fail by themselves."""
    speed_lost_m: Amount = 0
    """Metres by which speed drops."""


class ConditionEntry(Entry):
    """A condition."""

    noun: bool = False
    """It is had or gained (`exhaustion`), not been."""
    ends_by: tuple[Ending, ...] = ()
    """The usual ways out, the commonest first."""
    needs_escape: bool = False
    """Whether a text that imposes it leaves somebody held until it says how that ends."""
    effects: Effects | None = None
    levels: Count = 1
    """Steps that it has (exhaustion: 6)."""


class CoverEntry(Entry):
    """A degree of cover."""

    armor_class: Natural = 0
    """Bonus to Armor Class."""
    saves: dict[str, Natural] = {}
    """Bonus to saving throws by ability."""
    targetable: bool = True
    """Whether an attack or spell may target directly what has it."""
    attacks: Mode = "normal"
    """How attack rolls against what has it are made."""
    covers: Share = 0
    """Least share of the body that must be covered; 0 where the rules do not say."""


class ActionEntry(Entry):
    """An action, or what a creature spends to act."""

    economy: bool = False
    """It is spent, not chosen by name."""
    when: Literal["own_turn", "any_turn"] | None = None
    """When it may be taken."""
    spends: str = ""
    """What is spent on it, by action id."""
    trigger: str = ""
    """What allows it."""
    not_by: tuple[str, ...] = ()
    """What looks like the trigger, and is none."""


class Unit(Entry):
    """A unit of length (metres) or of time (seconds); exactly one is given."""

    metres: Measure | None = None
    seconds: Measure | None = None


class Difficulty(Entry):
    """A step of the DC ladder."""

    dc: Count


class Armor(Model):
    """Armor Class of a default sheet."""

    base: Natural
    add: tuple[str, ...] = ()
    """Abilities whose modifiers are added."""
    most_dex: Natural | None = None
    shield: Natural = 0


class ClassEntry(Entry):
    """What a default sheet needs to know of a class."""

    hit_die: Sides
    """Sides."""
    saves: tuple[str, ...]
    abilities: tuple[str, ...]
    """By importance."""
    skills: tuple[str, ...]
    """What a character of the class most often takes."""
    expertise: dict[Level, tuple[str, ...]] = {}
    """Skills whose proficiency counts twice, by the level from which it does."""
    armor: Armor
    increases: tuple[Level, ...] = ()
    """Levels that raise ability scores by two points."""


class Sheet(Model):
    """How default sheets are made."""

    scores: tuple[Score, ...]
    """Scores to hand out, best first."""
    proficiency: tuple[Natural, ...] = Field(min_length=20, max_length=20)
    """Proficiency bonus by level, from 1."""
    source: str = ""
