"""The HTML page: valid, whole, and nothing of a text in it is markup."""

import itertools
import re
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest

from concilio.export.book import Book
from concilio.export.html import to_html
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><script>alert(1)</script>",
    "[pulsa](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "{{ 7*7 }} {% raw %}",
    "<!-- --> <![CDATA[ ]]> &lt;b&gt;",
    "\x00\x1b[31m\u202e fin",
)


def parsed(page: str) -> Element:
    """Parse strictly: an error of syntax is raised."""
    parser: Any = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(page)


def test_a_page_is_valid_and_holds_every_part(book: Book, ruleset: Ruleset) -> None:
    page = to_html(book, ruleset)
    root = parsed(page)
    assert root.get("lang") == "es"
    text = " ".join(root.itertext())
    for part in (
        "Fuerza (Atletismo)",
        "CD 15",
        "Salvación de Destreza",
        "Portón Vivo",
        "16 (+3)",
        "Por resolver",
    ):
        assert part in text
    assert 'class="aloud"' in page
    assert 'class="aside"' in page
    assert "<svg" in page


@pytest.mark.parametrize("language", ["es", "en"])
def test_headings_go_down_one_level_at_a_time(booked: Booking, ruleset: Ruleset, language: str) -> None:
    chapter = samples.chapter("# uno\n\n##### cinco\n\ntexto\n\n## dos", language=language)
    page = to_html(booked(chapter, samples.adventure()), ruleset)
    parsed(page)
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_markup(booked: Booking, ruleset: Ruleset, text: str) -> None:
    page = to_html(
        booked(samples.chapter(f"a\n\n{text}\n\n> {text}", text), samples.adventure("El portón", text)),
        ruleset,
    )
    root = parsed(page)
    tags = {str(element.tag) for element in root.iter()}
    assert not tags & {"script", "img", "iframe", "object", "form", "link", "base"}
    for element in root.iter():
        assert not any(name.startswith("on") for name in element.attrib)
        assert element.get("href", "#").startswith("#")


def test_nothing_is_loaded_from_anywhere(book: Book, ruleset: Ruleset) -> None:
    page = to_html(book, ruleset)
    assert "<script" not in page
    assert re.findall(r"(?:src|href)=\"(?!#)", page) == []
    assert "url(" not in page.replace("url(#a)", "")
    assert "default-src 'none'" in page
