"""Rows of creatures from the source, corrected."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import median
from typing import Any

from tools.srd.actions import Difference, figures, multiattack
from tools.srd.sentences import TYPES
from tools.srd.source import SourceError, our_id

ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
_DICE = re.compile(r"(\d+)d(\d+)([+-]\d+)?")
_FORM = re.compile(r"^(.+), (.+) Form$")
_UNLESS = {
    "aren't silvered": "magical or silvered",
    "aren't adamantine": "magical or adamantine",
    "wielded by good": "all but magic of the good",
    "nonmagical": "magical",
}


def creature_rows(
    source: list[dict[str, Any]], names_es: Mapping[str, Any], corrections: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return all creatures' rows by our id.

    Raises:
        SourceError: the source differs from the SRD's sentences where no correction says so, or a correction
            finds nothing to correct.
    """
    found: list[Difference] = []
    table: dict[str, dict[str, Any]] = {}
    for creature in source:
        actions, differences = figures(creature)
        found += differences
        table[our_id(creature["index"])] = _row(creature, actions, names_es)
    _hold(found, corrections)
    for correction in corrections["creatures"]:
        _correct(table[our_id(correction["id"])], correction)
    for given in corrections["replaced"]:
        actions = table[our_id(given["id"])]["actions"]
        actions[[a["name"] for a in actions].index(given["action"])] = given["row"]
    return table


def _hold(found: list[Difference], corrections: Mapping[str, Any]) -> None:
    known = {
        Difference(row["id"], row["action"], row["field"], row["source"], row["right"])
        for group in corrections["actions"]
        for row in group["rows"]
    }
    for wrong, what in ((set(found) - known, "not in corrections.yaml"), (known - set(found), "gone")):
        if wrong:
            raise SourceError(f"differences {what}: {sorted(wrong, key=lambda d: d.key)}")


def _correct(row: dict[str, Any], correction: Mapping[str, Any]) -> None:
    *path, last = correction["field"].split(".")
    for key in path:
        row = row.setdefault(key, {})
    if row.get(last) != correction["source"]:
        raise SourceError(f"{correction['id']} {correction['field']}: {row.get(last)!r} is new")
    row[last] = correction["right"]


def _row(
    creature: Mapping[str, Any], actions: list[dict[str, Any]], names_es: Mapping[str, Any]
) -> dict[str, Any]:
    armor = [one["value"] for one in creature["armor_class"]]
    speed = {k: _feet(v) for k, v in creature["speed"].items() if k != "hover"}
    senses = {k: _feet(v) for k, v in creature["senses"].items() if k != "passive_perception"}
    row: dict[str, Any] = {
        "names": _names(creature, names_es),
        "size": creature["size"].lower(),
        "type": creature["type"].removeprefix("swarm of Tiny beasts") or "beast",
        "ac": armor[0],
        "ac_also": armor[1:],
        "hp": creature["hit_points"],
        "hit_dice": creature["hit_points_roll"],
        "cr": creature["challenge_rating"],
        "xp": creature["xp"],
        "proficiency": creature["proficiency_bonus"],
        "speed_ft": speed,
        "hover": bool(creature["speed"].get("hover")),
        "senses_ft": senses,
        "passive_perception": creature["senses"]["passive_perception"],
        "abilities": {key: creature[name] for key, name in ABILITIES.items()},
        "saves": dict(_proficiencies(creature, "saving-throw-")),
        "skills": dict(_proficiencies(creature, "skill-")),
        "vulnerabilities": _defences(creature["damage_vulnerabilities"]),
        "resistances": _defences(creature["damage_resistances"]),
        "immunities": _defences(creature["damage_immunities"]),
        "condition_immunities": [one["index"] for one in creature["condition_immunities"]],
        "actions": actions,
        "multiattack": multiattack(creature, [action["name"] for action in actions]),
        "spellcasting": list(_spellcasting(creature)),
        "forms": [our_id(form["index"]) for form in creature.get("forms", ())],
    }
    return {key: value for key, value in row.items() if value not in ([], {}) and value is not False}


def _feet(text: str) -> int:
    return int(text.split()[0])


