"""Shares of a whole as a column of figures that adds up."""

from collections.abc import Iterable, Sequence
from math import floor

STEP = 1000
"""Steps of a whole that are shown: tenths of a percent."""
_WHOLE = 1e-6
"""By how much shares may miss a whole through the machine's rounding."""
_HALF = 1e-9
_SAME = 1e-9
"""By how much one chance may differ from itself, reckoned another way."""


def rounded(share: float) -> float:
    """Return a share to a tenth of a percent, a half upwards: what the machine keeps of 0.25 % is a half."""
    return floor(share * STEP + 0.5 + _HALF) / STEP


def adding_up(shares: Sequence[float]) -> list[float]:
    """Return shares to a tenth of a percent that add up to a whole where they do exactly.

    Where rounding leaves something over, those that lost most by it get it: none is off by a tenth or more.
    Shares that are shown as less than the least figure, or as more than the greatest, stay as they are.
    """
    shown = [index for index, share in enumerate(shares) if share * STEP >= 1 and share <= 1 - 1 / STEP]
    if abs(sum(shares) - 1) > _WHOLE or len(shown) < 2:
        return list(shares)
    found = list(shares)
    rest = {index: shares[index] * STEP + _HALF for index in shown}
    whole = {index: floor(steps) for index, steps in rest.items()}
    over = round(sum(rest.values())) - sum(whole.values())
    for index in sorted(shown, key=lambda i: whole[i] - rest[i])[:over]:
        whole[index] += 1
    for index in shown:
        found[index] = whole[index] / STEP
    return found


class Shown:
    """The figures of several columns of shares in which one chance has one figure wherever it stands.

    Each column adds up as `adding_up` has it, but for what a column before it has settled, and where equal
    chances would have unequal figures: three thirds are 33.3 % each.
    """

    def __init__(self, columns: Iterable[Sequence[float]]) -> None:
        self._figures: dict[int, float] = {}
        for column in columns:
            found: dict[int, float] = {}
            for share, figure in zip(column, adding_up(column), strict=True):
                settled = found.setdefault(_key(share), figure)
                found[_key(share)] = figure if figure == settled else rounded(share)
            self._figures = found | self._figures

    def __call__(self, share: float) -> float:
        """Return the figure of a share: its own where no column has it."""
        return self._figures.get(_key(share), share)


def _key(share: float) -> int:
    return round(share / _SAME)
