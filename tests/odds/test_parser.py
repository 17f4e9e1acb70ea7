"""Dice as people write them become dice; what is none is told with its place."""

import time
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.fights.rolling import WrittenDice, rolled
from rules.odds.dice import Dice, Number, Roll, Scaled, Sum, dice_in, doubled, render, spread
from rules.odds.dice_tokens import LONGEST
from rules.odds.errors import OddsError
from rules.odds.parser import parse

SAME = [
    # as designers write, the same in the short form
    ("d20", "1d20"),
    ("1D8", "1d8"),
    ("2 d 6", "2d6"),
    ("d%", "1d100"),
    ("3d6 de daño", "3d6"),
    ("3d6 de daño de fuego", "3d6"),
    ("1d8+3 de daño cortante.", "1d8 + 3"),
    ("1d8+3 slashing", "1d8 + 3"),
    ("2d6 points of fire damage", "2d6"),
    ("7 (2d6) fire damage", "2d6"),
    ("7 (1d8 + 3) de daño perforante", "1d8 + 3"),
    ("2d6+3 de daño cortante más 1d4 de daño de fuego", "2d6 + 3 + 1d4"),
    ("2d6 + 3 slashing plus 1d4 fire", "2d6 + 3 + 1d4"),
    ("2d6 y 1d4", "2d6 + 1d4"),
    ("1d8 menos uno", "1d8 - 1"),
    ("1d8 − 1", "1d8 - 1"),
    ("1d8–1", "1d8 - 1"),
    ("2d6 + 1d4 - 1", "2d6 + 1d4 - 1"),
    ("4d6kh3", "4d6kh3"),
    ("4d6k3", "4d6kh3"),
    ("4D6KH3", "4d6kh3"),
    ("4d6 kh3", "4d6kh3"),
    ("4d6dl1", "4d6kh3"),
    ("4d6dl", "4d6kh3"),
    ("4d6d1", "4d6kh3"),
    ("4d6dh1", "4d6kl3"),
    ("2d20kl1", "2d20kl1"),
    ("2d20kh1+5", "2d20kh1 + 5"),
    ("4d6, drop the lowest", "4d6kh3"),
    ("4d6 drop lowest", "4d6kh3"),
    ("roll 4d6 and keep the three best", "4d6kh3"),
    ("4d6 keep highest 3 plus 1d4", "4d6kh3 + 1d4"),
    ("4d6 quédate con los 3 más altos", "4d6kh3"),
    ("4d6, los 3 más altos", "4d6kh3"),
    ("4d6 y descarta el menor", "4d6kh3"),
    ("4d6 y se descarta el más bajo", "4d6kh3"),
    ("4d6 sin el peor", "4d6kh3"),
    ("tira 4d6 y quédate con los tres mejores más 2", "4d6kh3 + 2"),
    ("2d20 y conserva el menor", "2d20kl1"),
    ("d20+5 con ventaja", "2d20kh1 + 5"),
    ("1d20+7 with advantage", "2d20kh1 + 7"),
    ("1d20+1d4 con desventaja", "2d20kl1 + 1d4"),
    ("d20+5 con ventaja y desventaja", "1d20 + 5"),
    ("10 x 3d6", "3d6 * 10"),
    ("3D6!", "3d6!"),
    ("d%!", "1d100!"),
    ("3d6 explotan", "3d6!"),
    ("3d6 exploding", "3d6!"),
    ("4d6!kh3 + 2", "4d6!kh3 + 2"),
    ("4d6kh3!", "4d6!kh3"),
    ("d20!+5 con ventaja", "2d20!kh1 + 5"),
    ("3d6 × 10", "3d6 * 10"),
    ("3d6 por 10", "3d6 * 10"),
    ("2d6/2", "2d6 / 2"),
    ("(2d6+3)/2", "(2d6 + 3) / 2"),
    ("-(1d4 + 1)", "-(1d4 + 1)"),
    ("2d6ro2", "2d6ro2"),
    # brackets that change nothing
    ("2d6 (7)", "2d6"),
    ("1d8+3 (7)", "1d8 + 3"),
    ("2d6 (7) fire damage plus 1d8 (4)", "2d6 + 1d8"),
    ("1d8+3 (slashing)", "1d8 + 3"),
    ("3d6 (daño de fuego)", "3d6"),
    ("4d6 (drop lowest)", "4d6kh3"),
    ("4d6 (descarta el más bajo)", "4d6kh3"),
    ("d20 + 5 (con ventaja)", "2d20kh1 + 5"),
    ("1d20 + 5 + 1d4 (guidance)", "1d20 + 5 + 1d4"),
    ("tira un d20 y suma 5", "1d20 + 5"),
    ("plus 2d6 extra damage", "2d6"),
    ("cura 2d4+2", "2d4 + 2"),
    # what is kept, said before the dice
    ("el mayor de 2d20", "2d20kh1"),
    ("los 3 mejores de 4d6", "4d6kh3"),
    ("the highest 3 of 4d6", "4d6kh3"),
    ("best of 2d20 + 5", "2d20kh1 + 5"),
    ("the worst of two d20", "2d20kl1"),
    ("keep the 3 highest of 4d6 plus 1", "4d6kh3 + 1"),
    # halves, doubles, advantage in front
    ("la mitad de 8d6", "8d6 / 2"),
    ("half of 8d6 fire damage", "8d6 / 2"),
    ("8d6 halved", "8d6 / 2"),
    ("2d6 + 3 halved, plus 1d4", "(2d6 + 3) / 2 + 1d4"),
    ("el doble de 1d8", "1d8 * 2"),
    ("twice 2d6", "2d6 * 2"),
    ("ventaja: d20+5", "2d20kh1 + 5"),
    ("with disadvantage 1d20+2", "2d20kl1 + 2"),
    ("2d6 de daño por fuego", "2d6"),
    ("1d20mi10", "1d20mi10"),
]


