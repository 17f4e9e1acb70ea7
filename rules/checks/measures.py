"""Lengths as people write them: whole feet, and the half metres that go with them (5 feet are 1.5 m)."""

_TOLERANCE = 0.06
"""Share of a length by which it may be rounded and still be the same length."""
_STEP_METRIC = 0.5
_STEP_IMPERIAL = 1.0
_LONG = 100
"""Figures from which nobody writes halves."""


def usual(value: float, is_metric: bool) -> float | None:
    """Return the figure that people would write for a length; None where none is near enough.

    Args:
        value: the exact one, in the unit in which it is to be written.
        is_metric: whether that unit is metric.
    """
    step = _STEP_METRIC if is_metric and value < _LONG else _STEP_IMPERIAL
    rounded = round(value / step) * step
    if not rounded or abs(rounded - value) > _TOLERANCE * value:
        return None
    return rounded
