"""Reading a chapter file of ours back into the very `Chapter` that it was rendered from."""

import re
from collections.abc import Iterable
from typing import Any, cast

from pydantic import ValidationError

from concilio.catalogue import say
from concilio.chapterfile.debate_reader import find_outcome, turns_of
from concilio.chapterfile.document_reader import written_plan
from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.escape import unescape
from concilio.chapterfile.plan_scan import read_plan
from concilio.chapterfile.plan_values import as_written
from concilio.chapterfile.played import played_in
from concilio.chapterfile.record_reader import findings_in, mechanics_in, objections_in, provenance_in
from concilio.chapterfile.records import read_labelled
from concilio.chapterfile.render import unwritten
from concilio.chapterfile.sections import Section, sections_of
from concilio.chapterfile.words import written
from concilio.domain.adventure import OutlineField
from concilio.domain.base import Language
from concilio.domain.chapter import Chapter
from concilio.domain.debate import Message
from concilio.domain.plan import ScenePlan
from concilio.faults import told

_CHAPTER = re.compile(r"<!-- concilio: chapter (-?\d{1,9}) (es|en) -->")
_LINES = re.compile(r"(?m)^<!-- concilio: lines ((?:-?\d+ ?)*) ?-->$")
_ORDER = re.compile(r"(?m)^<!-- concilio: order ((?:\d+ ?)*) ?-->$")
_SCENE_PARTS = frozenset({"scene_plan", "prose", "mechanics", "findings_scene"})


def read_chapter(source: str) -> Chapter:
    """Read a chapter file of ours.

    Raises:
        ChapterFileError: it is not ours (no closing comment), or somebody damaged it.
    """
    source = source.replace("\r\n", "\n").removeprefix("\ufeff")
    marks = _CHAPTER.findall(source)
    if not marks:
        raise ChapterFileError("not_ours")
    version, language = marks[-1]
    try:
        return _read(source, int(version), cast(Language, language))
    except ValidationError as error:
        raise ChapterFileError("damaged", problem=told(error)) from None
    except (ValueError, LookupError, StopIteration):
        raise ChapterFileError("damaged", problem=say("chapterfile.error.a_part")) from None


def _read(source: str, version: int, language: Language) -> Chapter:
    sections = sections_of(source)
    by_key = {section.key: section for section in sections}
    title = by_key["chapter"]
    header, notes = _header(source, by_key["header"], language)
    debate, ending = _debate(source, by_key["debate"])
    rewrites, provenance, facts = provenance_in(_lines(source, by_key["provenance"]), language)
    scenes = _scenes(source, sections, language, rewrites)
    return Chapter.model_validate(
        {
            "schema_version": version,
            "language": language,
            "number": int(title.id),
            "title": unescape(title.title.text),
            "header": header,
            "notes": notes,
            "ending": ending,
            "plan": {"scenes": _plans(source, by_key["plan"], language)},
            "playtest": _playtest(source, by_key.get("playtest"), language),
            "debate": debate,
            "ledger": {"objections": _objections(source, by_key, language)},
            "plan_findings": tuple(findings_in(_lines(source, by_key["findings_plan"]), language)),
            "scenes": scenes,
            "provenance": provenance,
            **facts,
        }
    )


def _lines(source: str, section: Section) -> list[str]:
    return source[section.body_start : section.body_end].split("\n")


def _header(source: str, section: Section, language: Language) -> tuple[tuple[OutlineField, ...], str]:
    body = source[section.body_start : section.body_end]
    fields, _, notes = body.partition(f"\n### {written(language, 'notes')}\n")
    numbers = _LINES.search(fields)
    lines = [int(n) for n in numbers[1].split()] if numbers else []
    found = [
        OutlineField(label=label, text=text, line=lines[i] if i < len(lines) else 0)
        for i, (label, text) in enumerate(_raw_header(fields.split("\n")))
    ]
    return tuple(found), unescape(notes.strip("\n"))


def _raw_header(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield label and text; a text of several lines stands below its label, two spaces deep."""
    label, text, below = "", "", list[str]()
    is_open = False
    for line in lines:
        pair = read_labelled(line)
        if pair or line.startswith("<!--"):
            if is_open:
                yield label, _joined(text, below)
            (label, text), below, is_open = pair or ("", ""), [], pair is not None
        elif is_open:
            below.append(line[2:])
    if is_open:
        yield label, _joined(text, below)


def _joined(text: str, below: list[str]) -> str:
    return unescape("\n".join(below).strip("\n")) or text


def _plans(source: str, section: Section, language: Language) -> tuple[ScenePlan, ...]:
    read = read_plan(source[section.body_start : section.body_end])
    return tuple(as_written(scene, language) for scene in read.scenes)


def _playtest(source: str, section: Section | None, language: Language) -> dict[str, Any] | None:
    return None if section is None else played_in(_lines(source, section), language)


def _debate(source: str, section: Section) -> tuple[tuple[Message, ...], str]:
    outcome = find_outcome(source, section.body_start, section.body_end)
    if outcome is None:
        raise ValueError("outcome")
    end = outcome[0].start
    messages: list[dict[str, Any]] = [
        {
            "round": turn.round,
            "agent": turn.agent,
            "name": unescape(turn.name.text),
            "text": unescape(_between(source[turn.body_start : min(turn.body_end, end)])),
        }
        for turn in turns_of(source, section.body_start, end)
    ]
    return tuple(Message.model_validate(message) for message in messages), outcome[1]


def _between(stretch: str) -> str:
    """Return a message from between two headings; one blank line on each side is ours."""
    return stretch.removeprefix("\n\n").removesuffix("\n\n")


def _scenes(
    source: str, sections: tuple[Section, ...], language: Language, rewrites: list[int]
) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for section in sections:
        if section.key == "scene":
            count = rewrites[len(found)] if len(found) < len(rewrites) else 0
            found.append({"heading": section, "rewrites": count})
        elif section.key in _SCENE_PARTS:
            _add_part(found[-1], source, section, language)
    for scene in found:
        scene.pop("heading")
    return found


def _add_part(scene: dict[str, Any], source: str, section: Section, language: Language) -> None:
    if section.key == "scene_plan":
        scene["plan"] = as_written(written_plan(source, scene["heading"], section), language)
    elif section.key == "prose":
        body = section.body(source).text
        scene["prose"] = "" if body == unwritten(language) else unescape(body)
    elif section.key == "mechanics":
        scene["mechanics"] = tuple(mechanics_in(_lines(source, section), language))
    else:
        scene["findings"] = tuple(findings_in(_lines(source, section), language))


def _objections(source: str, by_key: dict[str, Section], language: Language) -> list[dict[str, Any]]:
    both = ("objections_open", "objections_closed")
    read = [o for key in both for o in objections_in(_lines(source, by_key[key]), language)]
    closing = by_key["closing"]
    order = _ORDER.search(source[closing.body_start : closing.body_end])
    if order is None:
        return read
    positions = [int(n) for n in order[1].split()]
    return [read[positions.index(i)] for i in range(len(read))]
