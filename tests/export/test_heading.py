"""A chapter's head: the outline's labels without their capitals, what it lists as a list."""

import json
import re

import pytest

from concilio.domain.adventure import OutlineField
from concilio.export.book import Book, Entry, Point
from concilio.export.foundry import to_foundry
from concilio.export.heading import entries_of, quiet
from concilio.export.homebrewery import to_homebrewery
from concilio.export.html import to_html
from concilio.export.pdf_values import values_of
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

HEADER = (
    OutlineField(label="LUGAR PRINCIPAL", text="La aduana."),
    OutlineField(label="CONSECUENCIAS GRADUADAS", text="1. Éxito: salen.\n2. Fallo: se quedan."),
)


@pytest.fixture
def headed(booked: Booking) -> Book:
    """A book with a list in its head."""
    return booked(samples.chapter().model_copy(update={"header": HEADER}))


@pytest.mark.parametrize(
    ("label", "printed"),
    [
        ("LUGAR PRINCIPAL", "Lugar principal"),
        ("GRADED CONSEQUENCES", "Graded consequences"),
        ("ESCENAS APROX.", "Escenas aprox."),
        ("TENSIÓN (de la mesa)", "Tensión (de la mesa)"),
        ("DINÁMICA DE LA LUZ (nota de mesa)", "DINÁMICA DE LA LUZ (nota de mesa)"),
        ("Lugar principal", "Lugar principal"),
        ("PNJs", "PNJs"),
        ("", ""),
    ],
)
def test_only_the_forms_own_capitals_go(label: str, printed: str) -> None:
    assert quiet(label) == printed


@pytest.mark.parametrize(
    ("text", "told", "points"),
    [
        ("La aduana.", "La aduana.", ()),
        ("1. a\n2) b", "", (Point("a", 1), Point("b", 2))),
        ("Hay:\n- a\n  y más\n• b", "Hay:", (Point("a y más"), Point("b"))),
        ("5.1 y 5.2\n-3 de daño", "5.1 y 5.2\n-3 de daño", ()),
        ("", "", ()),
    ],
)
def test_what_a_text_lists_is_a_list(text: str, told: str, points: tuple[Point, ...]) -> None:
    assert list(entries_of([("x", text)])) == [Entry("x", told, points)]


def test_each_form_sets_the_list_as_a_list(headed: Book, ruleset: Ruleset) -> None:
    html = to_html(headed, ruleset)
    assert "<dt>Lugar principal</dt><dd>La aduana.</dd>" in html
    assert '<ol><li value="1">Éxito: salen.</li><li value="2">Fallo: se quedan.</li></ol>' in html
    pages = json.loads(to_foundry(headed, ruleset)["packs/_source/journal/journal.json"])["pages"]
    assert '<ol><li value="1">Éxito: salen.</li>' in pages[0]["text"]["content"]
    brewed = to_homebrewery(headed, ruleset)
    assert "**Consecuencias graduadas.**\n\n1. Éxito: salen.\n2. Fallo: se quedan.\n" in brewed
    entry = values_of(headed, ruleset)["header"][1]
    assert entry["points"] == [
        {"mark": "1.", "text": "Éxito: salen."},
        {"mark": "2.", "text": "Fallo: se quedan."},
    ]
    for form in (html, brewed):
        assert re.search("CONSECUENCIAS|LUGAR", form) is None
