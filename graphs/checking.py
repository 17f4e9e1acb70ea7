"""Chapters through the engine: rendered as they will be printed, read back, and checked as any file is."""

from dataclasses import replace

from concilio.chapterfile.reader import read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.chapter import Chapter
from rules.checks.context import Context
from rules.document import Document
from rules.engine import findings_in
from rules.findings import Finding


def unwritten(chapter: Chapter) -> Document:
    """Return a chapter's file without the prose, which was held against the plan when it was written."""
    document = read_document(render_chapter(chapter), f"chapter {chapter.number}", chapter.language)
    return replace(document, scenes=tuple(replace(scene, prose=None) for scene in document.scenes))


def findings_but_of_prose(context: Context) -> tuple[Finding, ...]:
    """Return what `concilio check` would find in the chapter's file outside its prose, notes left out."""
    found = findings_in(context)
    return tuple(f for f in found if f.part in ("plan", "file") and f.severity != "note")
