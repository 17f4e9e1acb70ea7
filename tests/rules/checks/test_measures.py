"""A length is written as people write it, or it is left for a person."""

import pytest

from rules.checks.measures import usual

LENGTHS = [
    # (exact figure, in metres or not, what people write, why)
    (20 / 3, False, 7, "2 m in feet"),
    (70 / 3, False, 23, "7 m in feet"),
    (5.0, False, 5, "a step of the ladder"),
    (1.5, True, 1.5, "a step of the ladder"),
    (10.5, True, 10.5, "seven steps"),
    (2.1, True, 2, "7 feet in metres"),
    (0.3, True, None, "one foot is no half metre"),
    (0.67, False, None, "20 cm are no foot"),
    (150.5, True, 150, "nobody writes halves of long ones"),
    (0.0, True, None, "nothing"),
]


@pytest.mark.parametrize(("exact", "is_metric", "written", "why"), LENGTHS)
def test_a_length_is_a_whole_foot_or_a_half_metre(
    exact: float, is_metric: bool, written: float | None, why: str
) -> None:
    assert usual(exact, is_metric) == written, why
