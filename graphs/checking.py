"""Chapters through the engine: rendered as they will be printed, read back, and checked as any file is."""

from dataclasses import replace

from concilio.chapterfile.reader import read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.chapter import Chapter
from rules.engine import check
from rules.facts import Facts
from rules.findings import Finding
from rules.ruleset import Ruleset


def findings_but_of_prose(chapter: Chapter, ruleset: Ruleset, facts: Facts) -> tuple[Finding, ...]:
    """Return what `concilio check` would find in the chapter's file outside its prose, notes left out.

    The prose was held against the plan scene by scene, when it was written.
    """
    document = read_document(render_chapter(chapter), f"chapter {chapter.number}", chapter.language)
    unwritten = replace(document, scenes=tuple(replace(scene, prose=None) for scene in document.scenes))
    found = check(unwritten, ruleset, facts)
    return tuple(f for f in found if f.part in ("plan", "file") and f.severity != "note")
