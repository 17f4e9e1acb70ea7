"""What the parts of a ruleset say of each other: every id that one names, another one must have."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rules.entries import Entry
from rules.rulefiles import OriginOf, RulesetError

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

Reference = tuple[tuple[str, ...], str, Mapping[str, Entry]]
"""Where an id stands, the id, and what must have it."""


def _references(ruleset: "Ruleset") -> Iterator[Reference]:
    for key, skill in ruleset.skills.items():
        yield ("skills", key, "ability"), skill.ability, ruleset.abilities
    for key, cover in ruleset.cover.items():
        yield from ((("cover", key, "saves"), ability, ruleset.abilities) for ability in cover.saves)
    for key, entry in ruleset.classes.items():
        for field, ids in (
            ("saves", entry.saves),
            ("abilities", entry.abilities),
            ("armor", entry.armor.add),
        ):
            yield from ((("classes", key, field), id_, ruleset.abilities) for id_ in ids)
        yield from ((("classes", key, "skills"), id_, ruleset.skills) for id_ in entry.skills)
    yield from _condition_references(ruleset)
    for section, entry in (("falling", ruleset.falling), ("falling_by_size", ruleset.falling_by_size)):
        if entry:
            yield (section, "damage_type"), entry.damage_type, ruleset.damage_types
            if entry.condition:
                yield (section, "condition"), entry.condition, ruleset.conditions
    if ruleset.burning:
        yield ("burning", "damage_type"), ruleset.burning.damage_type, ruleset.damage_types
    if ruleset.suffocation:
        yield ("suffocation", "held"), ruleset.suffocation.held.ability, ruleset.abilities


def _condition_references(ruleset: "Ruleset") -> Iterator[Reference]:
    for key, condition in ruleset.conditions.items():
        effects = condition.effects
        if effects is None:
            continue
        yield from ((("conditions", key, "effects"), one, ruleset.conditions) for one in effects.implies)
        for ability in (*effects.fails_saves, *effects.saves):
            yield ("conditions", key, "effects"), ability, ruleset.abilities


def check_references(ruleset: "Ruleset", origin: OriginOf) -> None:
    """Hold every reference against what it names.

    Raises:
        RulesetError: an id that is not there, or a unit of neither length nor time; says file and key.
    """
    for where, wanted, section in _references(ruleset):
        if wanted not in section:
            raise RulesetError(origin(where), ".".join(where), "no_such_id", wanted=wanted)
    for key, unit in ruleset.units.items():
        if (unit.metres is None) == (unit.seconds is None):
            where = ("units", key)
            raise RulesetError(origin(where), ".".join(where), "one_measure")
