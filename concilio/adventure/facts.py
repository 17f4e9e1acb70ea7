"""What an adventure says in figures, for the rules engine."""

import re
from dataclasses import replace
from fractions import Fraction

from concilio.adventure.party import default_sheet, party_of
from concilio.catalogue import LANGUAGES
from concilio.domain.adventure import Action, Adventure, CastMember, StatBlock
from rules.facts import ActionFacts, Facts, StatFacts
from rules.ruleset import Ruleset

_MEASURE = re.compile(r"(\d{1,6}(?:[.,]\d{1,3})?)(?:\s*/\s*\d{1,6})?\s*([^\W\d_]+)")
_TEXT_CHARACTERS = 80


def facts_of(adventure: Adventure, ruleset: Ruleset) -> Facts:
    """Return the party's sheets, the names and things, and the designer's own stat blocks."""
    party = party_of(adventure, ruleset)
    names = [*(member.name for member in party), *(one.name for one in adventure.cast)]
    return Facts(
        level=adventure.level,
        party=tuple(default_sheet(member, member.level, ruleset) for member in party),
        guessed=tuple(member.name for member in party if not (member.abilities or member.skills)),
        names=tuple(dict.fromkeys(names)),
        items=adventure.items,
        stat_blocks={
            one.name: facts
            for one in adventure.cast
            if (facts := _facts(one, adventure, ruleset)) is not None
        },
    )


def _facts(member: CastMember, adventure: Adventure, ruleset: Ruleset) -> StatFacts | None:
    """Return the designer's own block, or the figures of the ruleset's creature that is named instead."""
    if isinstance(member.stat_block, StatBlock):
        return _block(member, member.stat_block, ruleset)
    creature = ruleset.find_creature(member.stat_block, adventure.language) if member.stat_block else None
    return replace(creature.facts, name=member.name, count=member.count) if creature else None


def _block(member: CastMember, block: StatBlock, ruleset: Ruleset) -> StatFacts:
    speeds = {way: metres(text, ruleset) for way, text in block.speed.items()}
    senses = {sense_id(name, ruleset): _figure(value, ruleset) for name, value in block.senses.items()}
    return StatFacts(
        name=member.name,
        ac=block.ac,
        hp=block.hp,
        cr=None if block.cr is None else float(Fraction(block.cr)),
        count=member.count,
        speeds_m={way: value for way, value in speeds.items() if value is not None},
        senses={name: value for name, value in senses.items() if value is not None},
        abilities={ability: (score - 10) // 2 for ability, score in block.abilities.items()},
        saves=block.saves,
        actions=tuple(_action(action, ruleset) for action in block.actions),
    )


def _action(action: Action, ruleset: Ruleset) -> ActionFacts:
    save = action.save or {}
    dc, ability = save.get("dc"), save.get("ability")
    return ActionFacts(
        name=action.name,
        attack=action.attack,
        count=action.count,
        reach_m=metres(action.reach, ruleset),
        range_m=metres(action.range, ruleset),
        damage=action.damage,
        save_dc=dc if isinstance(dc, int) else None,
        save_ability=str(ability) if ability is not None else None,
    )


def sense_id(name: str, ruleset: Ruleset) -> str:
    """Return the ruleset's id of a sense, or the name as it stands where the ruleset has none such."""
    found = (ruleset.find("sense", name.replace("_", " "), language) for language in LANGUAGES)
    return next((one for one in found if one is not None), name)


def _figure(value: int | str, ruleset: Ruleset) -> float | None:
    return float(value) if isinstance(value, int) else metres(value, ruleset)


def metres(text: str | None, ruleset: Ruleset) -> float | None:
    """Return the length that a text states first (`36 m`, `80/320 ft`, `1,5 metros`), in metres, or None."""
    match = _MEASURE.search(text[:_TEXT_CHARACTERS]) if text else None
    if match is None:
        return None
    for language in LANGUAGES:
        unit = ruleset.units.get(ruleset.find("unit", match[2], language) or "")
        if unit is not None and unit.metres is not None:
            return round(float(match[1].replace(",", ".")) * unit.metres, 3)
    return None
