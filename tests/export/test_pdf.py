"""The PDF: it is set, whatever the texts hold, and no text is markup in it."""

import json

import pytest

from concilio.export.book import Book
from concilio.export.pdf import to_pdf, to_pictures
from concilio.export.pdf_values import values_of
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking


def test_a_pdf_and_its_pages_are_set(book: Book, ruleset: Ruleset) -> None:
    assert to_pdf(book, ruleset).startswith(b"%PDF-")
    pages = to_pictures(book, ruleset)
    assert len(pages) >= 2
    assert all(page.startswith(b"\x89PNG") for page in pages)


def test_the_template_gets_every_part_as_plain_values(book: Book, ruleset: Ruleset) -> None:
    values = values_of(book, ruleset)
    assert values["creatures"][0]["name"] == "Portón Vivo"
    pieces = values["scenes"][0]["pieces"]
    assert pieces[0]["kind"] == "quote"
    rolls = [run["text"] for piece in pieces for run in piece["runs"] if run["roll"]]
    assert "prueba de Fuerza (Atletismo) CD 15" in rolls
    texts = "".join(run["text"] for run in pieces[1]["runs"])
    assert texts == "(DM: la cadena pesa. Pide una prueba de Fuerza (Atletismo) CD 15.)"
    assert values["graph"].startswith("<svg")
    rows = [piece for piece in pieces if piece["kind"] == "row"]
    assert [row["mark"] for row in rows] == ["head", "", ""]
    assert ["".join(run["text"] for run in cell) for cell in rows[1]["cells"]] == ["1", "Nada"]


def test_no_text_is_markup_of_typst(booked: Booking, ruleset: Ruleset) -> None:
    text = '#panic("x") #read("/etc/passwd") $ ] } " \\ #import "@preview/x:1.0.0"'
    book = booked(
        samples.chapter(f"a\n\n{text}\n\n> {text}\n\n- {text}", text), samples.adventure("El portón", text)
    )
    assert to_pdf(book, ruleset).startswith(b"%PDF-")
    assert "/etc/passwd" in json.dumps(values_of(book, ruleset))


@pytest.mark.parametrize("language", ["es", "en"])
def test_both_languages_are_set(booked: Booking, ruleset: Ruleset, language: str) -> None:
    assert to_pdf(booked(samples.chapter(language=language)), ruleset).startswith(b"%PDF-")
