"""What the reader says of a finished chapter, held against the chapter: quotes that stand become findings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from agents.types import Canon, ContradictionReply, ReaderReply, ReadTask, SceneToRead
from concilio.catalogue import say
from concilio.chapterfile.reader import read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.chapter import Chapter, SceneProse
from concilio.domain.plan import Proposal
from graphs.table import Table
from rules.catalogue import RULES
from rules.document import Document, Passage
from rules.findings import Finding, Part
from rules.quotes import find_quote

RULE_OF: Mapping[str, str] = {"outline": "contradicts-outline", "scene": "contradicts-scene"}
"""Rule by what is contradicted."""


class Placed(NamedTuple):
    """A quote of a scene in the chapter's file, from `start` on."""

    scene: str
    part: Part
    start: int
    quote: str


def read_task(table: Table, chapter: int, proposal: Proposal, written: Mapping[str, str]) -> ReadTask:
    """Return what the reader is given of a chapter.

    Args:
        table: the run's table.
        chapter: the chapter's number.
        proposal: the plan that was written.
        written: prose by scene id; a scene without is read by its plan alone.
    """
    return ReadTask(
        seed=table.options.seed,
        canon=table.canon_now(),
        outline=table.outline(chapter),
        scenes=tuple(SceneToRead(plan=s, prose=written.get(s.id, "")) for s in proposal.scenes),
    )


def with_reading(chapter: Chapter, canon: Canon, reply: ReaderReply) -> Chapter:
    """Return a chapter with the reader's findings beside the engine's; a quote that is none is dropped."""
    if not reply.contradictions:
        return chapter
    document = _document(chapter)
    outline = outline_text(chapter, canon)
    found = [f for c in reply.contradictions if (f := _finding(document, outline, chapter, c)) is not None]
    marked = _with_findings(chapter, tuple(dict.fromkeys(found)))
    return _placed_again(marked, found) if found else chapter


def without_reading(chapter: Chapter, cause: str) -> Chapter:
    """Return a chapter that says of itself that nobody read it for contradictions, and why."""
    note = Finding(
        rule=RULE_OF["scene"],
        severity="note",
        scene=str(chapter.number),
        part="file",
        line=1,
        column=1,
        quote="",
        message=say("prose.not_read", chapter.language, cause=cause),
    )
    return chapter.model_copy(update={"plan_findings": (*chapter.plan_findings, note)})


def outline_text(chapter: Chapter, canon: Canon) -> str:
    """Return all that the designer fixed: the outline and the canon, one entry a paragraph."""
    cast = (f"{p.name}: {p.note}. {p.voice} (×{p.count})" for p in canon.cast)
    fields = (f"{field.label}: {field.text}" for field in chapter.header)
    whole = (chapter.title, *fields, chapter.notes, *cast, *canon.items, canon.notes, *canon.remembered)
    return "\n\n".join(text for text in whole if text)


# --- parts ------------------------------------------------------------------------------------------------


def _document(chapter: Chapter) -> Document:
    return read_document(render_chapter(chapter), f"chapter {chapter.number}", chapter.language)


def _finding(document: Document, outline: str, chapter: Chapter, said: ContradictionReply) -> Finding | None:
    """Return a contradiction as a finding, or None where one of its quotes does not stand."""
    placed = place_quote(document, said.scene, said.part, said.quote)
    if placed is None:
        return None
    where, other = _stands_against(document, outline, said, placed)
    if said.other.strip() and other is None:
        return None
    rule = RULE_OF[said.against]
    source = say("prose.outline_source", chapter.language) if said.against == "outline" else where
    return Finding(
        rule=rule,
        severity=RULES[rule].severity,
        scene=placed.scene,
        part=placed.part,
        line=1,
        column=1,
        quote=placed.quote,
        message=said.why or say(f"prose.against_{said.against}", chapter.language),
        expected=other or "",
        source=source,
    )


def _stands_against(
    document: Document, outline: str, said: ContradictionReply, placed: Placed
) -> tuple[str, str | None]:
    """Return where the other quote stands, and the quote as it stands; a text does not contradict itself."""
    if said.against == "outline":
        return "", _found_in(outline, said.other)
    for scene, part, passage in _passages(document):
        if (scene, part) == (placed.scene, placed.part):
            continue
        if (other := _found_in(passage.text, said.other)) is not None:
            return say(f"prose.{part}_source", document.language, scene=scene), other
    return "", None


def _found_in(text: str, quote: str) -> str | None:
    span = find_quote(text, quote)
    return text[span[0] : span[1]] if span else None


def place_quote(document: Document, scene: str, part: str, quote: str) -> Placed | None:
    """Return the place of a quote: in the named part of its scene, else in its other part."""
    own = [entry for entry in _passages(document) if entry[0] == scene]
    for _, where, passage in sorted(own, key=lambda entry: entry[1] != part):
        span = find_quote(passage.text, quote)
        if span:
            return Placed(scene, where, passage.start + span[0], passage.text[span[0] : span[1]])
    return None


def _passages(document: Document) -> Iterator[tuple[str, Part, Passage]]:
    """Yield the plan and the prose of each scene of a chapter's file."""
    for plan in document.plan.scenes if document.plan else ():
        yield plan.id, "plan", plan.passage
    for scene in document.scenes:
        if scene.prose is not None:
            yield scene.id, "prose", scene.prose


def _with_findings(chapter: Chapter, found: Sequence[Finding]) -> Chapter:
    """Return a chapter with these findings: under their scene, or with the plan's."""
    scenes = tuple(
        scene.model_copy(update={"findings": (*scene.findings, *_of_scene(found, scene))})
        for scene in chapter.scenes
    )
    plan = (*chapter.plan_findings, *(f for f in found if f.part == "plan"))
    return chapter.model_copy(update={"scenes": scenes, "plan_findings": plan})


def _of_scene(found: Iterable[Finding], scene: SceneProse) -> Iterator[Finding]:
    return (f for f in found if f.part == "prose" and f.scene == scene.plan.id)


def _placed_again(chapter: Chapter, found: Iterable[Finding]) -> Chapter:
    """Return a chapter whose own findings of the reader say their line in the file that holds them all."""
    document = _document(chapter)
    moved = {f: _with_place(f, document) for f in found}

    def at_place(findings: Iterable[Finding]) -> tuple[Finding, ...]:
        return tuple(moved.get(f, f) for f in findings)

    scenes = (s.model_copy(update={"findings": at_place(s.findings)}) for s in chapter.scenes)
    update = {"scenes": tuple(scenes), "plan_findings": at_place(chapter.plan_findings)}
    return chapter.model_copy(update=update)


def _with_place(finding: Finding, document: Document) -> Finding:
    placed = place_quote(document, finding.scene, finding.part, finding.quote)
    if placed is None:
        return finding
    before = document.source[: placed.start]
    line = before.count("\n") + 1
    return finding.model_copy(update={"line": line, "column": len(before) - before.rfind("\n")})
