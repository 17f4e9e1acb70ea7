"""`concilio playtest`: a chapter's plan, played before anyone plays it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concilio.catalogue import follow, say
from concilio.cli.completing import any_files
from concilio.cli.form import text_or_json
from concilio.cli.numbers import WholeBetween
from concilio.cli.output_file import require_free, run_files, write_output
from concilio.printable import printable

if TYPE_CHECKING:
    from concilio.domain.adventure import Adventure
    from rules.document import Document, PlanScene
    from rules.facts import Facts
    from rules.playtest.model import Playtest
    from rules.ruleset import Ruleset

WRONG_USE = 2
HIGHEST_LEVEL = 20


class CannotPlayError(Exception):
    """A chapter cannot be played; the message is one line for people."""

    exit_code = WRONG_USE


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays, by which rules."""

    ruleset: "Ruleset"
    facts: "Facts"
    adventure: "Adventure | None"
    """None: a default party plays."""


@dataclass(frozen=True, slots=True)
class Played:
    """A chapter that was played."""

    file: str
    document: "Document"
    table: Table
    result: "Playtest"


@click.command(name="playtest", help=say("playtest.help"), short_help=say("cli.summary.playtest"))
@click.argument("chapter", metavar=say("playtest.arg_chapter"), shell_complete=any_files)
@click.option(
    "--adventure",
    type=click.Path(path_type=Path),
    metavar=say("playtest.meta_file"),
    help=say("playtest.opt_adventure"),
)
@click.option("--level", type=WholeBetween(1, HIGHEST_LEVEL), metavar="N", help=say("playtest.opt_level"))
@text_or_json("playtest.opt_format")
@click.option(
    "--svg",
    type=click.Path(path_type=Path),
    metavar=say("playtest.meta_file"),
    help=say("playtest.opt_svg"),
)
@click.option("--force", is_flag=True, help=say("cli.output.force"))
def command(
    chapter: str, adventure: Path | None, level: int | None, form: str, svg: Path | None, force: bool
) -> int:
    """Print what comes of a chapter."""
    if adventure is not None and level is not None:
        raise CannotPlayError(say("playtest.level_and_adventure"))
    place = svg and require_free(svg, "--svg", (chapter, adventure, *run_files(chapter)), force)
    played = play(chapter, adventure, level)
    if place is not None:
        from concilio.cli.playtest_svg import to_svg

        write_output(place, "--svg", to_svg(played))
    if form == "json":
        import json

        from concilio.cli.playtest_json import to_object

        click.echo(json.dumps(to_object(played), ensure_ascii=False, allow_nan=False))
    else:
        from concilio.cli.playtest_output import lines

        click.echo("\n".join(lines(played)))
    return 0


def play(file: str, adventure: Path | None, level: int | None) -> Played:
    """Read a chapter and play it; for whom is said, else for the adventure of the run that wrote it.

    Raises:
        CannotReadError: the file cannot be read.
        BadSetupError: the adventure's ruleset cannot be used.
        CannotPlayError: the adventure cannot be used, or there is no plan, or one that is too large.
    """
    from concilio.batch.job import adventure_beside
    from concilio.cli.check_files import read_source

    unsaid = adventure is None and level is None and file != "-"
    beside = adventure_beside(Path(file)) if unsaid else None
    return play_text(read_source(file), file, adventure, level or 1, beside)


