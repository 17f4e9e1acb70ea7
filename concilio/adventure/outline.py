"""From the lines of a chapter's outline to its labelled fields and its notes."""

from dataclasses import dataclass, field

from concilio.adventure.headings import Line
from concilio.adventure.labels import (
    Label,
    consequences_of,
    is_degree,
    label_key,
    label_of,
    lone_label,
    misspelt_kinds,
    misspelt_label,
    scene_count,
    scenes_in_range,
)
from concilio.adventure.problems import Problems
from concilio.adventure.words import fold, listed
from concilio.domain.adventure import ChapterOutline, OutlineField


@dataclass(slots=True)
class _Open:
    """A label whose text may still go on."""

    label: Label
    line: Line
    lines: list[str] = field(default_factory=list[str])
    listing: bool = False
    """Its text has become a list."""
    flat: bool = False
    """That list stands as far left as the label itself."""

    @property
    def empty(self) -> bool:
        return not self.label.rest and not any(line.strip() for line in self.lines)

    def text(self) -> str:
        return "\n".join(
            [self.label.rest, *_dedented(self.lines)] if self.label.rest else _dedented(self.lines)
        )


@dataclass(slots=True)
class _Scan:
    """What was read of a chapter so far."""

    fields: list[_Open] = field(default_factory=list[_Open])
    notes: list[str] = field(default_factory=list[str])
    current: _Open | None = None
    after_blank: bool = False

    def open(self, label: Label, line: Line) -> None:
        self.current = _Open(label, line)
        self.fields.append(self.current)

    def note(self, text: str) -> None:
        self.current = None
        self.notes.append(text)

    def add(self, line: Line) -> None:
        if self.current is None:
            self.notes.append(line.raw)
            return
        if line.kind == "item":
            self.current.listing = True
            self.current.flat = self.current.flat or line.indent <= self.current.line.indent
        self.current.lines.append(line.raw)


def read_fields(lines: tuple[Line, ...]) -> tuple[tuple[OutlineField, ...], str]:
    """Return a section's labelled fields in order, and the text that carries no label.

    A label owns its line, what is indented under it, and the list or the lines that follow it without a new
    label between. Below the heading of a finished chapter's next part (plan, debate) nothing is outline.
    """
    scan = _Scan()
    for line in lines:
        if line.kind == "blank":
            _blank(scan)
        elif line.kind == "heading":
            if fold(line.content) in listed("closing_sections"):
                break
            _heading(scan, line)
        elif line.kind == "raw":
            scan.add(line)
        else:
            _line(scan, line)
        scan.after_blank = line.kind == "blank"
    fields = tuple(OutlineField(label=o.label.text, text=o.text(), line=o.line.number) for o in scan.fields)
    return fields, "\n".join(scan.notes)


def _blank(scan: _Scan) -> None:
    (scan.current.lines if scan.current else scan.notes).append("")


def _heading(scan: _Scan, line: Line) -> None:
    label = label_of(line.content) or label_of(f"{line.content}:")
    if label and label.key:
        scan.open(label, line)
    elif fold(line.content) in listed("header_sections"):
        scan.current = None
    else:
        scan.note(line.content)


def _line(scan: _Scan, line: Line) -> None:
    label = label_of(line.content) or lone_label(line.content)
    if label and _begins_field(scan.current, label, line):
        scan.open(label, line)
    elif scan.current and not _belongs(scan.current, line, scan.after_blank):
        scan.note(line.raw)
    else:
        scan.add(line)


def _begins_field(current: _Open | None, label: Label, line: Line) -> bool:
    """Tell whether a labelled line is a field of its own, rather than a part of the one above it."""
    if current is None:
        return label.certain or (line.kind == "item" and not line.numbered)
    if line.indent > current.line.indent:
        return bool(label.key) and label.text.isupper()
    graded = current.label.key == "consequences" or current.empty or current.listing
    if graded and not label.key and is_degree(label.text):
        return False
    numbered_alike = not line.numbered or current.line.numbered
    if label.certain:
        return bool(label.key) or numbered_alike
    if line.kind == "text" or current.line.kind != "item" or not numbered_alike:
        return False
    return not (current.empty or current.flat)


def _belongs(current: _Open, line: Line, after_blank: bool) -> bool:
    """Tell whether a line without a label of its own goes on with the field above it."""
    if not after_blank or current.empty or current.line.kind == "heading":
        return True
    return line.indent > current.line.indent or (line.kind == "item" and current.listing)


def _dedented(lines: list[str]) -> list[str]:
    expanded = [line.expandtabs(4) for line in lines]
    indents = [len(line) - len(line.lstrip()) for line in expanded if line.strip()]
    cut = min(indents, default=0)
    return [line[cut:] for line in expanded]


LONGEST_COUNT = 30
"""Characters of a wrong number of scenes that are told."""


def build_outline(
    number: int, title: str, fields: tuple[OutlineField, ...], notes: str, line: int, problems: Problems
) -> ChapterOutline:
    """Return a chapter's outline: the known labels read into their fields, the first of each kind.

    A label or a kind of scene that is misspelt, and a number of scenes that no chapter can have, are noted as
    problems; words instead of a number are left to the agents.
    """
    _note_slips(fields, problems)
    stated = known_fields(fields)
    scenes = _scenes(stated.get("scenes"), problems)
    consequences = stated.get("consequences")
    return ChapterOutline(
        number=number,
        title=title,
        scenes=scenes,
        consequences=consequences_of(consequences.text) if consequences else (),
        fields=fields,
        notes=notes,
        line=line,
        arc=_text(stated, "arc"),
        place=_text(stated, "place"),
        objective=_text(stated, "objective"),
        kind=_text(stated, "kind"),
        tension=_text(stated, "tension"),
        tactics=_text(stated, "tactics"),
    )


def _note_slips(fields: tuple[OutlineField, ...], problems: Problems) -> None:
    for one in fields:
        right = misspelt_label(one.label)
        if right:
            problems.add("unknown_label_near", one.line, 1, text=one.label, near=right)
        elif label_key(one.label) == "kind":
            for word, near in misspelt_kinds(one.text):
                problems.add("unknown_kind_near", one.line, 1, text=word, near=near)


def known_fields(fields: tuple[OutlineField, ...]) -> dict[str, OutlineField]:
    """Return the first field of each known kind that has a text."""
    stated: dict[str, OutlineField] = {}
    for one in fields:
        label = label_of(f"{one.label}:")
        if label and label.key and one.text:
            stated.setdefault(label.key, one)
    return stated


def _text(stated: dict[str, OutlineField], key: str) -> str | None:
    return stated[key].text if key in stated else None


def _scenes(stated: OutlineField | None, problems: Problems) -> int | None:
    count = scene_count(stated.text) if stated else None
    if stated is None or count is None or scenes_in_range(count):
        return count
    problems.add("scenes_range", stated.line, 1, count=" ".join(stated.text.split())[:LONGEST_COUNT])
    return None
