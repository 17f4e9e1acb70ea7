"""Who fights whom in I&A, what they hold, and what of their body still serves."""

from collections.abc import Mapping
from typing import Any

from rules.fights.model import Fighter, Size, Weapon
from rules.fights.places import NEAR, distance_m, reach_m
from rules.fights.state import Status, Table

CHARACTERS = "characters"
OTHERS = "others"
SIZES: tuple[Size, ...] = ("tiny", "small", "medium", "big", "large", "huge", "gargantuan")
SPACE_M = 1.0
"""Metres that most creatures take up."""
BARE = Weapon(name="fists", damage="1", size="small")


def team(table: Table, name: str) -> str:
    """Return the team of somebody."""
    return table.sheets[name].team or (CHARACTERS if table.is_character(name) else OTHERS)


def fights(table: Table, name: str) -> bool:
    """Tell whether somebody takes part: a character, who is hostile or an ally, or who was attacked."""
    status, sheet = table[name], table.sheets[name]
    if status.calm:
        return False
    return table.is_character(name) or sheet.attitude in ("hostile", "ally") or bool(status.hostile_to)


def foes(table: Table, name: str) -> tuple[str, ...]:
    """Return those of other teams who stand and fight."""
    if not fights(table, name):
        return ()
    mine = team(table, name)
    return tuple(
        n for n in table.others(name) if table[n].is_up and fights(table, n) and team(table, n) != mine
    )


def held(sheet: Fighter, status: Status) -> tuple[Weapon, ...]:
    """Return the weapons in hand: what needs two hands falls from an arm that is out of use.

    Source: I&A 6, called shots: Hand/Arm.
    """
    ready = [w for w in sheet.weapons if w.name not in status.thrown]
    named = [w for w in ready if w.name in sheet.scores.grips]
    chosen = named or ready[:1]
    if is_out(status.limbs, "arm"):
        chosen = [w for w in chosen if w.hands == 1] or [w for w in ready if w.hands == 1][:1]
    return tuple(chosen) or (BARE,)


def gap_m(table: Table, one: str, other: str) -> float:
    """Return how near two may stand, from middle to middle: half of what each takes up.

    Source: I&A 6, moving through others: creatures take up space by their size.
    """
    return (table.sheets[one].scores.space_m + table.sheets[other].scores.space_m) / 2


def apart_m(table: Table, one: str, other: str) -> float | None:
    """Return metres between two; who is larger than most is that much nearer. None: in different places."""
    metres = distance_m(table[one], table[other])
    return None if metres is None else max(0.0, metres - (gap_m(table, one, other) - SPACE_M))


def reaches(table: Table, who: str, target: str) -> bool:
    """Tell whether somebody's melee weapon in hand reaches a target."""
    metres = apart_m(table, who, target)
    weapons = held(table.sheets[who], table[who])
    melee = [reach_m(w, table.rules.combat.attacks) for w in weapons if w.kind != "ranged"]
    return metres is not None and any(metres <= reach + NEAR for reach in melee)


def engaged(table: Table, name: str) -> tuple[str, ...]:
    """Return the foes within whose melee weapons somebody stands.

    Source: I&A 6, Attacking in Melee.
    """
    able = (foe for foe in foes(table, name) if table[foe].is_free and not table[foe].surprised)
    return tuple(foe for foe in able if reaches(table, foe, name))


def is_out(limbs: Mapping[str, Any], limb: str) -> bool:
    """Tell whether a part is disabled, crippled or severed."""
    state = limbs.get(limb, {})
    return bool(state.get("disabled_s", 0) > 0 or state.get("crippled") or state.get("severed"))


def agility(sheet: Fighter, status: Status) -> float:
    """Return the Agility that is left of a leg's injury.

    Source: I&A 6, called shots: Foot/Leg.
    """
    agi = sheet.abilities.get("agi", 0)
    if not is_out(status.limbs, "leg"):
        return agi
    if sheet.scores.prosthetic:
        return agi - 1
    return 1 if agi >= 1 else 0


def flying_speed(sheet: Fighter, status: Status) -> float:
    """Return metres a turn in flight: a quarter less for each crippled wing, none with over half of them.

    Source: I&A 6, called shots: Wing.
    """
    broken = int(status.limbs.get("wing", {}).get("count", 0))
    if not sheet.scores.wings or broken > sheet.scores.wings / 2:
        return 0
    return sheet.speed_m * max(0.0, 1 - 0.25 * broken)


def dual_wield(sheet: Fighter, status: Status) -> float:
    """Return what two melee weapons in hand add to armour: the better proficiency of the two.

    Source: I&A 6, dual wielding.
    """
    weapons = held(sheet, status)
    arms_fail = status.tied or is_out(status.limbs, "arm")
    if len(weapons) < 2 or arms_fail or sheet.scores.hinders_dex:
        return 0
    return max(w.proficiency for w in weapons) if all(_in_one_hand(w, sheet) for w in weapons) else 0


def _in_one_hand(weapon: Weapon, sheet: Fighter) -> bool:
    if weapon.kind == "ranged" or weapon.size == "polearm":
        return False
    if weapon.size != "large":
        return weapon.hands == 1
    is_strong = sheet.abilities.get("str", 0) >= 1 + weapon.needs_str
    return SIZES.index(sheet.size) >= SIZES.index("big") and (weapon.hands == 1 or is_strong)


def swim_m(table: Table, name: str) -> float:
    """Return metres a turn of who swims: Swim and Strength by two, each second.

    Source: I&A 6, underwater.
    """
    rules, sheet = table.rules.combat, table.sheets[name]
    if rules.underwater is None:
        return sheet.speed_m
    per_second = rules.underwater.speed(sheet.scores.swim, sheet.abilities.get("str", 0))
    return per_second * rules.turns.round_seconds
