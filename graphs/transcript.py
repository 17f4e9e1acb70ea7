"""The debate as people read it: each turn as Markdown, made from data."""

from collections.abc import Iterator, Sequence

from agents.review_reading import find_verdict
from concilio.catalogue import has_text, say
from concilio.chapterfile.escape import unescape
from concilio.chapterfile.plan_markdown import render_plan
from concilio.domain.base import Language
from concilio.domain.debate import Answer, ObjectionDraft, Review, SceneRow
from concilio.domain.plan import Proposal, ScenePlan


def plan_turn(
    scenes: Sequence[ScenePlan],
    chapter: int,
    language: Language,
    answers: Sequence[Answer] = (),
    removed: Sequence[str] = (),
) -> str:
    """Return Iris's turn: the scenes that she proposes or changes, and her answers."""
    parts = [say("debate.answer", language, **_answer(a, language)) for a in answers]
    blocks = ["\n".join(parts)] if parts else []
    if removed:
        blocks.append(say("debate.removed", language, ids=", ".join(removed)))
    if scenes:
        plan = render_plan(Proposal(scenes=tuple(scenes)), chapter, language)
        blocks.append(unescape(plan.strip()))  # the file escapes what it holds: once is enough
    return "\n\n".join(blocks) or say("debate.unchanged", language)


def review_turn(review: Review, chapter: int, language: Language) -> str:
    """Return a reviewer's turn, which ends in its verdict or says that there is none."""
    in_own_words = find_verdict(review.text) is not None
    blocks = [review.text.strip()]
    if not in_own_words:
        blocks += ["\n".join(_row(row, language) for row in review.rows)]
        blocks += ["\n".join(_objections(review.objections, chapter, language))]
        if review.closed:
            blocks.append(say("debate.closed", language, ids=", ".join(review.closed)))
        blocks.append(_verdict(review, language))
    return "\n\n".join(block for block in blocks if block)


def with_field_names(review: Review, language: Language) -> Review:
    """Return the review with plan fields named as people read them (`player_action`: ACCIÓN DEL JUGADOR)."""

    def named(draft: ObjectionDraft) -> ObjectionDraft:
        key = f"debate.field.{draft.field}"
        known = draft.field.isidentifier() and has_text(key, language)
        return draft.model_copy(update={"field": say(key, language)}) if known else draft

    return review.model_copy(update={"objections": tuple(named(o) for o in review.objections)})


def _verdict(review: Review, language: Language) -> str:
    if review.verdict is None:
        return say("debate.no_verdict", language)
    return say(f"debate.verdict_{review.verdict}", language)


def _row(row: SceneRow, language: Language) -> str:
    marks = ", ".join(
        f"{say(f'debate.dimension.{name}', language)}: {say(f'debate.mark.{mark}', language)}"
        for name, mark in row.marks.items()
    )
    minutes = say("debate.minutes", language, minutes=row.minutes) if row.minutes is not None else ""
    return say("debate.row", language, scene=row.scene, marks=marks, minutes=minutes, note=row.note).rstrip()


def _objections(objections: Sequence[ObjectionDraft], chapter: int, language: Language) -> Iterator[str]:
    for o in objections:
        key = "debate.chapter_objection" if o.scene == str(chapter) else "debate.objection"
        field = f" · {o.field}" if o.field else ""
        severity = say(f"debate.severity.{o.severity}", language)
        line = say(key, language, severity=severity, scene=o.scene, field=field, text=o.text)
        yield line + (say("debate.proposal", language, text=o.proposal) if o.proposal else "")


def _answer(answer: Answer, language: Language) -> dict[str, str]:
    kind = say(f"debate.kind.{answer.kind}", language)
    return {"id": answer.objection, "kind": kind, "text": answer.text}
