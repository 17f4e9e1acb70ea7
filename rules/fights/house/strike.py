"""One attack by the SRD's roll and the house's rules: reach, what adds to it, ammunition, damage."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.fights.house import fight, harm, law
from rules.fights.house.meaning import Meaning, meaning_of
from rules.fights.model import Ammunition, Fighter, Weapon
from rules.fights.places import distance_m, is_far_attack, range_mode
from rules.fights.rolling import d20, mode_of, rolled
from rules.fights.state import WORLD, Status, Table
from rules.odds.checks import RollMode
from rules.odds.dice import doubled
from rules.odds.parser import parse

BESIDE_M = 1.5
"""Metres within which whoever is paralysed is hit critically: 5 feet."""
BARE = Weapon(name=harm.FISTS, damage="1", damage_type="bludgeoning", ability="str")


@dataclass(frozen=True, slots=True)
class Blow:
    """How an attack is meant."""

    weapon: Weapon
    words: str = ""
    off_hand: bool = False
    grounds: tuple[RollMode, ...] = ()
    """Advantage and disadvantage from outside (a decisive window)."""
    by: str = ""
    """Whether the engine makes it in the game master's place."""


@dataclass(frozen=True, slots=True)
class Sum:
    """What is added to an attack roll and to its damage, part by part."""

    attack: Mapping[str, int]
    damage: int


def sums(sheet: Fighter, weapon: Weapon, ammunition: Ammunition | None, off_hand: bool) -> Sum:
    """Return what a weapon adds: ability, proficiency where it is had, the magic of weapon and ammunition.

    Source: Combate, Atacar. The other hand's damage has no ability modifier (SRD 5.1, Two-Weapon Fighting).
    """
    magic = weapon.magic + (ammunition.magic if ammunition else 0)
    if weapon.attack is not None:  # a block's figures have everything in them
        return Sum({"block": weapon.attack, "magic": magic}, magic)
    ability = int(sheet.abilities.get(ability_of(sheet, weapon), 0))
    parts = {"ability": ability, "proficiency": sheet.proficiency if weapon.proficient else 0, "magic": magic}
    return Sum(parts, magic + (min(ability, 0) if off_hand else ability))


def ability_of(sheet: Fighter, weapon: Weapon) -> str:
    """Return the ability of a weapon: the one it names, Dexterity for what shoots, else Strength."""
    return weapon.ability or ("dex" if weapon.kind == "ranged" else "str")


def modes(table: Table, who: str, target: str, blow: Blow, at_range: RollMode) -> RollMode:
    """Return how the attack is rolled, of all grounds there are.

    Source: Combate, Atacar; SRD 5.1, Making an Attack, Conditions.
    """
    rules, me, other = table.rules.combat.attacks, table[who], table[target]
    is_far = blow.weapon.kind == "ranged" or at_range != "normal"
    grounds: list[RollMode] = [*blow.grounds, table.sheets[who].equipment_mode, at_range]
    way = "ranged" if is_far else "melee"
    if other.prone:
        grounds.append(rules.at_prone.get(way, "normal"))
    if me.prone:
        grounds.append(rules.while_prone.get(way, "normal"))
    if is_far and foe_in_reach(table, who):
        grounds.append(rules.ranged_in_melee.get("any", "normal"))
    if me.hidden or other.tied or other.held_until:
        grounds.append("advantage")
    if me.underwater and table.rules.combat.underwater:
        grounds.append(table.rules.combat.underwater.attacks)
    return mode_of(grounds.count("advantage"), grounds.count("disadvantage"))


def foe_in_reach(table: Table, who: str) -> bool:
    """Tell whether somebody hostile stands at the same point."""
    reach = max(1.5, table.rules.combat.attacks.melee_m or 0)
    for name in table.others(who):
        foe = law.is_hostile(table, who, name) or law.is_hostile(table, name, who)
        metres = distance_m(table[who], table[name])
        if foe and table[name].is_free and metres is not None and metres <= reach:
            return True
    return False


def can_be_seen(table: Table, target: str) -> bool:
    """Tell whether somebody can be attacked: neither hidden nor behind a wall."""
    return not table[target].hidden and table.sheets[target].behind != "total"


def attack(table: Table, who: str, target: str, blow: Blow) -> bool:
    """Make one attack, and return whether it hit; where the weapon does not reach, tell so.

    Source: Combate, Atacar.
    """
    if not _is_possible(table, who, target, blow):
        return False
    metres = distance_m(table[who], table[target]) or 0.0
    at_range = range_mode(blow.weapon, metres, table.rules.combat.attacks) or "normal"
    ammunition = _ammunition(table.sheets[who], blow.weapon)
    mode, added = (
        modes(table, who, target, blow, at_range),
        sums(table.sheets[who], blow.weapon, ammunition, blow.off_hand),
    )
    natural, faces = d20(table.dice, mode)
    total, ac = natural + sum(added.attack.values()), _ac(table, target)
    critical = natural == 20
    hits = critical or (natural != 1 and total >= ac)
    # Who is paralysed is hit critically from beside it. Source: SRD 5.1, Conditions.
    critical = critical or (hits and table[target].held_until > 0 and metres <= BESIDE_M)
    values: dict[str, Any] = {
        "who": who, "target": target, "weapon": blow.weapon.name, "rolls": list(faces), "mode": mode,
        "parts": dict(added.attack), "total": total, "ac": ac, "hits": hits, "critical": critical,
        "hidden": not table.is_character(who), "by": blow.by or "fighter", "off_hand": blow.off_hand,
    }  # fmt: skip
    table.tell("attack", _spent(table, who, target, blow.weapon, metres), **values)
    law.attacked(table, who, target)
    fight.opens(table, "attack_resolved")
    fight.enters(table)
    if hits:
        _deal(table, who, target, blow, added.damage, critical)
        success(table, who)
    return hits