def _names(creature: Mapping[str, Any], names_es: Mapping[str, Any]) -> dict[str, Any]:
    word, *also = _english(creature["name"])
    names: dict[str, Any] = {"en": {"word": word} | ({"also": also} if also else {})}
    spanish = names_es.get(creature["index"])
    if spanish:
        word, *also = [spanish] if isinstance(spanish, str) else spanish
        names["es"] = {"word": word} | ({"also": also} if also else {})
    return names


def _english(name: str) -> list[str]:
    name = name[0].lower() + name[1:] if name.isupper() else name.lower()
    form = _FORM.match(name.title())
    if form:
        return _form_names(form[1].lower(), form[2].lower())
    if "/" in name:
        return name.split("/")
    bracket = re.fullmatch(r"(.+) \((.+)\)", name)
    if bracket:
        variant = bracket[2] == "diseased"
        return [f"{bracket[2]} {bracket[1]}", name] if variant else [bracket[1], bracket[2]]
    return [name]


def _form_names(base: str, form: str) -> list[str]:
    """Return the names of one shape; the hybrid, and the vampire as such, bear the plain name too."""
    told = f"{base} in {form} form"
    return [base, told] if form in ("hybrid", base) else [told]


def _proficiencies(creature: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, int]]:
    for one in creature["proficiencies"]:
        index: str = one["proficiency"]["index"]
        if index.startswith(prefix):
            yield our_id(index.removeprefix(prefix)), one["value"]


def _defences(texts: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        unless = next((told for words, told in _UNLESS.items() if words in text), "")
        found |= dict.fromkeys(re.findall(f"({TYPES})", text), unless)
    return found


def _spellcasting(creature: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for trait in creature.get("special_abilities", ()):
        cast = trait.get("spellcasting")
        if cast:
            spells = dict.fromkeys(our_id(s["url"].rsplit("/", 1)[1]) for s in cast["spells"])
            row = {"ability": cast["ability"]["index"], "dc": cast.get("dc"), "attack": cast.get("modifier")}
            row |= {"level": cast.get("level"), "spells": list(spells)}
            yield {key: value for key, value in row.items() if value not in (None, [])}


def challenge(cr: float) -> str:
    """Return a challenge rating as written (`0.25` → `1/4`)."""
    return str(Fraction(cr))


def typical_rows(
    source: list[dict[str, Any]], table: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the medians of the creatures of each challenge rating.

    Attack: the best attack bonus of each creature. Damage: the average of its best hit. Saving throws: the
    highest DC among the actions that the source marks as one; riders of attacks are lower, and do not count.
    """
    rows: dict[str, dict[str, Any]] = {}
    for cr in sorted({creature["challenge_rating"] for creature in source}):
        those = [creature for creature in source if creature["challenge_rating"] == cr]
        rows[challenge(cr)] = _typical([table[our_id(c["index"])] for c in those], those)
    return rows


def _typical(ours: list[Mapping[str, Any]], source: list[dict[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {"creatures": len(ours)}
    values: dict[str, list[float]] = {
        "ac": [c["ac"] for c in ours],
        "hp": [c["hp"] for c in ours],
        "attack": [max(a["attack"] for a in _attacks(c)) for c in ours if _attacks(c)],
        "save_dc": [max(marked) for c in source if (marked := _marked_dcs(c))],
        "damage": [max(hits) for c in ours if (hits := _average_hits(c))],
    }
    return row | {key: float(median(those)) for key, those in values.items() if those}


def _marked_dcs(creature: Mapping[str, Any]) -> list[int]:
    return [action["dc"]["dc_value"] for action in creature.get("actions", ()) if "dc" in action]


def _attacks(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [a for a in row.get("actions", ()) if "attack" in a and "group" not in a]


def _average_hits(row: Mapping[str, Any]) -> list[float]:
    return [sum(_average(dice) for dice, _ in a["damage"]) for a in _attacks(row) if "damage" in a]


def _average(dice: str) -> float:
    match = _DICE.fullmatch(dice)
    return int(match[1]) * (int(match[2]) + 1) / 2 + int(match[3] or 0) if match else float(dice)
