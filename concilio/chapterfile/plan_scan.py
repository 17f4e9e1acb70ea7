"""The tolerant reader of plans: a model's Markdown, or a chapter's plan, to scenes with exact places.

Tolerated: preamble and postamble, fences nested or left open, labels bold or bare, with or without bullets,
in any case, in Spanish or English, headings of many shapes. Linear in the length of the text; never raises.
"""

from dataclasses import dataclass, field

from concilio.chapterfile.headings import ATX, SceneHeading, scene_heading
from concilio.chapterfile.labels import MARK, Label, plan_label
from concilio.chapterfile.lines import FENCE, RULE, TextLine, lines_of, passage
from concilio.chapterfile.outcomes import read_outcomes
from rules.document import FIELD_KEYS, FieldKey, Passage, PlanField, PlanScene

_UNMARKED_LIMIT = 160
"""Characters of a heading that is neither ATX nor bold."""


@dataclass(frozen=True, slots=True)
class PlanText:
    """What was read in one text."""

    scenes: tuple[PlanScene, ...] = ()
    stray: tuple[Passage, ...] = ()
    """Text that belongs to no scene: chat, and fences left over."""
    orphan: PlanScene | None = None
    """Fields under no heading (`id` is empty): what a model sends when only missing fields were asked for."""


@dataclass(slots=True)
class _Field:
    key: FieldKey
    label: Passage
    start: int
    end: int
    indent: int


@dataclass(slots=True)
class _Scene:
    id: str
    title: Passage
    start: int
    end: int
    fields: list[_Field] = field(default_factory=list[_Field])

    @property
    def whole(self) -> bool:
        return {f.key for f in self.fields} == set(FIELD_KEYS)


@dataclass(slots=True)
class _Builder:
    """Folds classified lines into scenes."""

    text: str
    base: int
    chapter: int | None
    scenes: list[_Scene] = field(default_factory=list[_Scene])
    stray: list[Passage] = field(default_factory=list[Passage])
    scene: _Scene | None = None
    current: _Field | None = None
    gap: bool = False
    """Whether a blank line was seen since the last text."""
    chat: tuple[int, int] | None = None
    fences: list[TextLine] = field(default_factory=list[TextLine])
    """Fences that are open."""
    followed: bool = False
    """Whether something follows the last scene: text, a heading, or the fence that closed it."""

    def blank(self) -> None:
        self.gap = True
        self.flush()

    def flush(self) -> None:
        if self.chat:
            self.stray.append(passage(self.text, self.base, *self.chat))
            self.chat = None

    def open_scene(self, line: TextLine, heading: SceneHeading) -> None:
        self.flush()
        if self.chapter is None:
            self.chapter = heading.chapter
        start, end = line.start + heading.title_start, line.start + heading.title_end
        title = passage(self.text, self.base, start, end)
        self._start(_Scene(heading.scene_id(self.chapter), title, line.start, line.end))

    def _start(self, scene: _Scene) -> None:
        self.scene, self.current, self.gap, self.followed = scene, None, False, False
        self.scenes.append(scene)

    def label(self, line: TextLine, label: Label) -> None:
        self.flush()
        if self.scene is None:
            self._start(_Scene("", Passage("", line.start), line.start, line.start))
        scene = self.scene
        assert scene is not None
        text_start = line.start + label.text_start
        if label.key == "title":
            scene.title = scene.title if scene.title.text else self._cut(text_start, line.end)
            self.current = None
        else:
            key: FieldKey = next(k for k in FIELD_KEYS if k == label.key)
            name = self._cut(line.start + label.start, line.start + label.end)
            self.current = _Field(key, name, text_start, line.end, line.indent)
            scene.fields.append(self.current)
        scene.end, self.gap, self.followed = line.end, False, False

    def _cut(self, start: int, end: int) -> Passage:
        return passage(self.text, self.base, start, end)

    def fence(self, line: TextLine, opens: bool) -> None:
        self.flush()
        self.current = None
        if opens or not self.fences:
            if self.fences:
                self.stray.append(self._cut(line.start, line.end))
            self.fences.append(line)
        else:
            self.fences.pop()
            self.followed = self.followed or not self.fences

    def interrupt(self, followed: bool) -> None:
        """Meet a thematic break or a heading that is no scene: the field is over."""
        self.flush()
        self.current, self.followed = None, self.followed or followed

    def plain(self, line: TextLine) -> None:
        scene, current = self.scene, self.current
        mark = MARK.match(line.text)
        if scene and current and not self._leaves(scene, line, mark is not None and bool(mark["bullet"])):
            current.end = scene.end = line.end
        elif scene and current is None and not scene.fields:
            scene.end = line.end  # a line between the heading and the first label
        elif scene and current and _unknown_label(line.text) and not self.gap:
            self.current = None
        else:
            self.current, self.followed = None, True
            self.chat = (self.chat[0] if self.chat else line.start, line.end)
        self.gap = False

    def _leaves(self, scene: _Scene, line: TextLine, bulleted: bool) -> bool:
        """Tell whether a line without a label is no part of the current field."""
        assert self.current is not None
        if self.gap and scene.whole and not bulleted and line.indent == 0:
            return True
        return (
            self.current.key != "outcomes"
            and line.indent <= self.current.indent
            and _unknown_label(line.text)
        )

    def finish(self) -> PlanText:
        self.flush()
        left = [self._cut(f.start, f.end) for f in self.fences]
        self.stray.extend(f for f in left if f not in self.stray)
        last = self.scenes[-1] if self.scenes else None
        read = [(s, self._build(s, s is last and not self.followed)) for s in self.scenes]
        return PlanText(
            tuple(built for s, built in read if s.id),
            tuple(sorted(self.stray, key=lambda p: p.start)),
            next((built for s, built in read if not s.id), None),
        )

    def _build(self, scene: _Scene, ends_text: bool) -> PlanScene:
        fields = tuple(PlanField(f.key, f.label, self._cut(f.start, f.end)) for f in scene.fields)
        outcomes = tuple(o for f in fields if f.key == "outcomes" for o in read_outcomes(f.text))
        whole = self._cut(scene.start, scene.end)
        return PlanScene(scene.id, scene.title, whole, fields, outcomes, ends_text)


