"""What a chapter's page gives to take along: its Markdown, and exports that are made while one waits.

Nothing is written anywhere, and nothing is read but files of the run.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from concilio.catalogue import speaking
from concilio.chapterfile.errors import ChapterFileError
from concilio.store.errors import StoreError
from concilio.store.own import MEGABYTE
from concilio.view.found import Found, NotFoundError, chapter_file, inner_file
from concilio.view.reading import LARGEST_CHAPTER, stamp
from concilio.view.titles import adventure_of
from rules.ruleset import RulesetError, load_ruleset

if TYPE_CHECKING:
    from concilio.export.book import Book
    from rules.ruleset import Ruleset

_one_at_a_time = Lock()
"""A PDF takes a second of the processor: asked for many times at once they would take it all."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which a chapter is given out."""

    ending: str
    """Of the file's name, after the chapter's stem."""
    media_type: str
    make: "Callable[[Book, Ruleset], str | bytes]"
    needs: str = ""
    """Package without which it cannot be made."""


@dataclass(frozen=True, slots=True)
class Given:
    """A file to be saved: its name is ours, never a title."""

    name: str
    media_type: str
    content: str | bytes


def _html(book: "Book", ruleset: "Ruleset") -> str:
    from concilio.export.html import to_html

    return to_html(book, ruleset)


def _homebrewery(book: "Book", ruleset: "Ruleset") -> str:
    from concilio.export.homebrewery import to_homebrewery

    return to_homebrewery(book, ruleset)


def _pdf(book: "Book", ruleset: "Ruleset") -> bytes:
    from concilio.export.pdf import to_pdf

    return to_pdf(book, ruleset)


FORMS: Mapping[str, Form] = {
    "html": Form(".html", "text/html", _html),
    "pdf": Form(".pdf", "application/pdf", _pdf, "typst"),
    "homebrewery": Form(".homebrewery.md", "text/markdown", _homebrewery),
}


class CannotGiveError(Exception):
    """A chapter cannot be made into a form; `problem` says why, in words for people."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(problem)


def forms_here() -> tuple[str, ...]:
    """Return the forms that can be made with what is installed."""
    return tuple(name for name, form in FORMS.items() if not form.needs or find_spec(form.needs))


def markdown_of(out: Path, run: Found, number: int) -> Path | None:
    """Return the chapter's Markdown file, or None where there is none of ours or it is too large."""
    found = chapter_file(out, run, number)
    path = inner_file(out, run, f"{found[0].stem}.md") if found else None
    return path if path and 0 < stamp(path)[0] <= LARGEST_CHAPTER else None


def given(out: Path, run: Found, number: int, name: str) -> Given:
    """Return a chapter in a form.

    Raises:
        NotFoundError: there is no such chapter or form here.
        CannotGiveError: the chapter cannot be made into it.
        StoreError: its file is too large.
    """
    found = chapter_file(out, run, number)
    if found is None or name not in forms_here():
        raise NotFoundError(name)
    path, form = found[0], FORMS[name]
    if stamp(path)[0] > LARGEST_CHAPTER:
        raise StoreError("too_large", path, most=LARGEST_CHAPTER // MEGABYTE)
    with _one_at_a_time:
        return Given(f"{path.stem}{form.ending}", form.media_type, _made(out, run, path, form))


def _made(out: Path, run: Found, path: Path, form: Form) -> str | bytes:
    from concilio.adventure.facts import facts_of
    from concilio.domain.adventure import Adventure
    from concilio.export.gather import NoScenesError, make_book, read_file
    from concilio.export.pdf import TypesettingError

    adventure = adventure_of(out, run)
    try:
        document, chapter = read_file(path.read_text(encoding="utf-8", errors="replace"), path.name)
        ruleset = load_ruleset(chapter.provenance.ruleset if chapter else "srd5e")
        title = chapter.adventure if chapter else ""
        known = adventure or Adventure(title=title or "-", language=document.language)
        with speaking(document.language):
            book = make_book(document, chapter, adventure, ruleset, facts_of(known, ruleset))
            return form.make(book, ruleset)
    except (ChapterFileError, RulesetError, TypesettingError, OSError) as error:
        raise CannotGiveError(f"{path.name}: {error}") from error
    except NoScenesError:
        raise NotFoundError(path.name) from None
