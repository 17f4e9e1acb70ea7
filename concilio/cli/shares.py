"""Shares of a whole as a column of figures that adds up."""

from collections.abc import Sequence
from math import floor

STEP = 1000
"""Steps of a whole that are shown: tenths of a percent."""
_WHOLE = 1e-6
"""By how much shares may miss a whole through the machine's rounding."""
_HALF = 1e-9


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
