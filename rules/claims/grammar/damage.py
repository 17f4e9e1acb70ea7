"""Dice and damage."""

from rules.claims.grammar.base import Match
from rules.claims.grammar.figures import hit_points, number_at
from rules.claims.lexicon import Meaning
from rules.claims.model import Claim, Damage, Dice, Duration, Named, Roll
from rules.claims.stream import Stream

MOST_TYPES = 3
_ROLLED = ("t.dc", "check", "t.saving_throw", "t.ability_check", "(")
"""What stands after an ability that is rolled, and is no type of damage."""
_FILL = ("of", "damage_filler")
_GOES_ON = ("on", "if", "linking_is", "until", "during")
"""Small words with which a sentence goes on after a damage type."""

_MOST_TO_HARM = 3
_TO_HARM = ("article", "during", "damage_by", "glue", "amount_glue")
"""Small words between a verb of harm and its dice."""
_HARMED = ("end", ",", ")", "to", "on", "glue", "and", "or", "but", "if", "change_to", "every", "article")
"""What may stand after bare dice of harm; a noun there would be what they count."""


def _type_at(s: Stream, i: int) -> tuple[Named, int] | None:
    """Return the damage type at item `i`, the small words before it skipped."""
    j = s.skip(i, ("damage_by",), 2)
    meaning = s.get(j, "damage_type")
    if s.has(j, "ability") and s.any(j + 1, _ROLLED):
        return None  # `2d4 de daño perforante, y Fuerza CD 11`
    return (s.named(j, meaning), j + 1) if meaning is not None else None


def _types(s: Stream, i: int) -> tuple[tuple[Named, ...], int]:
    """Read damage types from item `i`: `de fuego`, `cortante o perforante`."""
    found: list[Named] = []
    after = i
    while len(found) < MOST_TYPES and (read := _type_at(s, i)) is not None:
        found.append(read[0])
        after = read[1]
        if not s.any(after, ("or", "and", "/", ",")):
            break
        i = s.skip(after, (",", "or", "and", "/"), 2)
    return tuple(found), after


def _types_after(s: Stream, i: int) -> tuple[tuple[Named, ...], int]:
    """Read the types after the word for damage; an unknown word in their place counts as a type."""
    types, after = _types(s, i)
    if types:
        return types, after
    j = s.skip(i, ("damage_by",), 2)
    ends = s.any(j + 1, ("end", ",", ")", "or", "and", "(")) or j + 1 >= len(s.tags)
    joined = j == i + 1 and s.any(j + 1, _GOES_ON)  # `daño por corrosión a quien lo toque`
    if s.is_plain(j) and (ends or joined) and s.near(s.ends[i - 1], i) and _looks_like_type(s, i, j):
        return (s.named(j, Meaning(None, "unknown")),), j + 1
    return (), i


def _looks_like_type(s: Stream, i: int, j: int) -> bool:
    """Tell whether the plain word at item `j` may be meant as a type: small letters, no small word."""
    return not s.is_capital(j) and len(s.written(j)) > 3


def damage_tail(s: Stream, i: int) -> tuple[tuple[Named, ...], int] | None:
    """Read what makes the amount before item `i` damage: `de daño de fuego`, `fire damage`, `perforante`."""
    j = s.skip(i, _FILL, 3)
    if s.has(j, "t.damage"):
        return _types_after(s, j + 1)
    if s.has(j, "fall_verb") and s.has(j + 1, "t.damage"):
        return (), j + 2  # `1d6 falling damage`
    types, after = _types(s, j)
    if types and s.has(after, "t.damage"):
        return types, after + 1
    if types and s.has(j, "damage_type") and all(t.status != "wrong" for t in types):
        return types, after
    return _unknown_type_before(s, j)


def _unknown_type_before(s: Stream, j: int) -> tuple[tuple[Named, ...], int] | None:
    """Read `holy damage`: a word that is no type, in small letters, before the word for damage."""
    if s.is_plain(j) and s.has(j + 1, "t.damage") and not s.is_capital(j):
        return (s.named(j, Meaning(None, "unknown")),), j + 2
    return None