@pytest.mark.parametrize(("written", "short"), SAME)
def test_other_ways_to_write_the_same_dice(written: str, short: str) -> None:
    assert render(parse(written)) == short


WRONG = [
    ("", "empty", None),
    ("   ", "empty", None),
    ("d", "ends_early", 2),
    ("2d", "ends_early", 3),
    ("1d8 +", "ends_early", 6),
    ("(1d8", "ends_early", 5),
    ("1d8)", "unexpected", 4),
    ("1d8 2", "unexpected", 5),
    ("1d8 d6", "unknown_word", 5),
    ("1d8 bananas", "unknown_word", 5),
    ("2d6 !", "unexpected", 5),
    ("2d6!!", "unexpected", 5),
    ("2d6!>5", "unexpected", 5),
    ("1d1!", "endless_dice", 4),
    ("2d6!ro1", "explodes_alone", 7),
    ("2d6mi2!", "explodes_alone", 7),
    ("42d6!", "too_large", None),
    ("30d6! + 30d6!", "too_large", None),
    ("1d6²", "unexpected", 4),
    ("\x00", "unexpected", 1),
    ("{0.__class__}", "unexpected", 1),
    ("0d6", "bad_dice", 1),
    ("3 + 2d0", "bad_dice", 5),
    ("1d1001", "bad_dice", 1),
    ("8 (2d6)", "wrong_average", 1),
    ("2d6 (8)", "wrong_average", 6),
    ("2d6 (bananas)", "unexpected", 5),
    ("2d6" + "(" * 290, "too_deep", 12),
    ("half " * 59 + "1d6", "too_deep", 41),
    ("2d6 ()", "unexpected", 5),
    ("the highest", "ends_early", 12),
    ("best of 1d20", "keep_unclear", 1),
    ("half", "ends_early", 5),
    ("20d20kh10 + 20d20kh9 + 1d20kh1 + 2d10kl1", "too_large", None),
    ("20 (40d20kh1) + 20 (40d20kh1)" + " + 20 (40d20kh1)" * 9, "too_many_dice", None),
    ("2 (3)", "wrong_average", 4),
    ("4d6kh5", "bad_keep", 4),
    ("4d6kh0", "bad_keep", 4),
    ("4d6dl4", "bad_keep", 4),
    ("4d6kh3kh2", "bad_keep", 7),
    ("1d6+1d6 keep highest", "keep_unclear", 9),
    ("2d20 highest and lowest", "keep_unclear", 6),
    ("2d20 keep", "keep_unclear", 6),
    ("2d6 x 1d4", "dice_by_dice", 5),
    ("2d6 / 0", "unexpected", 7),
    ("2d6 con ventaja", "no_single_d20", None),
    ("1d20 + 1d20 with advantage", "no_single_d20", None),
    ("9999999d6", "number_too_large", 1),
    ("999999d999999", "bad_dice", 1),
    ("201d6", "too_many_dice", None),
    ("101d4+100d4", "too_many_dice", None),
    ("150d100", "too_large", None),
    ("100d20kh50", "too_large", None),
    ("100d20 * 100", "too_wide", None),
    ("1d6*10000", "too_wide", None),
    ("(1d1000*999999)/999999", "too_wide", None),  # small at the end, and large on the way
    ("1d1000*999999 - 1d1000*999999", "too_wide", None),
    ("2d6mi9", "bad_least", 6),
    ("2d6mi0", "bad_least", 6),
    ("1d20 mi 21 + 3", "bad_least", 9),
    ("(" * 9 + "1" + ")" * 9, "too_deep", 9),
    ("1" * 50, "number_too_large", 1),
    ("1d6+" * 200 + "1", "too_long", None),
]


