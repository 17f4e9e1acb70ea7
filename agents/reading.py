"""Iris's replies, JSON or Markdown, read into plans: whole scenes, and what there is of the others."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError

from agents.prompting import unescape_reply
from agents.types import OutcomeDraft, RevisionReply, SceneDraft
from agents.vocabulary import folded, meaning, words
from concilio.catalogue import say
from concilio.chapterfile.outcomes import degree_of
from concilio.chapterfile.plan_merge import merge_readings
from concilio.chapterfile.plan_reader import read_plan
from concilio.chapterfile.plan_values import PlanIncomplete, to_scene_plan
from concilio.domain.base import Language
from concilio.domain.debate import Answer
from concilio.domain.plan import Degree, Outcome, Proposal, ScenePlan
from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid
from concilio.gateway.structured import NoJson, parse_json_reply, refused

_NUMBERS = re.compile(r"(\d{1,3})\.(\d{1,3})")
_LAST_NUMBER = re.compile(r"\d{1,3}")
FEWEST_READ = 12
"""Scenes of a plan that are read, however few the outline asks for."""
LONGEST_LABEL = 80
"""Characters of a line in which the objection that it answers is looked for."""
_ANSWER_ID = re.compile(r"\bO\d{1,4}\b")
_TOLD_ANSWER = re.compile(
    r"^[\s#>*_•-]*(?:(?P<word>[^\W\d_]{3,20})\s+)?[*_]*(?P<id>O\d{1,4})[*_]*\s*"
    r"(?:[(\[](?P<kind>[^()\[\]]{2,30})[)\]])?[*_]*\s*[:—–-][*_]*"
)


@dataclass(frozen=True)
class PlanReading:
    """What a reply gives of a plan."""

    proposal: Proposal
    """The scenes that are whole, in order."""
    unfinished: dict[str, str] = field(default_factory=dict[str, str])
    """Scene id to what there is of it, as text."""


@dataclass(frozen=True)
class Revision:
    """What a revision gives: changed scenes, scenes taken out, answers."""

    reading: PlanReading
    removed: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()


def most_scenes(target: int) -> int:
    """Return how many scenes of a plan are read where the outline asks for so many."""
    return max(FEWEST_READ, 3 * target)


def read_plan_reply(
    text: str, chapter: int, language: Language, fragment: str = "", target: int | None = None
) -> PlanReading:
    """Return the plan in a reply.

    Args:
        text: the reply.
        chapter: number of the chapter, which completes bare scene numbers.
        language: language of the plan.
        fragment: Markdown of a scene that the reply may complete by its missing fields alone.
        target: scenes that the outline asks for; a plan of far more is not read. None: no bound.

    Raises:
        ReplyIncomplete: a scene is unfinished; carries what could be read.
        ReplyInvalid: there is no scene in it, or there are far too many.
    """
    try:
        data, cut = _json_of(text)
        reading = _from_json(data, cut, chapter, language)
    except NoJson:
        reading = PlanReading(Proposal())
    if _is_empty(reading):  # Markdown, perhaps with a stray brace in it
        reading = _from_markdown(text, chapter, language, fragment)
    if _is_empty(reading):
        raise ReplyInvalid(say("replies.no_scene", language))
    _bound(reading, target, language)
    reading = _of_chapter(reading, chapter)
    if reading.unfinished:
        raise ReplyIncomplete(", ".join(reading.unfinished), reading)
    return reading


def _of_chapter(reading: PlanReading, chapter: int) -> PlanReading:
    """Return a plan numbered as another chapter's with this one's numbers; a mixed one as it is."""
    ids = [*(s.id for s in reading.proposal.scenes), *reading.unfinished]
    others = {scene_id.partition(".")[0] for scene_id in ids}
    if len(others) != 1 or others == {str(chapter)}:
        return reading
    other = others.pop()

    def renumbered(scene_id: str) -> str:
        number, dot, place = scene_id.partition(".")
        return f"{chapter}.{place}" if dot and number == other else scene_id

    scenes = tuple(
        scene.model_copy(
            update={
                "id": renumbered(scene.id),
                "outcomes": tuple(
                    o.model_copy(update={"leads_to": renumbered(o.leads_to)}) if o.leads_to else o
                    for o in scene.outcomes
                ),
            }
        )
        for scene in reading.proposal.scenes
    )
    unfinished = {renumbered(scene_id): text for scene_id, text in reading.unfinished.items()}
    return PlanReading(Proposal(scenes=scenes), unfinished)


def _bound(reading: PlanReading, target: int | None, language: Language) -> None:
    """Refuse a plan of far more scenes than are wanted: each would be completed, reviewed and written."""
    have = len(reading.proposal.scenes) + len(reading.unfinished)
    if target is not None and have > most_scenes(target):
        values = {"have": have, "target": target, "most": most_scenes(target)}
        raise ReplyInvalid(say("replies.too_many_scenes", language, **values))


def read_revision(text: str, chapter: int, language: Language, target: int | None = None) -> Revision:
    """Return the revision in a reply.

    Raises:
        ReplyIncomplete: it is cut, or a scene is unfinished; carries what could be read.
        ReplyInvalid: there is neither a scene nor an answer in it, or there are far too many scenes.
    """
    try:
        data, cut = _json_of(text)
        revision = _revision_from_json(data, cut, chapter, language)
    except NoJson:
        body, answers, removed = _split_answers(text)
        revision, cut = Revision(_from_markdown(body, chapter, language), removed, answers), False
    if not (revision.reading.proposal.scenes or revision.reading.unfinished or revision.answers):
        raise ReplyInvalid(say("replies.no_revision", language))
    _bound(revision.reading, target, language)
    if cut or revision.reading.unfinished:
        raise ReplyIncomplete(
            ", ".join(revision.reading.unfinished) or say("replies.answers", language), revision
        )
    return revision


def _is_empty(reading: PlanReading) -> bool:
    return not reading.proposal.scenes and not reading.unfinished


def _json_of(text: str) -> tuple[dict[str, Any], bool]:
    """Return a reply's JSON object and whether it is cut.

    Raises:
        NoJson, ReplyInvalid: see `parse_json_reply`.
    """
    try:
        data, cut = parse_json_reply(text), False
    except ReplyIncomplete as error:
        data, cut = error.partial, True
    if isinstance(data, list):
        return {"scenes": cast(list[Any], data)}, cut  # a model that leaves out the wrapper
    if not isinstance(data, dict):
        raise ReplyInvalid(say("replies.no_object"))
    return data, cut  # pyright: ignore[reportUnknownVariableType]


def _from_json(data: dict[str, Any], cut: bool, chapter: int, language: Language) -> PlanReading:
    """Read a reply's scenes one by one; in a cut reply the last is not to be trusted."""
    scenes = data.get("scenes")
    alone = [data] if "outcomes" in data else list[Any]()
    items = cast(list[Any], scenes) if isinstance(scenes, list) else alone
    whole: dict[str, ScenePlan] = {}
    unfinished: dict[str, str] = {}
    for position, item in enumerate(items, start=1):
        written = item.get("id", "") if isinstance(item, dict) else ""  # pyright: ignore
        scene_id = normal_scene_id(str(written), chapter, position)  # pyright: ignore
        try:
            if cut and position == len(items):
                raise ValueError("cut")
            whole[scene_id] = _plan_of(_draft(item), scene_id, language)
        except ValueError:
            unfinished[scene_id] = json.dumps(item, ensure_ascii=False)
    return _reading(whole, unfinished)


