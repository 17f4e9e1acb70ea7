"""A quote is found where it stands, however it was copied, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.quotes import find_quote

TEXT = "El vapor **ciega** a Xylanth:\nsin luz —dice Odalys— no «hay  rayos»… Cinco guardias."

FOUND = [
    ("El vapor ciega a Xylanth", "El vapor **ciega** a Xylanth", "emphasis"),
    ("a xylanth: sin luz", "a Xylanth:\nsin luz", "case and a line's end"),
    ("luz -dice Odalys- no", "luz —dice Odalys— no", "dashes"),
    ('no "hay rayos"...', "no «hay  rayos", "quotation marks, spaces and an ellipsis"),
    ("«Cinco guardias.»", "Cinco guardias", "quotation marks around it"),
    ("El vapor", "El vapor", "as it stands"),
]
MISSING = [
    ("El vapor no ciega a Xylanth", "another word"),
    ("vapor ciega a Xyl", "half a word"),
    ("inco guardias", "half a word at its beginning"),
    ("", "nothing"),
    ("a", "too little"),
    ("«…»", "marks alone"),
]


@pytest.mark.parametrize(("quote", "stands", "why"), FOUND, ids=[why for *_, why in FOUND])
def test_a_quote_is_found_as_it_stands(quote: str, stands: str, why: str) -> None:
    span = find_quote(TEXT, quote)
    assert span is not None, why
    assert TEXT[span[0] : span[1]] == stands


@pytest.mark.parametrize(("quote", "why"), MISSING, ids=[why for _, why in MISSING])
def test_what_does_not_stand_is_no_quote(quote: str, why: str) -> None:
    assert find_quote(TEXT, quote) is None, why


@given(before=st.text(max_size=30), quote=st.text(max_size=30), after=st.text(max_size=30))
def test_any_text_is_searched(before: str, quote: str, after: str) -> None:
    text = f"{before} {quote} {after}"
    span = find_quote(text, quote)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)
    if sum(map(str.isalnum, quote)) >= 8 and quote.isascii() and not set(quote) & set("\\*_>`"):
        assert span is not None
