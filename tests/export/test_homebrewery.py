"""Homebrewery's Markdown: its blocks are ours alone, and well closed."""

import pytest

from concilio.export.book import Book
from concilio.export.homebrewery import plain, to_homebrewery
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

BLOCKS = ("{{descriptive", "{{note", "{{monster,frame", "{{pageNumber,auto}}", "{{footnote ")

TABLE = "| d6 | Lo que sale |\n|:---|:---|\n| 1 | **Nada** |\n| 2 | Una prueba de Fuerza CD 14 |"


def test_it_holds_every_part(book: Book, ruleset: Ruleset) -> None:
    text = to_homebrewery(book, ruleset)
    for part in (
        *BLOCKS,
        "**CD 15**",
        "**Clase de Armadura** :: 14",
        "|16 (+3)|8 (-1)|",
        "***Bisagra.***",
        TABLE,
    ):
        assert part in text


@pytest.mark.parametrize(
    "text",
    [
        "}} {{note x}}",
        "\\page",
        "\\column",
        "<b onclick=x>",
        "# uno",
        "| a | b |",
        "$[var]",
        "[a](javascript:x)",
        "term :: def",
        "---",
        "1. uno",
        "- uno",
        "***",
    ],
)
def test_no_text_opens_a_block(booked: Booking, ruleset: Ruleset, text: str) -> None:
    chapter = samples.chapter(f"`{text}`\n\n> a {text}", text)
    made = to_homebrewery(booked(chapter, samples.adventure("El portón", text)), ruleset)
    opened = [line for line in made.split("\n") if "{{" in line]
    assert all(line.startswith(BLOCKS) for line in opened)
    assert made.count("{{") == made.count("}}")
    assert "<b " not in made
    assert "$[" not in made
    assert "](" not in made
    assert [line for line in made.split("\n") if line.startswith("\\") and line != "\\page"] == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("CD 15: pasa.", "CD 15: pasa."),
        ("5.1 Título", "5.1 Título"),
        ("+3 a impactar", "+3 a impactar"),
        ("1. uno", "1&#46; uno"),
        ("- uno", "&#45; uno"),
        ("a :: b", "a &#58;&#58; b"),
        ("{{x}}", "&#123;&#123;x&#125;&#125;"),
    ],
)
def test_only_what_acts_is_written_as_an_entity(text: str, printed: str) -> None:
    assert plain(text) == printed