@pytest.mark.parametrize(("text", "code", "column"), WRONG)
def test_what_is_no_dice_is_told_with_its_place(text: str, code: str, column: int | None) -> None:
    with pytest.raises(OddsError) as caught:
        parse(text)
    assert (caught.value.code, caught.value.values.get("column")) == (code, column)


HOSTILE = ["9" * 10_000_000, "(" * 10_000_000, "1d6+" * 2_500_000, "d" * LONGEST, "(" * LONGEST, "4d6k" * 70]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: f"{t[:4]} {len(t)}")
def test_hostile_text_is_refused_at_once_and_never_repeated_whole(text: str) -> None:
    begin = time.process_time()
    with pytest.raises(OddsError) as caught:
        parse(text)
    assert time.process_time() - begin < 0.1
    assert len(str(caught.value)) < 200


@given(st.text(alphabet="0123456789dDkhlrom()+-*/x ,%yconventajadrop", max_size=40) | st.text(max_size=40))
def test_any_text_is_dice_or_an_error_of_ours(text: str) -> None:
    try:
        roll = parse(text)
    except OddsError:
        return
    assert spread(parse(render(roll))) == spread(roll)


def _pool(count: int, sides: int, keep: int | None, high: bool) -> Dice:
    return Dice(count, sides, keep, high) if keep and keep < count else Dice(count, sides)


dice = st.builds(
    _pool,
    st.integers(1, 4),
    st.sampled_from([2, 4, 6, 8, 10, 12, 20]),
    st.none() | st.integers(1, 3),
    st.booleans(),
)
leaves: st.SearchStrategy[Roll] = st.integers(0, 30).map(Number) | dice
sums = st.lists(st.tuples(st.sampled_from([1, -1]), leaves), min_size=2, max_size=4).map(
    lambda p: Sum(tuple(p))
)
rolls = leaves | sums | st.builds(Scaled, leaves | sums, st.integers(1, 3), st.integers(1, 3))


@given(rolls)
def test_what_is_rendered_is_read_back_the_same(roll: Roll) -> None:
    assert spread(parse(render(roll))) == spread(roll)


def test_a_critical_doubles_dice_and_no_number() -> None:
    assert render(doubled(parse("2d6ro2 + 1d4 + 3"))) == "4d6ro2 + 2d4 + 3"
    assert render(doubled(parse("(1d8 + 2) / 2"))) == "(2d8 + 2) / 2"


BRUTE = ["4d6kh3", "3d6kl2", "2d20kh1", "3d4", "2d6ro2", "2d8mi3", "3d6ro1kh2"]


@pytest.mark.parametrize("text", BRUTE)
def test_the_fast_way_is_what_counting_every_case_gives(text: str) -> None:
    roll = parse(text)
    assert isinstance(roll, Dice)
    face = _faces(roll)
    counted: dict[int, float] = {}
    for case in product(face, repeat=roll.count):
        shown = sorted((n for n, _ in case), reverse=roll.highest)[: roll.keep or roll.count]
        chance = 1.0
        for _, p in case:
            chance *= p
        counted[sum(shown)] = counted.get(sum(shown), 0.0) + chance
    found = spread(roll)
    assert counted.keys() == {n for n, _ in found.items()}
    assert all(found.chance(n) == pytest.approx(p, abs=1e-12) for n, p in counted.items())


