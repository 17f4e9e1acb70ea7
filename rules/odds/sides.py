"""A side of a duel as people write it, in either language.

`hp=12 ac=18 attack=+5 damage=1d8+3 attacks=2`, or a creature of the SRD with what is other than its block:
`thug`, `matón pg=40`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import cast

from rules.folding import fold_word
from rules.odds.attacks import NO_DICE, Attack, Takes
from rules.odds.checks import FACES, RollMode
from rules.odds.combatants import Combatant, check_sides
from rules.odds.dice import Roll
from rules.odds.dice_tokens import LONGEST
from rules.odds.dice_words import named, roles
from rules.odds.errors import OddsError, shown
from rules.odds.parser import parse

_KEY = re.compile(r"([^\W\d]\w*)\s*=")
_INTEGER = re.compile(r"[+-]?\d{1,9}")
_MINUS = str.maketrans({"−": "-", "–": "-", "＋": "+"})
NEEDED = ("hp", "ac", "attack", "damage")
_NOBODY = Combatant(0, 0, Attack(0, NO_DICE))


@dataclass(frozen=True, slots=True)
class _Value:
    """What stands behind a key."""

    key: str
    """As it was written."""
    text: str
    column: int
    """Where it begins, from 1."""


def parse_side(text: str, name: str = "") -> Combatant:
    """Return the combatant that a text describes.

    Raises:
        OddsError: a creature or key is unknown, a key missing or given twice, or a value cannot be used.
    """
    if len(text) > LONGEST:
        raise OddsError("too_long", most=LONGEST)
    lead, values = _values(text)
    base = _creature(lead) if lead else _NOBODY
    missing = [key for key in NEEDED if key not in values and not lead]
    if missing:
        raise OddsError("missing_key", keys=", ".join(missing))
    if base.attacks == 0 and not {"attack", "damage"} <= values.keys():
        raise OddsError("no_attack", found=lead)
    other_attacks = {"attack", "damage", "attacks"} & values.keys()
    side = Combatant(
        hp=_number(values, "hp", base.hp),
        ac=_number(values, "ac", base.ac),
        attack=_attack(values, base.attack),
        attacks=_number(values, "attacks", base.attacks or 1),
        initiative=_number(values, "initiative", base.initiative),
        takes=cast(Takes, _word(values, "takes", named("takes"), "normal")),
        also=() if other_attacks else tuple(_attack(values, attack) for attack in base.also),
        opening=tuple(_opening(values)),
        used=() if other_attacks else base.used,
        does_more=base.does_more and not other_attacks,
        name=shown(values["name"].text if "name" in values else base.name or name),
    )
    check_sides(side)
    return side


def _creature(name: str) -> Combatant:
    from rules.odds.creatures import creature_side  # here: it loads the ruleset

    return creature_side(name)


def _values(text: str) -> tuple[str, dict[str, _Value]]:
    """Return what stands before the first key, and the values by their keys."""
    keys = list(_KEY.finditer(text))
    lead = (text[: keys[0].start()] if keys else text).strip(" \t\r\n,;")
    if not keys and not lead:
        raise OddsError("no_pairs")
    found: dict[str, _Value] = {}
    ends = [key.start() for key in keys[1:]] + [len(text)]
    for key, end in zip(keys, ends, strict=len(keys) > 0):
        name = _canonical(key.group(1), key.start() + 1)
        if name in found:
            raise OddsError("repeated_key", found=key.group(1), column=key.start() + 1)
        begin = key.end() + len(text[key.end() : end]) - len(text[key.end() : end].lstrip())
        found[name] = _Value(key.group(1), text[begin:end].rstrip(" \t\r\n,;"), begin + 1)
    return lead, found


def _canonical(word: str, column: int) -> str:
    known = named("side")
    folded = fold_word(word)
    if folded not in known:
        near = get_close_matches(folded, known, n=1, cutoff=0.5)
        raise OddsError("unknown_key", found=word, near=near[0] if near else ", ".join(NEEDED), column=column)
    return known[folded]


def integer(text: str) -> int | None:
    """Return a written whole number (`+5`, `−1`), or None where it is none or has more than nine digits."""
    clean = text.strip().translate(_MINUS)
    return int(clean) if _INTEGER.fullmatch(clean) else None


def _number(values: Mapping[str, _Value], key: str, default: int) -> int:
    if key not in values:
        return default
    value = values[key]
    number = integer(value.text)
    if number is None:
        raise OddsError("bad_number", key=value.key, found=value.text, column=value.column)
    return number


def _word(values: Mapping[str, _Value], key: str, known: Mapping[str, str], default: str) -> str:
    if key not in values:
        return default
    value = values[key]
    word = known.get(fold_word(value.text))
    if word is None:
        raise OddsError(
            "bad_word", key=value.key, found=value.text, words=", ".join(known), column=value.column
        )
    return word


def _attack(values: Mapping[str, _Value], base: Attack) -> Attack:
    modes = {
        w: mode for mode in ("advantage", "disadvantage") for w, kinds in roles().items() if mode in kinds
    }
    return Attack(
        bonus=_number(values, "attack", base.bonus),
        damage=_roll(values["damage"]) if "damage" in values else base.damage,
        mode=cast(RollMode, _word(values, "roll", {**modes, "normal": "normal"}, "normal")),
        critical_from=_number(values, "critical", FACES),
        dice=_roll(values["dice"]) if "dice" in values else NO_DICE,
    )


def _roll(value: _Value) -> Roll:
    try:
        return parse(value.text)
    except OddsError as error:
        column = error.values.get("column")
        if isinstance(column, int):
            error.values["column"] = column + value.column - 1
        raise


def _opening(values: Mapping[str, _Value]) -> Iterator[Roll]:
    if "opening" in values:
        whole = values["opening"]
        column = whole.column
        for part in whole.text.split(","):
            yield _roll(_Value(whole.key, part, column))
            column += len(part) + 1
