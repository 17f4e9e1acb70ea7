"""Checks in I&A: the sheet says which dice; Part 6 does not, so a d20 and the score stand in for them."""

from rules.fights.ia.sides import agility, is_out
from rules.fights.model import Degree
from rules.fights.rolling import mode_of, rolled
from rules.fights.setup import whole
from rules.fights.state import Table
from rules.odds.checks import FACES
from rules.odds.parser import parse

HINDERED = {"arm": ("str", "dex"), "leg": ("str", "agi")}
"""Abilities whose checks an injured limb hinders. Source: I&A 6, called shots."""


def rolls(table: Table, who: str, ability: str, limb: str = "") -> float:
    """Return the result of a check with an ability, which uses a limb perhaps."""
    sheet, status = table.sheets[who], table[who]
    hinders = bool(limb) and is_out(status.limbs, limb) and ability in HINDERED.get(limb, ())
    results = [_once(table, who, ability) for _ in range(2 if hinders else 1)]
    lost = sheet.abilities.get("agi", 0) - agility(sheet, status) if ability == "agi" else 0
    return min(results) - lost


def _once(table: Table, who: str, ability: str) -> float:
    sheet = table.sheets[who]
    dice = sheet.scores.checks.get(ability)
    if dice is not None:
        return rolled(parse(dice), table.dice)
    return table.dice.face(FACES) + sheet.abilities.get(ability, 0)


def check(table: Table, who: str, ability: str, dr: float, limb: str = "") -> Degree:
    """Make a check against a difficulty rating, and tell of it."""
    total = rolls(table, who, ability, limb)
    short = dr - total
    degree: Degree = (
        "success" if short <= 0 else "partial" if short <= table.scenario.partial_within else "failure"
    )
    table.tell("rates", who=who, ability=ability, total=whole(total), dr=whole(dr), result=degree)
    return degree


def contest(table: Table, who: str, target: str) -> bool:
    """Let somebody push past another: Strength or Agility, the better one, against Strength.

    Source: I&A 6, moving through others.
    """
    sheet = table.sheets[who]
    ability = "agi" if agility(sheet, table[who]) > sheet.abilities.get("str", 0) else "str"
    mine, other = rolls(table, who, ability, "leg"), rolls(table, target, "str")
    table.tell(
        "contest", who=who, target=target, total=whole(mine), against=whole(other), success=mine > other
    )
    return mine > other


__all__ = ["check", "contest", "mode_of", "rolls"]
