"""From a read scene to a `ScenePlan`, and what stands in the way: what is missing, what is cut."""

import re
from collections.abc import Iterable, Sequence
from typing import cast

from pydantic import ValidationError

from concilio.chapterfile.escape import unescape
from concilio.chapterfile.labels import MARK
from concilio.chapterfile.outcomes import degree_of, split_destination
from concilio.chapterfile.words import folded, read_words, value_of
from concilio.domain.base import Language, fold
from concilio.domain.plan import SCENE_ID, Degree, Outcome, Proposal, ScenePlan
from rules.document import FIELD_KEYS, FieldKey, PlanField, PlanOutcome, PlanScene

_CLOSED = (".", "!", "?", "…", "»", "”", '"', "'", "’", ")", "]", "}")
_NOUN_FIELDS: tuple[FieldKey, ...] = ("place", "present")
_LAST_WORD = re.compile(r"(\w+)\Z")
_DEGREE_TAG = re.compile(r"(?<!\\)\[([^\[\]\\]{1,40})\]\Z")


class PlanIncomplete(Exception):  # noqa: N818  (the name is the contract's)
    """A scene of a plan is not whole.

    Attributes:
        scene: its id.
        missing: keys of the fields that are absent or empty (`title`, `place`, …, `outcomes`).
        cut: key of the field that ends in the middle of a sentence, or None.
    """

    def __init__(self, scene: str, missing: tuple[str, ...], cut: str | None) -> None:
        self.scene, self.missing, self.cut = scene, missing, cut
        parts = [f"missing: {', '.join(missing)}"] if missing else []
        parts += [f"cut: {cut}"] if cut else []
        super().__init__(f"scene {scene}: {'; '.join(parts)}")


def field_text(text: str) -> str:
    """Return a field's value: its lines joined, bullets of the later ones dropped, escapes resolved."""
    first, *rest = re.split(r"\r\n|\r|\n", text)
    later = (line[mark.end("bullet") :] if (mark := MARK.match(line)) else line for line in rest)
    return fold(unescape(" ".join((first, *later))))


def to_outcome(outcome: PlanOutcome, language: str, chapter: str = "") -> Outcome:
    """Return the value of a read outcome: degree from its label, destination from the end of its text."""
    label = outcome.label.text
    degree: str | None = None
    tag = _DEGREE_TAG.search(label)
    if tag:
        degree = value_of(language, "degree", tag[1])
        label = label[: tag.start()] if degree else label
    text, leads_to = split_destination(outcome.text.text, chapter)
    name = field_text(label)
    return Outcome(
        label=name,
        degree=cast(Degree, degree or degree_of(name)),
        text=field_text(text),
        leads_to=leads_to,
    )


def scene_language(scene: PlanScene) -> Language:
    """Return the language of a scene's labels; Spanish where it has none."""
    from concilio.chapterfile.language import label_votes

    return "en" if label_votes(f.label.text for f in scene.fields) < 0 else "es"


def as_written(scene: PlanScene, language: str | None = None) -> ScenePlan:
    """Return the scene as it stands, without judging whether it is whole: for files of ours.

    Raises:
        ValueError: (pydantic's) the id has not the form 5.1, or a field or the outcomes are absent or empty.
    """
    language = language or scene_language(scene)
    values = {f.key: field_text(f.text.text) for f in reversed(scene.fields) if f.key != "outcomes"}
    chapter = scene.id.partition(".")[0]
    return ScenePlan.model_validate(
        {
            **values,
            "id": scene.id,
            "title": field_text(scene.title.text),
            "outcomes": tuple(to_outcome(o, language, chapter) for o in scene.outcomes),
        }
    )


def missing_fields(scene: PlanScene) -> tuple[str, ...]:
    """Return the keys that are absent or empty: `id`, `title`, the six fields (outcomes: one with text)."""
    found = {f.key for f in scene.fields if f.text.text}
    if not any(o.text.text for o in scene.outcomes):
        found.discard("outcomes")
    missing: list[str] = [] if SCENE_ID.match(scene.id) else ["id"]
    missing += [] if scene.title.text else ["title"]
    return (*missing, *(key for key in FIELD_KEYS if key not in found))


def cut_field(scene: PlanScene) -> FieldKey | None:
    """Return the field that ends in the middle of a sentence or word, or None.

    A field may be cut where the text ends with it (a short noun phrase as place is not), or where it ends
    with a comma or a word that cannot end a sentence.
    """
    filled = [f for f in scene.fields if f.text.text]
    last = max(filled, key=lambda f: f.text.start, default=None)
    for each in filled:
        at_end = scene.ends_text and each is last
        if _dangles(each.text.text) or (at_end and _is_open(each)):
            return each.key
    return None


def _is_open(each: PlanField) -> bool:
    text = each.text.text.rstrip("*_ \t")
    if each.key in _NOUN_FIELDS or text.endswith(_CLOSED):
        return False
    return each.key != "outcomes" or split_destination(text, "0")[1] is None


def _dangles(text: str) -> bool:
    if text.endswith((",", ";", "—", "(")):
        return True
    word = _LAST_WORD.search(text[-40:])
    return word is not None and word[1].islower() and folded(word[1]) in read_words().dangling


def to_scene_plan(scene: PlanScene, language: str | None = None) -> ScenePlan:
    """Return a whole scene as a value.

    Raises:
        PlanIncomplete: a field is missing, empty, cut or no text that can be kept, or no outcome has a text.
    """
    missing, cut = missing_fields(scene), cut_field(scene)
    empty = any(not o.text.text for o in scene.outcomes)
    if missing or cut or empty:
        raise PlanIncomplete(scene.id, missing, cut or ("outcomes" if empty and not missing else None))
    try:
        return as_written(scene, language)
    except ValidationError as error:  # half a character, which no text file can hold
        wrong = tuple(str(problem["loc"][0]) for problem in error.errors() if problem["loc"])
        raise PlanIncomplete(scene.id, tuple(dict.fromkeys(wrong)), None) from error


def to_proposal(scenes: Sequence[PlanScene], language: str | None = None) -> Proposal:
    """Return the scenes as a proposal.

    Raises:
        PlanIncomplete: of the first scene that is not whole.
    """
    return Proposal(scenes=tuple(to_scene_plan(scene, language) for scene in scenes))


def incomplete(scenes: Iterable[PlanScene]) -> tuple[PlanIncomplete, ...]:
    """Return one `PlanIncomplete` for each scene that is not whole."""
    found: list[PlanIncomplete] = []
    for scene in scenes:
        try:
            to_scene_plan(scene)
        except PlanIncomplete as lack:
            found.append(lack)
    return tuple(found)
