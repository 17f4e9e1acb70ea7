"""The stat blocks that a chapter needs: the designer's own, else those of the ruleset's table."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from concilio.adventure.facts import sense_id
from concilio.catalogue import has_text, say
from concilio.domain.adventure import Action, Adventure, CastMember, StatBlock
from concilio.export.book import Deed, Monster
from concilio.export.lengths import decimals, length, lengths_in
from rules.attack_names import attack_name
from rules.checks.encounters import scene_foes
from rules.folding import fold_words, split_words

if TYPE_CHECKING:
    from concilio.domain.base import Language
    from rules.bestiary import Creature, CreatureAction
    from rules.checks.context import Context
    from rules.document import PlanScene
    from rules.ruleset import Ruleset

MOST = 40
"""Stat blocks of one chapter."""
_DAMAGE = re.compile(
    r"(\d{1,3}\s?[dD]\s?\d{1,3}(?:\s{0,2}[+−-]\s{0,2}\d{1,3})?|\d{1,4})\s{0,3}([^\d+;,/]{0,60})"
)


def monsters_of(
    adventure: Adventure | None, context: "Context", scenes: "Iterable[PlanScene]"
) -> tuple[Monster, ...]:
    """Return the blocks of who takes part: named in the text, or set against the party in a fight."""
    found: dict[str, Monster] = {}
    text = f" {fold_words(context.source)} "
    for member in adventure.cast if adventure else ():
        if f" {fold_words(member.name)}" in text and (one := _of_cast(member, context)):
            found[member.name.casefold()] = one
    for scene in scenes:
        for foe in scene_foes(context, scene):
            creature = context.ruleset.find_creature(foe.name, context.language)
            if foe.name.casefold() not in found and creature is not None:
                name = foe.name[:1].upper() + foe.name[1:]
                found[foe.name.casefold()] = _of_table(creature, name, foe.number, context.document.language)
    return tuple(found.values())[:MOST]


def _of_cast(member: CastMember, context: "Context") -> Monster | None:
    block = member.stat_block
    if isinstance(block, StatBlock):
        return _own(member, block, context.document.language, context.ruleset)
    creature = context.ruleset.find_creature(block, context.language) if block else None
    if creature is None:
        return None
    return _of_table(creature, member.name, member.count, context.document.language, member.note or "")


def _own(member: CastMember, block: StatBlock, language: "Language", ruleset: "Ruleset") -> Monster:
    return Monster(
        name=member.name,
        count=member.count,
        note=lengths_in(member.note or "", language, ruleset),
        ac=block.ac,
        hp=block.hp,
        cr="" if block.cr is None else cr_text(block.cr),
        abilities=dict(block.abilities),
        saves=dict(block.saves),
        speeds={way: decimals(value, language) for way, value in block.speed.items()},
        senses={
            sense_id(name, ruleset): decimals(str(value), language) for name, value in block.senses.items()
        },
        deeds=tuple(_own_deed(action, language, ruleset) for action in block.actions),
    )


def _own_deed(action: Action, language: "Language", ruleset: "Ruleset") -> Deed:
    save = action.save or {}
    dc, ability = save.get("dc"), save.get("ability")
    return Deed(
        name=action.name,
        attack=action.attack,
        count=action.count,
        damage=tuple(_damage(action.damage or "", ruleset)),
        reach=decimals(action.reach or "", language),
        range=decimals(action.range or "", language),
        save_dc=dc if isinstance(dc, int) else None,
        save_ability=None if ability is None else ability_id(str(ability), ruleset),
        text=lengths_in(action.text or "", language, ruleset),
    )


def ability_id(word: str, ruleset: "Ruleset") -> str | None:
    """Return the canonical id of an ability by its id, name or short form in any language, or None."""
    if word.lower() in ruleset.abilities:
        return word.lower()
    found = (ruleset.find("ability", word, language) for language in ruleset.languages)
    return next((one for one in found if one), None)


def _damage(text: str, ruleset: "Ruleset") -> Iterator[tuple[str, str]]:
    """Yield the dice of a designer's damage with the id of their type, or its words where it has none."""
    for match in _DAMAGE.finditer(text[:300]):
        words = match[2].strip(" .()")
        known = (ruleset.find("damage_type", words, language) for language in ruleset.languages)
        kind = next((one for one in known if one), words)
        yield "".join(match[1].lower().replace("−", "-").split()), kind


def cr_text(value: float | str) -> str:
    """Return a challenge rating as it is printed (`1/4`, `13`)."""
    if isinstance(value, str):
        return value
    fractions = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}
    return fractions.get(value) or f"{value:g}"


def _of_table(creature: "Creature", name: str, count: int, language: "Language", note: str = "") -> Monster:
    return Monster(
        name=name,
        count=count,
        note=note,
        size=creature.size or "",
        type=creature.type,
        ac=creature.ac,
        hp=creature.hp,
        hit_dice=creature.hit_dice,
        cr=cr_text(creature.cr),
        xp=creature.xp,
        abilities=dict(creature.abilities),
        saves=dict(creature.saves),
        skills=dict(creature.skills),
        speeds={way: length(feet, language) for way, feet in creature.speed_ft.items()},
        senses={
            **{sense: length(feet, language) for sense, feet in creature.senses_ft.items()},
            "passive_perception": str(creature.passive_perception),
        },
        vulnerabilities=tuple(creature.vulnerabilities),
        resistances=tuple(creature.resistances),
        immunities=tuple(creature.immunities),
        condition_immunities=creature.condition_immunities,
        deeds=tuple(_deed(creature, action, language) for action in creature.actions),
    )


def _deed(creature: "Creature", action: "CreatureAction", language: "Language") -> Deed:
    save, far = action.save, action.range_ft
    amounts = action.damage or (save.damage if save else ())
    near = length(far[0], language, far[1]) if far else ""
    return Deed(
        name=deed_name(action.name, language),
        attack=action.attack,
        count=creature.times(action.name),
        damage=tuple(amounts),
        reach="" if action.reach_ft is None else length(action.reach_ft, language),
        range=near,
        save_dc=save.dc if save else None,
        save_ability=save.ability if save else None,
    )


def deed_name(name: str, language: "Language") -> str:
    """Return what the SRD calls an action, in a language; a name that it does not give stays as it is."""
    known = attack_name(name, language)
    if known.casefold() != name.casefold():
        return known[:1].upper() + known[1:]
    key = "export.deed." + "_".join(split_words(name))
    return say(key, language) if has_text(key, language) else name
