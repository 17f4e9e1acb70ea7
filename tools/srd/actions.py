"""What creatures do, from the source's actions: figures by the SRD's sentences, differences collected."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tools.srd.sentences import Told, read_action

GROUPS = {
    "actions": "action",
    "reactions": "reaction",
    "legendary_actions": "legendary",
    "special_abilities": "trait",
}
_NOTE = re.compile(r" \((?:Costs|Recharge|\d+/)[^)]*\)")
_OPTION = re.compile(r"^\**([A-Z][A-Za-z' ]{2,30})\.\**\s+(.*)$")


@dataclass(frozen=True, order=True)
class Difference:
    """A figure of the source that is not what the SRD's sentence says."""

    id: str
    action: str
    field: str
    source: Any
    right: Any

    @property
    def key(self) -> tuple[str, str, str]:
        """Where it is."""
        return self.id, self.action, self.field


def parts(creature: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    """Yield group, name, sentences and source of every action; one that offers several is cut into them."""
    for group, ours in GROUPS.items():
        for action in creature.get(group, ()):
            lines = [m for m in map(_OPTION.match, str(action["desc"]).split("\n")) if m]
            if "options" in action and lines:
                for match in lines:
                    yield ours, match[1], match[2], _option(action, match[1])
            elif not str(action["name"]).startswith("Multiattack"):
                yield ours, _NOTE.sub("", action["name"]), action["desc"], action


def _option(action: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    options = action["options"]["from"].get("options", ())
    found: list[Mapping[str, Any]] = [option for option in options if option.get("name") == name]
    return {**(found[0] if found else {}), "usage": action.get("usage")}


def figures(creature: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[Difference]]:
    """Return the rows of a creature's actions that have figures, and where the source differs from them."""
    rows: list[dict[str, Any]] = []
    differences: list[Difference] = []
    for group, name, text, source in parts(creature):
        told = read_action(text)
        differences += _differences(creature["index"], name, told, source)
        if told != Told():
            rows.append(_row(group, name, told, source.get("usage") or {}))
    return rows, differences


def _row(group: str, name: str, told: Told, usage: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name}
    if group != "action":
        row["group"] = group
    for key in ("kind", "by", "attack", "reach_ft", "range_ft", "damage", "instead"):
        value = getattr(told, key)
        if value not in ("", (), None):
            row[key] = value
    if told.save:
        row["save"] = {"dc": told.save[0], "ability": told.save[1]}
        row["save"] |= {"half": True} if told.half else {}
        row["save"] |= {"damage": told.save_damage} if told.save_damage else {}
    if usage.get("type") == "recharge on roll":
        row["recharge"] = usage["min_value"]
    if usage.get("type") == "per day":
        row["per_day"] = usage["times"]
    return row


def _differences(id: str, name: str, told: Told, source: Mapping[str, Any]) -> Iterator[Difference]:
    if source.get("attack_bonus") != told.attack:
        yield Difference(id, name, "attack", source.get("attack_bonus"), told.attack)
    stated, right = _stated_save(source), _save_text(told)
    if stated != right:
        yield Difference(id, name, "save", stated, right)


def _save_text(told: Told) -> str | None:
    return f"{told.save[0]} {told.save[1]}{' half' if told.half else ''}" if told.save else None


def _stated_save(source: Mapping[str, Any]) -> str | None:
    dc = source.get("dc")
    if not dc:
        return None
    half = " half" if dc.get("success_type") == "half" else ""
    return f"{dc['dc_value']} {dc['dc_type']['index']}{half}"


def multiattack(creature: Mapping[str, Any], names: list[str]) -> list[dict[str, int]]:
    """Return the ways in which a creature attacks several times: its actions by name, and how often each."""
    ways: list[dict[str, int]] = []
    for action in creature.get("actions", ()):
        if not str(action["name"]).startswith("Multiattack"):
            continue
        if action.get("actions"):
            ways.append(_counted(action["actions"], names))
        for option in action.get("action_options", {}).get("from", {}).get("options", ()):
            ways.append(_counted(option.get("items", [option]), names))
    return [way for n, way in enumerate(ways) if way and way not in ways[:n]]


def _plain(name: str) -> str:
    return name.split(" (")[0].rstrip("s")


def _counted(items: list[Mapping[str, Any]], names: list[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for item in items:
        count = item.get("count")
        if isinstance(count, str) and count.isdigit():
            count = int(count)
        if isinstance(count, int) and "action_name" in item:
            told = item["action_name"]
            name = next((n for n in (told, *names) if n in names and _plain(n) == _plain(told)), told)
            counted[name] = counted.get(name, 0) + count
    return counted
