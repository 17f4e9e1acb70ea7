"""A scene's outcomes are printed once: in its prose where it tells them, else in a list of their own."""

import json
import re
from collections.abc import Iterator

import pytest

from concilio.domain.chapter import Chapter, SceneProse
from concilio.domain.plan import Outcome, Proposal
from concilio.export.book import Book
from concilio.export.foundry import to_foundry
from concilio.export.homebrewery import to_homebrewery
from concilio.export.html import to_html
from concilio.export.outcomes import ending_of
from concilio.export.pdf_values import values_of
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking

SUCCESS = "El grupo sale con el libro, y Lina guarda su barca."
FAILURE = "El capitán cierra el puerto con 2d6 guardias."
TOLD = f"""Se abre la puerta.

- **Éxito** (si nadie mira): {SUCCESS} Dilo despacio.
- **FALLO**: el capitán, al fin, cierra el PUERTO con 2d6 guardias."""
BESIDE = f"Hay barro.\n\n**Éxito.** {SUCCESS}\n\n#### Fallo\n\n{FAILURE}"
TABLE = f"| Sale | Qué |\n| --- | --- |\n| Éxito | {SUCCESS} |\n| Fallo | {FAILURE} |"


def written(prose: str, leads: tuple[str | None, str | None] = ("2.2", "2.2")) -> Chapter:
    """Return a chapter whose first scene has two outcomes that lead somewhere."""
    sample = samples.chapter(prose)
    outcomes = (
        Outcome(label="Éxito", degree="success", text=SUCCESS, leads_to=leads[0]),
        Outcome(label="Fallo", degree="failure", text=FAILURE, leads_to=leads[1]),
    )
    plan = samples.scene().model_copy(update={"outcomes": outcomes})
    scenes = (plan, *sample.plan.scenes[1:])
    return sample.model_copy(
        update={"plan": Proposal(scenes=scenes), "scenes": (SceneProse(plan=plan, prose=prose),)}
    )


def forms(book: Book, ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield each form of a book by its name, as the words that a reader sees."""
    yield "html", re.sub(r"<[^>]+>", "", to_html(book, ruleset))
    yield "homebrewery", to_homebrewery(book, ruleset)
    files = to_foundry(book, ruleset)
    pages = json.loads(files["packs/_source/journal/journal.json"])["pages"]
    yield "foundry", re.sub(r"<[^>]+>", "", " ".join(page["text"]["content"] for page in pages))
    pieces = [piece for scene in values_of(book, ruleset)["scenes"] for piece in scene["pieces"]]
    yield "pdf", "\n".join("".join(run["text"] for run in piece["runs"]) for piece in pieces)


@pytest.mark.parametrize("prose", [TOLD, BESIDE, TABLE])
def test_what_the_prose_tells_is_not_told_again(booked: Booking, ruleset: Ruleset, prose: str) -> None:
    book = booked(written(prose))
    assert ending_of(book, book.scenes[0]).rows == ()
    for form, text in forms(book, ruleset):
        assert text.count("Lina guarda su barca") == (0 if form == "pdf" and prose == TABLE else 1), form
        assert "Adónde lleva" not in text, form


@pytest.mark.parametrize("leads", [("2.2", "end"), ("end", None), ("2.2", "2.9")])
def test_where_outcomes_part_each_tells_where_it_leads(
    booked: Booking, ruleset: Ruleset, leads: tuple[str | None, str | None]
) -> None:
    book = booked(written(TOLD, leads))
    ending = ending_of(book, book.scenes[0])
    assert [(row.text, row.leads_to) for row in ending.rows] == [("", to) for to in leads if to]
    for form, text in forms(book, ruleset):
        assert text.count("Lina guarda su barca") == 1, form
        assert "Adónde lleva cada resultado" in text, form


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        (TOLD, [True, True]),
        (TOLD.replace("2d6", "3d6"), [True, False]),
        (TOLD.replace("guarda su barca", "vende su barca"), [False, True]),
        (TOLD.replace("**FALLO**", "**Si algo sale mal**"), [True, False]),
        (f"Éxito o fallo. {SUCCESS} {FAILURE}", [True, False]),
        (f"- Éxito:\n- Fallo: {SUCCESS} {FAILURE}", [False, True]),
        ("Nada.", [False, False]),
        ("", [False, False]),
    ],
)
def test_a_changed_word_or_figure_is_no_telling(
    booked: Booking, ruleset: Ruleset, prose: str, told: list[bool]
) -> None:
    book = booked(written(prose))
    rows = {row.label: row.text for row in ending_of(book, book.scenes[0]).rows}
    assert [not rows.get("Éxito"), not rows.get("Fallo")] == told
    for form, text in forms(book, ruleset):
        assert "Lina guarda su barca" in text, form
        assert "cierra el puerto" in text.casefold(), form
