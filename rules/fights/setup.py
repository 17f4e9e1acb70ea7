"""From a scenario to the table: blocks are filled in, and what does not fit is told with its place."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, get_close_matches
from typing import Protocol

from rules.bestiary import Creature, CreatureAction
from rules.combat import RoleBlock
from rules.entries import Names
from rules.fights.clock import Clock
from rules.fights.model import MASTER, Fighter, Intent, Scenario, Weapon
from rules.fights.rolling import Source
from rules.fights.state import WORLD, Status, Table
from rules.folding import fold_words
from rules.odds.errors import OddsError
from rules.odds.parser import parse
from rules.ruleset import Ruleset
from rules.wording import LANGUAGES

Place = tuple[int | str, ...]
"""Keys and positions that lead to a value of the scenario."""
NEED_TARGET = ("attack", "finish", "tie", "untie", "search", "through", "mend")

LIKE = 0.8
"""How like a word of another language, or of the rules, one must be to be taken for it misspelt, 0 to 1."""
TO_OTHERS = frozenset(
    ("attack", "finish", "tie", "search", "through", "steal", "struggle", "threaten", "resist", "apologise")
) | {"convince", "cow"}
"""What nobody does to themselves: neither document knows a blow that is dealt to its own hand."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of a scenario that does not fit."""

    code: str
    place: Place
    found: str
    near: str = ""
    """The nearest right name, or the right names; empty where there is none."""


class _Named(Protocol):
    """What has names."""

    @property
    def names(self) -> Mapping[str, Names]: ...


