"""The PDF: it is set, whatever the texts hold, and no text is markup in it."""

import json
import re
from dataclasses import replace

import pytest

from concilio.domain.plan import Proposal
from concilio.export.book import Book
from concilio.export.drawing import drawing_of
from concilio.export.pdf import to_pdf, to_pictures
from concilio.export.pdf_values import FONT, values_of
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

BOX = re.compile(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" rx')
FULL = 58
"""Lines of prose that leave no room on the last page."""


def test_a_pdf_and_its_pages_are_set(book: Book, ruleset: Ruleset) -> None:
    assert to_pdf(book, ruleset).startswith(b"%PDF-")
    pages = to_pictures(book, ruleset)
    assert len(pages) >= 1
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
    assert values["graph"]["start"].startswith("<svg")
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


@pytest.mark.parametrize("label", ["Éxito", "Un resultado con un nombre muy largo"])
@pytest.mark.parametrize("lines", [0, 20, 36, FULL, 85, 110])
def test_the_map_takes_no_page_where_the_text_leaves_room(
    booked: Booking, ruleset: Ruleset, label: str, lines: int
) -> None:
    sample = samples.chapter("\n\n".join(["Hay barro en el camino y nadie lo ha pisado."] * lines) or "Nada.")
    scenes = tuple(
        plan.model_copy(
            update={"outcomes": tuple(o.model_copy(update={"label": label}) for o in plan.outcomes)}
        )
        for plan in sample.plan.scenes
    )
    book = booked(sample.model_copy(update={"plan": Proposal(scenes=scenes), "scenes": sample.scenes}))
    assert book.picture
    drawn, bare = to_pictures(book, ruleset), to_pictures(replace(book, picture=""), ruleset)
    assert len(drawn) - len(bare) == (1 if lines == FULL else 0)


def test_a_picture_is_cut_to_what_it_shows(book: Book) -> None:
    drawing = drawing_of(book.picture, FONT)
    assert drawing.start + drawing.rest
    boxes = [tuple(map(int, box)) for box in BOX.findall(drawing.rest)]
    assert all(x >= 0 and x + width <= drawing.width and drawing.top <= y for x, y, width, _ in boxes)
    assert all(y + height <= drawing.top + drawing.height for _, y, _, height in boxes)
    told = [text for _, text in drawing.texts]
    assert [text for text in told if text.startswith("70,0 % Éxito")]
    assert len(told) == book.picture.count("<text") - 1
    assert drawing_of("", FONT).start == ""
