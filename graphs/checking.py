"""Chapters through the engine: rendered as they will be printed, read back, and checked as any file is."""

from concilio.chapterfile.reader import read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.chapter import Chapter
from rules.engine import check
from rules.facts import Facts
from rules.findings import Finding
from rules.ruleset import Ruleset


def findings_of(chapter: Chapter, ruleset: Ruleset, facts: Facts) -> tuple[Finding, ...]:
    """Return what `concilio check` would find in the chapter's file."""
    document = read_document(render_chapter(chapter), f"chapter {chapter.number}", chapter.language)
    return check(document, ruleset, facts)
