"""Named spells: each is resolved by its name, from the facts of the ruleset or by a resolver of its own."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.fights.house import fight, harm, law
from rules.fights.house.strike import success
from rules.fights.model import Fighter, Intent
from rules.fights.places import NEAR, distance_m
from rules.fights.rolling import d20, rolled
from rules.fights.state import Table
from rules.figures import metres as of_feet
from rules.odds.checks import RollMode
from rules.odds.dice import doubled
from rules.odds.parser import parse
from rules.spellbook import Spell
from rules.wording import LANGUAGES


def named(table: Table, who: str, intent: Intent) -> str:
    """Return the spell that is meant: by its name, or by its place in the quick bar of five.

    Source: Combate, Lo que dice la spec y aún no está.
    """
    bar = table.sheets[who].quick_bar or table.sheets[who].spells[:5]
    if intent.quick is None:
        return intent.spell
    return bar[intent.quick - 1] if intent.quick <= len(bar) else ""


def cast(table: Table, who: str, intent: Intent, grounds: tuple[RollMode, ...] = ()) -> bool:
    """Cast a spell, and return whether it did something."""
    name = named(table, who, intent)
    spell = table.rules.find_spell(name, table.scenario.language) if name else None
    sheet = table.sheets[who]
    reason = _obstacle(table, who, spell, intent) if spell else "unknown"
    if reason or spell is None:
        table.tell("cannot_cast", who=who, spell=name, reason=reason)
        return False
    target = intent.target or who
    changes = _slot_spent(table, who, spell, intent)
    word = spell.names[table.scenario.language].word
    table.tell("casts", changes, who=who, spell=word, target=target, level=_level(spell, intent))
    resolver = RESOLVERS.get(_id(table, spell), _by_facts)
    return resolver(table, sheet, target, spell, grounds)


def _id(table: Table, spell: Spell) -> str:
    return next((key for key, known in table.rules.spells.items() if known is spell), "")


def _level(spell: Spell, intent: Intent) -> int:
    return max(spell.level or 0, intent.slot or 0) if spell.level else 0


def _obstacle(table: Table, who: str, spell: Spell, intent: Intent) -> str:
    known = {
        table.rules.find_spell(name, LANGUAGES[0]) is spell
        for name in (*table.sheets[who].spells, *table.sheets[who].quick_bar)
    }
    if True not in known:
        return "not_known"
    if spell.level and table[who].slots.get(str(_level(spell, intent)), 0) < 1:
        return "no_slot"
    if not intent.target and spell.damage:
        return "nobody_named"
    metres = distance_m(table[who], table[intent.target or who])
    if metres is None or table[intent.target or who].dead:
        return "not_here"
    if intent.target and table.sheets[intent.target].behind == "total":
        return "total_cover"
    reach = spell.range_ft
    own = _own_reach(spell)
    if reach is not None and metres > max(of_feet(reach), own) + NEAR:
        return "out_of_reach"
    return ""


def _own_reach(spell: Spell) -> float:
    """Return how far a spell reaches that begins with its caster."""
    return spell.area.metres if spell.area and spell.range_ft == 0 else 0


def _slot_spent(table: Table, who: str, spell: Spell, intent: Intent) -> dict[str, Mapping[str, Any]]:
    if not spell.level:
        return {}
    slots, level = table[who].slots, str(_level(spell, intent))
    return {who: {"slots": {**slots, level: slots[level] - 1}}}


def _by_facts(table: Table, sheet: Fighter, target: str, spell: Spell, grounds: tuple[RollMode, ...]) -> bool:
    """Resolve what the table of spells has figures for; the rest is the game master's to tell."""
    if not spell.damage:
        table.tell("left_to_master", who=sheet.name, target=target)
        return False
    if spell.attack:
        return _spell_attack(table, sheet, target, spell, grounds)
    return (
        _spell_save(table, sheet, target, spell) if spell.save else _sure_damage(table, sheet, target, spell)
    )


