"""Distances, areas, heights, falls and durations."""

from typing import NamedTuple, cast

from rules.claims.grammar.base import Match
from rules.claims.lexicon import Meaning
from rules.claims.model import Claim, Distance, Duration, Fall, Shape
from rules.claims.stream import Stream

HALF = 0.5
_RANGE = ("dash", "/", "to_range")


class Amount(NamedTuple):
    """A number or a range before a unit."""

    value: float
    low: float | None
    square: bool
    unit_at: int
    weak: bool
    """It may be an article."""


def _unit(s: Stream, i: int) -> Meaning | None:
    unit = s.get(i, "unit")
    return unit if unit is not None and unit.id is not None else None


def read_amount(s: Stream, i: int) -> Amount | None:
    """Read the number or range that begins at item `i` and the unit after it; `metro y medio` has one."""
    value = s.numbers.get(i)
    meaning = s.get(i, "number")
    if value is None or meaning is None:
        return Amount(1, None, False, i, True) if s.has(i + 1, "and_half") and _unit(s, i) else None
    weak = meaning.id == "weak" or (meaning.id == "word" and value <= 2)
    if _unit(s, i + 1) is not None:
        return Amount(value, None, False, i + 1, weak and not s.has(i + 2, "and_half"))
    if s.has(i + 1, "and_half") and _unit(s, i + 2) is not None:
        return Amount(value + HALF, None, False, i + 2, False)
    if s.has(i + 1, "by_size") and i + 2 in s.numbers and _unit(s, i + 3) is not None:
        return Amount(max(value, s.numbers[i + 2]), None, True, i + 3, False)
    if s.any(i + 1, _RANGE) and i + 2 in s.numbers and meaning.id != "weak":
        other = s.numbers[i + 2]
        if _unit(s, i + 3) is not None and other != value:
            return Amount(max(value, other), min(value, other), False, i + 3, False)
    return None


def read_measure(s: Stream, i: int) -> Match | None:
    """Read from a number or a unit: `3 metros`, `6x6 metros`, `30-foot radius`, `metro y medio`."""
    amount = read_amount(s, i)
    return _measure(s, i, amount) if amount is not None else None


def read_half(s: Stream, i: int) -> Match | None:
    """Read from the word for half: `medio metro`, `half a mile`."""
    j = s.skip(i + 1, ("article",), 1)
    if _unit(s, j) is None:
        return None
    return _measure(s, i, Amount(HALF, None, False, j, False))


def _measure(s: Stream, i: int, amount: Amount) -> Match | None:
    meaning = _unit(s, amount.unit_at)
    if meaning is None or meaning.id is None:
        return None
    unit = s.lexicon.ruleset.units[meaning.id]
    if unit.metres is not None:
        return _distance(s, i, amount, meaning, unit.metres)
    if unit.seconds is not None:
        return _duration(s, i, amount, meaning, unit.seconds)
    return None


def _with_half(s: Stream, amount: Amount) -> tuple[float, int]:
    """Return the value, and a half more where `y medio` follows, with the index after it."""
    after = amount.unit_at + 1
    return (amount.value + HALF, after + 1) if s.has(after, "and_half") else (amount.value, after)


def _shape(s: Stream, i: int, after: int, square: bool) -> tuple[Shape, int, bool]:
    """Return what a length measures, the index after its words, and whether the text says it."""
    if (meaning := s.get(after, "shape_after")) is not None:
        return cast("Shape", meaning.id), after + 1, True
    k = s.skip(i - 1, ("of", "article", "linking_is", ":"), 0)
    for back in range(3):
        before = s.get(k - back, "shape_before")
        if before is not None:
            return cast("Shape", before.id), after, True
        if not s.any(k - back, ("of", "article", "linking_is", ":", "amount_glue")):
            break
    return ("square", after, True) if square else ("distance", after, False)


def _distance(s: Stream, i: int, amount: Amount, unit: Meaning, metres: float) -> Match | None:
    value, after = _with_half(s, amount)
    shape, end, told = _shape(s, i, after, amount.square)
    # `un pie`, `a foot`, `dos pies`: a limb until the text says what is measured.
    if amount.weak and unit.everyday and not told:
        return None
    if s.has(after, "unit") and not s.has(after, "shape_after"):
        return None  # `30 square feet` measures no length
    claim = Distance(
        **s.place(i, end),
        metres=round(value * metres, 4),
        low=None if amount.low is None else round(amount.low * metres, 4),
        value=value,
        unit=unit.id or "",
        unit_text=s.written(amount.unit_at),
        shape=shape,
        converted=_is_converted(s, i, end),
    )
    found: list[Claim] = [claim]
    fall = s.skip(end, ("of", "article"), 2)
    if s.has(fall, "fall_verb") and (fall == end or s.has(end, "of")):
        found.append(Fall(**s.place(i, fall + 1), metres=claim.metres))
        end = fall + 1
    return Match(tuple(found), end)


def _is_converted(s: Stream, i: int, end: int) -> bool:
    """Tell whether the distance only repeats, in brackets, the one before it in another unit."""
    if not (s.any(i - 1, ("(", "[")) and s.any(end, (")", "]"))):
        return False
    before = s.get(i - 2, "unit") or (s.has(i - 2, "shape_after") and s.get(i - 3, "unit")) or None
    after = s.find(i, end - i, ("unit",), ())
    return bool(before) and after is not None and s.tags[after]["unit"].id != (before and before.id)


def _duration(s: Stream, i: int, amount: Amount, unit: Meaning, seconds: float) -> Match | None:
    value, after = _with_half(s, amount)
    timed = s.any(i - 1, ("during", "every", "until"))
    # `un segundo guardia`, `a round table`: an article and an adjective.
    if amount.weak and unit.everyday and s.is_word(after) and not timed:
        return None
    claim = Duration(
        **s.place(i, after),
        value=value,
        low=amount.low,
        unit=unit.id or "",
        seconds=value * seconds,
        every=s.has(i - 1, "every"),
    )
    return Match((claim,), after)


def read_until(s: Stream, i: int) -> Match | None:
    """Read from the word for until: `hasta el final de su siguiente turno`."""
    k = s.find(i + 1, 8, ("unit",), ("end", ",", "number"))
    unit = _unit(s, k) if k is not None else None
    if k is None or unit is None or s.lexicon.ruleset.units[unit.id or ""].seconds is None:
        return None
    return Match((Duration(**s.place(i, k + 1), unit=unit.id or "", until=True),), k + 1)


def read_fall(s: Stream, i: int) -> Match | None:
    """Read from a verb or noun of falling: `cae 10 metros`, `caída de 30 pies`, `cae al vacío`."""
    j = s.skip(i + 1, ("fall_glue",), 5)
    amount = read_amount(s, j)
    if amount is not None and (found := _measure(s, j, amount)) is not None:
        claim = found.claims[0]
        if isinstance(claim, Distance):
            fall = Fall(**s.place(i, found.after), metres=claim.metres)
            return Match((fall, *found.claims), found.after)
    void = s.find(i + 1, 4, ("into_void",))
    return Match((Fall(**s.place(i, void + 1)),), void + 1) if void is not None else None
