"""Initiative in I&A: scores in descending order, groups on one turn, latecomers in the next round. Pure."""

from collections.abc import Mapping

from rules.fights.model import Fighter

Turn = tuple[str, ...]
"""Who acts together."""


def initiative(sheet: Fighter) -> float:
    """Return the score that somebody chose, Agility or Dexterity; where nothing is said, the better one.

    Source: I&A 6, initiative.
    """
    if sheet.scores.initiative_by:
        return sheet.abilities.get(sheet.scores.initiative_by, 0)
    return max(sheet.abilities.get("agi", 0), sheet.abilities.get("dex", 0))


def order(sheets: Mapping[str, Fighter]) -> tuple[Turn, ...]:
    """Return the turns of a round, the highest score first; a group acts at its average.

    Who ties agree between themselves: as they stand in the scenario.
    """
    groups: dict[str, list[str]] = {}
    for name, sheet in sheets.items():
        groups.setdefault(sheet.scores.group or f" {name}", []).append(name)
    turns = [tuple(names) for names in groups.values()]
    return tuple(sorted(turns, key=lambda names: -_average(names, sheets)))


def _average(names: Turn, sheets: Mapping[str, Fighter]) -> float:
    return sum(initiative(sheets[name]) for name in names) / len(names)