def play_text(
    source: str, file: str, adventure: Path | None, level: int, known: "Adventure | None" = None
) -> Played:
    """Play a chapter whose text is at hand; `file` is what it is called in messages.

    Raises:
        BadSetupError: the adventure's ruleset cannot be used.
        CannotPlayError: the adventure cannot be used, or there is no plan, or one that is too large; or the
            text is JSON, and no chapter.
    """
    from concilio.chapterfile.reader import read_document
    from graphs.playing import read_way
    from rules.checks.context import Context
    from rules.playtest.model import PlaytestError
    from rules.playtest.play import playtest

    document = read_document(_as_markdown(source, file), Path(file).name)
    follow(document.language)
    table = load_table(document, adventure, level, known)
    context = Context(document, table.ruleset, table.facts)
    scenes = planned(document)
    try:
        found = playtest(
            context, scenes, partial(read_way, document.language), _consequences(document, table.adventure)
        )
    except PlaytestError as error:
        problem = say(f"playtest.problem.{error.code}", **error.values)
        raise CannotPlayError(say("playtest.cannot_play", file=printable(file), problem=problem)) from None
    return Played(file, document, table, _with_same(found, document))


def _as_markdown(source: str, file: str) -> str:
    """Return a chapter's Markdown, where it is given as the JSON beside it; else what is given."""
    if not source.lstrip("\ufeff \t\r\n").startswith("{"):
        return source
    from concilio.chapterfile.errors import ChapterFileError
    from concilio.chapterfile.json_file import load_chapter
    from concilio.chapterfile.render import render_chapter

    try:
        return render_chapter(load_chapter(source))
    except ChapterFileError as error:
        problem = str(error).rstrip(".")
        raise CannotPlayError(say("playtest.cannot_play", file=printable(file), problem=problem)) from None


def _with_same(found: "Playtest", document: "Document") -> "Playtest":
    """Return what came of a chapter, with a note where several of its scenes have one number."""
    ids = [scene.id for scene in document.plan.scenes] if document.plan else []
    if len(set(ids)) == len(ids):
        return found
    return replace(found, notes=tuple(sorted({*found.notes, "same_number"})))


def planned(document: "Document") -> tuple["PlanScene", ...]:
    """Return a chapter's scenes once each, in order: of its plan, and agreed ones that the plan lacks."""
    scenes = document.plan.scenes if document.plan else ()
    agreed = (written.plan for written in document.scenes if written.plan is not None)
    found: dict[str, PlanScene] = {}
    for scene in (*scenes, *agreed):
        if scene.id not in found or not found[scene.id].outcomes:
            found[scene.id] = scene
    return tuple(found.values())


def load_table(
    document: "Document", adventure: Path | None, level: int, known: "Adventure | None" = None
) -> Table:
    """Return who plays a document, by which rules: an adventure's, else a default party of a level.

    An adventure is read from its file, or is `known`.

    Raises:
        BadSetupError: the adventure's ruleset cannot be used.
        CannotPlayError: the adventure cannot be used.
    """
    from concilio.adventure.facts import facts_of
    from concilio.cli.check_setup import load_rules

    loaded = known if adventure is None else _adventure(adventure)
    rules = load_rules("srd5e" if loaded is None else loaded.ruleset, adventure)
    facts = facts_of(loaded or _unknown(document, level), rules)
    return Table(rules, facts, loaded)


def _adventure(path: Path) -> "Adventure":
    from concilio.adventure.loader import load_adventure
    from concilio.adventure.problems import AdventureErrors

    try:
        return load_adventure(path)
    except AdventureErrors as error:
        raise CannotPlayError(error.format()) from None


def _unknown(document: "Document", level: int) -> "Adventure":
    from concilio.domain.adventure import Adventure

    return Adventure(title=document.name or "-", language=document.language, level=level)


def _consequences(document: "Document", adventure: "Adventure | None") -> Sequence[str]:
    """Return the graded consequences of a chapter's own header, else of its outline in the adventure."""
    from concilio.adventure.labels import consequences_of

    own = [c for text in _headers(document) for c in consequences_of(text)]
    outlines = adventure.chapters if adventure else ()
    outline = next((o for o in outlines if o.number == document.chapter), None)
    return own or (outline.consequences if outline else ())


def _headers(document: "Document") -> Iterator[str]:
    for field in document.header:
        if field.key == "consequences":
            yield "\n".join(line.strip() for line in field.text.text.split("\n"))
