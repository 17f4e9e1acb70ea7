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
TYPES = "acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder"
_ATTACK = re.compile(r"(Melee|Ranged|Melee or Ranged) (Weapon|Spell) Attack: \+(\d+) to hit")
_REACH = re.compile(r"reach (\d+) ?(?:ft|feet)")
_RANGE = re.compile(r"range (\d+)(?:/(\d+))? ?(?:ft|feet)")
_DAMAGE = re.compile(rf"(?:\d+ \((\d+d\d+(?: ?[+−–-] ?\d+)?)\)|\b(\d+)) ({TYPES}) damage")
_SAVE = re.compile(
    rf"DC (\d+) ({'|'.join(ABILITIES)}) saving throw|"
    rf"({'|'.join(ABILITIES)}) saving throw(?: with a)? \(?DC (\d+)|DC (\d+) ({'|'.join(ABILITIES)}) save",
    re.IGNORECASE,
)
_HALF = re.compile(r"half (?:as much|the)(?: [a-z]+)? damage|half damage", re.IGNORECASE)


_LATER = re.compile(r"[^.]{0,60}(?:at the (?:start|end) of|each time|whenever)")
"""What follows an amount that is not taken at once."""

Amounts = tuple[tuple[str, str], ...]
"""Dice (`1d6+2`, or a plain number) and damage type."""


@dataclass(frozen=True)
class Told:
    """What the sentences of one action say."""

    kind: str = ""
    """`melee`, `ranged`, `either`, or empty where it is no attack."""
    by: str = ""
    """`weapon`, `spell` or empty."""
    attack: int | None = None
    reach_ft: int | None = None
    range_ft: tuple[int, int | None] | None = None
    damage: Amounts = ()
    """On a hit, or without any roll."""
    instead: Amounts = ()
    """The first alternative to it (in two hands, a swarm that is halved)."""
    save: tuple[int, str] | None = None
    """DC and ability id of the first saving throw."""
    half: bool = False
    save_damage: Amounts = ()
    """On a failed save."""


def read_action(text: str) -> Told:
    """Read the sentences of one action."""
    attack = _ATTACK.search(text)
    reach, ranged = _REACH.search(text), _RANGE.search(text)
    kind = {"Melee": "melee", "Ranged": "ranged", "Melee or Ranged": "either"}[attack[1]] if attack else ""
    far = int(ranged[2]) if ranged and ranged[2] else None
    save = _SAVE.search(text)
    before, after = (text[: save.start()], text[save.end() :]) if save else (text, "")
    damage, instead = _read_damage(before, (" plus ",))
    return Told(
        kind=kind,
        by=attack[2].lower() if attack else "",
        attack=int(attack[3]) if attack else None,
        reach_ft=int(reach[1]) if attack and reach else None,
        range_ft=(int(ranged[1]), far) if attack and ranged else None,
        damage=damage,
        instead=instead,
        save=_save(save),
        half=bool(save and _HALF.search(text)),
        save_damage=_read_damage(after, (" plus ", " and "))[0],
    )


def all_damage(text: str) -> Amounts:
    """Return every amount of damage of a text, in order."""
    return tuple(_amount(m) for m in _DAMAGE.finditer(text))


def _read_damage(text: str, joins: tuple[str, ...]) -> tuple[Amounts, Amounts]:
    """Return the first amounts that belong together, and the first alternative to them."""
    main: list[tuple[str, str]] = []
    instead: list[tuple[str, str]] = []
    end = 0
    for match in _DAMAGE.finditer(text):
        if _LATER.match(text, match.end()):
            continue
        gap = text[end : match.start()]
        if not main or gap.endswith(joins):
            main.append(_amount(match))
        elif not instead and gap.startswith((", ", " or ")):
            instead.append(_amount(match))
        end = match.end()
    return tuple(main), tuple(instead)


def _amount(match: re.Match[str]) -> tuple[str, str]:
    return plain(match[1] or match[2]), match[3]


def _save(match: re.Match[str] | None) -> tuple[int, str] | None:
    if match is None:
        return None
    dc = match[1] or match[4] or match[5]
    return int(dc), ABILITIES[(match[2] or match[3] or match[6]).lower()]


def plain(dice: str) -> str:
    """Return dice without spaces and with an ASCII minus (`1d6 + 2` → `1d6+2`)."""
    return dice.replace(" ", "").replace("−", "-").replace("–", "-")