def _revision_from_json(data: dict[str, Any], cut: bool, chapter: int, language: Language) -> Revision:
    try:
        rest = RevisionReply.model_validate(
            {"removed": [], "answers": []} | {k: v for k, v in data.items() if v is not None} | {"scenes": []}
        )
    except ValidationError as error:
        if not cut:
            raise ReplyInvalid(refused(error)) from error
        rest = RevisionReply(scenes=[], removed=[], answers=[])
    # the scenes come first in the schema: where the answers have begun, every scene is whole
    scenes_cut = cut and "answers" not in data
    return Revision(_from_json(data, scenes_cut, chapter, language), tuple(rest.removed), tuple(rest.answers))


def _from_markdown(text: str, chapter: int, language: Language, fragment: str = "") -> PlanReading:
    whole: dict[str, ScenePlan] = {}
    unfinished: dict[str, str] = {}
    readings = [read_plan(unescape_reply(part), chapter=chapter) for part in (fragment, text) if part]
    for scene in merge_readings(*readings):
        try:
            whole[scene.id] = to_scene_plan(scene, language)
        except PlanIncomplete:
            unfinished[scene.id] = scene.passage.text
    return _reading(whole, unfinished)


def _reading(whole: dict[str, ScenePlan], unfinished: dict[str, str]) -> PlanReading:
    ordered = sorted(whole.values(), key=lambda s: tuple(int(n) for n in s.id.split(".")))
    left = {scene_id: text for scene_id, text in unfinished.items() if scene_id not in whole}
    return PlanReading(Proposal(scenes=tuple(ordered)), left)


