"""A stat block as an actor of the dnd5e system for Foundry VTT."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from concilio.export.book import Deed, Monster
from concilio.export.enrich import ABILITIES, CONDITIONS, DAMAGES, SKILLS, label, text_html

if TYPE_CHECKING:
    from concilio.export.sheet import Printer

SIZES = {"tiny": "tiny", "small": "sm", "medium": "med", "large": "lg", "huge": "huge", "gargantuan": "grg"}
ICON = "icons/svg/mystery-man.svg"
_FIGURE = re.compile(r"\d{1,5}(?:[.,]\d{1,3})?")
_DICE = re.compile(r"\d{1,3}d\d{1,3}(?:[+-]\d{1,3})?\Z|\d{1,4}\Z")
_FOOT = 0.3


def actor(monster: Monster, printer: "Printer", make_id: Callable[..., str]) -> dict[str, Any]:
    """Return the actor of a stat block; `make_id` returns an id that depends on what it is given."""
    sheet = printer.sheet(monster)
    about = Markup("<p>{}</p>").format(text_html(sheet.kind)) if sheet.kind else Markup("")
    return {
        "_id": make_id("actor", monster.name),
        "name": monster.name,
        "type": "npc",
        "img": ICON,
        "system": {
            "abilities": {ability: _ability(monster, ability) for ability in sorted(ABILITIES)},
            "attributes": _attributes(monster, printer),
            "details": {
                "cr": _challenge(monster.cr),
                "type": {"value": monster.type, "custom": ""},
                "biography": {"value": str(about), "public": ""},
            },
            "skills": {
                SKILLS[id]: _skill(monster, id, bonus, printer)
                for id, bonus in monster.skills.items()
                if id in SKILLS
            },
            "traits": {
                "size": SIZES.get(monster.size, "med"),
                "di": _trait(monster.immunities, DAMAGES),
                "dr": _trait(monster.resistances, DAMAGES),
                "dv": _trait(monster.vulnerabilities, DAMAGES),
                "ci": _trait(monster.condition_immunities, CONDITIONS),
            },
        },
        "items": [_item(deed, place, monster, printer, make_id) for place, deed in enumerate(monster.deeds)],
        "effects": [],
        "prototypeToken": {"name": monster.name, "actorLink": False, "disposition": -1},
        "folder": None,
        "sort": 0,
        "ownership": {"default": 0},
        "flags": {},
    }


def modifier(monster: Monster, ability: str) -> int:
    """Return a creature's modifier of an ability; 0 where its block does not state it."""
    return (monster.abilities.get(ability, 10) - 10) // 2


def proficiency(cr: str) -> int:
    """Return the proficiency bonus of a challenge rating, as the system reckons it."""
    return max(2, 2 + (int(_challenge(cr) or 0) - 1) // 4)


def _ability(monster: Monster, ability: str) -> dict[str, Any]:
    save = monster.saves.get(ability)
    proficient = save is not None and save != modifier(monster, ability)
    base = modifier(monster, ability) + (proficiency(monster.cr) if proficient else 0)
    rest = 0 if save is None else save - base
    return {
        "value": monster.abilities.get(ability, 10),
        "proficient": int(proficient),
        "bonuses": {"check": "", "save": f"{rest:+d}" if rest else ""},
    }


def _skill(monster: Monster, id: str, bonus: int, printer: "Printer") -> dict[str, Any]:
    """Return a skill whose total is the block's: proficiency counted, and a bonus for what is left."""
    ability = printer.ruleset.skills[id].ability
    extra = bonus - modifier(monster, ability)
    step = proficiency(monster.cr)
    value = 2 if extra == 2 * step else 1 if extra else 0
    rest = extra - value * step
    return {
        "value": value,
        "ability": ability,
        "bonuses": {"check": f"{rest:+d}" if rest else "", "passive": ""},
    }


def _attributes(monster: Monster, printer: "Printer") -> dict[str, Any]:
    units = "m" if printer.say("unit.name") == "m" else "ft"
    hp = 1 if monster.hp is None else monster.hp
    ways = ("walk", "fly", "swim", "climb", "burrow")
    senses = ("darkvision", "blindsight", "tremorsense", "truesight")
    return {
        "ac": {"calc": "flat", "flat": 10 if monster.ac is None else monster.ac},
        "hp": {"value": hp, "max": hp, "formula": monster.hit_dice},
        "movement": {**{way: _figure(monster.speeds.get(way)) for way in ways}, "units": units},
        "senses": {**{sense: _figure(monster.senses.get(sense)) for sense in senses}, "units": units},
    }


def _figure(text: str | None) -> float:
    found = _FIGURE.search(text or "")
    return float(found[0].replace(",", ".")) if found else 0


def _challenge(cr: str) -> float | None:
    above, _, below = cr.partition("/")
    try:
        return float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        return None


def _trait(ids: tuple[str, ...], known: frozenset[str]) -> dict[str, Any]:
    return {
        "value": [id for id in ids if id in known],
        "custom": "; ".join(id for id in ids if id not in known),
    }


def _item(
    deed: Deed, place: int, monster: Monster, printer: "Printer", make_id: Callable[..., str]
) -> dict[str, Any]:
    return {
        "_id": make_id("item", monster.name, place, deed.name),
        "name": deed.name,
        "type": "feat",
        "img": "icons/svg/sword.svg" if deed.attack is not None else "icons/svg/aura.svg",
        "system": {
            "description": {"value": str(_description(deed, printer)), "chat": ""},
            "type": {"value": "monster", "subtype": ""},
        },
        "effects": [],
        "folder": None,
        "sort": place * 100_000,
        "ownership": {"default": 0},
        "flags": {},
    }


def _description(deed: Deed, printer: "Printer") -> Markup:
    """Return what an action does, its figures as rolls."""
    parts: list[Markup] = [text_html(printer.deed(deed))]
    rolls: list[str] = []
    if deed.attack is not None:
        rolls.append(f"[[/attack {deed.attack:+d}]]")
    if deed.save_dc is not None and deed.save_ability in ABILITIES:
        rolls.append(f"[[/save ability={deed.save_ability} dc={deed.save_dc}]]")
    for dice, kind in deed.damage:
        if _DICE.match(dice):
            typed = f" type={kind}" if kind in DAMAGES else ""
            rolls.append(f"[[/damage {dice}{typed}]]{{{label(printer.damage(dice, kind))}}}")
    if rolls:
        parts.append(Markup(" · ").join(Markup("{}").format(roll) for roll in rolls))
    return Markup("").join(Markup("<p>{}</p>").format(part) for part in parts if part)
