"""Armor Class, hit points and attack bonuses."""

from rules.claims.grammar.base import Match, whole
from rules.claims.grammar.difficulty import dc_value
from rules.claims.lexicon import Meaning
from rules.claims.model import ArmorBonus, ArmorClass, Attack, Change, DCChange, Dice, HitPoints
from rules.claims.stream import Stream

_OF = ("of", ":", "=", "article", "linking_is")
_MOST_OWNER = 8
"""Items of the name between a figure's word and its number (`la CA del Espectro del Peaje es 17`)."""
MOST_ARMOR = 40
"""Number above which nothing is taken as an Armor Class."""


def number_at(s: Stream, i: int) -> int | None:
    """Return the whole number at item `i`, articles aside, or None."""
    meaning = s.get(i, "number")
    if meaning is None or meaning.id == "weak" or i not in s.numbers:
        return None
    return whole(s.numbers[i])


def signed_at(s: Stream, i: int) -> int | None:
    """Return the signed number whose sign is item `i`, or None."""
    sign = s.get(i, "sign")
    value = number_at(s, i + 1)
    if sign is None or value is None:
        return None
    return -value if sign.id == "-" else value


def read_ac(s: Stream, i: int) -> Match | None:
    """Read from the word for Armor Class: `CA 15`, `AC of 13`, `CA +2`."""
    meaning = s.get(i, "t.ac")
    j = s.skip(i + 1, _OF, 2)
    if meaning is None:
        return None
    if (bonus := signed_at(s, j)) is not None:
        claim = ArmorBonus(**s.place(i, j + 2), value=bonus, term=s.named(i, meaning))
        return Match((claim,), j + 2)
    value = number_at(s, j)
    if value is None:
        j = _after_owner(s, i + 1)
        value = number_at(s, j)
    if value is None or not 0 < value <= MOST_ARMOR or s.has(j + 1, "unit"):
        return None
    return Match((ArmorClass(**s.place(i, j + 1), value=value, term=s.named(i, meaning)),), j + 1)


def _after_owner(s: Stream, i: int) -> int:
    """Return the item after `of the Ember Oracle is`, from item `i` on; `i` where nothing of the kind is."""
    is_at = s.find(i + 1, _MOST_OWNER, ("linking_is",), ("end", ",", "number", "(", "t.ac", "t.hp"))
    return is_at + 1 if is_at is not None and s.has(i, "of") else i


def read_signed(s: Stream, i: int) -> Match | None:
    """Read from a sign: `+2 a la CA`, `+5 a golpear`, `+2 a la CD`."""
    value = signed_at(s, i)
    # A minus between two numbers is a range.
    if value is None or (s.has(i, "dash") and s.has(i - 1, "number")):
        return None
    j = s.skip(i + 2, ("of", "article", "glue", "change_to", "change_by", "bonus_word"), 4)
    if (term := s.get(j, "t.ac")) is not None:
        return Match((ArmorBonus(**s.place(i, j + 1), value=value, term=s.named(j, term)),), j + 1)
    for k in (i + 2, j):
        if s.any(k, ("to_hit", "t.attack_roll")):
            return Match((Attack(**s.place(i, k + 1), bonus=value),), k + 1)
    if s.any(j, ("attack_word", "attack_label")) and j > i + 2:
        return Match((Attack(**s.place(i, j + 1), bonus=value),), j + 1)
    if s.has(j, "t.saving_throw") and j > i + 2:
        return Match((), j + 1)  # a bonus to saving throws asks for none
    if s.has(j, "t.dc") and not any(s.has(k, "versus") for k in range(i + 2, j)):
        return Match((DCChange(**s.place(i, j + 1), by=value),), j + 1)
    return None


def read_attack_label(s: Stream, i: int) -> Match | None:
    """Read from a label: `bonificador de ataque +5`, `Melee Weapon Attack: +4 to hit`."""
    j = s.skip(i + 1, _OF, 2)
    bonus = signed_at(s, j)
    if bonus is None:
        return None
    end = j + 3 if s.has(j + 2, "to_hit") else j + 2
    return Match((Attack(**s.place(i, end), bonus=bonus),), end)


def read_attack_roll(s: Stream, i: int) -> Match | None:
    """Read from the term for an attack roll, with its bonus where stated."""
    labelled = read_attack_label(s, i)
    return labelled or Match((Attack(**s.place(i, i + 1)),), i + 1)


def hit_point_term(s: Stream, i: int) -> Meaning | None:
    """Return the word for hit points, temporary or not, at item `i`."""
    return s.get(i, "t.hp") or s.get(i, "t.temp_hp")


def change_before(s: Stream, i: int) -> Change:
    """Tell from the words before item `i` whether hit points are gained or lost."""
    k = s.find_back(i, 3, ("gain", "lose"))
    if k is None:
        return ""
    return "gain" if s.has(k, "gain") else "lose"


def hit_points(
    s: Stream, i: int, end: int, term_at: int, value: int | None, dice: Dice | None
) -> Match | None:
    """Make the claim of hit points whose word is item `term_at`."""
    term = hit_point_term(s, term_at)
    if term is None:
        return None
    claim = HitPoints(
        **s.place(i, end),
        value=value,
        dice=dice,
        term=s.named(term_at, term),
        change=change_before(s, i),
        temporary=s.has(term_at, "t.temp_hp"),
    )
    return Match((claim,), end)


def read_hp(s: Stream, i: int) -> Match | None:
    """Read from the word for hit points: `PG 20`, `HP: 45 (6d8 + 18)`."""
    j = s.skip(i + 1, _OF, 2)
    value = number_at(s, j)
    if value is None:
        j = _after_owner(s, i + 1)
        value = number_at(s, j)
    if value is None or s.any(j + 1, ("unit", "t.ac", "t.damage")) or s.has(j - 1, "article"):
        return None
    if s.has(j + 1, "(") and j + 2 in s.dice and s.has(j + 3, ")"):
        return hit_points(s, i, j + 4, i, value, s.dice[j + 2])
    return hit_points(s, i, j + 1, i, value, None)


def read_number_of(s: Stream, i: int) -> Match | None:
    """Read from a number what counts hit points or is an Armor Class: `20 PG`, `15 de CA`."""
    value = number_at(s, i)
    if value is None:
        return None
    j = i + 1
    dice: Dice | None = None
    if s.has(j, "(") and j + 1 in s.dice and s.has(j + 2, ")"):
        dice, j = s.dice[j + 1], j + 3
    j = s.skip(j, ("of", "damage_filler"), 2)
    if hit_point_term(s, j) is not None:
        return hit_points(s, i, j + 1, j, value, dice)
    term = s.get(j, "t.ac")
    if term is not None and dice is None and dc_value(s, i) is not None and number_at(s, j + 1) is None:
        return Match((ArmorClass(**s.place(i, j + 1), value=value, term=s.named(j, term)),), j + 1)
    return None
