"""A chapter as a PDF, set by Typst.

What is untrusted reaches Typst as values of a JSON file, never as markup; Typst sees one folder of its own.
"""

import json
import re
from collections.abc import Mapping
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


ARCHIVED = "a-2b"
_UNSHOWN = re.compile(r'the text `"(.+?)"` could not be displayed')
_CODE = re.compile(r"\\u\{([0-9a-f]{1,6})\}")


class TypesettingError(Exception):
    """Typst cannot set a book; the message is its own."""

    def __init__(self, message: str, diagnostic: str = "") -> None:
        self.diagnostic = diagnostic
        """All that Typst says."""
        super().__init__(message)


def to_pdf(book: Book, ruleset: "Ruleset") -> bytes:
    """Return the PDF of a book.

    Raises:
        TypesettingError: Typst refuses it.
    """
    return set_pdf(book, ruleset)[0]


def set_pdf(book: Book, ruleset: "Ruleset") -> tuple[bytes, Mapping[str, int]]:
    """Return the PDF of a book, and the characters that no font here has, with how often each is in the book.

    It is a PDF/A, which must show all of its text: that is how Typst tells what it cannot show.

    Raises:
        TypesettingError: Typst refuses it.
    """
    try:
        return _compiled(book, ruleset, format="pdf", pdf_standards=[ARCHIVED])[0], {}
    except TypesettingError as error:
        unshown = dict.fromkeys(_as_text(found) for found in _UNSHOWN.findall(error.diagnostic))
    made = _compiled(book, ruleset, format="pdf")[0]
    told = json.dumps(values_of(book, ruleset), ensure_ascii=False)
    return made, {text: max(1, told.count(text)) for text in unshown}


def _as_text(quoted: str) -> str:
    """Return a text as Typst quotes it (`\\u{202e}`) as it is."""
    return _CODE.sub(lambda code: chr(int(code[1], 16)), quoted)


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
            raise TypesettingError(" ".join(str(error).split()), str(error.diagnostic)) from None
    return [made] if isinstance(made, bytes) else made
