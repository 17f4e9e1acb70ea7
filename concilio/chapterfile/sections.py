"""A chapter file cut into its sections, in the order that chapter files have."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from concilio.chapterfile.headings import chapter_heading, scene_heading, section_key, title_span
from concilio.chapterfile.lines import passage
from rules.document import Passage

_HEADING = re.compile(r"(?<![^\r\n\ufeff])[ ]{0,3}(#{1,2})[ \t]+([^\r\n]*)")
_NEXT_HEADING = re.compile(r"\s*#{1,2}[ \t]+([^\r\n]*)")
_RANK: dict[str, int] = {
    "chapter": 0,
    "header": 1,
    "plan": 2,
    "playtest": 3,
    "debate": 4,
    "scene": 5,
    "scene_plan": 5,
    "prose": 5,
    "mechanics": 5,
    "findings_scene": 5,
    "closing": 6,
    "objections_open": 6,
    "objections_closed": 6,
    "findings_plan": 6,
    "provenance": 7,
}
_ONCE = frozenset({"chapter", "header", "plan", "playtest", "debate", "provenance"})
_OF_A_SCENE = frozenset({"scene_plan", "prose", "mechanics", "findings_scene"})


@dataclass(frozen=True, slots=True)
class Section:
    """A heading that has a meaning, with what stands under it."""

    key: str
    heading: Passage
    """The heading's text, without its hashes."""
    title: Passage
    """What it names: the chapter's or scene's title."""
    id: str
    """Scene id, or the chapter's number; empty in other sections."""
    start: int
    body_start: int
    body_end: int

    def body(self, source: str) -> Passage:
        """Return what stands under the heading, trimmed."""
        return passage(source, 0, self.body_start, self.body_end)


def sections_of(source: str) -> tuple[Section, ...]:
    """Return the sections of a source. A heading out of its order (inside a message, say) opens none."""
    found: list[Section] = []
    rank, in_scene = -1, False
    for match in _HEADING.finditer(source):
        section = _section(source, match)
        if section is None or not _in_order(section.key, rank, in_scene):
            continue
        rank, in_scene = _RANK[section.key], in_scene or section.key == "scene"
        found.append(section)
    return tuple(_bounded(found, len(source)))


def _in_order(key: str, rank: int, in_scene: bool) -> bool:
    if key in _OF_A_SCENE and not in_scene:
        return False
    return _RANK[key] > rank if key in _ONCE else _RANK[key] >= rank


def _section(source: str, match: re.Match[str]) -> Section | None:
    line, at = match.group(2), match.start(2)
    heading = passage(source, 0, at, match.end())
    scene = scene_heading("# " + line)
    if scene:
        if not _opens_written_scene(source, match.end()):
            return None
        title = passage(source, 0, at - 2 + scene.title_start, at - 2 + scene.title_end)
        return Section("scene", heading, title, scene.scene_id(None), match.start(), match.end(), 0)
    chapter = chapter_heading("# " + line)
    if chapter:
        number, start, end = chapter
        title = passage(source, 0, at - 2 + start, at - 2 + end)
        return Section("chapter", heading, title, str(number), match.start(), match.end(), 0)
    key = section_key(line)
    if key is None:
        return None
    start, end = title_span(line, 0, len(line))
    return Section(key, heading, passage(source, 0, at + start, at + end), "", match.start(), match.end(), 0)


def _opens_written_scene(source: str, end: int) -> bool:
    following = _NEXT_HEADING.match(source, end)
    return following is not None and section_key(following.group(1)) in ("scene_plan", "prose")


def _bounded(found: list[Section], end: int) -> Iterator[Section]:
    ends = [following.start for following in found[1:]] + [end]
    for section, stop in zip(found, ends[: len(found)], strict=True):
        yield replace(section, body_end=stop)
