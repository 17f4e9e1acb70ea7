"""One attack in I&A: what it shows, less the defence, is its damage; there is no roll to hit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.fights.ia.limbs import called_shot
from rules.fights.ia.sides import apart_m, dual_wield, engaged, foes, held, team
from rules.fights.model import Intent, Weapon
from rules.fights.places import NEAR, is_far_attack, range_mode
from rules.fights.rolling import mode_of, rolled
from rules.fights.setup import whole
from rules.fights.state import Table
from rules.odds.checks import RollMode
from rules.odds.parser import parse

FIREARMS = ("firearm", "hammerlock", "blunderbuss")


@dataclass(frozen=True, slots=True)
class Shot:
    """An attack as it is made."""

    weapon: Weapon
    is_far: bool
    modes: tuple[RollMode, ...]
    metres: float


def obstacle(table: Table, who: str, target: str, weapon: Weapon) -> str:
    """Return why an attack cannot be made; empty: it can."""
    metres = apart_m(table, who, target)
    rules = table.rules.combat
    fires = rules.underwater is not None and weapon.family in rules.underwater.cannot_fire
    if not table[target].present or table[target].dead or metres is None:
        return "not_here"
    if table.sheets[target].behind == "total":
        return "total_cover"
    if fires and table[who].underwater:
        return "cannot_fire_underwater"
    if range_mode(weapon, metres, rules.attacks) is None:
        return "out_of_reach"
    if weapon.ammunition and table[who].ammunition.get(weapon.ammunition, 0) < 1:
        return "no_ammunition"
    return ""


def shot(table: Table, who: str, target: str, weapon: Weapon) -> Shot:
    """Return all that changes how the attack is rolled.

    Source: I&A 6, Attacking at Range; surprise; cover; underwater.
    """
    rules, metres = table.rules.combat, apart_m(table, who, target) or 0.0
    me, other, sheet = table[who], table[target], table.sheets[target]
    is_far = is_far_attack(weapon, metres, rules.attacks)
    modes: list[RollMode] = []
    if is_far:
        modes += _ranged(table, who, target, weapon, metres)
    if other.surprised:
        modes.append(rules.turns.surprised_attacked)
    cover = table.rules.cover.get(sheet.behind)
    if cover and cover.attacks != "normal":
        modes.append(cover.attacks)
    if me.underwater and not table.sheets[who].scores.aquatic and rules.underwater:
        modes.append(rules.underwater.attacks)
    if sheet.shielded_by and sheet.shielded_by in table.status and table[sheet.shielded_by].present:
        modes.append("disadvantage")
    return Shot(weapon, is_far, tuple(modes), metres)


def _ranged(table: Table, who: str, target: str, weapon: Weapon, metres: float) -> list[RollMode]:
    rules = table.rules.combat.attacks
    found: list[RollMode] = [range_mode(weapon, metres, rules) or "normal"]
    if table[target].prone:
        found.append(rules.at_prone.get("ranged", "normal"))
    if table[who].prone:
        kind = "firearm" if weapon.family in FIREARMS else weapon.family
        found.append(rules.while_prone.get(kind, "normal"))
    if engaged(table, who):
        hands = "two_handed" if weapon.hands == 2 else "one_handed"
        found.append(rules.ranged_in_melee.get(hands, "normal"))
    return found


def flanking(table: Table, target: str) -> int:
    """Return the bonus of every attack at somebody whom several engage hand to hand.

    Source: I&A 6, flanking.
    """
    near = len(engaged(table, target))
    return table.rules.combat.attacks.flanking_bonus * max(0, near - 1)


def elevation(table: Table, who: str, target: str) -> float:
    """Return what whole metres of height between them give a ranged attack.

    Source: I&A 6, elevation.
    """
    rules = table.rules.combat.attacks
    metres = int(table[who].height - table[target].height)
    return max(-rules.height_most, min(rules.height_most, metres * rules.height_per_metre))


def defence(table: Table, target: str, is_far: bool) -> float:
    """Return what takes from an attack: M-DEF or R-DEF, and armour with what two weapons add to it.

    Source: I&A 6, Attacking in Melee, Attacking at Range, dual wielding.
    """
    scores = table.sheets[target].scores
    armour = scores.armor + dual_wield(table.sheets[target], table[target])
    return (scores.r_def if is_far else scores.m_def) + armour


def attack(table: Table, intent: Intent, target: str, weapon: Weapon) -> bool:
    """Make an attack, and return whether it did damage."""
    who = intent.who
    if reason := obstacle(table, who, target, weapon):
        table.tell("cannot_attack", who=who, target=target, weapon=weapon.name, reason=reason, metres=0)
        return False
    made = shot(table, who, target, weapon)
    modes = (*made.modes, "disadvantage") if intent.limb else made.modes
    final = _final(table, who, target, made, modes)
    shield = table.sheets[target].shielded_by
    if final <= 0 and shield and table[shield].present and shield != who:
        # Missed behind the creature: again, without that disadvantage, against the creature.
        table.tell("hits_cover", who=who, target=shield)
        final = _final(table, who, shield, made, shot(table, who, shield, weapon).modes)
        return _deal(table, intent, shield, made, final, None)
    return _deal(table, intent, target, made, final, intent.limb)


def _final(table: Table, who: str, target: str, made: Shot, modes: tuple[RollMode, ...]) -> float:
    mode = mode_of(modes.count("advantage"), modes.count("disadvantage"))
    roll = parse(made.weapon.damage)
    shown = [rolled(roll, table.dice) for _ in range(1 if mode == "normal" else 2)]
    best = min(shown) if mode == "disadvantage" else max(shown)
    bonus = (made.weapon.attack or 0) + made.weapon.magic + flanking(table, target)
    high = elevation(table, who, target) if made.is_far else 0
    less = defence(table, target, made.is_far)
    final = whole(max(0.0, best + bonus + high - less))
    values = {
        "who": who,
        "target": target,
        "weapon": made.weapon.name,
        "rolls": shown,
        "mode": mode,
        "bonus": whole(bonus + high),
        "defence": whole(less),
        "far": made.is_far,
        "final": final,
    }
    table.tell("strike", _spent(table, who, made), **values)
    return final


def _spent(table: Table, who: str, made: Shot) -> Mapping[str, Mapping[str, Any]]:
    weapon, me = made.weapon, table[who]
    if weapon.ammunition:
        left = me.ammunition[weapon.ammunition] - 1
        return {who: {"ammunition": {**me.ammunition, weapon.ammunition: max(0, left)}}}
    if weapon.kind == "thrown" and made.is_far:
        return {who: {"thrown": (*me.thrown, weapon.name)}}
    return {}


def _deal(table: Table, intent: Intent, target: str, made: Shot, final: float, limb: str | None) -> bool:
    turns_foe(table, intent.who, target)
    if final <= 0:
        return False
    left_over = hurt(table, target, final, intent.who)
    if limb:
        called_shot(table, intent, target, final)
    if left_over > 0 and not made.is_far and table.rules.combat.attacks.overflow:
        _overflow(table, intent, target, left_over)
    return True


def turns_foe(table: Table, who: str, target: str) -> None:
    """Make who is attacked a foe of who attacks, whatever it was."""
    status = table[target]
    if table.is_character(target) or who in status.hostile_to or team(table, who) == team(table, target):
        return
    changes = {target: {"hostile_to": (*status.hostile_to, who), "calm": False}}
    table.tell("turns_hostile", changes, who=target, to=who, cause="attacked_first")


def hurt(table: Table, target: str, amount: float, by: str = "") -> float:
    """Take Health, and return what was more than there was."""
    status = table[target]
    left = whole(max(0, status.hp - amount))
    values = {"who": target, "amount": whole(amount), "type": "", "left": left, "changed_by": "health"}
    table.tell("damage", {target: {"hp": left}}, **values)
    if left <= 0 < status.hp:
        table.tell("falls", {target: {"unconscious": True, "prone": True}}, who=target, by=by)
    return amount - status.hp


def _overflow(table: Table, intent: Intent, target: str, amount: float) -> None:
    """Let the damage that is left over pass to one who stands beside, with no other attack.

    Source: I&A 6, overflow.
    """
    reach = table.rules.combat.attacks.melee_m or 0
    beside = [n for n in foes(table, intent.who) if _gap(table, n, target) <= reach + NEAR]
    chosen = intent.overflow_to if intent.overflow_to in beside else next(iter(beside), "")
    if chosen and not (intent.overflow_to and chosen != intent.overflow_to):
        table.tell("overflows", who=intent.who, target=chosen, amount=whole(amount))
        hurt(table, chosen, amount, intent.who)


def _gap(table: Table, one: str, other: str) -> float:
    metres = apart_m(table, one, other)
    return float("inf") if metres is None else metres


def weapon_of(table: Table, who: str, name: str) -> Weapon:
    """Return the weapon of that name where it is in hand or can be, else the first in hand."""
    ready = held(table.sheets[who], table[who])
    every = [w for w in table.sheets[who].weapons if w.name == name and w.name not in table[who].thrown]
    fits = [w for w in every if w in ready or w.hands == 1 or ready[0].hands == 2]
    return fits[0] if fits else ready[0]
