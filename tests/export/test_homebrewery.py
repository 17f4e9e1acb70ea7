"""Homebrewery's Markdown: its blocks are ours alone, and well closed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from concilio.export.book import Book
from concilio.export.homebrewery import inline, plain, to_homebrewery
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

BLOCKS = ("{{descriptive", "{{note", "{{monster,frame", "{{pageNumber,auto}}", "{{footnote ")

PIECES = (*"ab1.:-+=#>< &;@_*[]()!|~^`$\\{}", "www.", "amp;", "://", "**")
"""Of texts: each character that may act, and what acts together."""
TABLE = "| d6 | Lo que sale |\n|:---|:---|\n| 1 | **Nada** |\n| 2 | Una prueba de Fuerza CD 14 |"


def test_it_holds_every_part(book: Book, ruleset: Ruleset) -> None:
    text = to_homebrewery(book, ruleset)
    for part in (
        *BLOCKS,
        "**CD 15**",
        "**Clase de Armadura** :: 14",
        "|16 (+3)|8 (−1)|",
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
        ("-3 de daño", "-3 de daño"),
        ("Dragones & Mazmorras, 5 < 6, $20, el nº #1", "Dragones & Mazmorras, 5 < 6, $20, el nº #1"),
        ("a_b: a las 10:30", "a_b: a las 10:30"),
        ("1. uno", "1&#46; uno"),
        ("- uno", "&#45; uno"),
        ("a :: b", "a &#58;&#58; b"),
        (":fa_star:", "&#58;fa_star:"),
        ("https://example.org", "https&#58;//example.org"),
        ("{{x}}", "&#123;&#123;x&#125;&#125;"),
    ],
)
def test_only_what_acts_is_written_as_an_entity(text: str, printed: str) -> None:
    assert plain(text) == printed


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_what_is_plain_is_read_as_it_stands(text: str) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    wanted = " ".join(text.split())
    for written, level in ((plain(wanted), "paragraph"), (f"## x {inline(wanted)}", "heading")):
        tokens = parser.parse(written)
        inner = [child for token in tokens for child in token.children or ()]
        assert {child.type for child in inner} <= {"text"}, written
        assert [token.type for token in tokens if token.nesting == 1] in ([], [f"{level}_open"]), written
        shown = "".join(child.content for child in inner).removeprefix("x ")
        assert shown == (wanted if level == "paragraph" or wanted else "x"), written


def test_entities_stand_only_where_a_line_begins(booked: Booking, ruleset: Ruleset) -> None:
    prose = "Hay luz.\n\n- **Éxito**: pasa.\n- **1. Fallo** - no pasa: +2.\n\n**Nota** - 1. mira: `a:` b."
    made = to_homebrewery(booked(samples.chapter(prose), samples.adventure()), ruleset)
    assert "- **Éxito**: pasa.\n- **1. Fallo** - no pasa: +2.\n" in made
    assert "**Nota** - 1. mira: a: b." in made
    assert "&#" not in made


def test_rolls_stand_at_the_head_of_a_scene(book: Book, ruleset: Ruleset) -> None:
    made = to_homebrewery(book, ruleset)
    scene = made[made.index("## 2.1") : made.index("## 2.2")]
    assert scene.index("##### Tiradas") < scene.index("{{descriptive")


@pytest.mark.parametrize("lines", range(40, 110, 3))
def test_what_hangs_together_is_on_one_page(booked: Booking, ruleset: Ruleset, lines: int) -> None:
    filling = "\n\n".join("palabra " * 6 for _ in range(lines))
    prose = f"{filling}\n\nSegún lo que salga:\n\n- **Uno**: a.\n- **Dos**: b.\n\n#### Fin\n\nNada más."
    made = to_homebrewery(booked(samples.chapter(prose)), ruleset)
    pages = made.split("\\page")
    assert len(pages) > 1
    for first, second in (
        ("Según lo que salga:", "- **Uno**: a."),
        ("#### Fin", "Nada más."),
        ("## 2.2", "**Situación inicial.**"),
    ):
        assert [first in page for page in pages] == [second in page for page in pages]
    last = pages[-1].split("{{pageNumber")[0].strip()
    assert last.count("\n\n") > 0, "only the colophon stands on the last page"
