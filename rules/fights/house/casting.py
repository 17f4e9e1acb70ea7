"""A spell on its way: who casts it at whom, and what every resolver needs."""

from dataclasses import dataclass

from rules.fights.house import fight, harm, law
from rules.fights.model import Fighter
from rules.fights.state import Table
from rules.odds.checks import RollMode
from rules.spellbook import Spell


@dataclass(frozen=True, slots=True)
class Casting:
    """One spell as it is cast."""

    table: Table
    sheet: Fighter
    """The caster's."""
    target: str
    id: str
    spell: Spell
    level: int
    """Of the slot; 0: a cantrip."""
    grounds: tuple[RollMode, ...] = ()

    @property
    def who(self) -> str:
        """Name of the caster."""
        return self.sheet.name

    @property
    def word(self) -> str:
        """The spell's name in the scenario's language."""
        return self.spell.names[self.table.scenario.language].word

    @property
    def modifier(self) -> int:
        """The caster's, with the ability of its spells."""
        return int(self.sheet.abilities.get(self.sheet.spell_ability, 0))


def begun(made: Casting, target: str, cause: str = "damage_dealt") -> None:
    """Draw what follows from a spell against somebody: hostility, crime, a fight."""
    if made.who != target:
        law.attacked(made.table, made.who, target)
        fight.opens(made.table, cause)
        fight.enters(made.table)


def harmed(made: Casting, target: str, amount: int) -> None:
    """Deal a spell's damage."""
    harm.hurt(
        made.table, target, amount, kind=made.spell.damage_type, by=made.who, weapon=made.word,
        cause=made.word,
    )  # fmt: skip
