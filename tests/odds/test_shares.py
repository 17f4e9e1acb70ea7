"""Columns of shares: they add up, and no figure is off by a tenth of a percent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concilio.shares import Shown, adding_up, rounded


@pytest.mark.parametrize(("share", "shown"), [(1 / 400, 0.003), (0.8775, 0.878), (0.2025, 0.203), (0.5, 0.5)])
def test_a_half_is_rounded_upwards(share: float, shown: float) -> None:
    assert rounded(share) == pytest.approx(shown)


@pytest.mark.parametrize("shares", [(0.4895, 0.5105), (0.7725, 0.2275), (1 / 3,) * 3, (1 / 7,) * 7])
def test_a_column_adds_up(shares: tuple[float, ...]) -> None:
    assert sum(adding_up(shares)) == pytest.approx(1)


@given(st.lists(st.integers(1, 1000), min_size=2, max_size=12))
def test_no_figure_is_off_by_a_step_and_the_sum_is_whole(weights: list[int]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    found = adding_up(shares)
    assert all(abs(one - other) < 0.001 for one, other in zip(shares, found, strict=True))
    assert all(
        one == round(one, 3) for one, share in zip(found, shares, strict=True) if 0.001 <= share <= 0.999
    )
    if all(share >= 0.001 for share in shares):
        assert sum(found) == pytest.approx(1)


@pytest.mark.parametrize(
    ("columns", "share", "figure"),
    [
        ([(0.4895, 0.5105)], 0.4895, adding_up((0.4895, 0.5105))[0]),
        ([(0.4895, 0.5105), (0.4895, 0.2105, 0.3)], 0.4895, adding_up((0.4895, 0.5105))[0]),
        ([(1 / 3,) * 3], 1 / 3, 0.333),
        ([(1 / 7,) * 7], 1 / 7, 0.143),
    ],
)
def test_one_chance_has_one_figure_in_all_columns(
    columns: list[tuple[float, ...]], share: float, figure: float
) -> None:
    shown = Shown(columns)
    assert shown(share) == pytest.approx(figure)
    assert shown(share + 1e-13) == shown(share)  # the same chance, reckoned another way


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=6, unique_by=lambda weight: round(weight, 6)))
def test_a_column_of_different_chances_adds_up(weights: list[float]) -> None:
    ends = [weight / sum(weights) for weight in weights]
    shown = Shown([ends, [ends[0], 1 - ends[0]]])
    assert [shown(end) for end in ends] == adding_up(ends)