def _spell_attack(
    table: Table, sheet: Fighter, target: str, spell: Spell, grounds: tuple[RollMode, ...]
) -> bool:
    mode: RollMode = grounds[0] if grounds else "normal"
    natural, faces = d20(table.dice, mode)
    total, ac = natural + sheet.spell_attack, table[target].ac + table[target].shield_ac
    hits = natural == 20 or (natural != 1 and total >= ac)
    values: dict[str, Any] = {
        "who": sheet.name, "target": target, "weapon": spell.names[table.scenario.language].word,
        "rolls": list(faces), "mode": mode, "parts": {"spell": sheet.spell_attack}, "total": total, "ac": ac,
        "hits": hits, "critical": natural == 20, "hidden": not table.is_character(sheet.name),
        "by": "fighter", "off_hand": False,
    }  # fmt: skip
    table.tell("attack", **values)
    _begun(table, sheet.name, target, "attack_resolved")
    if hits:
        roll = parse(spell.damage)
        _harm(table, sheet.name, target, spell, rolled(doubled(roll) if natural == 20 else roll, table.dice))
        success(table, sheet.name)
    return hits


def _spell_save(table: Table, sheet: Fighter, target: str, spell: Spell) -> bool:
    amount = rolled(parse(spell.damage), table.dice)
    saved = saves(table, target, spell.save, sheet.spell_dc)
    _begun(table, sheet.name, target)
    if saved and not spell.half:
        return False
    _harm(table, sheet.name, target, spell, amount // 2 if saved else amount)
    return not saved


def _sure_damage(table: Table, sheet: Fighter, target: str, spell: Spell) -> bool:
    _begun(table, sheet.name, target)
    _harm(table, sheet.name, target, spell, rolled(parse(spell.damage), table.dice))
    return True


def saves(table: Table, who: str, ability: str, dc: int) -> bool:
    """Roll a saving throw and tell of it."""
    sheet = table.sheets[who]
    bonus = sheet.saves.get(ability, int(sheet.abilities.get(ability, 0)))
    natural, _ = d20(table.dice, "normal")
    saved = natural + bonus >= dc
    hidden = not table.is_character(who)
    table.tell("save", who=who, ability=ability, total=natural + bonus, dc=dc, success=saved, hidden=hidden)
    return saved


def _begun(table: Table, who: str, target: str, cause: str = "damage_dealt") -> None:
    if who != target:
        law.attacked(table, who, target)
        fight.opens(table, cause)
        fight.enters(table)


def _harm(table: Table, who: str, target: str, spell: Spell, amount: int) -> None:
    word = spell.names[table.scenario.language].word
    harm.hurt(table, target, amount, kind=spell.damage_type, by=who, weapon=word, cause=word)


def _heals(dice: str) -> "Resolver":
    def resolve(
        table: Table, sheet: Fighter, target: str, spell: Spell, grounds: tuple[RollMode, ...]
    ) -> bool:
        modifier = int(sheet.abilities.get(sheet.spell_ability, 0))
        harm.healed(table, target, rolled(parse(dice), table.dice) + modifier, sheet.name)
        return True

    return resolve


def _mage_armor(
    table: Table, sheet: Fighter, target: str, spell: Spell, grounds: tuple[RollMode, ...]
) -> bool:
    ac = max(table[target].ac, 13 + int(table.sheets[target].abilities.get("dex", 0)))
    table.tell("protected", {target: {"ac": ac}}, who=target, ac=ac)
    return True


def _shield(table: Table, sheet: Fighter, target: str, spell: Spell, grounds: tuple[RollMode, ...]) -> bool:
    ac = table[sheet.name].ac + 5
    table.tell("protected", {sheet.name: {"shield_ac": 5}}, who=sheet.name, ac=ac)
    return True


Resolver = Callable[[Table, Fighter, str, Spell, tuple[RollMode, ...]], bool]
RESOLVERS: Mapping[str, Resolver] = {
    "cure_wounds": _heals("1d8"),
    "healing_word": _heals("1d4"),
    "mage_armor": _mage_armor,
    "shield": _shield,
}
"""Spells whose figures are not in the table; by id. Source: SRD 5.1, Spells."""
