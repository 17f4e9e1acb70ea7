"""`concilio export`: a chapter as HTML, PDF, documents for Foundry VTT, or Homebrewery's Markdown."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from concilio.catalogue import follow, say
from concilio.cli.completing import any_files
from concilio.cli.output_file import cannot_write, require_free, run_files, write_output
from concilio.printable import printable

if TYPE_CHECKING:
    from concilio.chapterfile.errors import ChapterFileError
    from concilio.export.book import Book
    from rules.ruleset import Ruleset

FORMS = {"html": ".html", "pdf": ".pdf", "foundry": "-foundry", "homebrewery": ".homebrewery.md"}
"""What is exported to, with what follows the chapter's name by default."""
WRONG_USE = 2
MOST_LISTED = 20
"""Characters without a font that one line names."""
MOST_NAMED = 5
"""Files of a folder that are named in one line."""
OPTION = "--output"
NEEDED = ("markdown_it",)
NEEDED_FOR_PDF = ("markdown_it", "typst")


class CannotExportError(Exception):
    """A chapter cannot be exported; the message is one line for people."""

    exit_code = WRONG_USE


@click.command(name="export", help=say("export.help"), short_help=say("cli.summary.export"))
@click.argument("chapter", metavar=say("export.arg_chapter"), shell_complete=any_files)
@click.option("--to", "form", type=click.Choice(tuple(FORMS)), required=True, help=say("export.opt_to"))
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar=say("export.meta_file"),
    help=say("export.opt_output"),
)
@click.option(
    "--adventure",
    type=click.Path(path_type=Path),
    metavar=say("export.meta_file"),
    help=say("export.opt_adventure"),
)
@click.option("--force", is_flag=True, help=say("export.opt_force"))
def command(chapter: str, form: str, output: Path | None, adventure: Path | None, force: bool) -> None:
    """Write a chapter in another form."""
    require_extra(form)
    target = output or default_output(chapter, form)
    place = require_free(target, OPTION, (chapter, adventure, *run_files(chapter)), force, form == "foundry")
    if form == "foundry" and place.is_dir() and not _is_ours(place):
        raise CannotExportError(say("export.not_ours", path=printable(target)))
    book, ruleset = read_book(chapter, adventure)
    others = _write(place, form, book, ruleset)
    click.echo(say("export.written", path=printable(target)))
    if others:
        named = ", ".join(printable(name) for name in others[:MOST_NAMED])
        more = "…" if len(others) > MOST_NAMED else ""
        click.echo(say("export.others", number=len(others), names=named + more), err=True)


def default_output(chapter: str, form: str) -> Path:
    """Return where an export goes that is not told: beside the chapter; here, for the standard input."""
    path = Path("stdin.md" if chapter == "-" else chapter)
    stem = path.name.removesuffix(".json").removesuffix(".md") or "chapter"
    return path.parent / f"{stem}{FORMS[form]}"


def read_book(chapter: str, adventure: Path | None) -> "tuple[Book, Ruleset]":
    """Return a chapter as a book, with the rules that it is written for.

    Raises:
        CannotReadError: the file cannot be read.
        BadSetupError: the adventure or its ruleset cannot be used.
        CannotExportError: it is no chapter, or has no scenes.
    """
    from concilio.batch.job import adventure_beside
    from concilio.chapterfile.errors import ChapterFileError
    from concilio.cli.check_files import read_source
    from concilio.cli.check_setup import load_rules
    from concilio.cli.playtest import load_table
    from concilio.export.gather import NoScenesError, make_book, read_file

    source = read_source(chapter)
    try:
        document, known = read_file(source, Path(chapter).name)
    except ChapterFileError as error:
        raise _unreadable(chapter, error) from None
    follow(document.language)
    beside = adventure_beside(Path(chapter)) if adventure is None and chapter != "-" else None
    table = load_table(document, adventure, 1, beside)
    ruleset = table.ruleset
    if table.adventure is None and known is not None and known.provenance.ruleset:
        ruleset = load_rules(known.provenance.ruleset, None)
    try:
        return make_book(document, known, table.adventure, ruleset, table.facts), ruleset
    except NoScenesError:
        raise CannotExportError(say("export.no_scenes", file=printable(chapter))) from None


def _unreadable(chapter: str, error: "ChapterFileError") -> CannotExportError:
    return CannotExportError(
        say("export.cannot_read", file=printable(chapter), problem=str(error).rstrip("."))
    )


def _is_ours(target: Path) -> bool:
    from concilio.export.folder import is_ours

    return is_ours(target)


def _write(place: Path, form: str, book: "Book", ruleset: "Ruleset") -> tuple[str, ...]:
    """Write an export; return which documents of others are left beside it."""
    if form != "foundry":
        write_output(place, OPTION, _made(form, book, ruleset))
        return ()
    from concilio.export.folder import InTheWayError, write_folder
    from concilio.export.foundry import to_foundry

    try:
        return write_folder(place, to_foundry(book, ruleset))
    except InTheWayError as error:
        raise CannotExportError(say("export.in_the_way", path=printable(error.path))) from None
    except OSError as error:
        raise cannot_write(place, OPTION, error.strerror or type(error).__name__) from None


def _made(form: str, book: "Book", ruleset: "Ruleset") -> str | bytes:
    if form == "html":
        from concilio.export.html import to_html

        return to_html(book, ruleset)
    if form == "pdf":
        return _pdf(book, ruleset)
    from concilio.export.homebrewery import to_homebrewery

    return to_homebrewery(book, ruleset)


def _pdf(book: "Book", ruleset: "Ruleset") -> bytes:
    from concilio.export.pdf import TypesettingError, set_pdf

    try:
        made, unshown = set_pdf(book, ruleset)
        if unshown:
            listed = ", ".join(f"{printable(text)} ({n})" for text, n in list(unshown.items())[:MOST_LISTED])
            more = "…" if len(unshown) > MOST_LISTED else ""
            click.echo(say("export.no_font", number=len(unshown), texts=listed + more), err=True)
        return made
    except TypesettingError as error:
        raise CannotExportError(say("export.cannot_set", file=book.title, problem=error)) from None


def require_extra(form: str) -> None:
    """Say what to install where the extra is missing.

    Raises:
        CannotExportError: a package of the extra is not installed.
    """
    from importlib.util import find_spec

    wanted = NEEDED_FOR_PDF if form == "pdf" else NEEDED
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        raise CannotExportError(say("export.not_installed", missing=", ".join(missing)))
