"""A chapter as a PDF, set by Typst.

What is untrusted reaches Typst as values of a JSON file, never as markup; Typst sees one folder of its own.
"""

import json
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from concilio.export.book import Book
from concilio.export.pdf_values import values_of

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

TEMPLATE = "chapter.typ"
BOOK = "book.json"
PPI = 100
"""Dots an inch of the pages as pictures."""


class TypesettingError(Exception):
    """Typst cannot set a book; the message is its own."""


def to_pdf(book: Book, ruleset: "Ruleset") -> bytes:
    """Return the PDF of a book.

    Raises:
        TypesettingError: Typst refuses it.
    """
    return _compiled(book, ruleset, format="pdf")[0]


def to_pictures(book: Book, ruleset: "Ruleset") -> list[bytes]:
    """Return the pages of the PDF as PNG.

    Raises:
        TypesettingError: Typst refuses it.
    """
    return _compiled(book, ruleset, format="png", ppi=PPI)


def _compiled(book: Book, ruleset: "Ruleset", **how: Any) -> list[bytes]:
    import typst

    with TemporaryDirectory(prefix="concilio-pdf-") as name:
        folder = Path(name)
        template = files("concilio.export").joinpath("templates", TEMPLATE).read_text(encoding="utf-8")
        (folder / TEMPLATE).write_text(template, encoding="utf-8")
        told = json.dumps(values_of(book, ruleset), ensure_ascii=False)
        (folder / BOOK).write_text(told, encoding="utf-8")
        setter: Any = typst.compile
        try:
            made: bytes | list[bytes] = setter(folder / TEMPLATE, root=folder, **how)
        except typst.TypstError as error:
            raise TypesettingError(" ".join(str(error).split())) from None
    return [made] if isinstance(made, bytes) else made
