"""`load_adventure`: a file or a folder becomes an `Adventure`, or all that is wrong with it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from concilio.adventure.chapters import Placed, chapters_of_body, chapters_of_node
from concilio.adventure.detect import language_of, ruleset_of, stated_language
from concilio.adventure.fields import Reading
from concilio.adventure.frontmatter import (
    FrontMatter,
    agent_settings,
    cast_member,
    read_front_matter,
)
from concilio.adventure.headings import Line, chapter_starts, clean_title, lines_of, names_part
from concilio.adventure.merge import check_numbers, merge_lists, merge_single
from concilio.adventure.nodes import Node, compose
from concilio.adventure.party import level_of, party_members
from concilio.adventure.problems import AdventureErrors, Problem, Problems
from concilio.adventure.source import Source, clean, natural_key, read_sources, stem_of
from concilio.catalogue import message_language, speaking
from concilio.domain.adventure import Adventure
from concilio.domain.base import Language
from rules.ruleset import Ruleset

DEFAULT_RULESET = "srd5e"
_LARGEST_NUMBER = 999
_MOST_PROBLEMS = 200
_NAMELESS = "—"


@dataclass(slots=True)
class _File:
    """One file, taken apart: front matter as a tree, body as lines."""

    source: Source
    problems: Problems
    node: Node | None = None
    lines: tuple[Line, ...] = ()
    broken: bool = False
    """Its YAML could not be parsed: chapters in it would go unseen."""
    front: FrontMatter = field(default_factory=lambda: FrontMatter({}, {}))


def load_adventure(path: Path | str, ruleset: Ruleset | None = None) -> Adventure:
    """Return the adventure of a Markdown or YAML file, or of a folder of them.

    Args:
        path: what the user named.
        ruleset: rules to read it by in place of those that it names.

    Raises:
        AdventureErrors: it cannot be read, or something in it is misspelt or wrong; holds all that is.
    """
    path = Path(path)
    problems = Problems(str(path))
    sources = read_sources(path, problems)
    with speaking(message_language(stated_language(sources)) if sources else None):
        files = [_take_apart(source) for source in sources]
        adventure = _adventure(path, files, ruleset, problems) if files else None
    found = [*problems.found, *(problem for file in files for problem in file.problems.found)]
    if adventure is None or found:
        raise AdventureErrors(_in_order(found))
    return adventure


def _in_order(found: list[Problem]) -> tuple[Problem, ...]:
    """Return each problem once, by file and place; of hundreds, the first, and how many more there are."""
    ordered = sorted(set(found), key=lambda p: (natural_key(p.file), p.line, p.column, p.message))
    if len(ordered) <= _MOST_PROBLEMS:
        return tuple(ordered)
    rest = Problems(ordered[_MOST_PROBLEMS].file)
    rest.add("more", count=len(ordered) - _MOST_PROBLEMS)
    return (*ordered[:_MOST_PROBLEMS], *rest.found)


def _take_apart(source: Source) -> _File:
    file = _File(source, Problems(source.name))
    if source.is_yaml:
        file.node = compose(source.text, file.problems)
        file.broken = file.node is None and bool(file.problems.found)
        return file
    lines = source.text.split("\n")
    start = next(i for i, line in enumerate(lines) if line.strip())
    end = _front_matter_end(lines, start, file.problems)
    if end is not None:
        file.node = compose("\n".join(lines[start + 1 : end]), file.problems, start + 2)
        start = end + 1
    file.lines = lines_of("\n".join(lines[start:]), start + 1)
    return file


def _front_matter_end(lines: list[str], start: int, problems: Problems) -> int | None:
    """Return the index of the line that closes the front matter; None where the file has none."""
    if lines[start].rstrip() != "---":
        return None
    for i in range(start + 1, len(lines)):
        if lines[i].rstrip() in ("---", "..."):
            return i
    following = next((line for line in lines[start + 1 :] if line.strip()), "")
    if ":" in following and following[0].isalpha():
        problems.add("front_matter_open", start + 1, 1)
    return None


@dataclass(frozen=True, slots=True)
class _Joined:
    """What all files together state."""

    single: dict[str, Any]
    lists: dict[str, list[Any]]
    title: str
    chapters: tuple[Placed, ...]
    notes: str


def _adventure(
    path: Path, files: list[_File], ruleset: Ruleset | None, problems: Problems
) -> Adventure | None:
    sources = [(file.source, file.node, file.problems) for file in files]
    language = language_of(sources)
    ruleset = ruleset or ruleset_of(sources, path if path.is_dir() else path.parent)
    joined = _join(path, files, language, ruleset, problems)
    if problems.found or any(file.problems.found for file in files):
        return None
    single, lists = joined.single, joined.lists
    level = single.get("level") or level_of(lists["party"])
    return Adventure(
        title=joined.title,
        language=language,
        ruleset=ruleset.id if ruleset else DEFAULT_RULESET,
        level=level,
        party=party_members(lists["party"], level, language, ruleset),
        cast=tuple(cast_member(values) for values in lists["cast"]),
        items=tuple(lists["items"]),
        agents=agent_settings(single.get("agents", {})),
        prompts=single.get("prompts"),
        chapters=tuple(sorted((p.outline for p in joined.chapters), key=lambda outline: outline.number)),
        notes=joined.notes,
        extra={key: value for key, value in single.items() if key.startswith("x-")},
    )


def _join(
    path: Path, files: list[_File], language: Language, ruleset: Ruleset | None, problems: Problems
) -> _Joined:
    for file in files:
        file.front = read_front_matter(file.node, Reading(file.problems, language, ruleset))
    fronts = [file.front for file in files]
    single = merge_single(fronts, problems)
    lists = {key: merge_lists(fronts, key, problems) for key in ("party", "cast", "items")}
    _check_prompts(path, fronts, problems)
    title = single.get("title") or _title_of(files) or _pretty(stem_of(path))
    chapters, notes = _chapters(files, title, language, ruleset, path.is_dir())
    check_numbers(chapters, problems)
    if not chapters and not any(file.broken for file in files):
        problems.add("empty_folder" if path.is_dir() else "no_chapter")
    return _Joined(single, lists, title, chapters, notes)


def _chapters(
    files: list[_File], title: str, language: Language, ruleset: Ruleset | None, folder: bool
) -> tuple[tuple[Placed, ...], str]:
    chapters: list[Placed] = []
    notes: list[str] = []
    for file in files:
        reading = Reading(file.problems, language, ruleset)
        if file.front.chapters is not None:
            chapters.extend(chapters_of_node(file.front.chapters, reading))
        if not file.lines:
            continue
        follows = chapters[-1].outline.number + 1 if chapters else 1
        number = _leading_number(file.source.stem) if folder else None
        own_title = _pretty(file.source.stem) if folder else title
        placed, before = chapters_of_body(file.lines, reading, own_title, number or follows)
        chapters.extend(placed)
        notes.append(before)
    return tuple(chapters), "\n\n".join(note.strip("\n") for note in notes if note.strip())


def _title_of(files: list[_File]) -> str:
    """Return the first heading's title, the adventure's or its only chapter's; empty where none will do."""
    for file in files:
        heading = next((line for line in file.lines if line.kind == "heading"), None)
        if heading is None:
            continue
        starts = chapter_starts(file.lines)
        if all(start.line != heading.number for start in starts):
            return "" if names_part(heading.content) else clean_title(heading.content)
        return starts[0].title if len(starts) == 1 and len(files) == 1 else ""
    return ""