def _draft(item: Any) -> SceneDraft:
    """Return a scene as data; keys that nobody asked for are no reason to ask again.

    Raises:
        ValueError: (pydantic's) a field is missing or of another type.
    """
    if not isinstance(item, dict):
        return SceneDraft.model_validate(item)
    given = cast(dict[str, Any], item)
    kept = {name: given[name] for name in SceneDraft.model_fields if name in given}
    outcomes = cast(list[Any], given.get("outcomes")) if isinstance(given.get("outcomes"), list) else []
    kept["outcomes"] = [_outcome(outcome) for outcome in outcomes]
    return SceneDraft.model_validate({"id": ""} | kept)


def _outcome(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    given = cast(dict[str, Any], item)
    return {"leads_to": None} | {name: given[name] for name in OutcomeDraft.model_fields if name in given}


def _plan_of(draft: SceneDraft, scene_id: str, language: Language) -> ScenePlan:
    outcomes = tuple(
        Outcome(
            label=unescape_reply(o.label),
            degree=cast(Degree, degree_of(o.label)),
            text=unescape_reply(o.text),
            leads_to=_leads_to(o.leads_to),
        )
        for o in draft.outcomes
    )
    if any(not outcome.text for outcome in outcomes):
        raise ValueError("an outcome says nothing")
    texts = draft.model_dump(exclude={"id", "outcomes"})
    return ScenePlan(
        id=scene_id, outcomes=outcomes, **{name: unescape_reply(text) for name, text in texts.items()}
    )


def normal_scene_id(written: str, chapter: int, position: int) -> str:
    """Return a scene's id in the form `5.1`, whatever a model wrote (`Escena 5.1`, `1`, ``)."""
    if match := _NUMBERS.search(written):
        return f"{int(match.group(1))}.{int(match.group(2))}"
    number = _LAST_NUMBER.search(written)
    return f"{chapter}.{int(number.group()) if number else position}"


def _leads_to(written: str | None) -> str | None:
    if not written:
        return None
    if match := _NUMBERS.search(written):
        return f"{int(match.group(1))}.{int(match.group(2))}"
    return "end" if folded(written) in ("end", "fin", "final") else None


def _split_answers(text: str) -> tuple[str, tuple[Answer, ...], tuple[str, ...]]:
    """Part a Markdown revision into its plan, its answers and the ids of the scenes taken out."""
    body: list[str] = []
    answers: list[Answer] = []
    removed: list[str] = []
    for line in text.splitlines():
        if answer := next(_answers_in(line), None):
            answers.append(answer)
        elif found := _removed_in(line):
            removed.extend(found)
        else:
            body.append(line)
    return "\n".join(body), tuple(answers), tuple(removed)


def _answers_in(line: str) -> Iterator[Answer]:
    if "|" not in line:
        yield from _told_answer(line)
        return
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    match = _ANSWER_ID.search(cells[0])
    if match is None or len(cells) < 2:
        return
    if folded(cells[0].replace(match.group(), "")).strip("-# :") not in words("answer") | {""}:
        return
    kind = meaning("kind", cells[1])
    yield Answer(
        objection=match.group(),
        kind="rebutted" if kind == "rebutted" else "fixed",
        text=" ".join(cells[2:]) or ("" if kind else cells[1]),
    )


def _told_answer(line: str) -> Iterator[Answer]:
    """Yield the answer of a line without pipes, as a chapter file prints it: `- O1 (rebutted): text`."""
    match = _TOLD_ANSWER.match(line[:LONGEST_LABEL])
    if match is None or (match["word"] and folded(match["word"]) not in words("answer")):
        return
    text = line[match.end() :].strip()
    if not text:
        return
    first, _, rest = text.partition(" ")
    kind = meaning("kind", match["kind"] or first.strip(",;:—–-"))
    yield Answer(
        objection=match["id"],
        kind="rebutted" if kind == "rebutted" else "fixed",
        text=(text if match["kind"] or not kind else rest).lstrip(" :—–-"),
    )


def _removed_in(line: str) -> list[str]:
    label, colon, rest = line.partition(":")
    if not colon or folded(label).strip("-# ") not in words("removed"):
        return []
    return [f"{int(a)}.{int(b)}" for a, b in _NUMBERS.findall(rest)]
