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


def test_a_table_is_a_table_with_its_head_and_its_looks(book: Book, ruleset: Ruleset) -> None:
    root = parsed(to_html(book, ruleset))
    (table,) = (each for each in root.iter("table") if each.get("class") is None)
    assert ["".join(cell.itertext()) for cell in table.iter("th")] == ["d6", "Lo que sale"]
    assert ["".join(cell.itertext()) for cell in table.iter("td")] == [
        *("1", "Nada"),
        *("2", "Una prueba de Fuerza CD 14"),
    ]
    assert table.find(".//td/strong") is not None


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("| a |\n| --- |\n| 1 |\n\n| b |\n| --- |", [["a"], ["b"]]),
        ("> | a | b |\n> | --- | --- |\n> | 1 |", [["a", "b"]]),
        ("| <b>x</b> | `y` |\n| --- | --- |\n| | |", [["<b>x</b>", "y"]]),
        ("- | a |\n  | - |\n  | 1 |", [["a"]]),
    ],
)
def test_each_table_stands_by_itself(
    booked: Booking, ruleset: Ruleset, text: str, heads: list[list[str]]
) -> None:
    root = parsed(to_html(booked(samples.chapter(text), samples.adventure()), ruleset))
    tables = [each for each in root.iter("table") if each.get("class") is None]
    assert [["".join(cell.itertext()) for cell in table.iter("th")] for table in tables] == heads


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