def _is_possible(table: Table, who: str, target: str, blow: Blow) -> bool:
    metres = distance_m(table[who], table[target])
    reason = ""
    if table[target].dead or not table[target].present or metres is None:
        reason = "not_here"
    elif table.sheets[target].behind == "total":
        reason = "total_cover"
    elif range_mode(blow.weapon, metres, table.rules.combat.attacks) is None:
        reason = "out_of_reach"
    elif blow.weapon.name in table[who].thrown:
        reason = "not_in_hand"
    elif blow.weapon.ammunition and table[who].ammunition.get(blow.weapon.ammunition, 0) < 1:
        reason = "no_ammunition"
    if reason:
        table.tell(
            "cannot_attack", who=who, target=target, weapon=blow.weapon.name, reason=reason, metres=metres
        )
    return not reason


def _ammunition(sheet: Fighter, weapon: Weapon) -> Ammunition | None:
    return next((a for a in sheet.ammunition if a.name == weapon.ammunition), None)


def _ac(table: Table, target: str) -> int:
    status = table[target]
    cover = table.rules.cover.get(table.sheets[target].behind)
    return status.ac + status.shield_ac + (cover.armor_class if cover else 0)


def _spent(table: Table, who: str, target: str, weapon: Weapon, metres: float) -> dict[str, Any]:
    """Return what shooting or throwing changes: half of the ammunition, and what is thrown, lies there.

    Source: Combate, Atacar. Of every two shots, the second one's missile stays whole.
    """
    me, place = table[who], table[target].place
    changes: dict[str, Any] = {who: {"hidden": False}} if me.hidden else {}
    if weapon.ammunition:
        left = {**me.ammunition, weapon.ammunition: me.ammunition[weapon.ammunition] - 1}
        changes[who] = {**changes.get(who, {}), "ammunition": left}
        carried = next(a.count for a in table.sheets[who].ammunition if a.name == weapon.ammunition)
        share = table.rules.combat.attacks.ammunition_recovered
        shot = carried - left[weapon.ammunition]
        if int(shot * share) > int((shot - 1) * share):
            changes[WORLD] = {"ground": (*table.world.ground, (place, weapon.ammunition, 1))}
    elif weapon.kind == "thrown" and is_far_attack(weapon, metres, table.rules.combat.attacks):
        changes[who] = {**changes.get(who, {}), "thrown": (*me.thrown, weapon.name)}
        changes[WORLD] = {"ground": (*table.world.ground, (place, weapon.name, 1))}
    return changes


def _deal(table: Table, who: str, target: str, blow: Blow, added: int, critical: bool) -> None:
    roll = parse(blow.weapon.damage)
    amount = max(0, rolled(doubled(roll) if critical else roll, table.dice) + added)
    meaning: Meaning = meaning_of(blow.words, table.scenario.language)
    kind, weapon = blow.weapon.damage_type, blow.weapon.name
    harm.hurt(table, target, amount, kind=kind, by=who, weapon=weapon, meaning=meaning, cause=weapon)


def success(table: Table, who: str) -> None:
    """Note a roll that succeeded: a decisive window for them may be opened again."""
    if table[who].window_barred:
        table.tell("window_allowed", {who: {"window_barred": False}}, who=who, why="success")


def usable(table: Table, who: str) -> tuple[Weapon, ...]:
    """Return the weapons that somebody has at hand and can use."""
    status: Status = table[who]

    def is_ready(weapon: Weapon) -> bool:
        loaded = not weapon.ammunition or status.ammunition.get(weapon.ammunition, 0) > 0
        return loaded and weapon.name not in status.thrown

    return tuple(w for w in table.sheets[who].weapons if is_ready(w)) or (BARE,)


def weapon_named(table: Table, who: str, name: str) -> Weapon:
    """Return the weapon of that name, else the one in hand, else the fists."""
    own = usable(table, who)
    every = (*table.sheets[who].weapons, BARE)
    return next((w for w in every if w.name == name), own[0]) if name else own[0]


def second_weapon(table: Table, who: str, first: Weapon) -> Weapon | None:
    """Return the weapon of the other hand where both are light.

    Source: Combate, Atacar: the other hand.
    """
    others = [w for w in usable(table, who) if w.light and w.name != first.name]
    return others[0] if first.light and others and table.rules.combat.attacks.light_off_hand else None
