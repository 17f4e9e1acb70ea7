"""Creatures as a table of facts; loaded only when a name or a figure is asked for."""

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from pydantic import Field

from rules.entries import Amount, Bonus, Count, Entry, Model, Natural, Score
from rules.facts import ActionFacts, StatFacts
from rules.figures import DICE, metres

Overcome = Literal["", "magical", "magical or silvered", "magical or adamantine", "all but magic of the good"]
"""Attacks to which a resistance or immunity does not apply; empty: it applies to all."""
DiceAndType = tuple[str, str]
"""Dice (`1d6+2`, or a plain number) and damage type id."""


class SavingThrow(Model):
    """A saving throw that an action calls for."""

    dc: Count
    ability: str
    half: bool = False
    """Whether a success still takes half the damage."""
    damage: tuple[DiceAndType, ...] = ()
    """Taken on a failure."""


class CreatureAction(Model):
    """One action, reaction or legendary action of a creature."""

    name: str
    """In English, as the SRD prints it."""
    group: Literal["action", "reaction", "legendary", "trait"] = "action"
    kind: Literal["", "melee", "ranged", "either"] = ""
    """Empty where it is no attack."""
    by: Literal["", "weapon", "spell"] = ""
    attack: Bonus | None = None
    """Attack bonus."""
    reach_ft: Natural | None = None
    range_ft: tuple[Natural, Natural | None] | None = None
    """Normal and long range."""
    damage: tuple[DiceAndType, ...] = ()
    """On a hit, or without any roll."""
    instead: tuple[DiceAndType, ...] = ()
    """Damage in the place of `damage` where it is used otherwise (in two hands, when a swarm is halved)."""
    save: SavingThrow | None = None
    recharge: Count | None = None
    """Least roll of a d6 by which it comes back."""
    per_day: Count | None = None

    @property
    def reach_m(self) -> float | None:
        """Reach in metres."""
        return None if self.reach_ft is None else metres(self.reach_ft)

    @property
    def range_m(self) -> tuple[float, float | None] | None:
        """Normal and long range in metres."""
        if self.range_ft is None:
            return None
        near, far = self.range_ft
        return metres(near), None if far is None else metres(far)


class Spellcasting(Model):
    """How a creature casts its spells."""

    ability: str
    dc: Count | None = None
    attack: Bonus | None = None
    """Attack bonus of its spells."""
    level: Count | None = None
    """As whose level it casts; None where it casts by nature."""
    spells: tuple[str, ...] = ()
    """Spell ids."""


class Creature(Entry):
    """A creature's block in figures."""

    size: Literal["tiny", "small", "medium", "large", "huge", "gargantuan"] | None = None
    type: str = ""
    """In English (`humanoid`, `undead`)."""
    ac: Count
    ac_also: tuple[Count, ...] = ()
    """Armor Class under conditions that the block names (`mage armor`, barkskin)."""
    hp: Count
    hit_dice: str = Field(default="", pattern=DICE[:-1] + "?$")
    cr: Amount
    xp: Natural
    proficiency: Natural = 2
    speed_ft: dict[str, Natural] = {}
    """Feet a turn by way of moving (`walk`, `fly`, `swim`, `climb`, `burrow`)."""
    hover: bool = False
    senses_ft: dict[str, Natural] = {}
    """Feet by sense id."""
    passive_perception: Natural = 10
    abilities: dict[str, Score] = {}
    """Scores by ability id."""
    saves: dict[str, Bonus] = {}
    """Saving throw bonuses that differ from the modifier."""
    skills: dict[str, Bonus] = {}
    vulnerabilities: dict[str, Overcome] = {}
    resistances: dict[str, Overcome] = {}
    immunities: dict[str, Overcome] = {}
    """By damage type id: what overcomes them."""
    condition_immunities: tuple[str, ...] = ()
    actions: tuple[CreatureAction, ...] = ()
    multiattack: tuple[dict[str, Count], ...] = ()
    """Ways to attack several times: actions by name, and how often each."""
    spellcasting: tuple[Spellcasting, ...] = ()
    forms: tuple[str, ...] = ()
    """Ids of the other shapes of the same creature, each with figures of its own."""

    @property
    def speeds_m(self) -> Mapping[str, float]:
        """Metres a turn by way of moving."""
        return {way: metres(feet) for way, feet in self.speed_ft.items()}

    @property
    def senses_m(self) -> Mapping[str, float]:
        """Metres by sense id."""
        return {sense: metres(feet) for sense, feet in self.senses_ft.items()}

    @property
    def modifiers(self) -> Mapping[str, int]:
        """Ability modifiers by id."""
        return {ability: (score - 10) // 2 for ability, score in self.abilities.items()}

    @property
    def attacks(self) -> tuple[CreatureAction, ...]:
        """Its actions that are attacks."""
        return tuple(a for a in self.actions if a.attack is not None)

    def times(self, action: str) -> int:
        """Return how often it takes that action a turn, by the first way of its multiattack that has it."""
        return next((way[action] for way in self.multiattack if action in way), 1)

    @cached_property
    def facts(self) -> StatFacts:
        """The block in the form in which the engine knows a designer's own."""
        return StatFacts(
            name=next((n.word for n in self.names.values()), ""),
            ac=self.ac,
            hp=self.hp,
            cr=self.cr,
            speeds_m=self.speeds_m,
            senses={**self.senses_m, "passive_perception": self.passive_perception},
            abilities=self.modifiers,
            saves=self.saves,
            actions=tuple(self._facts_of(a) for a in self.actions if a.group == "action"),
            turns=self.multiattack,
        )

    def _facts_of(self, action: CreatureAction) -> ActionFacts:
        save = action.save
        amounts = action.damage or (save.damage if save else ())
        return ActionFacts(
            name=action.name,
            attack=action.attack,
            count=self.times(action.name),
            reach_m=action.reach_m,
            range_m=action.range_m[0] if action.range_m else None,
            damage=" + ".join(f"{dice} {kind}" for dice, kind in amounts) or None,
            save_dc=save.dc if save else None,
            save_ability=save.ability if save else None,
        )
