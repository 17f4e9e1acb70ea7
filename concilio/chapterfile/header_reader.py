"""The outline's header: `- LABEL: text`, where deeper lines belong to the field above."""

import re
from dataclasses import dataclass

from concilio.chapterfile.headings import ATX
from concilio.chapterfile.labels import look_up
from concilio.chapterfile.lines import lines_of, passage
from concilio.chapterfile.sections import Section
from concilio.chapterfile.words import read_words
from rules.document import HeaderField, Passage

_FIELD = re.compile(
    r"[ ]{0,1}[-*+•][ \t]+(?:\*\*|__)?(?P<label>(?:[^\\:：\r\n]|\\.)*)[:：](?:\*\*|__)?(?P<text>.*)\Z"
)


@dataclass(frozen=True, slots=True)
class RawField:
    """A field with the stretch of its text, untrimmed."""

    label: Passage
    start: int
    """Offset after the colon."""
    end: int


def raw_fields(source: str, start: int, end: int) -> tuple[RawField, ...]:
    """Return the labelled fields in [start, end); a heading or an unindented line of text ends one."""
    fields: list[RawField] = []
    is_open = False
    for line in lines_of(source[start:end], start):
        match = _FIELD.match(line.text)
        if match:
            at = line.start + match.start("label")
            label = passage(source, 0, at, at + len(match["label"].rstrip("*_ \t")))
            fields.append(RawField(label, line.start + match.start("text"), line.end))
            is_open = True
        elif ATX.match(line.text) or (not line.blank and line.indent < 2):
            is_open = False
        elif is_open and not line.blank:
            fields[-1] = RawField(fields[-1].label, fields[-1].start, line.end)
    return tuple(fields)


def header_fields(source: str, sections: tuple[Section, ...]) -> tuple[HeaderField, ...]:
    """Return the header of a chapter file: under its own heading, else under the chapter's."""
    section = next((s for key in ("header", "chapter") for s in sections if s.key == key), None)
    if section is None:
        return ()
    return tuple(_field(source, raw) for raw in raw_fields(source, section.body_start, section.body_end))


def _field(source: str, raw: RawField) -> HeaderField:
    key = look_up(raw.label.text, read_words().headers) or ""
    text = passage(source, 0, raw.start, raw.end)
    whole = passage(source, 0, raw.label.start, raw.end)
    return HeaderField(key, raw.label, text, whole)
