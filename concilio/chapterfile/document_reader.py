"""Reading a file for the rules engine: a chapter in the seeds' shape, ours or theirs, else free prose."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from concilio.catalogue import LANGUAGES
from concilio.chapterfile.debate_reader import find_outcome, messages_of, turns_of
from concilio.chapterfile.free_text import paragraphs_of
from concilio.chapterfile.header_reader import header_fields
from concilio.chapterfile.language import Hints, ReadAs, reading_of
from concilio.chapterfile.lines import FENCE, RULE, TextLine, lines_of, passage
from concilio.chapterfile.plan_scan import read_plan
from concilio.chapterfile.sections import Section, sections_of
from concilio.chapterfile.words import folded, read_words, written
from rules.document import Document, Passage, PlanScene, PlanSection, WrittenScene

_NO_HINTS = Hints()
_CHAPTER_KEYS = frozenset({"plan", "debate", "scene"})
_FIRST_LINE = re.compile(r"\ufeff?([^\W\d_]{2,12}\.?)[ \t]+(\d{1,9})\b")
_MAYBE_SCENE = re.compile(r"(?<![^\r\n])[ \t>]{0,8}(?:[#*_-][^\r\n]{0,60}|[^\W\d_]{3,9}[ \t]+)\d\.\d")


def read_document(source: str, name: str, language: str | None = None, hints: Hints = _NO_HINTS) -> Document:
    """Read a file. Never raises on any text; every passage equals the source at its place.

    Args:
        source: the file's text, as it is (CRLF and a byte order mark are fine).
        name: what findings call it.
        language: `es` or `en`; told from the front matter, the name, the hints, the labels and the words
            where it is not given.
        hints: what else is known of its language.
    """

    def read_as(scenes: tuple[PlanScene, ...]) -> ReadAs:
        return reading_of(source, name, language, hints, (f.label.text for s in scenes for f in s.fields))

    sections = sections_of(source)
    if any(s.key in _CHAPTER_KEYS for s in sections):
        return _chapter(source, name, read_as, sections)
    if _MAYBE_SCENE.search(source):
        plan = _bare_plan(source)
        if plan:
            return _plan_alone(source, name, read_as(plan.scenes), plan)
    return _free(source, name, read_as(()))


def _free(source: str, name: str, read: ReadAs) -> Document:
    free = paragraphs_of(source)
    return Document(name, source, read.language, None, free=free, language_is_told=read.is_told)


def _chapter(
    source: str,
    name: str,
    read_as: Callable[[tuple[PlanScene, ...]], ReadAs],
    sections: tuple[Section, ...],
) -> Document:
    number = _number(source, sections)
    plan = _plan(source, _first(sections, "plan"), number)
    written = tuple(_written(source, sections))
    debate = _first(sections, "debate")
    start, end = (debate.body_start, debate.body_end) if debate else (0, _before_scenes(source, sections))
    outcome = find_outcome(source, start, end)
    turns = turns_of(source, start, end) if debate else ()
    stop = outcome[0].start if outcome else end
    planned = (plan.scenes if plan else ()) + tuple(s.plan for s in written if s.plan)
    title = _first(sections, "chapter")
    read = read_as(planned)
    return Document(
        name,
        source,
        read.language,
        number,
        title.title if title else None,
        header_fields(source, sections),
        plan,
        messages_of(source, turns, stop, number),
        outcome[0] if outcome else None,
        outcome[1] if outcome else "",
        written,
        language_is_told=read.is_told,
    )


def _first(sections: tuple[Section, ...], key: str) -> Section | None:
    return next((s for s in sections if s.key == key), None)


def _before_scenes(source: str, sections: tuple[Section, ...]) -> int:
    scene = _first(sections, "scene")
    return scene.start if scene else len(source)


def _number(source: str, sections: tuple[Section, ...]) -> int:
    """Return the chapter's number: of its heading, its first line, its scenes; 0 where none says it."""
    chapter, scene = _first(sections, "chapter"), _first(sections, "scene")
    if chapter:
        return int(chapter.id)
    first = _FIRST_LINE.match(source)
    if first and folded(first[1]) in read_words().chapter:
        return int(first[2])
    return _chapter_of(scene.id) if scene else 0


def _chapter_of(scene_id: str) -> int:
    chapter = scene_id.partition(".")[0]
    return int(chapter) if chapter.isdecimal() else 0


def _plan(source: str, section: Section | None, chapter: int) -> PlanSection | None:
    if section is None:
        return None
    start, end = _unfenced(source, section)
    read = read_plan(source[start:end], start, chapter)
    return PlanSection(section.heading, section.body(source), read.scenes, read.stray)


def _unfenced(source: str, section: Section) -> tuple[int, int]:
    """Return the span of a plan without the one pair of fences in which a file may wrap it."""
    start, end = section.body_start, section.body_end
    first: TextLine | None = None
    last: TextLine | None = None
    for line in lines_of(source[start:end], start):
        if line.blank or RULE.match(line.text):
            continue
        first = first or line
        last = line
    if first is None or last is None or first is last:
        return start, end
    opening, closing = FENCE.match(first.text), FENCE.match(last.text)
    return (first.end, last.start) if opening and closing and not closing[2] else (start, end)


def _written(source: str, sections: tuple[Section, ...]) -> Iterator[WrittenScene]:
    for index, section in enumerate(sections):
        if section.key != "scene":
            continue
        parts: dict[str, Section] = {}
        for part in sections[index + 1 :]:
            if part.key not in ("scene_plan", "prose", "mechanics", "findings_scene"):
                break
            parts.setdefault(part.key, part)
        plan, prose = parts.get("scene_plan"), parts.get("prose")
        body = prose.body(source) if prose else None
        yield WrittenScene(
            section.id,
            section.title,
            written_plan(source, section, plan) if plan else None,
            body if body and body.text and body.text not in _unwritten() else None,
        )


@cache
def _unwritten() -> tuple[str, ...]:
    """Return the lines that stand where a scene has no prose."""
    return tuple(f"_{written(language, 'prose_missing')}_" for language in LANGUAGES)


def written_plan(source: str, section: Section, plan: Section) -> PlanScene:
    """Read an agreed plan: its fields stand under a heading of their own, away from the scene's."""
    read = read_plan(source[plan.body_start : plan.body_end], plan.body_start)
    found = read.orphan or next((s for s in read.scenes), None)
    body = plan.body(source)
    if found is None:
        return PlanScene(section.id, section.title, body)
    return replace(found, id=section.id, title=section.title, passage=body)


def _bare_plan(source: str) -> PlanSection | None:
    """Read a file that is nothing but a plan."""
    read = read_plan(source)
    if sum(len(scene.fields) for scene in read.scenes) < 3:
        return None
    return PlanSection(Passage("", 0), passage(source, 0, 0, len(source)), read.scenes, read.stray)


def _plan_alone(source: str, name: str, read: ReadAs, plan: PlanSection) -> Document:
    number = _chapter_of(plan.scenes[0].id)
    return Document(name, source, read.language, number, plan=plan, language_is_told=read.is_told)
