"""Exact distributions over whole numbers: integer weights, so that nothing is rounded before it is shown."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import lcm, sqrt


@dataclass(frozen=True)
class Spread:
    """How likely each whole number is: `weights[i]` of `total` for the outcome `low + i`."""

    low: int
    weights: tuple[int, ...]
    """Never empty; the first and the last are not 0."""

    @cached_property
    def total(self) -> int:
        """Sum of the weights: the number of equally likely cases."""
        return sum(self.weights)

    @property
    def high(self) -> int:
        """The greatest possible outcome."""
        return self.low + len(self.weights) - 1

    @property
    def mean(self) -> float:
        """The expected outcome."""
        return self.low + sum(i * w for i, w in enumerate(self.weights)) / self.total

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        first = sum(i * w for i, w in enumerate(self.weights))
        second = sum(i * i * w for i, w in enumerate(self.weights))
        return sqrt(max(0, second * self.total - first * first) / self.total**2)

    @property
    def median(self) -> int:
        """The least outcome that half of the cases do not exceed."""
        sums = accumulate(self.weights)
        return self.low + next(i for i, below in enumerate(sums) if 2 * below >= self.total)

    def weight_at_least(self, outcome: int) -> int:
        """Return how many of the `total` cases reach an outcome."""
        return sum(self.weights[max(0, outcome - self.low) :])

    def chance(self, outcome: int) -> float:
        """Return the probability, 0 to 1, of exactly that outcome."""
        at = outcome - self.low
        return self.weights[at] / self.total if 0 <= at < len(self.weights) else 0.0

    def at_least(self, outcome: int) -> float:
        """Return the probability, 0 to 1, of that outcome or more."""
        return self.weight_at_least(outcome) / self.total

    def items(self) -> Iterator[tuple[int, int]]:
        """Give the possible outcomes, the least first, with their weights."""
        return ((self.low + i, w) for i, w in enumerate(self.weights) if w)


def spread_of(cases: Iterable[tuple[int, int]]) -> Spread:
    """Return the spread of outcomes with their weights, in any order, repeated or not; one must not be 0."""
    found: dict[int, int] = {}
    for outcome, weight in cases:
        if weight:
            found[outcome] = found.get(outcome, 0) + weight
    low, high = min(found), max(found)
    return Spread(low, tuple(found.get(n, 0) for n in range(low, high + 1)))


def fixed(number: int) -> Spread:
    """Return what is always that number."""
    return Spread(number, (1,))


def die(sides: int) -> Spread:
    """Return a fair die."""
    return Spread(1, (1,) * sides)


def add(one: Spread, other: Spread) -> Spread:
    """Return the sum of two independent spreads.

    Each is packed into one long integer whose digits are the weights: the interpreter multiplies those
    hundreds of times faster than two loops would.
    """
    width = _width(one.total * other.total)
    product = _packed(one.weights, width) * _packed(other.weights, width)
    count = len(one.weights) + len(other.weights) - 1
    return Spread(one.low + other.low, _unpacked(product, width, count))


def repeated(one: Spread, times: int) -> Spread:
    """Return the sum of so many independent ones; 0 for none."""
    if times == 0:
        return fixed(0)
    width = _width(one.total**times)
    power = _packed(one.weights, width) ** times
    return Spread(one.low * times, _unpacked(power, width, (len(one.weights) - 1) * times + 1))


def _width(most: int) -> int:
    return most.bit_length() // 8 + 1


def _packed(weights: tuple[int, ...], width: int) -> int:
    return int.from_bytes(b"".join(w.to_bytes(width, "little") for w in weights), "little")


def _unpacked(number: int, width: int, count: int) -> tuple[int, ...]:
    data = number.to_bytes(width * count, "little")
    return tuple(int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width))


def mapped(one: Spread, change: Callable[[int], int]) -> Spread:
    """Return what becomes of a spread when every outcome changes."""
    return spread_of((change(outcome), weight) for outcome, weight in one.items())


def shifted(one: Spread, by: int) -> Spread:
    """Return a spread plus a number."""
    return Spread(one.low + by, one.weights)


def mixture(parts: Iterable[tuple[int, Spread]]) -> Spread:
    """Return one of several spreads, chosen by weights; one of them must not be 0."""
    kept = [(weight, spread) for weight, spread in parts if weight]
    common = lcm(*(spread.total for _, spread in kept))
    return spread_of(
        (outcome, weight * (common // spread.total) * w)
        for weight, spread in kept
        for outcome, w in spread.items()
    )