class ScenarioError(ValueError):
    """A scenario that cannot be fought; `faults` holds all that is wrong."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{f.code} {f.found}" for f in faults))
        self.faults = faults


def nearest(word: str, known: Iterable[str], also: Iterable[str] = ()) -> str:
    """Return the name that a misspelt one most likely means, else those that are known, else nothing.

    Args:
        word: the misspelt one.
        known: right names in the reader's language.
        also: right names that are meant only where none of those is near.
    """
    names, wanted = list(dict.fromkeys(known)), fold_words(word)
    found = [*_alike(wanted, names, 0.5), *_alike(wanted, also, LIKE)]
    return max(found, key=lambda each: each[0])[1] if found else ", ".join(names[:12])


def _alike(wanted: str, names: Iterable[str], cutoff: float) -> list[tuple[float, str]]:
    """Return the name that is most like a folded word, with how much; nothing where none is enough."""
    folded = {fold_words(name): name for name in names}
    near = get_close_matches(wanted, list(folded), n=1, cutoff=cutoff)
    return [(SequenceMatcher(None, each, wanted).ratio(), folded[each]) for each in near]


def _named(entries: Iterable[_Named], language: str) -> tuple[list[str], list[str]]:
    """Return the words of entries of a ruleset in one language, and those in the others."""
    words = [(spoken, name.word) for entry in entries for spoken, name in entry.names.items()]
    return [w for spoken, w in words if spoken == language], [w for spoken, w in words if spoken != language]


def faults_of(scenario: Scenario, rules: Ruleset) -> tuple[Fault, ...]:
    """Return all that does not fit together in a scenario."""
    names = [fighter.name for fighter in scenario.fighters]
    found: list[Fault] = []
    if scenario.bleeding and (problem := _dice_problem(scenario.bleeding)):
        found.append(Fault(problem, ("bleeding",), scenario.bleeding))
    for i, fighter in enumerate(scenario.fighters):
        at: Place = ("fighters", i)
        if (
            fighter.name in names[:i]
            or fold_words(fighter.name) in (fold_words(MASTER), "")
            or fighter.name == WORLD
        ):
            found.append(Fault("name_taken", (*at, "name"), fighter.name))
        found += _fighter_faults(fighter, at, scenario, rules)
    known = [*names, MASTER]
    for i, intent in enumerate(scenario.script):
        if intent.who not in known:
            found.append(Fault("no_fighter", ("script", i, "who"), intent.who, nearest(intent.who, known)))
        for key in ("target", "enemy", "overflow_to"):
            name = getattr(intent, key)
            if name and name not in names:
                found.append(Fault("no_fighter", ("script", i, key), name, nearest(name, names)))
        if intent.enemy and intent.enemy == intent.target:
            found.append(Fault("itself", ("script", i, "enemy"), intent.enemy))
        found += _intent_faults(scenario, i, rules)
    if scenario.goal:
        for key in ("target", "then"):
            name = getattr(scenario.goal, key)
            if name and name not in names:
                found.append(Fault("no_fighter", ("goal", key), name, nearest(name, names)))
    return tuple(found)


def _fighter_faults(fighter: Fighter, at: Place, scenario: Scenario, rules: Ruleset) -> Iterator[Fault]:
    language = scenario.language
    creature = rules.find_creature(fighter.creature, LANGUAGES[0]) if fighter.creature else None
    if fighter.creature and creature is None:
        near = nearest(fighter.creature, *_named(rules.creatures.values(), language))
        yield Fault("no_creature", (*at, "creature"), fighter.creature, near)
    if fighter.role and role_of(fighter.role, rules) is None:
        near = nearest(fighter.role, *_named(rules.combat.roles.values(), language))
        yield Fault("no_role", (*at, "role"), fighter.role, near)
    if fighter.hp is None and not fighter.creature and not fighter.role:
        yield Fault("no_hp", (*at, "name"), fighter.name)
    yield from _weapon_faults(fighter, at, rules, language)
    yield from _word_faults(fighter, at, rules, language)
    yield from _name_faults(fighter, at, scenario, rules)


def _weapon_faults(fighter: Fighter, at: Place, rules: Ruleset, language: str) -> Iterator[Fault]:
    for i, weapon in enumerate(fighter.weapons):
        if problem := _dice_problem(weapon.damage):
            yield Fault(problem, (*at, "weapons", i, "damage"), weapon.damage)
        if weapon.damage_type and weapon.damage_type not in rules.damage_types:
            yield _no_damage_type(weapon.damage_type, (*at, "weapons", i, "damage_type"), rules, language)
        yield from _slip(weapon.ability, (*at, "weapons", i, "ability"), rules)
    own = [weapon.name for weapon in fighter.weapons]
    for i, grip in enumerate(fighter.scores.grips):
        if grip not in own:
            yield Fault("no_weapon", (*at, "scores", "grips", i), grip, nearest(grip, own))
    for ability, dice in {**fighter.scores.checks, "fall_die": fighter.scores.fall_die}.items():
        if problem := _dice_problem(dice):
            yield Fault(problem, (*at, "scores"), f"{ability}: {dice}")


def _word_faults(fighter: Fighter, at: Place, rules: Ruleset, language: str) -> Iterator[Fault]:
    """Find abilities and kinds of damage that the rules have not: they would count for nothing."""
    for key in ("resistances", "vulnerabilities", "immunities"):
        for i, kind in enumerate(getattr(fighter, key)):
            if kind not in rules.damage_types:
                yield _no_damage_type(kind, (*at, key, i), rules, language)
    for potion, kind in fighter.potions.items():
        if kind not in rules.damage_types:
            yield _no_damage_type(kind, (*at, "potions", potion), rules, language)
    for key in ("abilities", "saves", "skills"):
        for name in getattr(fighter, key):
            yield from _slip(name, (*at, key, name), rules)
    yield from _slip(fighter.spell_ability, (*at, "spell_ability"), rules)


def _no_damage_type(found: str, at: Place, rules: Ruleset, language: str) -> Fault:
    return Fault("no_damage_type", at, found, nearest(found, *_named(rules.damage_types.values(), language)))


def _slip(found: str, at: Place, rules: Ruleset, own: Iterable[str] = ()) -> Iterator[Fault]:
    """Tell of a misspelt ability or skill; one that is like none of the rules' is the table's own."""
    if found in {"", *rules.abilities, *rules.skills, *own}:
        return
    here, there = _named((*rules.abilities.values(), *rules.skills.values()), LANGUAGES[0])
    for _, near in _alike(fold_words(found), (*here, *there), LIKE):
        yield Fault("no_skill", at, found, near)


def _name_faults(fighter: Fighter, at: Place, scenario: Scenario, rules: Ruleset) -> Iterator[Fault]:
    names = [each.name for each in scenario.fighters]
    for i, friend in enumerate(fighter.friends):
        if friend not in names:
            yield Fault("no_fighter", (*at, "friends", i), friend, nearest(friend, names))
    for key in ("spells", "quick_bar"):
        for i, spell in enumerate(getattr(fighter, key)):
            if rules.find_spell(spell, LANGUAGES[0]) is None:
                near = nearest(spell, *_named(rules.spells.values(), scenario.language))
                yield Fault("no_spell", (*at, key, i), spell, near)
    if fighter.shielded_by == fighter.name:
        yield Fault("own_shield", (*at, "shielded_by"), fighter.name)
    if fighter.shielded_by and fighter.shielded_by not in names:
        yield Fault(
            "no_fighter", (*at, "shielded_by"), fighter.shielded_by, nearest(fighter.shielded_by, names)
        )


def _intent_faults(scenario: Scenario, i: int, rules: Ruleset) -> Iterator[Fault]:
    intent, at = scenario.script[i], ("script", i)
    sheet = next((f for f in scenario.fighters if f.name == intent.who), None)
    if sheet is None:
        return
    if intent.do in TO_OTHERS and intent.target == intent.who:
        yield Fault("itself", (*at, "target"), intent.target)
    if intent.overflow_to and intent.overflow_to in (intent.who, intent.target):
        yield Fault("overflows_back", (*at, "overflow_to"), intent.overflow_to)
    if intent.do in NEED_TARGET and not intent.target:
        yield Fault("no_target", (*at, "do"), intent.do)
    if intent.do == "go" and not intent.to:
        yield Fault("no_place", (*at, "do"), intent.do)
    if intent.damage and (problem := _dice_problem(intent.damage)):
        yield Fault(problem, (*at, "damage"), intent.damage)
    yield from _means_faults(intent, sheet, at, scenario.language, rules)


def _means_faults(
    intent: Intent, sheet: Fighter, at: Place, language: str, rules: Ruleset
) -> Iterator[Fault]:
    """Find weapons, spells, skills and saves that nobody has."""
    if intent.weapon:
        own = [weapon.name for weapon in filled(sheet, rules).weapons]
        if intent.weapon not in own:
            yield Fault("no_weapon", (*at, "weapon"), intent.weapon, nearest(intent.weapon, own))
    if intent.spell and rules.find_spell(intent.spell, language) is None:
        near = nearest(intent.spell, sheet.spells, _named(rules.spells.values(), language)[0])
        yield Fault("no_spell", (*at, "spell"), intent.spell, near)
    yield from _slip(intent.save, (*at, "save"), rules, sheet.saves)
    yield from _slip(intent.skill, (*at, "skill"), rules, (*sheet.skills, *sheet.scores.checks))


def _dice_problem(text: str) -> str:
    try:
        parse(text)
    except OddsError as error:
        return "bad_dice" if error.code != "too_large" else "large_dice"
    return ""


def role_of(name: str, rules: Ruleset) -> RoleBlock | None:
    """Return the block of a trade by its id or its word in any language."""
    wanted = fold_words(name)
    for role, block in rules.combat.roles.items():
        words = [w for n in block.names.values() for w in (n.word, *n.also)]
        if wanted in {fold_words(word) for word in (role, *words)}:
            return block
    return None


def filled(sheet: Fighter, rules: Ruleset, language: str = "es") -> Fighter:
    """Return a fighter's sheet with what its creature's or its trade's block gives."""
    given = sheet.model_dump(exclude_unset=True)
    creature = rules.find_creature(sheet.creature, LANGUAGES[0]) if sheet.creature else None
    role = role_of(sheet.role, rules) if sheet.role else None
    base = _of_role(role, language) if role else _of_creature(creature, rules) if creature else {}
    return sheet.model_copy(update={key: value for key, value in base.items() if not given.get(key)})


