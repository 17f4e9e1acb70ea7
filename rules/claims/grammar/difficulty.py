"""DCs: their number, the lower ones on a condition, and how they change."""

from typing import NamedTuple

from rules.claims.grammar.base import Match, whole
from rules.claims.model import BareDC, DCChange, Difficulty
from rules.claims.stream import Stream

MOST_CONDITION = 24
"""Items that the condition of a lower DC may have."""
MOST_BETWEEN = 12
"""Items between a check and its DC in the same sentence."""
MOST_VALUES = 6
LARGEST_DC = 60
_OF = ("of", ":", "=", "article", "linking_is")
_OPENERS = ("(", "[", ",", ":", "dash", "glue", "|")
_BARRIERS = (
    "end",
    "skill",
    "ability",
    "check",
    "t.saving_throw",
    "dice",
    "t.ac",
    "t.hp",
    "t.attack_roll",
    "(",
)


class Read(NamedTuple):
    """DCs, whether they are dealt out one to each option, and the index of the item after them."""

    dcs: tuple[Difficulty, ...]
    respectively: bool
    after: int


def dc_value(s: Stream, i: int) -> int | None:
    """Return the number at item `i` where it may be a DC, else None."""
    number = s.numbers.get(i)
    if number is None:
        return None
    value, meaning = whole(number), s.get(i, "number")
    if meaning is None or value is None or not 0 < value <= LARGEST_DC or meaning.id == "weak":
        return None
    return None if s.any(i + 1, ("unit", "points", "by_size")) else value


def _value_after(s: Stream, i: int) -> int | None:
    """Return the index of the number of the DC word at item `i`, or None where it has none."""
    word = s.get(i, "t.dc")
    if s.has(i, "headed"):  # the head of its column is the word for a DC
        return i if dc_value(s, i) is not None else None
    after = i + 2 if word is not None and word.short and s.has(i + 1, "stop") else i + 1  # `dif. 15`
    j = s.skip(after, (*_OF, "t.saving_throw"), 4)
    return j if dc_value(s, j) is not None else None


def _difficulty(s: Stream, i: int, condition: str = "") -> Difficulty:
    place = s.place(i, i + 1)
    return Difficulty(dc_value(s, i) or 0, place["start"], place["end"], condition)


def read_dcs(s: Stream, i: int) -> Read | None:
    """Read the DC word at item `i` with its number and the numbers that may follow it."""
    first = _value_after(s, i) if s.has(i, "t.dc") else None
    if first is None:
        return None
    dealt = _dealt(s, first)
    if dealt is not None:
        return dealt
    return read_lower(s, Read((_difficulty(s, first),), False, first + 1))


def one_row(s: Stream, i: int, k: int) -> bool:
    """Tell whether a DC at item `k` that a table's head names stands in the row of item `i`."""
    low, high = sorted((i, k))
    return not s.any(high if s.has(high, "headed") else low, ("headed",)) or (
        "\n" not in s.text[s.starts[low] : s.starts[high]]
    )


def read_lower(s: Stream, read: Read) -> Read:
    """Read the DCs on a condition that follow those already read, from the item after them."""
    dcs, after = list(read.dcs), read.after
    while len(dcs) < MOST_VALUES and (lower := _on_condition(s, after)) is not None:
        dcs.append(lower[0])
        after = lower[1]
    return Read(tuple(dcs), read.respectively, after)


def _dealt(s: Stream, first: int) -> Read | None:
    """Read `14, 15 y 16 respectivamente` or `14/16`, whose first number is item `first`."""
    found, j = [first], first + 1
    while len(found) < MOST_VALUES:
        k = s.skip(j, (",", "or", "and", "/", "t.dc", "dash"), 3)
        if k == j or s.has(j, "t.dc") or dc_value(s, k) is None:
            break
        found.append(k)
        j = k + 1
    told = s.has(s.skip(j, (",",), 1), "respectively")
    stroke = len(found) > 1 and all(s.any(k + 1, ("/", "dash")) for k in found[:-1])
    if not (told or stroke):
        return None
    after = s.skip(j, (",",), 1) + 1 if told else j
    return Read(tuple(_difficulty(s, k) for k in found), told or s.has(first + 1, "/"), after)


