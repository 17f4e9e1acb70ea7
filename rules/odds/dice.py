"""Dice as values: what was written, what it is with twice the dice, and its exact distribution."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol, cast

from rules.odds.errors import OddsError
from rules.odds.spread import Spread, add, die, fixed, mapped, repeated, spread_of

MOST_DICE = 200
"""Dice that an expression rolls at most."""
MOST_SIDES = 1000
MOST_SUM = 5000
"""Dice times sides of one group, which bounds the work of a plain sum (some milliseconds)."""
MOST_POOL = 800
"""The same of all dice that are kept or dropped: half a second of work at most."""
MOST_RANGE = 20_000
"""How far the outcomes of an expression, and of each of its parts, lie apart at most."""

MOST_EXPLODED = 2000
"""The same of all dice that explode, by the most that each comes to: a third of a second."""
RAREST = 1_000_000
"""Once in so many times an exploding die would be rolled again that is not: the figures end somewhere."""


@dataclass(frozen=True, slots=True)
class Number:
    """A plain number."""

    value: int


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one kind, rolled together and added."""

    count: int
    sides: int
    keep: int | None = None
    """How many are kept; None: all."""
    highest: bool = True
    """Whether the highest ones are kept, or the lowest."""
    reroll: int = 0
    """Dice that show this or less are rolled again, once."""
    least: int = 0
    """Dice that show less count as this."""
    explodes: bool = False
    """Whether a die that shows its highest face is rolled again and added, each time that it does."""

    @property
    def again(self) -> int:
        """How often one is rolled again at most: as long as that comes once in a million or oftener."""
        times = 0
        while self.explodes and self.sides ** (times + 1) <= RAREST:
            times += 1
        return times

    @property
    def most(self) -> int:
        """The most that one of the dice comes to."""
        return self.sides * (1 + self.again)


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms that are added or subtracted."""

    parts: tuple[tuple[int, "Roll"], ...]
    """Each with its sign, 1 or -1."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A roll times a number, then divided by a number and rounded down."""

    roll: "Roll"
    factor: int = 1
    divisor: int = 1


Roll = Number | Dice | Sum | Scaled


def render(roll: Roll) -> str:
    """Return a roll as the parser reads it back: `2d20kh1 + 5`."""
    match roll:
        case Number(value):
            return str(value)
        case Dice():
            return _rendered_dice(roll)
        case Sum(parts):
            return _rendered_sum(parts)
        case Scaled(inner, factor, divisor):
            core = f"({render(inner)})" if isinstance(inner, Sum | Scaled) else render(inner)
            return core + (f" * {factor}" if factor != 1 else "") + (f" / {divisor}" if divisor != 1 else "")


def _rendered_dice(dice: Dice) -> str:
    keep = "" if dice.keep is None else f"k{'h' if dice.highest else 'l'}{dice.keep}"
    reroll = f"ro{dice.reroll}" if dice.reroll else ""
    least = f"mi{dice.least}" if dice.least else ""
    return f"{dice.count}d{dice.sides}{'!' if dice.explodes else ''}{reroll}{least}{keep}"


def _rendered_sum(parts: tuple[tuple[int, Roll], ...]) -> str:
    text = ""
    for sign, part in parts:
        shown = f"({render(part)})" if isinstance(part, Sum) else render(part)
        mark = "-" if sign < 0 else "+" if text else ""
        text += f" {mark} {shown}" if text else mark + shown
    return text


def doubled(roll: Roll) -> Roll:
    """Return a roll with twice its dice and the same numbers: the damage of a critical hit.

    Source: SRD 5.1, Damage and Healing: Critical Hits.
    """
    match roll:
        case Number():
            return roll
        case Dice(count=count, keep=keep):
            return replace(roll, count=2 * count, keep=None if keep is None else 2 * keep)
        case Sum(parts):
            return Sum(tuple((sign, doubled(part)) for sign, part in parts))
        case Scaled(inner):
            return replace(roll, roll=doubled(inner))


def dice_in(roll: Roll) -> tuple[Dice, ...]:
    """Return all dice of a roll in the order of writing."""
    match roll:
        case Number():
            return ()
        case Dice():
            return (roll,)
        case Sum(parts):
            return tuple(dice for _, part in parts for dice in dice_in(part))
        case Scaled(inner):
            return dice_in(inner)