def _of_role(role: RoleBlock, language: str) -> dict[str, object]:
    # The tools of these trades are hammers and maces.
    weapon = Weapon(
        name=role.weapon.get(language) or next(iter(role.weapon.values())),
        damage=role.damage,
        attack=role.attack,
        damage_type="bludgeoning",
    )
    return {"hp": float(role.hp), "ac": role.ac, "weapons": (weapon,), "attacks": role.attacks}


def _of_creature(creature: Creature, rules: Ruleset) -> dict[str, object]:
    usable = [a for a in creature.attacks if a.group == "action" and a.damage]
    way = max(creature.multiattack, key=lambda w: sum(w.values()), default=None)
    if way:
        usable.sort(key=lambda action: action.name not in way)
    named = {name for each in creature.multiattack for name in each}
    key = next((key for key, known in rules.creatures.items() if known is creature), "")
    times = rules.combat.hostiles.multiattack.get(key) or sum(
        count for name, count in (way or {}).items() if any(a.name == name for a in usable)
    )
    return {
        "hp": float(creature.hp),
        "ac": creature.ac,
        "abilities": {k: float(v) for k, v in creature.modifiers.items()},
        "weapons": tuple(_weapon(a, bool(named) and a.name not in named) for a in usable),
        "attacks": min(10, max(1, times)),
        "speed_m": creature.speeds_m.get("walk", 9.0),
        "xp": creature.xp,
        "resistances": tuple(k for k, overcome in creature.resistances.items() if not overcome),
        "vulnerabilities": tuple(creature.vulnerabilities),
        "immunities": tuple(k for k, overcome in creature.immunities.items() if not overcome),
    }


