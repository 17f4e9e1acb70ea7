"""A creature of the ruleset as a side of a duel: its best turn of attacks, figures of its block."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches

from rules.bestiary import Creature, CreatureAction
from rules.odds.attacks import NO_DICE, Attack
from rules.odds.combatants import Combatant
from rules.odds.dice import spread
from rules.odds.errors import OddsError
from rules.odds.parser import parse
from rules.ruleset import Ruleset, load_ruleset
from rules.wording import LANGUAGES


def creature_side(name: str, ruleset: Ruleset | None = None) -> Combatant:
    """Return the side that a creature's name stands for, in any language, by the SRD 5.1 or another ruleset.

    It attacks in the way of its block that does most if all hits, or not at all (`attacks` 0) where it has no
    attack. Its resistances are left out: whether they apply depends on the other side's weapon.

    Raises:
        OddsError: there is no such creature; the nearest is told.
    """
    rules = ruleset or load_ruleset()
    found = rules.find_creature(name, LANGUAGES[0])
    if found is None:
        raise OddsError("unknown_creature", found=name, near=_nearest(name, rules))
    initiative = found.modifiers.get("dex", 0)
    turn = max(_turns(found), key=_strength, default=())
    if not turn:
        return Combatant(found.hp, found.ac, Attack(0, NO_DICE), 0, initiative, name=name)
    (_, first, times), *others = turn
    rest = tuple(attack for _, attack, count in others for _ in range(count))
    used = tuple((title, count) for title, _, count in turn)
    more = does_more(found)
    sides = Combatant(found.hp, found.ac, first, times, initiative, also=rest, name=name)
    return replace(sides, used=used, does_more=more)


def does_more(creature: Creature) -> bool:
    """Tell whether a creature has ways to harm that are no plain attacks."""
    saves = (action.save for action in creature.actions if action.group != "trait")
    return bool(creature.spellcasting) or any(saves)


def _nearest(name: str, rules: Ruleset) -> str:
    known = [names.word for creature in rules.creatures.values() for names in creature.names.values()]
    near = get_close_matches(name.lower(), list(dict.fromkeys(known)), n=2, cutoff=0.6)
    return ", ".join(near) or "goblin"


_Turn = tuple[tuple[str, Attack, int], ...]
"""Name of each attack, and how often it is made."""


def _turns(creature: Creature) -> list[_Turn]:
    """Return what it can do in a turn: the ways of its multiattack, else one of its attacks."""
    attacks = {a.name: _attack(a) for a in creature.attacks if a.damage and a.group == "action"}
    ways: list[Mapping[str, int]] = [*creature.multiattack, *({name: 1} for name in attacks)]
    return [tuple((name, attacks[name], way[name]) for name in way if name in attacks) for way in ways]


def _attack(action: CreatureAction) -> Attack:
    return Attack(action.attack or 0, parse(" + ".join(dice for dice, _ in action.damage)))


def _strength(turn: _Turn) -> float:
    return sum(times * spread(attack.damage).mean for _, attack, times in turn)
