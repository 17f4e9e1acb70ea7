"""The escape is undone exactly, and leaves ordinary Markdown alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from concilio.chapterfile.escape import escape, escape_block, escape_line, unescape
from tests.chapterfile.seeds import seed
from tests.chapterfile.strategies import HOSTILE


@given(st.text() | st.sampled_from(HOSTILE), st.sampled_from(["", ":[", "*", "|", "()"]))
def test_every_escape_is_undone(text: str, also: str):
    assert unescape(escape(text)) == text
    assert unescape(escape_line(text, also)) == text
    assert unescape(escape_block(text, lambda line: line.startswith("#"))) == text


@given(st.text())
def test_an_escaped_line_is_one_line_without_white_space_at_its_ends(text: str):
    line = escape_line(text)
    assert line == line.strip()
    assert len(line.splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("<script>", "\\<script>"),
        ("<!-- x -->", "\\<\\!-- x -->"),
        ("```py", "\\`\\`\\`py"),
        ("[[5.1-a]]", "\\[\\[5.1-a]]"),
        ("[x](javascript:y)", "[x\\](javascript:y)"),
        ("&lt;", "\\&lt;"),
        ("a\\b", "a\\\\b"),
        ("\x1b[2J", "\\u{1b}[2J"),
        (" x ", "\\u{20}x\\u{20}"),
        (
            "PG < 10, CA > 12, D&D, `1d6`, *prono*, **CD 15**",
            "PG < 10, CA > 12, D&D, `1d6`, *prono*, **CD 15**",
        ),
    ],
)
def test_only_what_acts_is_escaped(text: str, escaped: str):
    assert escape_line(text) == escaped


@pytest.mark.parametrize("name", ["capitulo_04.es.md", "capitulo_05.es.md"])
def test_the_users_texts_have_nothing_to_unescape(name: str):
    assert unescape(seed(name)) == seed(name)
