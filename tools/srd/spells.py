"""Rows of spells from the source, corrected."""

import re
from collections.abc import Mapping
from typing import Any

from tools.srd.source import SourceError, our_id

_CASTING = {"1 action": "action", "1 bonus action": "bonus action", "1 reaction": "reaction"}
_RANGES = {"Self": 0, "Touch": 5}
_MILE_FT = 5280


def spell_rows(
    source: list[dict[str, Any]], names: Mapping[str, Any], corrections: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return all spells' rows by our id.

    Raises:
        SourceError: a correction finds nothing to correct.
    """
    table = {our_id(spell["index"]): _row(spell, names) for spell in source}
    for correction in corrections["spells"]:
        row = table[our_id(correction["id"])]
        if "save" in row:
            raise SourceError(f"{correction['id']} has a saving throw now")
        row |= {key: value for key, value in correction.items() if key != "id"}
    return table


def _row(spell: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    dc: Mapping[str, Any] = spell.get("dc", {})
    damage: Mapping[str, Any] = spell.get("damage", {})
    area: Mapping[str, Any] = spell.get("area_of_effect", {})
    row: dict[str, Any] = {
        "names": _names(spell, names),
        "level": spell["level"],
        "school": spell["school"]["index"],
        "ritual": spell["ritual"],
        "concentration": spell["concentration"],
        "casting": _CASTING.get(spell["casting_time"], spell["casting_time"]),
        "range_ft": _range(spell["range"]),
        "attack": spell.get("attack_type", ""),
        "save": dc["dc_type"]["index"] if dc else "",
        "half": dc.get("dc_success") == "half",
        "damage": _first_dice(damage) if "damage_type" in damage else "",
        "damage_type": damage.get("damage_type", {}).get("index", ""),
        "area": {"shape": area["type"], "feet": area["size"]} if area else {},
    }
    return {key: value for key, value in row.items() if value not in ("", {}, None) and value is not False}


def _names(spell: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    index = spell["index"]
    wrong: Mapping[str, list[str]] = names["wrong"].get(index, {})
    also_en: list[str] = names["also_en"].get(index, [])
    told: dict[str, Any] = {"en": [spell["name"].lower(), *also_en], "es": names["spells"].get(index, [])}
    found: dict[str, Any] = {}
    for language, given in told.items():
        words: list[str] = [given] if isinstance(given, str) else given
        if words:
            entry: dict[str, Any] = {"word": words[0], "also": words[1:], "wrong": wrong.get(language, [])}
            found[language] = {key: value for key, value in entry.items() if value}
    return found


def _range(text: str) -> int | None:
    if text in _RANGES:
        return _RANGES[text]
    match = re.fullmatch(r"(\d+) (feet|miles?)", text)
    return int(match[1]) * (1 if match[2] == "feet" else _MILE_FT) if match else None


def _first_dice(damage: Mapping[str, Any]) -> str:
    by_slot: Mapping[str, str] = damage.get("damage_at_slot_level", {})
    levels: Mapping[str, str] = by_slot or damage.get("damage_at_character_level", {})
    dice = levels[min(levels, key=int)].split(" + MOD")[0].replace(" ", "") if levels else ""
    return dice if re.fullmatch(r"\d+d\d+([+-]\d+)?", dice) else ""
