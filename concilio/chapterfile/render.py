"""A chapter as Markdown: what a designer prints, in the order of the seeds, and `read_chapter` reads back.

Same chapter, same bytes. All words come from `concilio/texts/<language>/chapterfile.toml`.
"""

from collections.abc import Iterable, Iterator

from concilio.catalogue import say
from concilio.chapterfile.debate_reader import is_outcome_line
from concilio.chapterfile.escape import escape_block, escape_line, heading_level
from concilio.chapterfile.headings import scene_heading
from concilio.chapterfile.plan_markdown import heading_text, quoted_title, render_fields, render_plan
from concilio.chapterfile.played import played_blocks
from concilio.chapterfile.records import labelled
from concilio.chapterfile.render_records import (
    finding_lines,
    mechanic_line,
    objection_lines,
    place_of,
    provenance_lines,
)
from concilio.chapterfile.words import written
from concilio.domain.adventure import OutlineField
from concilio.domain.base import Language
from concilio.domain.chapter import Chapter, SceneProse
from concilio.domain.debate import Message, Objection

COMMENT = "<!-- concilio: {} -->"
"""The form of our own comments; text from models cannot make one, since its `<!` is escaped."""


def render_chapter(chapter: Chapter) -> str:
    """Return the whole chapter file, ending in one line feed."""
    blocks = (
        *_opening(chapter),
        *_header(chapter),
        *_plan(chapter),
        *_played(chapter),
        *_debate(chapter),
        *(block for scene in chapter.scenes for block in _scene(chapter, scene)),
        *_closing(chapter),
        *provenance_lines(chapter),
        COMMENT.format(f"chapter {chapter.schema_version} {chapter.language}"),
    )
    return "\n\n".join(block for block in blocks if block) + "\n"


def is_accepted(chapter: Chapter) -> bool:
    """Tell whether the table agreed on the plan."""
    return chapter.ending == "accepted"


def _opening(chapter: Chapter) -> Iterator[str]:
    word, language = written(chapter.language, "chapter"), chapter.language
    yield f"{word} {chapter.number}: {escape_line(chapter.title)}".rstrip()
    yield f"# {word} {chapter.number} · {quoted_title(chapter.title, language)}"
    if not is_accepted(chapter):
        yield _notice(chapter)
    elif blockers := chapter.ledger.blockers():
        title = say("chapterfile.notice.overruled", language, count=len(blockers))
        yield _quoted([f"**{title}**", "", *(f"- {_short(each, language)}" for each in blockers)])


def _notice(chapter: Chapter) -> str:
    """Say in the first lines that the plan is not agreed, how the debate ended and what is open."""
    language, still_open = chapter.language, chapter.ledger.open()
    ending = say(f"chapterfile.notice.{chapter.ending}", language)
    plan = "kept" if chapter.round_kept else "none_kept"
    kept = say(f"chapterfile.notice.{plan}", language, round=chapter.round_kept)
    count = say("chapterfile.notice.open", language, count=len(still_open))
    lines = [f"**{say('chapterfile.notice.title', language)}** {ending} {kept}"]
    lines.append(count if still_open else say("chapterfile.notice.no_open", language))
    lines += ["", *(f"- {_short(objection, language)}" for objection in still_open)] if still_open else []
    return _quoted(lines)


