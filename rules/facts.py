"""What an adventure says about its party, its cast and its things, in figures that rules can compare."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PartySheet:
    """A player's character in figures."""

    name: str
    level: int
    class_id: str | None = None
    abilities: Mapping[str, int] = field(default_factory=dict[str, int])
    """Ability modifiers (not scores) by canonical id: `{"dex": 3}`."""
    proficiency: int = 2
    """Proficiency bonus."""
    skills: Mapping[str, int] = field(default_factory=dict[str, int])
    """Total bonus to the check by canonical skill id, proficiency included."""
    saves: Mapping[str, int] = field(default_factory=dict[str, int])
    """Total bonus to saving throws by ability id, where it differs from the modifier."""
    ac: int = 10
    hp: int = 1
    """Maximum hit points."""

    def bonus(self, name: str) -> int:
        """Return what is added to a check of that skill or ability (by canonical id).

        Raises:
            KeyError: the sheet has neither a skill nor an ability of that id.
        """
        return self.skills[name] if name in self.skills else self.abilities[name]

    def save_bonus(self, ability: str) -> int:
        """Return what is added to a saving throw of that ability.

        Raises:
            KeyError: the sheet has no such ability.
        """
        return self.saves[ability] if ability in self.saves else self.abilities[ability]


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """One action of a stat block; None where the block does not state it."""

    name: str
    attack: int | None = None
    """Attack bonus."""
    count: int = 1
    """Times a turn."""
    reach_m: float | None = None
    range_m: float | None = None
    damage: str | None = None
    """Dice and type as written (`4d6 perforante`)."""
    save_dc: int | None = None
    save_ability: str | None = None
    """Canonical ability id."""


@dataclass(frozen=True, slots=True)
class StatFacts:
    """A creature's block; None where it does not state a figure."""

    name: str
    ac: int | None = None
    hp: int | None = None
    cr: float | None = None
    count: int = 1
    speeds_m: Mapping[str, float] = field(default_factory=dict[str, float])
    """Metres a turn by way of moving (`walk`, `fly`)."""
    senses: Mapping[str, float] = field(default_factory=dict[str, float])
    """Metres by sense id (`darkvision`); `passive_perception` is a plain number."""
    abilities: Mapping[str, int] = field(default_factory=dict[str, int])
    """Ability modifiers by id."""
    saves: Mapping[str, int] = field(default_factory=dict[str, int])
    actions: tuple[ActionFacts, ...] = ()
    turns: tuple[Mapping[str, int], ...] = ()
    """Ways to use several actions in one turn: their names, and how often each."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the engine knows of an adventure beyond the text that it checks."""

    level: int = 1
    """Level of the party."""
    party: tuple[PartySheet, ...] = ()
    guessed: tuple[str, ...] = ()
    """Characters of whom nobody states abilities or skills: their sheet is what their class mostly has."""
    names: tuple[str, ...] = ()
    """Proper names as the designer spells them: party, cast, places."""
    items: tuple[str, ...] = ()
    """Names of things as the designer spells them."""
    stat_blocks: Mapping[str, StatFacts] = field(default_factory=dict[str, StatFacts])
    """Blocks by the name of their creature."""
