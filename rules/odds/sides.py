"""A side of a duel as people write it: `hp=12 ac=18 attack=+5 damage=1d8+3 attacks=2`, in either language."""

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
from rules.odds.errors import OddsError
from rules.odds.parser import parse

_KEY = re.compile(r"([^\W\d]\w*)\s*=")
_INTEGER = re.compile(r"[+-]?\d{1,6}")
_MINUS = str.maketrans({"−": "-", "–": "-", "＋": "+"})
NEEDED = ("hp", "ac", "attack", "damage")


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
        OddsError: a key is unknown, missing or given twice, or a value cannot be used; the place is told.
    """
    if len(text) > LONGEST:
        raise OddsError("too_long", most=LONGEST)
    values = _values(text)
    missing = [key for key in NEEDED if key not in values]
    if missing:
        raise OddsError("missing_key", keys=", ".join(missing))
    side = Combatant(
        hp=_number(values, "hp", 0),
        ac=_number(values, "ac", 0),
        attack=_attack(values),
        attacks=_number(values, "attacks", 1),
        initiative=_number(values, "initiative", 0),
        takes=cast(Takes, _word(values, "takes", named("takes"), "normal")),
        opening=tuple(_opening(values)),
        name=values["name"].text if "name" in values else name,
    )
    check_sides(side)
    return side


def _values(text: str) -> dict[str, _Value]:
    keys = list(_KEY.finditer(text))
    if not keys or text[: keys[0].start()].strip(" ,;"):
        raise OddsError("no_pairs", found=text[: keys[0].start()] if keys else text)
    found: dict[str, _Value] = {}
    ends = [key.start() for key in keys[1:]] + [len(text)]
    for key, end in zip(keys, ends, strict=True):
        name = _canonical(key.group(1), key.start() + 1)
        if name in found:
            raise OddsError("repeated_key", found=key.group(1), column=key.start() + 1)
        begin = key.end() + len(text[key.end() : end]) - len(text[key.end() : end].lstrip())
        found[name] = _Value(key.group(1), text[begin:end].rstrip(" \t\r\n,;"), begin + 1)
    return found


def _canonical(word: str, column: int) -> str:
    known = named("side")
    folded = fold_word(word)
    if folded not in known:
        near = get_close_matches(folded, known, n=1, cutoff=0.5)
        raise OddsError("unknown_key", found=word, near=near[0] if near else ", ".join(NEEDED), column=column)
    return known[folded]


def integer(text: str) -> int | None:
    """Return a written whole number (`+5`, `−1`), or None where it is none or has more than six digits."""
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


def _attack(values: Mapping[str, _Value]) -> Attack:
    modes = {
        w: mode for mode in ("advantage", "disadvantage") for w, kinds in roles().items() if mode in kinds
    }
    return Attack(
        bonus=_number(values, "attack", 0),
        damage=_roll(values["damage"]),
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
