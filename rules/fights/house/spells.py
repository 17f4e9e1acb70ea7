"""Named spells: each is resolved by its name, from the facts of the ruleset or by a resolver of its own."""

from collections.abc import Mapping
from typing import Any

from rules.fights.house.areas import struck
from rules.fights.house.casting import Casting, begun, harmed
from rules.fights.house.effects import RESOLVERS
from rules.fights.house.harm import saves
from rules.fights.house.strike import success
from rules.fights.model import Intent
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
    made = Casting(table, sheet, target, _id(table, spell), spell, _level(spell, intent), grounds)
    return RESOLVERS.get(made.id, _by_facts)(made)


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


def _by_facts(made: Casting) -> bool:
    """Resolve what the table of spells has figures for; the rest is the game master's to tell."""
    if not made.spell.damage:
        made.table.tell("left_to_master", who=made.who, target=made.target)
        return False
    return _spell_attack(made) if made.spell.attack else _spell_damage(made)


def _spell_attack(made: Casting) -> bool:
    table, sheet, target = made.table, made.sheet, made.target
    mode: RollMode = made.grounds[0] if made.grounds else "normal"
    natural, faces = d20(table.dice, mode)
    total, ac = natural + sheet.spell_attack, table[target].ac + table[target].shield_ac
    hits = natural == 20 or (natural != 1 and total >= ac)
    values: dict[str, Any] = {
        "who": sheet.name, "target": target, "weapon": made.word,
        "rolls": list(faces), "mode": mode, "parts": {"spell": sheet.spell_attack}, "total": total, "ac": ac,
        "hits": hits, "critical": natural == 20, "hidden": not table.is_character(sheet.name),
        "by": "fighter", "off_hand": False,
    }  # fmt: skip
    table.tell("attack", **values)
    begun(made, target, "attack_resolved")
    if hits:
        roll = parse(made.spell.damage)
        harmed(made, target, rolled(doubled(roll) if natural == 20 else roll, table.dice))
        success(table, sheet.name)
    return hits


def _spell_damage(made: Casting) -> bool:
    """Deal damage to all whom the spell strikes, rolled once; return whether somebody took it whole."""
    table, spell = made.table, made.spell
    amount = rolled(parse(spell.damage), table.dice)
    whole = False
    for name in struck(made):
        saved = bool(spell.save) and saves(table, name, spell.save, made.sheet.spell_dc)
        begun(made, name)
        if saved and not spell.half:
            continue
        harmed(made, name, amount // 2 if saved else amount)
        whole = whole or not saved
    return whole
