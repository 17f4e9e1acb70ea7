"""The sides of a duel: what each has, and what it does in a turn."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from rules.odds import attacks
from rules.odds.attacks import Attack, Takes, Target, taken
from rules.odds.checks import FACES
from rules.odds.dice import Roll, spread
from rules.odds.errors import OddsError
from rules.odds.spread import Spread

First = Literal["a", "b", "roll"]
"""Who acts first; `roll`: whoever wins the initiative."""
MOST_HP = 5_000
MOST_ATTACKS = 10
"""Attacks a turn, and turns of an opening."""
MOST_FIGURE = 1_000
"""AC and bonuses at most, and negative ones at least."""


@dataclass(frozen=True, slots=True)
class Combatant:
    """One side of a duel."""

    hp: int
    ac: int
    attack: Attack
    attacks: int = 1
    """Attacks a turn."""
    initiative: int = 0
    takes: Takes = "normal"
    """What it does with the other's damage."""
    opening: tuple[Roll, ...] = ()
    """Damage that its first turns do in the place of attacks, with no attack roll (*magic missile*)."""
    also: tuple[Attack, ...] = ()
    """Attacks of another kind that it makes every turn besides."""
    name: str = field(default="", compare=False)
    used: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """Of a creature of the ruleset: names of its attacks, and how often each is made in a turn."""
    does_more: bool = field(default=False, compare=False)
    """Whether the creature has ways to harm besides these attacks (spells, breath, a save)."""


@lru_cache(maxsize=1024)
def turn_damage(attacker: Combatant, target: Combatant) -> Spread:
    """Return the damage of one turn of attacks.

    Raises:
        OddsError: the dice are too many.
    """
    turn = [(attacker.attack, attacker.attacks), *((attack, 1) for attack in attacker.also)]
    return attacks.damage_of_turn(turn, Target(target.ac, takes=target.takes))


def opening_damage(attacker: Combatant, target: Combatant) -> tuple[Spread, ...]:
    """Return the damage of each turn of the attacker's opening."""
    return tuple(taken(spread(roll), target.takes) for roll in attacker.opening)


def can_hurt(attacker: Combatant, target: Combatant) -> bool:
    """Tell whether the attacks of every turn can ever do damage."""
    return turn_damage(attacker, target).high > 0


def chance_to_act_first(a: Combatant, b: Combatant) -> float:
    """Return the probability that the first side wins the initiative; ties go to either.

    The SRD leaves a tie between a character and a monster to the game master: here, to a coin.

    Source: SRD 5.1, The Order of Combat: Initiative.
    """
    edge = a.initiative - b.initiative
    before = sum(1 for x in range(FACES) for y in range(FACES) if x + edge > y)
    level = sum(1 for x in range(FACES) for y in range(FACES) if x + edge == y)
    return (before + level / 2) / FACES**2


def first_chance(a: Combatant, b: Combatant, first: First) -> float:
    """Return the probability that the first side acts first, as it is decided."""
    return chance_to_act_first(a, b) if first == "roll" else float(first == "a")


def check_sides(*sides: Combatant) -> None:
    """Refuse figures out of bounds.

    Raises:
        OddsError: hit points, AC, bonuses, attacks or turns of an opening.
    """
    for side in sides:
        _within("bad_hp", side.hp, 1, MOST_HP)
        _within("bad_ac", side.ac, 0, MOST_FIGURE)
        _within("bad_bonus", side.attack.bonus, -MOST_FIGURE, MOST_FIGURE)
        _within("bad_bonus", side.initiative, -MOST_FIGURE, MOST_FIGURE)
        _within("bad_attacks", side.attacks + len(side.also), 0, MOST_ATTACKS)
        _within("bad_critical", side.attack.critical_from, 2, FACES)
        _within("long_opening", len(side.opening), 0, MOST_ATTACKS)


def _within(code: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise OddsError(code, found=value, least=least, most=most)