def _faces(roll: Dice) -> list[tuple[int, float]]:
    """Each face after a reroll of the low ones, with its probability."""
    faces = range(1, roll.sides + 1)
    again = sum(1 for n in faces if n <= roll.reroll) / roll.sides
    return [
        (max(n, roll.least), ((0 if n <= roll.reroll else 1) / roll.sides) + again / roll.sides)
        for n in faces
    ]


FIGURES = [
    # text, mean, least, greatest, chance of the greatest
    ("3d6", 10.5, 3, 18, 1 / 216),
    ("4d6kh3", 12.2446, 3, 18, 21 / 1296),
    ("2d20kh1", 13.825, 1, 20, 39 / 400),
    ("1d8-1", 3.5, 0, 7, 1 / 8),
    ("2d6/2", 3.25, 1, 6, 1 / 36),
    ("200d6", 700.0, 200, 1200, 6.0**-200),
]


@pytest.mark.parametrize(("text", "mean", "low", "high", "chance"), FIGURES)
def test_known_figures(text: str, mean: float, low: int, high: int, chance: float) -> None:
    found = spread(parse(text))
    assert found.mean == pytest.approx(mean, abs=1e-4)
    assert (found.low, found.high) == (low, high)
    assert found.chance(high) == pytest.approx(chance)
    assert found.at_least(low) == 1.0


def test_deviation_and_median_of_two_dice() -> None:
    two = spread(parse("2d6"))
    assert (two.median, two.deviation) == (7, pytest.approx((35 / 6) ** 0.5))


LARGEST = ["200d25", "50d100", "5d1000", "40d20kh20", "20d40kh10", "10d20 + 10d20 * 90"]


@pytest.mark.parametrize("text", LARGEST)
def test_the_largest_that_is_allowed_takes_no_longer_than_a_moment(text: str) -> None:
    begin = time.process_time()
    assert spread(parse(text)).at_least(0) == 1.0
    assert time.process_time() - begin < 3


EXPLODING = [
    # dice, how often one is rolled again, mean without a limit: of d sides, d (d + 1) / 2 (d - 1)
    ("1d6!", 7, 4.2),
    ("3d6!", 7, 12.6),
    ("1d4!", 9, 10 / 3),
    ("1d2!", 19, 3.0),
    ("1d20!", 4, 210 / 19),
    ("1d100!", 3, 10_100 / 198),
]


@pytest.mark.parametrize(("text", "again", "mean"), EXPLODING)
def test_exploding_dice_end_where_more_would_not_be_seen(text: str, again: int, mean: float) -> None:
    (dice,) = dice_in(parse(text))
    found = spread(dice)
    assert dice.again == again
    assert found.mean == pytest.approx(mean, rel=1e-4)
    assert found.high == dice.count * dice.sides * (again + 1)
    assert 1 / dice.sides ** (again + 1) < 1e-6 <= 1 / dice.sides**again


@pytest.mark.parametrize("text", ["2d4!", "3d4!kh2", "2d6!kl1", "1d3! + 1d6!"])
def test_exploding_dice_are_those_that_icepool_explodes(text: str) -> None:
    def die(sides: int) -> Any:
        again = Dice(1, sides, explodes=True).again
        return icepool.d(sides).explode(depth=again)  # pyright: ignore[reportUnknownMemberType]

    whole = {
        "2d4!": lambda: 2 @ die(4),
        "3d4!kh2": lambda: die(4).highest(3, 2),
        "2d6!kl1": lambda: die(6).lowest(2, 1),
        "1d3! + 1d6!": lambda: die(3) + die(6),
    }[text]()
    found = spread(parse(text))
    total = whole.denominator()
    assert {n: Fraction(w, found.total) for n, w in found.items()} == {
        n: Fraction(w, total) for n, w in whole.items()
    }


@pytest.mark.parametrize(("faces", "whole"), [((3,), 3), ((6, 2), 8), ((6, 6, 1), 13), ((6,) * 9, 48)])
def test_exploding_dice_are_rolled_by_the_same_limit(faces: tuple[int, ...], whole: int) -> None:
    assert rolled(parse("1d6!"), WrittenDice(faces)) == whole


def test_a_critical_hit_doubles_exploding_dice() -> None:
    assert render(doubled(parse("3d6!+2"))) == "6d6! + 2"
