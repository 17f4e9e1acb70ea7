"""What named spells do whose figures are not in the table of spells. Source: SRD 5.1, Spells."""

from collections.abc import Callable, Mapping

from rules.bestiary import Creature
from rules.fights.house import harm
from rules.fights.house.areas import struck
from rules.fights.house.casting import Casting, begun
from rules.fights.house.harm import FREED, saves
from rules.fights.places import NEAR, distance_m
from rules.fights.rolling import rolled
from rules.odds.parser import parse

MINUTE_TURNS = 10
"""Turns of a spell that lasts a minute."""
MOST_HEALED = 6
"""Creatures that a mass healing reaches."""
AROUND_M = 9.0
"""Metres within which it does: 30 feet."""
MOST_AIDED = 3
Resolver = Callable[[Casting], bool]


def _dice(count: int, faces: int) -> str:
    return f"{count}d{faces}"


def _heals(count: int, faces: int, base: int) -> Resolver:
    """Heal one: so many dice, and one more for each level of the slot above the spell's own."""

    def resolve(made: Casting) -> bool:
        dice = parse(_dice(count + max(0, made.level - base), faces))
        harm.healed(made.table, made.target, rolled(dice, made.table.dice) + made.modifier, made.who)
        return True

    return resolve


def _heals_many(count: int, faces: int, base: int) -> Resolver:
    """Heal the target and those of its side around it, the worst hurt first: one roll for all."""

    def resolve(made: Casting) -> bool:
        dice = parse(_dice(count + max(0, made.level - base), faces))
        amount = rolled(dice, made.table.dice) + made.modifier
        for name in _side_around(made, MOST_HEALED):
            harm.healed(made.table, name, amount, made.who)
        return True

    return resolve


def _side_around(made: Casting, most: int) -> tuple[str, ...]:
    """Return the target and those who are with it, near and alive; who lacks most comes first."""
    table = made.table
    kind = table.sheets[made.target].kind
    found: list[str] = []
    for name, sheet in table.sheets.items():
        metres = distance_m(table[made.target], table[name])
        near = metres is not None and metres <= AROUND_M + NEAR
        if near and sheet.kind == kind and table[name].present and not table[name].dead:
            found.append(name)
    found.sort(key=lambda n: (n != made.target, table[n].hp - table[n].max_hp))
    return tuple(found[:most])


def _heal(made: Casting) -> bool:
    harm.healed(made.table, made.target, 70 + 10 * max(0, made.level - 6), made.who)
    return True


def _aid(made: Casting) -> bool:
    more = 5 * max(1, made.level - 1)
    for name in _side_around(made, MOST_AIDED):
        status = made.table[name]
        if "aid" not in status.under:
            left = status.hp + more
            changes = {"max_hp": status.max_hp + more, "hp": left, "under": (*status.under, "aid")}
            made.table.tell("strengthened", {name: changes}, who=name, amount=more, left=left)
    return True


def _armoured(made: Casting, ac: int) -> bool:
    ac = max(made.table[made.target].ac, ac)
    made.table.tell("protected", {made.target: {"ac": ac}}, who=made.target, ac=ac)
    return True


def _mage_armor(made: Casting) -> bool:
    return _armoured(made, 13 + int(made.table.sheets[made.target].abilities.get("dex", 0)))


def _shield_of_faith(made: Casting) -> bool:
    status = made.table[made.target]
    if made.id in status.under:
        return False
    changes = {made.target: {"ac": status.ac + 2, "under": (*status.under, made.id)}}
    made.table.tell("protected", changes, who=made.target, ac=status.ac + 2)
    return True


def _shield(made: Casting) -> bool:
    ac = made.table[made.who].ac + 5
    made.table.tell("protected", {made.who: {"shield_ac": 5}}, who=made.who, ac=ac)
    return True


def _invisibility(made: Casting) -> bool:
    made.table.tell("vanishes", {made.target: {"hidden": True}}, who=made.target)
    return True