def read_dice(s: Stream, i: int) -> Match | None:
    """Read from dice: damage, hit points, a duration, or a plain roll."""
    dice = s.dice.get(i)
    if dice is None:
        return None
    if s.has(i + 1, "sign") and i + 2 in s.dice:
        return _sum(s, i, dice, s.dice[i + 2])
    tail = damage_tail(s, i + 1)
    if tail is not None:
        return Match((Damage(**s.place(i, tail[1]), dice=dice, types=tail[0]),), tail[1])
    j = s.skip(i + 1, _FILL, 2)
    if (found := hit_points(s, i, j + 1, j, None, dice)) is not None:
        return found
    unit = s.get(j, "unit")
    if unit is not None and unit.id is not None and s.lexicon.ruleset.units[unit.id].seconds is not None:
        return Match((Duration(**s.place(i, j + 1), dice=dice, unit=unit.id),), j + 1)
    if _is_harm(s, i):
        return Match((Damage(**s.place(i, i + 1), dice=dice),), i + 1)
    return Match((Roll(**s.place(i, i + 1), dice=dice),), i + 1)


def _is_harm(s: Stream, i: int) -> bool:
    """Tell whether a verb of harm makes bare dice damage: `the oil burns for 2d8`, `causa 4d6 a quien`."""
    j = i - 1
    while j > i - 1 - _MOST_TO_HARM and s.any(j, _TO_HARM):
        j -= 1
    return s.has(j, "harm") and (i + 1 >= len(s.tags) or s.any(i + 1, _HARMED))


def _sum(s: Stream, i: int, first: Dice, second: Dice) -> Match:
    """Read `1d8 + 1d6 de daño de fuego`: each part is damage of the same types."""
    tail = damage_tail(s, i + 3)
    if tail is None:
        rolls: tuple[Claim, ...] = (
            Roll(**s.place(i, i + 1), dice=first),
            Roll(**s.place(i + 2, i + 3), dice=second),
        )
        return Match(rolls, i + 3)
    types, after = tail
    parts = (
        Damage(**s.place(i, i + 1), dice=first, types=types),
        Damage(**s.place(i + 2, after), dice=second, types=types),
    )
    return Match(parts, after)


def read_average(s: Stream, i: int) -> Match | None:
    """Read from a number that counts damage: `7 (2d6) fire damage`, `10 puntos de daño`."""
    amount = number_at(s, i)
    if amount is None:
        return None
    if s.any(i + 1, ("(", "[")) and i + 2 in s.dice and s.any(i + 3, (")", "]")):
        tail = damage_tail(s, i + 4)
        if tail is not None:
            claim = Damage(**s.place(i, tail[1]), dice=s.dice[i + 2], amount=amount, types=tail[0])
            return Match((claim,), tail[1])
    return _flat(s, i, amount)


def _flat(s: Stream, i: int, amount: int) -> Match | None:
    j = s.skip(i + 1, _FILL, 3)
    if s.has(j, "t.damage"):
        types, after = _types_after(s, j + 1)
        return _with_dice(s, i, after, amount, types)
    types, after = _types(s, j)
    if types and s.has(after, "t.damage"):
        return _with_dice(s, i, after + 1, amount, types)
    return None


def _with_dice(s: Stream, i: int, after: int, amount: int, types: tuple[Named, ...]) -> Match:
    """Make the claim of a flat amount, with the dice that may follow it in brackets."""
    dice = s.dice.get(after + 1) if s.has(after, "(") and s.has(after + 2, ")") else None
    end = after + 3 if dice else after
    return Match((Damage(**s.place(i, end), dice=dice, amount=amount, types=types),), end)


def read_damage_word(s: Stream, i: int) -> Match | None:
    """Read from the word for damage what stands after it: `daño de fuego (2d6)`, `daño: 3d6 cortante`."""
    types, j = _types(s, s.skip(i + 1, ("linking_is",), 1))
    k = s.skip(j, ("(", ":", "of", "=", "glue", "linking_is"), 3)
    k = k + 1 if types and s.has(k, ",") and k + 1 in s.dice else k  # `el daño es perforante, 3d10 si falla`
    dice = s.dice.get(k)
    if dice is None:
        return None
    after = k + 1
    if not types:
        types, after = _types(s, k + 1)
    closes = s.has(after, ")") and any(s.has(n, "(") for n in range(j, k))
    end = after + 1 if closes else after
    return Match((Damage(**s.place(i, end), dice=dice, types=types),), end)
