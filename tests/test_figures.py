"""Money, decimals and counts: in each language's writing, and what nobody knows is no zero."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concilio.catalogue import LANGUAGES
from concilio.figures import add_tokens, amount, decimal, exact, money, read, said_tokens, tokens


@pytest.mark.parametrize(
    ("usd", "es", "en"),
    [
        (0.0, "0,00 $", "$0.00"),
        (0.01, "0,01 $", "$0.01"),
        (0.0312, "0,0312 $", "$0.0312"),
        (0.9998, "0,9998 $", "$0.9998"),
        (1.5, "1,50 $", "$1.50"),
        (12.3456, "12,35 $", "$12.35"),
        (0.00001, "0,00001 $", "$0.00001"),
        (0.0000321, "0,000032 $", "$0.000032"),
        (None, "coste desconocido", "cost unknown"),
    ],
)
def test_money_is_written_as_the_language_does(usd: float | None, es: str, en: str) -> None:
    assert (money(usd, "es"), money(usd, "en")) == (es, en)


def test_what_is_not_counted_is_no_zero() -> None:
    assert (tokens(0, "es"), tokens(None, "es"), tokens(None, "en")) == ("0", "desconocido", "unknown")
    assert (said_tokens(1, "en"), said_tokens(None, "es")) == ("1 token", "tokens desconocidos")
    assert add_tokens([]) == add_tokens([0, 0]) == 0
    assert add_tokens([5, None, 7]) is None


@given(st.floats(0, 1e6), st.sampled_from(LANGUAGES))
def test_an_exact_amount_is_read_back(usd: float, language: str) -> None:
    assert read(exact(usd, language), language) == usd
    assert re.fullmatch(r"\d+[.,]\d\d+", exact(usd, language))


@given(st.floats(1e-11, 1e6), st.sampled_from(LANGUAGES))
def test_what_was_spent_never_looks_like_nothing(usd: float, language: str) -> None:
    assert read(amount(usd, language), language) > 0


def test_a_figure_of_another_languages_writing_is_read() -> None:
    """Files of earlier versions wrote a point in Spanish, too."""
    assert read("0.5", "es") == read("0,5", "es") == read("0.5", "en")
    assert decimal(2.25, 1, "es") == "2,2"