def _hold(made: Casting) -> bool:
    """Paralyse who fails the saving throw, until one succeeds at the end of a turn, a minute at most."""
    table, target = made.table, made.target
    begun(made, target)
    if is_immune(made, target, "paralyzed") or (made.id == "hold_person" and not _is_person(made, target)):
        table.tell("unaffected", who=target)
        return False
    if saves(table, target, made.spell.save, made.sheet.spell_dc):
        return False
    held = {
        "held_save": made.spell.save,
        "held_dc": made.sheet.spell_dc,
        "held_until": table.turn + MINUTE_TURNS,
    }
    table.tell("is_held", {target: held}, who=target)
    return True


def _sleep(made: Casting) -> bool:
    """Put to sleep who has the fewest hit points, as long as those rolled last; nobody saves."""
    table = made.table
    points = rolled(parse(_dice(5 + 2 * max(0, made.level - 1), 8)), table.dice)
    table.tell("sleep_points", who=made.who, amount=points)
    names = sorted(struck(made), key=lambda n: table[n].hp)
    for name in names:
        begun(made, name)
    for name in names:
        status = table[name]
        if status.unconscious or is_immune(made, name, "charmed") or _is_undead(made, name):
            continue
        if status.hp > points:
            break
        points -= int(status.hp)
        asleep = {"unconscious": True, "prone": True, "asleep_until": table.turn + MINUTE_TURNS}
        table.tell("falls_asleep", {name: asleep}, who=name)
    return any(table[name].asleep_until for name in names)


def _grease(made: Casting) -> bool:
    fell = False
    for name in struck(made):
        begun(made, name)
        if not saves(made.table, name, made.spell.save, made.sheet.spell_dc):
            made.table.tell("drops_prone", {name: {"prone": True}}, who=name)
            fell = True
    return fell


def _lesser_restoration(made: Casting) -> bool:
    if made.table[made.target].held_until:
        made.table.tell("shakes_off", {made.target: FREED}, who=made.target)
    return True


def _power_word_kill(made: Casting) -> bool:
    table, target = made.table, made.target
    begun(made, target)
    if table[target].hp > 100:
        table.tell("unaffected", who=target)
        return False
    if table.is_character(target):
        table.tell("dies", {target: {"dead": True, "hp": 0, "unconscious": False}}, who=target)
    else:
        harm.killed(table, target, made.who, made.word)
    return True


def is_immune(made: Casting, name: str, condition: str) -> bool:
    """Tell whether somebody's block makes it immune to a condition."""
    block = _block(made, name)
    return block is not None and condition in block.condition_immunities


def _block(made: Casting, name: str) -> Creature | None:
    creature = made.table.sheets[name].creature
    return made.table.rules.find_creature(creature, made.table.scenario.language) if creature else None


def _type(made: Casting, name: str) -> str:
    block = _block(made, name)
    return "" if block is None else block.type


def _is_undead(made: Casting, name: str) -> bool:
    return _type(made, name).startswith("undead")


def _is_person(made: Casting, name: str) -> bool:
    kind = _type(made, name)
    return not kind or kind.startswith("humanoid")


RESOLVERS: Mapping[str, Resolver] = {
    "cure_wounds": _heals(1, 8, 1),
    "healing_word": _heals(1, 4, 1),
    "mass_healing_word": _heals_many(1, 4, 3),
    "mass_cure_wounds": _heals_many(3, 8, 5),
    "heal": _heal,
    "aid": _aid,
    "mage_armor": _mage_armor,
    "barkskin": lambda made: _armoured(made, 16),
    "shield_of_faith": _shield_of_faith,
    "shield": _shield,
    "invisibility": _invisibility,
    "hold_person": _hold,
    "hold_monster": _hold,
    "sleep": _sleep,
    "grease": _grease,
    "lesser_restoration": _lesser_restoration,
    "power_word_kill": _power_word_kill,
}
"""By id of the table of spells."""
