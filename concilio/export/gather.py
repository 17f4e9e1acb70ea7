"""A chapter's file read into a book: ours as JSON or Markdown, or anybody's Markdown with scenes."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pydantic import ValidationError

from concilio.catalogue import say, speaking
from concilio.chapterfile.chapter_reader import read_chapter
from concilio.chapterfile.document_reader import read_document
from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.json_file import load_chapter
from concilio.chapterfile.plan_values import field_text, to_outcome
from concilio.chapterfile.render import render_chapter
from concilio.domain.adventure import Adventure
from concilio.domain.chapter import Chapter
from concilio.domain.plan import ScenePlan
from concilio.export.book import Book, Scene
from concilio.export.heading import entries_of
from concilio.export.monsters import monsters_of
from concilio.export.prose import read_blocks
from concilio.export.rolls import edges_in, rolls_in
from concilio.export.tidy import tidy, tidy_model
from concilio.faults import told
from rules.document import Document, PlanScene
from rules.findings import Finding

if TYPE_CHECKING:
    from rules.checks.context import Context
    from rules.facts import Facts
    from rules.ruleset import Ruleset

FIELDS = ("place", "present", "situation", "player_action", "state_change")
_QUOTES = "«»“”\"' *#"


class NoScenesError(ValueError):
    """A file holds no scenes to export."""


def read_file(source: str, name: str) -> tuple[Document, Chapter | None]:
    """Return a file as the engine reads it, and as a chapter where it is one of ours.

    Raises:
        ChapterFileError: it looks like JSON and is no chapter.
    """
    if source.lstrip("\ufeff \t\r\n").startswith("{"):
        chapter = _tidy_chapter(load_chapter(source))
        return read_document(render_chapter(chapter), name, chapter.language), chapter
    source = tidy(source)
    document = read_document(source, name)
    try:
        return document, read_chapter(source)
    except ChapterFileError:
        return document, None


def _tidy_chapter(chapter: Chapter) -> Chapter:
    try:
        return tidy_model(chapter)
    except ValidationError as error:
        raise ChapterFileError("json_value", problem=told(error)) from None


def make_book(
    document: Document,
    chapter: Chapter | None,
    adventure: Adventure | None,
    ruleset: "Ruleset",
    facts: "Facts",
) -> Book:
    """Return the book of a chapter.

    Raises:
        NoScenesError: it has no scenes, neither planned nor written.
    """
    from rules.checks.context import Context

    adventure = adventure and tidy_model(adventure)
    context = Context(document, ruleset, facts)
    planned = _planned(document)
    scenes = tuple(_ours(chapter, context) if chapter else _theirs(document, planned, context))
    if not scenes:
        raise NoScenesError(document.name)
    title = document.title.text.strip(_QUOTES) if document.title else ""
    known = adventure.title if adventure else ""
    with speaking(document.language):
        return Book(
            language=document.language,
            adventure=chapter.adventure if chapter else known,
            number=chapter.number if chapter else document.chapter or 0,
            title=chapter.title if chapter else field_text(title) or say("export.untitled"),
            ruleset=ruleset.id,
            header=tuple(entries_of(_header(document, chapter))),
            notes=chapter.notes if chapter else "",
            scenes=scenes,
            monsters=monsters_of(adventure, context, planned),
            objections=chapter.ledger.open() if chapter else (),
            findings=chapter.plan_findings if chapter else (),
            picture=_picture(document, adventure, ruleset, facts),
        )


def _planned(document: Document) -> tuple[PlanScene, ...]:
    from concilio.cli.playtest import planned

    return planned(document)


def _header(document: Document, chapter: Chapter | None) -> Iterator[tuple[str, str]]:
    if chapter is not None:
        yield from ((each.label, each.text) for each in chapter.header)
        return
    for each in document.header:
        lines = (line.strip() for line in each.text.text.split("\n"))
        yield field_text(each.label.text.rstrip(": ")), "\n".join(line for line in lines if line)


def _ours(chapter: Chapter, context: "Context") -> Iterator[Scene]:
    written = {scene.plan.id: scene for scene in chapter.scenes}
    for plan in chapter.plan.scenes:
        scene = written.pop(plan.id, None)
        kept = scene.plan if scene else plan
        yield _scene(kept, scene.prose if scene else "", context, scene.findings if scene else ())
    for scene in written.values():
        yield _scene(scene.plan, scene.prose, context, scene.findings)


def _scene(plan: ScenePlan, text: str, context: "Context", findings: Sequence[Finding]) -> Scene:
    fields = tuple((key, str(getattr(plan, key))) for key in FIELDS)
    prose = read_blocks(text, context.language, context.ruleset)
    rolls = rolls_in(context, plan.player_action, prose)
    edges = edges_in(context, plan.player_action, prose) if rolls else ()
    return Scene(plan.id, plan.title, fields, plan.outcomes, prose, rolls, edges, tuple(findings))


def _theirs(document: Document, planned: Sequence[PlanScene], context: "Context") -> Iterator[Scene]:
    """Yield somebody's scenes as far as they are there: written ones, and planned ones that are not."""
    plans = {scene.id: scene for scene in planned}
    told = {scene.id: scene for scene in document.scenes}
    for id in dict.fromkeys((*plans, *told)):
        scene, plan = told.get(id), plans.get(id)
        title = scene.title if scene else plan.title if plan else None
        text = scene.prose.text if scene and scene.prose else ""
        prose = read_blocks(text, document.language, context.ruleset)
        fields = tuple(_fields(plan)) if plan else ()
        chapter = id.partition(".")[0]
        outcomes = tuple(to_outcome(o, document.language, chapter) for o in plan.outcomes) if plan else ()
        action = dict(fields).get("player_action", "")
        rolls = rolls_in(context, action, prose)
        edges = edges_in(context, action, prose) if rolls else ()
        name = field_text(title.text.strip(_QUOTES)) if title else ""
        yield Scene(id, name, fields, outcomes, prose, rolls, edges)


def _fields(plan: PlanScene) -> Iterator[tuple[str, str]]:
    for key in FIELDS:
        found = next((each for each in plan.fields if each.key == key), None)
        if found and (text := field_text(found.text.text)):
            yield key, text


def _picture(document: Document, adventure: Adventure | None, ruleset: "Ruleset", facts: "Facts") -> str:
    from concilio.cli.playtest import Played, Table, planned
    from concilio.cli.playtest_svg import to_svg
    from graphs.playing import read_way
    from rules.checks.context import Context
    from rules.playtest.model import PlaytestError
    from rules.playtest.play import playtest

    outlines = adventure.chapters if adventure else ()
    consequences = next((o.consequences for o in outlines if o.number == document.chapter), ())
    way = partial(read_way, document.language)
    context = Context(document, ruleset, facts)
    try:
        result = playtest(context, planned(document), way, consequences, sampled=False)
    except PlaytestError:
        return ""
    return to_svg(Played("", document, Table(ruleset, facts, adventure), result))