def _on_condition(s: Stream, i: int) -> tuple[Difficulty, int] | None:
    """Read `, o CD 12 si …` or `(12 si …)` from item `i`."""
    j = s.skip(i, (",", "(", "but"), 2)
    with_or = s.any(j, ("or", "but"))
    j = s.skip(j, ("or", "and", "but"), 1)
    j = s.skip(j, ("article", "of", "only"), 2)
    with_word = s.has(j, "t.dc")
    if with_word:
        j = s.skip(j + 1, _OF, 3)
    if j == i or dc_value(s, j) is None or not (with_word or with_or or s.has(i, "(")):
        return None
    if not s.has(j + 1, "if") or s.any(s.skip(j + 1, ("of", "article", "if"), 3), ("skill", "ability")):
        return None
    end = j + 1
    while end < min(j + MOST_CONDITION, len(s.tags)) and not s.any(end, ("end", ")", "]", ",", "t.dc")):
        end += 1
    while s.any(end - 1, ("or", "and", "but")):
        end -= 1
    return _difficulty(s, j, s.written(j + 1, end)), end


def read_tail(s: Stream, i: int, named: bool) -> Read | None:
    """Read the DC that follows a check or save which ends before item `i`.

    With `named` (a word such as `prueba` stands before) words may lie between, and one full stop.
    """
    j = s.skip(i, _OPENERS, 5)
    if named and s.has(j, "stop") and s.has(j + 1, "t.dc"):
        j += 1
    if not s.has(j, "t.dc") and named:
        far = s.find(j, MOST_BETWEEN, ("t.dc",), _BARRIERS)
        if far is None and (bracket := s.find(j, MOST_BETWEEN, ("(",), _BARRIERS[:-1])) is not None:
            far = bracket + 1
        j = j if far is None else far
    read = read_dcs(s, j)
    if read is None or not one_row(s, i - 1, j):
        return None
    opened = any(s.any(k, ("(", "[")) for k in range(i, j))
    closes = opened and s.any(read.after, (")", "]"))
    return Read(read.dcs, read.respectively, read.after + 1) if closes else read


def read_bare(s: Stream, i: int, read: Read) -> Match:
    """Return the DC read at item `i` as one that belongs to no check: `(CD 15)`, `CD 13 para escapar`."""
    escape = s.find(read.after, 5, ("escape",)) is not None or s.find_back(i, 6, ("escape",)) is not None
    place = s.place(i, read.after)
    return Match((BareDC(**place, dcs=read.dcs, escape=escape),), read.after)


def read_change(s: Stream, i: int) -> Match | None:
    """Read a change of the DC whose word is item `i`: `la CD baja 2`, `reduce la CD a 12 o 10`."""
    verb = s.find(i + 1, 8, ("lower", "raise", "become"), ("end", ",", "skill", "number"))
    if verb is not None:
        return _change(s, i, verb, verb + 1)
    verb = s.find_back(i, 5, ("lower", "raise", "become"))
    if verb is None:
        return None
    before = _numbers(s, verb + 1)
    if before is not None and before[2] <= i:
        return _change(s, verb, verb, verb + 1, i + 1)
    after = s.find(i + 1, 7, ("change_by", "change_to", "number"), ("end", ",", "skill"))
    return None if after is None else _change(s, verb, verb, after)


def _numbers(s: Stream, i: int) -> tuple[list[int], bool, int] | None:
    """Read numbers from item `i`: the values, whether they are new values, and the item after them."""
    j = s.skip(i, ("change_by", "change_to", "article", "linking_is"), 4)
    to = any(s.has(k, "change_to") for k in range(i, j))
    values: list[int] = []
    while len(values) < MOST_VALUES and j in s.numbers and s.has(j, "number"):
        value = whole(s.numbers[j])
        if value is None or s.has(j + 1, "unit"):
            break
        values.append(value)
        nxt = s.skip(j + 1, (",", "or", "and", "/"), 2)
        if nxt == j + 1 or nxt not in s.numbers:
            j += 1
            break
        j = nxt
    return (values, to, j) if values else None


def _change(s: Stream, start: int, verb: int, i: int, least: int = 0) -> Match | None:
    read = _numbers(s, i)
    if read is None:
        return None
    values, to, after = read
    if s.has(s.skip(after, (",",), 1), "respectively"):
        after = s.skip(after, (",",), 1) + 1
    after = max(s.skip(after, ("points",), 1), least)
    place = s.place(start, after)
    if to or s.has(verb, "become"):
        return Match((DCChange(**place, to=tuple(values)),), after)
    sign = -1 if s.has(verb, "lower") else 1
    return Match((DCChange(**place, by=sign * values[0]),), after)