def _weapon(action: CreatureAction, once: bool) -> Weapon:
    near, far = action.range_m or (None, None)
    is_far = action.kind == "ranged"
    return Weapon(
        name=action.name,
        damage=" + ".join(dice for dice, _ in action.damage),
        damage_type=action.damage[0][1],
        kind="ranged"
        if is_far
        else "thrown"
        if near
        else "reach"
        if (action.reach_m or 0) > 1.5
        else "melee",
        attack=action.attack,
        reach_m=action.reach_m if (action.reach_m or 0) > 1.5 else None,
        range_m=near,
        long_m=far,
        once=once,
    )


def make_table(scenario: Scenario, rules: Ruleset, dice: Source, clock: Clock) -> Table:
    """Return the table as it is before anything happens.

    Raises:
        ScenarioError: something in the scenario does not fit.
    """
    if faults := faults_of(scenario, rules):
        raise ScenarioError(faults)
    sheets = scaled_sheets(scenario, rules)
    return Table(scenario, rules, sheets, dice, clock, first_statuses(sheets, scenario))


def first_statuses(sheets: Mapping[str, Fighter], scenario: Scenario) -> dict[str, Status]:
    """Return how everybody is at the beginning; who comes when a group has survived is not there yet."""
    characters = tuple(name for name, sheet in sheets.items() if sheet.kind == "character")
    later = scenario.goal.then if scenario.goal else ""
    first = {name: first_status(sheet, characters) for name, sheet in sheets.items()}
    return {name: replace(s, present=s.present and name != later) for name, s in first.items()}


def scaled_sheets(scenario: Scenario, rules: Ruleset) -> dict[str, Fighter]:
    """Return everybody's sheet, with blocks filled in and the opposition scaled."""
    share = scale(scenario)
    return {f.name: _scaled(filled(f, rules, scenario.language), share) for f in scenario.fighters}


def scale(scenario: Scenario) -> float:
    """Return by how much the opposition grows: players that there are, for each that it is written for.

    Source: Combate, Lo que dice la spec y aún no está. It gives no figure: here, hit points grow by that.
    """
    players = sum(fighter.kind == "character" for fighter in scenario.fighters)
    return players / scenario.written_for if scenario.written_for and players else 1.0


def _scaled(sheet: Fighter, share: float) -> Fighter:
    if sheet.kind == "character" or sheet.hp is None or share == 1:
        return sheet
    return sheet.model_copy(update={"hp": float(max(1, int(sheet.hp * share + 0.5)))})


def whole(value: float) -> float:
    """Return a number without a decimal part that says nothing."""
    return int(value) if value == int(value) else value


def first_status(sheet: Fighter, characters: tuple[str, ...] = ()) -> Status:
    """Return how a fighter is at the beginning; a hostile one is so to all but those it likes better."""
    towards = {name: sheet.attitudes.get(name, sheet.attitude) for name in characters}
    is_npc = sheet.kind == "npc"
    hostile = tuple(name for name, attitude in towards.items() if is_npc and attitude == "hostile")
    return Status(
        hp=whole(sheet.hp or 1),
        max_hp=whole(sheet.hp or 1),
        ac=10 if sheet.ac is None else sheet.ac,
        place=sheet.place,
        x=sheet.x,
        height=sheet.height,
        present=sheet.joins_round is None,
        hidden=sheet.hidden,
        prone=sheet.prone,
        surprised=sheet.surprised,
        underwater=sheet.underwater,
        hostile_to=hostile,
        ammunition={a.name: a.count for a in sheet.ammunition},
        slots={str(level): count for level, count in sheet.slots.items()},
    )
