"""Duels by exact arithmetic, for the figures of the tests: two who hit each other until one falls."""

from collections import Counter
from dataclasses import dataclass
from itertools import product

OPEN = 1e-7
"""Share of duels still going on at which counting ends."""


@dataclass(frozen=True)
class Duellist:
    """One side of a duel."""

    ac: int
    hp: int
    attack: int
    dice: str
    """Damage, `1d8+3`."""
    initiative: int = 0
    attacks: int = 1


FIGHTER = Duellist(ac=18, hp=12, attack=5, dice="1d8+3", initiative=1)
"""The fighter of level 1 of the published odds."""


def damage(dice: str, critical: bool) -> Counter[int]:
    """Ways to each amount of damage."""
    count, rest = dice.split("d")
    sides, _, bonus = rest.partition("+")
    rolls = product(range(1, int(sides) + 1), repeat=int(count) * (2 if critical else 1))
    return Counter(sum(roll) + int(bonus or 0) for roll in rolls)


def blow(striker: Duellist, target: Duellist) -> dict[int, float]:
    """Chances of each loss of hit points by one attack: 1 misses, 20 is critical."""
    hits = sum(die + striker.attack >= target.ac for die in range(2, 20))
    chances = {0: (19 - hits) / 20}
    for share, critical in ((hits / 20, False), (1 / 20, True)):
        ways = damage(striker.dice, critical)
        for amount, count in ways.items():
            chances[amount] = chances.get(amount, 0) + share * count / ways.total()
    return chances


def turn(states: dict[int, float], losses: dict[int, float], attacks: int) -> dict[int, float]:
    """Hit points after a turn; 0 gathers who has fallen."""
    for _ in range(attacks):
        after: dict[int, float] = {}
        for hp, chance in states.items():
            for loss, share in losses.items() if hp else ((0, 1.0),):
                left = max(0, hp - loss)
                after[left] = after.get(left, 0) + chance * share
        states = after
    return states


def wins(first: Duellist, second: Duellist) -> float:
    """Chance that who acts first fells the other."""
    mine, yours = blow(first, second), blow(second, first)
    foes = {hp: turn({hp: 1.0}, mine, first.attacks) for hp in range(1, second.hp + 1)}
    owns = {hp: turn({hp: 1.0}, yours, second.attacks) for hp in range(1, first.hp + 1)}
    states, won, going = {(first.hp, second.hp): 1.0}, 0.0, 1.0
    while going > OPEN:
        after: dict[tuple[int, int], float] = {}
        for (hp, foe), chance in states.items():
            won += chance * foes[foe].get(0, 0.0)
            for (left, share), (own, rest) in product(foes[foe].items(), owns[hp].items()):
                if left and own:
                    after[own, left] = after.get((own, left), 0.0) + chance * share * rest
        states, going = after, sum(after.values())
    return won


def wins_by_initiative(one: Duellist, other: Duellist) -> float:
    """Chance that `one` fells the other where initiative is rolled; ties are thrown for."""
    difference = Counter(
        (a + one.initiative > b + other.initiative) - (a + one.initiative < b + other.initiative)
        for a, b in product(range(1, 21), repeat=2)
    )
    first = (difference[1] + difference[0] / 2) / 400
    return first * wins(one, other) + (1 - first) * (1 - wins(other, one))
