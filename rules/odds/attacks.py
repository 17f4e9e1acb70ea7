"""Exact odds of an attack roll and of the damage it does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from rules.odds.checks import FACES, RollMode
from rules.odds.dice import Number, Roll, doubled, spread
from rules.odds.errors import OddsError
from rules.odds.spread import Spread, add, fixed, mapped, mixture, repeated

Takes = Literal["normal", "resistance", "vulnerability", "both", "immunity"]
"""What a target does with damage of that type; `both`: resistance, and vulnerability after it."""
TAKES: tuple[Takes, ...] = get_args(Takes)
NO_DICE = Number(0)
MOST_TURN_BITS = 10_000_000
"""Size of the whole numbers that a turn's damage is made of: some tenths of a second of work."""
MOST_DAMAGE = 20_000
"""Damage of one hit, criticals included: four times the most hit points."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of a creature."""

    bonus: int
    damage: Roll
    mode: RollMode = "normal"
    critical_from: int = FACES
    """Lowest natural roll that is a critical hit, 2 to 20."""
    dice: Roll = NO_DICE
    """Rolled and added to the attack roll (a blessing's d4)."""


@dataclass(frozen=True, slots=True)
class Target:
    """Who is attacked."""

    ac: int
    cover: int = 0
    """What cover adds to the AC: 0, 2 or 5."""
    takes: Takes = "normal"


@dataclass(frozen=True)
class AttackOdds:
    """What comes of one attack."""

    hit: float
    """Probability, 0 to 1, criticals included."""
    critical: float
    """Probability, 0 to 1."""
    damage: Spread = field(repr=False)
    """Of the attack, 0 where it misses."""

    @property
    def mean_on_hit(self) -> float:
        """Mean damage of a hit, critical ones included; a natural 20 always hits."""
        return self.damage.mean / self.hit


def natural_weights(mode: RollMode) -> tuple[int, ...]:
    """Return how many of 20 (normal) or 400 cases show each natural roll from 1 to 20.

    Source: SRD 5.1, Advantage and Disadvantage.
    """
    if mode == "advantage":
        return tuple(2 * n - 1 for n in range(1, FACES + 1))
    if mode == "disadvantage":
        return tuple(2 * (FACES - n) + 1 for n in range(1, FACES + 1))
    return (1,) * FACES


def attack_odds(attack: Attack, target: Target) -> AttackOdds:
    """Return the exact odds of one attack.

    A natural 20 hits and is critical, a natural 1 misses, whatever the numbers; a critical hit rolls the
    damage's dice twice; resistance halves what is dealt, rounded down, vulnerability doubles it.

    Source: SRD 5.1, Making an Attack: Attack Rolls; Damage and Healing: Critical Hits, Damage Resistance.

    Raises:
        OddsError: the critical range is none, or the dice are too many.
    """
    miss, plain, critical = _chances(attack, target.ac + target.cover)
    dealt = _dealt(attack.damage, target.takes), _dealt(doubled(attack.damage), target.takes)
    whole = miss + plain + critical
    damage = mixture(((miss, fixed(0)), (plain, dealt[0]), (critical, dealt[1])))
    return AttackOdds((plain + critical) / whole, critical / whole, damage)


def damage_of_turn(attacks: Sequence[tuple[Attack, int]], target: Target) -> Spread:
    """Return the damage of a turn: attacks, and how often each is made.

    Raises:
        OddsError: the attacks or their dice are too many.
    """
    singles = [(attack_odds(attack, target).damage, times) for attack, times in attacks]
    bits = sum(one.total.bit_length() * times for one, times in singles)
    width = sum(len(one.weights) * times for one, times in singles)
    if bits * width > MOST_TURN_BITS:
        raise OddsError("too_large_turn")
    whole = fixed(0)
    for one, times in singles:
        whole = add(whole, repeated(one, times))
    return whole


def takes_of(resistant: bool, vulnerable: bool, immune: bool) -> Takes:
    """Return what a target does with damage to which several of its traits apply; immunity leaves none.

    Source: SRD 5.1, Damage and Healing: resistance and then vulnerability are applied.
    """
    if immune:
        return "immunity"
    if resistant and vulnerable:
        return "both"
    return "resistance" if resistant else "vulnerability" if vulnerable else "normal"


def _chances(attack: Attack, ac: int) -> tuple[int, int, int]:
    """Return in how many cases the attack misses, hits, hits critically."""
    if not 1 < attack.critical_from <= FACES:
        raise OddsError("bad_critical", found=attack.critical_from)
    extra = spread(attack.dice)
    miss = plain = critical = 0
    for natural, weight in enumerate(natural_weights(attack.mode), 1):
        if natural >= attack.critical_from:
            critical += weight * extra.total
        elif natural == 1:
            miss += weight * extra.total
        else:
            hits = extra.weight_at_least(ac - attack.bonus - natural)
            plain += weight * hits
            miss += weight * (extra.total - hits)
    return miss, plain, critical


def _dealt(damage: Roll, takes: Takes) -> Spread:
    return taken(spread(damage), takes)


def taken(damage: Spread, takes: Takes) -> Spread:
    """Return what a target takes of damage; never less than 0.

    Source: SRD 5.1, Damage and Healing: Damage Resistance and Vulnerability.

    Raises:
        OddsError: the damage is too much: its outcomes and a miss's 0 stand in one table.
    """
    if damage.high > MOST_DAMAGE:
        raise OddsError("too_much_damage", found=damage.high, most=MOST_DAMAGE)
    if takes == "immunity":
        return fixed(0)
    divisor = 2 if takes in ("resistance", "both") else 1
    factor = 2 if takes in ("vulnerability", "both") else 1
    return mapped(damage, lambda n: max(0, n) // divisor * factor)