def _unknown_label(line: str) -> bool:
    """Tell whether a line starts with a label in capitals that no plan knows (`- MÚSICA: …`)."""
    mark = MARK.match(line)
    name, colon, _ = line[mark.end() : mark.end() + 60].partition(":") if mark else ("", "", "")
    return bool(colon) and name.rstrip("* _").isupper() and len(name) > 2


def read_plan(text: str, start: int = 0, chapter: int | None = None) -> PlanText:
    """Read the scenes of a plan.

    Args:
        text: a model's reply, or the body of a plan section.
        start: offset of the text's first character in the source, added to every span.
        chapter: number that completes bare scene numbers (`Escena 1`).
    """
    builder = _Builder(text, start, chapter)
    lines = list(lines_of(text, start))
    for index, line in enumerate(lines):
        _take(builder, line, lines, index)
    return builder.finish()


def _take(builder: _Builder, line: TextLine, lines: list[TextLine], index: int) -> None:
    if line.blank:
        builder.blank()
        return
    fence = FENCE.match(line.text)
    if fence:
        builder.fence(line, opens=bool(fence[2]))
        return
    heading = scene_heading(line.text)
    if heading and (heading.marked or _before_a_label(lines, index)):
        builder.open_scene(line, heading)
        return
    label = plan_label(line.text)
    if label and not _is_nested_outcome(builder, line, label):
        builder.label(line, label)
    elif ATX.match(line.text):
        builder.interrupt(followed=True)
    elif RULE.match(line.text):
        builder.interrupt(followed=False)
    else:
        builder.plain(line)


def _before_a_label(lines: list[TextLine], index: int) -> bool:
    if len(lines[index].text) > _UNMARKED_LIMIT:
        return False
    following = next((x for x in lines[index + 1 : index + 4] if not x.blank), None)
    return following is not None and plan_label(following.text) is not None


def _is_nested_outcome(builder: _Builder, line: TextLine, label: Label) -> bool:
    """Tell whether a field's label is in truth an outcome's (`- Acción: …` below POSIBLES RESULTADOS)."""
    current = builder.current
    if current is None or builder.scene is None or current.key != "outcomes":
        return False
    seen = {f.key for f in builder.scene.fields}
    return line.indent > current.indent and (label.key in seen or label.key == "title")