def _leading_number(stem: str) -> int | None:
    """Return the number that a file's name begins or ends with (`03_llegada`, `capitulo_3`)."""
    numbers = [part for part in natural_key(stem) if not part[0]]
    return numbers[0][1] if numbers and numbers[0][1] <= _LARGEST_NUMBER else None


def _pretty(stem: str) -> str:
    """Return a file's name as a title: `el_faro-de-sal` becomes `El faro de sal`."""
    words = " ".join(clean(stem).replace("_", " ").replace("-", " ").split())
    return words[:1].upper() + words[1:] if words else _NAMELESS


def _check_prompts(path: Path, fronts: list[FrontMatter], problems: Problems) -> None:
    """Note a folder of prompts that is not a folder beside the adventure: no text may lead outside it."""
    base = path if path.is_dir() else path.parent
    for stated in (front.single["prompts"] for front in fronts if "prompts" in front.single):
        if not _is_folder_inside(base, stated.value):
            own = Problems(stated.file)
            own.add("prompts_folder", stated.line, stated.column, text=stated.value)
            problems.found.extend(own.found)


def _is_folder_inside(base: Path, name: str) -> bool:
    try:
        folder = (base / name).resolve()
        return folder.is_dir() and folder.is_relative_to(base.resolve())
    except (OSError, ValueError, RuntimeError):
        return False
