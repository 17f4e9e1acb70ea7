"""Figures in the English sentences of SRD actions (`+4 to hit, reach 5 ft. … 5 (1d6 + 2) slashing damage`).

The sentences are regular, and they are what the SRD says; the source's own fields are held against them.
"""

import re
from dataclasses import dataclass

ABILITIES = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
_TYPES = (
    "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder"
)
_ATTACK = re.compile(r"(Melee|Ranged|Melee or Ranged) (Weapon|Spell) Attack: \+(\d+) to hit")
_REACH = re.compile(r"reach (\d+) ?(?:ft|feet)")
_RANGE = re.compile(r"range (\d+)(?:/(\d+))? ?(?:ft|feet)")
_DAMAGE = re.compile(rf"(?:\d+ \((\d+d\d+(?: ?[+−-] ?\d+)?)\)|\b(\d+)) ({_TYPES}) damage")
_SAVE = re.compile(
    rf"DC (\d+) ({'|'.join(ABILITIES)}) saving throw|"
    rf"({'|'.join(ABILITIES)}) saving throw(?: with a)? \(?DC (\d+)|DC (\d+) ({'|'.join(ABILITIES)}) save",
    re.IGNORECASE,
)
_HALF = re.compile(r"half as much damage|half the damage|half damage", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"damage,? (?:or|if used with two hands)[ ,(]|, or \d+ \(\d+d\d+", re.IGNORECASE)


@dataclass(frozen=True)
class Told:
    """What the sentences of one action say."""

    kind: str
    """`melee`, `ranged`, `either`, or empty where it is no attack."""
    by: str
    """`weapon`, `spell` or empty."""
    attack: int | None
    reach_ft: int | None
    range_ft: tuple[int, int | None] | None
    damage: tuple[tuple[str, str], ...]
    """Dice (`1d6+2`, or a plain number) and type, as they stand, on a hit or a failed save."""
    save: tuple[int, str] | None
    """DC and ability id of the first saving throw."""
    half: bool


def read_action(text: str) -> Told:
    """Read the sentences of one action."""
    attack = _ATTACK.search(text)
    reach, ranged = _REACH.search(text), _RANGE.search(text)
    kind = {"Melee": "melee", "Ranged": "ranged", "Melee or Ranged": "either"}[attack[1]] if attack else ""
    far = int(ranged[2]) if ranged and ranged[2] else None
    return Told(
        kind=kind,
        by=attack[2].lower() if attack else "",
        attack=int(attack[3]) if attack else None,
        reach_ft=int(reach[1]) if attack and reach else None,
        range_ft=(int(ranged[1]), far) if attack and ranged else None,
        damage=read_damage(text),
        save=read_save(text),
        half=bool(_HALF.search(text)),
    )


def read_damage(text: str) -> tuple[tuple[str, str], ...]:
    """Return dice and type of every amount of damage, in order."""
    return tuple((plain(m[1] or m[2]), m[3]) for m in _DAMAGE.finditer(text))


def read_save(text: str) -> tuple[int, str] | None:
    """Return DC and ability of the first saving throw."""
    match = _SAVE.search(text)
    if match is None:
        return None
    dc = match[1] or match[4] or match[5]
    return int(dc), ABILITIES[(match[2] or match[3] or match[6]).lower()]


def plain(dice: str) -> str:
    """Return dice without spaces and with an ASCII minus (`1d6 + 2` → `1d6+2`)."""
    return dice.replace(" ", "").replace("−", "-")