@lru_cache(maxsize=1024)
def spread(roll: Roll) -> Spread:
    """Return the exact distribution of a roll.

    Raises:
        OddsError: too many dice, sides or different outcomes; nothing was computed.
    """
    check_size(roll)
    return _spread(roll)


def check_size(roll: Roll) -> None:
    """Refuse what would take long.

    Raises:
        OddsError: too many dice, sides or different outcomes.
    """
    found = dice_in(roll)
    if sum(dice.count for dice in found) > MOST_DICE:
        raise OddsError("too_many_dice", most=MOST_DICE)
    for dice in found:
        if dice.count * dice.most > MOST_SUM:
            raise OddsError("too_large", dice=_rendered_dice(dice), most=MOST_SUM)
    pools = [dice for dice in found if dice.keep is not None]
    if sum(dice.count * dice.most for dice in pools) > MOST_POOL:
        raise OddsError("too_large", dice=_rendered_dice(pools[-1]), most=MOST_POOL)
    exploding = [dice for dice in found if dice.explodes]
    if sum(dice.count * dice.most for dice in exploding) > MOST_EXPLODED:
        raise OddsError("too_large", dice=_rendered_dice(exploding[-1]), most=MOST_EXPLODED)
    _range(roll)


def _range(roll: Roll) -> tuple[int, int]:
    """Return the least and the greatest outcome.

    Raises:
        OddsError: they are too far apart, in the whole or in any part of it, all of which are computed.
    """
    low, high = _ends(roll)
    if high - low > MOST_RANGE:
        raise OddsError("too_wide", dice=render(roll), most=MOST_RANGE)
    return low, high


def _ends(roll: Roll) -> tuple[int, int]:
    match roll:
        case Number(value):
            return value, value
        case Dice(count=count, keep=keep):
            kept = count if keep is None else keep
            return kept, kept * roll.most
        case Sum(parts):
            ends = [(sign, *_range(part)) for sign, part in parts]
            return sum(min(s * a, s * b) for s, a, b in ends), sum(max(s * a, s * b) for s, a, b in ends)
        case Scaled(inner, factor, divisor):
            low, high = _range(inner)
            return low * factor // divisor, high * factor // divisor


def _spread(roll: Roll) -> Spread:
    match roll:
        case Number(value):
            return fixed(value)
        case Dice():
            return _pool(roll) if roll.keep is not None else repeated(one_die(roll), roll.count)
        case Sum(parts):
            whole = fixed(0)
            for sign, part in parts:
                whole = add(whole, _spread(part) if sign > 0 else mapped(_spread(part), lambda n: -n))
            return whole
        case Scaled(inner, factor, divisor):
            return mapped(_spread(inner), lambda n: n * factor // divisor)


def one_die(dice: Dice) -> Spread:
    """Return one of the dice, exploded, rerolled or raised as they are."""
    if dice.explodes:
        return _exploded(dice)
    plain = die(dice.sides)
    if dice.reroll:
        # Each face comes by itself (where it is not rolled again), or after one of the low ones.
        low = min(dice.reroll, dice.sides)
        faces = ((n, (dice.sides if n > low else 0) + low) for n in range(1, dice.sides + 1))
        plain = spread_of(faces)
    return mapped(plain, lambda n: max(n, dice.least)) if dice.least else plain


def _exploded(dice: Dice) -> Spread:
    """Return a die that is rolled again and added where it shows its highest face."""
    sides, again = dice.sides, dice.again
    ended = ((sides * n + face, sides ** (again - n)) for n in range(again + 1) for face in range(1, sides))
    return spread_of((*ended, (sides * (again + 1), 1)))


def _pool(dice: Dice) -> Spread:
    """Return the sum of the kept dice."""
    import icepool  # here: it costs more than the rest of a start

    single = cast(_Die, icepool.Die(dict(one_die(dice).items())))
    pick = single.highest if dice.highest else single.lowest
    return spread_of(pick(dice.count, dice.keep).items())


class _Die(Protocol):
    """What is used of icepool's dice."""

    def highest(self, rolls: int, keep: int | None, /) -> Mapping[int, int]: ...
    def lowest(self, rolls: int, keep: int | None, /) -> Mapping[int, int]: ...
