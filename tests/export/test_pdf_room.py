"""Nothing in a PDF runs over the other column or the edge, and what no font can show is told."""

from dataclasses import replace
from pathlib import Path

import pytest

from concilio.chapterfile.json_file import dump_chapter
from concilio.cli.main import run_command_line
from concilio.export.pdf import _compiled, set_pdf, to_pdf  # pyright: ignore[reportPrivateUsage]
from rules.ruleset import Ruleset
from tests.export import samples
from tests.export.conftest import Booking
from tests.export.pixels import inked

PPI = 36
MM = PPI / 25.4
"""Pixels a millimetre."""
WORD = "x" * 300
ADDRESS = "https://example.org/" + "a" * 60 + "/" + "b" * 300 + "?c=d&e=f"


def table(columns: int, rows: int = 4, cell: str = "valor") -> str:
    cells = [f"| {' | '.join(f'{cell} {i}' for i in range(columns))} |"] * (rows + 1)
    return "\n".join([cells[0], "|" + " --- |" * columns, *cells[1:]])


def overrun(pages: list[bytes]) -> list[tuple[int, int]]:
    """Return page and row of what is printed between the columns or beyond them, below a page's head."""
    found: list[tuple[int, int]] = []
    for page, png in enumerate(pages):
        rows = inked(png)
        first = round((75 if page == 0 else 17) * MM)
        for y in range(first, round(279 * MM)):
            gutter = rows[y][round(103.5 * MM) : round(106.5 * MM)]
            edges = rows[y][: round(15 * MM)] + rows[y][round(195 * MM) :]
            if any(gutter) or any(edges):
                found.append((page, y))
    return found


@pytest.mark.parametrize(
    "prose",
    [
        WORD,
        ADDRESS,
        f"> {WORD}",
        f"- {ADDRESS}\n    - {WORD}",
        f"`{WORD}`",
        f"```\n{WORD}\n```",
        f"#### {WORD}",
        f"**{WORD}** *{WORD}*",
        table(2),
        table(7),
        table(40),
        table(40, cell="responsabilidades"),
        table(12, cell="W" * 20),
        table(3, cell=WORD),
        table(2, cell=ADDRESS),
        table(5, rows=90, cell="una celda con bastantes palabras"),
    ],
)
def test_nothing_runs_over_another_column(booked: Booking, ruleset: Ruleset, prose: str) -> None:
    book = booked(samples.chapter(f"Hay barro.\n\n{prose}\n\nY nada más."))
    assert overrun(_compiled(replace(book, picture=""), ruleset, format="png", ppi=PPI)) == []


def test_titles_and_names_break_too(booked: Booking, ruleset: Ruleset) -> None:
    name = "x" * 80
    book = booked(samples.chapter(text=name), samples.adventure(name, name))
    assert book.title == name
    pages = _compiled(book, ruleset, format="png", ppi=PPI)
    edges = [row[: round(15 * MM)] + row[round(195 * MM) :] for page in pages for row in inked(page)]
    assert not any(any(edge) for edge in edges)


def test_what_no_font_shows_is_told_with_its_number(
    booked: Booking, ruleset: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A font of the machine may have some; each that is named has none, and is counted."""
    prose = "Pone 漢 en el dintel, y otra vez 漢. Nadie sabe leer \U000f1234."
    _, unshown = set_pdf(booked(samples.chapter(prose)), ruleset)
    assert unshown["\U000f1234"] == 1
    assert unshown.get("漢") in (None, 2)
    file = tmp_path / "c.json"
    file.write_text(dump_chapter(samples.chapter(prose)), encoding="utf-8")
    assert run_command_line(["--lang", "en", "export", str(file), "--to", "pdf"]) == 0
    err = capsys.readouterr().err
    assert "No font on this machine" in err
    assert "(1)" in err
    assert err.count("\n") == 1
    assert file.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def test_what_all_can_be_shown_is_told_nothing_of(booked: Booking, ruleset: Ruleset) -> None:
    book = booked(samples.chapter("«Ñandú», dijo — αβγ, дом… → fin"))
    made, unshown = set_pdf(book, ruleset)
    assert not unshown
    assert len(made) == len(to_pdf(book, ruleset))  # the minute at which it is made stands in it
    assert b"pdfaid" in made