def _quoted(lines: Iterable[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _short(objection: Objection, language: Language) -> str:
    scene = escape_line(place_of(objection.scene, language))
    severity = written(language, f"severity.{objection.severity}")
    return f"**{escape_line(objection.id, also='*')}** ({scene}, {severity}): {escape_line(objection.text)}"


def _header(chapter: Chapter) -> Iterator[str]:
    yield f"## {written(chapter.language, 'header')}"
    yield "\n".join(line for each in chapter.header for line in _header_field(each))
    if any(each.line for each in chapter.header):
        yield COMMENT.format("lines " + " ".join(str(each.line) for each in chapter.header))
    if chapter.notes:
        yield f"### {written(chapter.language, 'notes')}"
        yield escape_block(chapter.notes, _is_heading)


def _header_field(each: OutlineField) -> Iterator[str]:
    if "\n" not in each.text:
        yield labelled(each.label, each.text)
        return
    yield labelled(each.label, "")
    for line in escape_block(each.text, _is_heading).split("\n"):
        yield f"  {line}".rstrip()


def _is_heading(line: str) -> bool:
    return 0 < heading_level(line) <= 3


def _plan(chapter: Chapter) -> Iterator[str]:
    key = "plan_approved" if is_accepted(chapter) else "plan_open"
    yield f"## {written(chapter.language, key)}"
    yield render_plan(chapter.plan, chapter.number, chapter.language).rstrip("\n")
    yield "---"


def _played(chapter: Chapter) -> Iterator[str]:
    if chapter.playtest is not None:
        yield from played_blocks(chapter.playtest, chapter.language)
        yield "---"


def _debate(chapter: Chapter) -> Iterator[str]:
    yield f"## {written(chapter.language, 'debate')}"
    for message in chapter.debate:
        yield _message_heading(message, chapter.language)
        yield escape_block(message.text, _is_structure_of_a_debate)
    ending = written(chapter.language, f"ending.{chapter.ending}")
    yield f"_{written(chapter.language, 'outcome')}: {ending}_"


def _message_heading(message: Message, language: Language) -> str:
    word, role = written(language, "round"), written(language, f"agent.{message.agent}")
    name = escape_line(message.name, also="()")
    return f"### {word} {message.round} · {name} ({role})".replace("·  (", "· (")


def _is_structure_of_a_debate(line: str) -> bool:
    if is_outcome_line(line):
        return True
    return 0 < heading_level(line) <= 3 and scene_heading(line) is None


def _scene(chapter: Chapter, scene: SceneProse) -> Iterator[str]:
    language, agreed = chapter.language, is_accepted(chapter)
    title = quoted_title(scene.plan.title, language)
    yield f"# {heading_text(scene.plan, title, chapter.number, language)}"
    yield f"## {written(language, 'scene_plan_approved' if agreed else 'scene_plan_open')}"
    yield render_fields(scene.plan, language).rstrip("\n")
    clean = agreed and scene.prose and not scene.findings
    yield f"## {written(language, 'prose_approved' if clean else 'prose_open')}"
    yield _prose(scene.prose, language)
    if scene.mechanics:
        yield f"## {written(language, 'mechanics')}"
        yield "\n".join(mechanic_line(each, language) for each in scene.mechanics)
    if scene.findings:
        yield f"## {written(language, 'findings_scene')}"
        yield "\n".join(line for each in scene.findings for line in finding_lines(each, language))


def unwritten(language: Language) -> str:
    """Return the line that stands where a scene has no prose."""
    return f"_{written(language, 'prose_missing')}_"


def _prose(prose: str, language: Language) -> str:
    missing = unwritten(language)
    if not prose:
        return missing
    return escape_block(prose, lambda line: line.strip() == missing or 0 < heading_level(line) <= 2)


def _closing(chapter: Chapter) -> Iterator[str]:
    """Give what is open first, then what was settled, then what the engine finds in the plan."""
    language, objections = chapter.language, chapter.ledger.objections
    order = sorted(range(len(objections)), key=lambda i: objections[i].state != "open")
    yield f"# {written(language, 'closing')}"
    if order != list(range(len(objections))):
        yield COMMENT.format("order " + " ".join(map(str, order)))
    for key, chosen in (
        ("open", [o for o in objections if o.state == "open"]),
        ("closed", [o for o in objections if o.state != "open"]),
    ):
        yield f"## {written(language, f'objections_{key}')}"
        lines = [line for each in chosen for line in objection_lines(each, language)]
        yield "\n".join(lines) or written(language, f"none_{key}")
    yield f"## {written(language, 'findings_plan')}"
    found = [line for each in chapter.plan_findings for line in finding_lines(each, language)]
    yield "\n".join(found) or written(language, "none_findings")
