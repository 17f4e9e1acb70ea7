"""Who is where, how far from whom, what each weapon reaches. No grid: metres along a place, and height."""

from math import hypot

from rules.combat import Attacks
from rules.fights.model import Weapon
from rules.fights.state import Status
from rules.odds.checks import RollMode

NEAR = 1e-6


def distance_m(one: Status, other: Status) -> float | None:
    """Return metres between two; None where they are in different places."""
    if one.place != other.place:
        return None
    return hypot(one.x - other.x, one.height - other.height)


def reach_m(weapon: Weapon, rules: Attacks) -> float:
    """Return metres that a weapon reaches without being thrown or shot.

    Source: Combate, Atacar; I&A 6, Attacking in Melee.
    """
    if weapon.kind == "ranged":
        return 0
    if weapon.reach_m is not None:
        return weapon.reach_m
    if weapon.kind == "reach" and rules.reach_weapon_m is not None:
        return rules.reach_weapon_m
    return rules.melee_m or 0


def is_far_attack(weapon: Weapon, metres: float, rules: Attacks) -> bool:
    """Tell whether an attack from so far is made by shooting or throwing."""
    return weapon.kind == "ranged" or (weapon.kind == "thrown" and metres > reach_m(weapon, rules) + NEAR)


def range_mode(weapon: Weapon, metres: float, rules: Attacks) -> RollMode | None:
    """Return how an attack from so far is made; None where the weapon does not reach."""
    if metres <= reach_m(weapon, rules) + NEAR and weapon.kind != "ranged":
        return "normal"
    if weapon.kind not in ("ranged", "thrown"):
        return None
    near = weapon.range_m or 0
    far = weapon.long_m or near
    if metres <= near + NEAR:
        return "normal"
    return rules.long_range if metres <= far + NEAR else None


def stepped(x: float, towards: float, most_m: float, stop_m: float = 0) -> float:
    """Return where somebody comes who walks towards a point, so far at most, and stops short of it."""
    way = towards - x
    length = max(0.0, min(abs(way) - stop_m, most_m))
    return round(x + (length if way > 0 else -length), 3)
