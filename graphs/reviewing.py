"""The designer's word in the graphs: what is shown at a pause, and what follows from a decision.

A node that waits calls `langgraph.types.interrupt` and nothing before it that costs: its body runs again from
its top when the run goes on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from agents.plan_text import scene_order
from agents.types import CheckOdds, LintNote
from concilio.catalogue import say
from concilio.domain.adventure import ChapterOutline
from concilio.domain.base import Language
from concilio.domain.debate import AgentId, Ending, Ledger, ObjectionDraft, Review
from concilio.domain.plan import Proposal, ScenePlan
from concilio.figures import decimal
from concilio.review.model import Decision, Pending
from graphs.judging import MISSING_VERDICT_FIELD
from graphs.ledger import close_objections, raise_objections, waive_objections
from graphs.records import PlanState

REVIEWED_ENDINGS: tuple[Ending, ...] = ("accepted", "max_rounds", "stalled")
"""Endings at which there is something to decide: with no money or no answer, the run is resumed instead."""
DESIGNER_RULE = "designer"
"""In place of a rule's id, in a note of the designer's."""


class DesignerAwaitedError(Exception):
    """The run cannot go on before its designer has decided; what it shows is kept."""

    def __init__(self, pause: Pending) -> None:
        self.pause = pause
        super().__init__(pause.version)


@dataclass(frozen=True)
class Outcome:
    """What a decision makes of a debate."""

    plan: PlanState
    ledger: Ledger
    fields: Mapping[str, tuple[str, ...]]
    """What the designer wrote: fields by the scene's id."""

    @property
    def edited(self) -> tuple[str, ...]:
        """Ids of the scenes that the designer wrote."""
        return tuple(sorted(self.fields))


def versioned(pause: dict[str, Any]) -> Pending:
    """Return a pause with its version, a digest of all that it shows."""
    unversioned = Pending(version="0" * 32, **pause)
    digest = sha256(unversioned.model_dump_json().encode("utf-8", "surrogatepass")).hexdigest()
    return unversioned.model_copy(update={"version": digest[:32]})


def known(
    outline: ChapterOutline, odds: Iterable[CheckOdds], played: Iterable[LintNote], language: Language
) -> Iterator[str]:
    """Give what a designer needs beside a plan to decide on it, a line each.

    Args:
        outline: what was asked for: its aim and graded consequences.
        odds: of the plan's checks for the party.
        played: what comes of the plan where it is played, by scene.
        language: the adventure's.
    """
    if outline.objective:
        yield say("review.known.objective", language, text=outline.objective)
    for text in outline.consequences:
        yield say("review.known.consequence", language, text=text)
    for one in odds:
        chance = say("playtest.percent", language, share=decimal(100 * one.best_chance, 0, language))
        who = {"scene": one.scene, "text": one.text, "name": one.best_name, "bonus": f"{one.best_bonus:+d}"}
        yield say("review.known.odds", language, chance=chance, **who)
    for note in played:
        yield say("review.known.played", language, scene=note.scene, text=note.message)


def answered(put: Callable[[Pending], str], get: Callable[[str], Decision], pause: Pending) -> Decision:
    """Wait for the decision on a pause, inside a node; an answer to another pause is none."""
    from langgraph.types import interrupt

    reference = put(pause)
    while True:
        decision = get(interrupt(reference))
        if decision.version == pause.version:
            return decision


def verdicts_of(reviews: Iterable[Review]) -> dict[AgentId, Any]:
    """Return each reviewer's verdict."""
    return {review.author: review.verdict for review in reviews}


def decided(
    plan: PlanState,
    ledger: Ledger,
    decision: Decision,
    round_: int,
    engine: Callable[[PlanState, Ledger], Ledger],
) -> Outcome:
    """Return plan and ledger after a decision.

    Args:
        plan: what was shown.
        ledger: what was shown.
        decision: names scenes and objections that are there.
        round_: number of the round after which it was taken.
        engine: puts the engine's objections to a plan into a ledger.
    """
    fields = {scene.id: _fields_written(plan.proposal.scene(scene.id), scene) for scene in decision.scenes}
    plan = with_scenes(plan, decision)
    ledger = waive_objections(ledger, decision.waived, round_)
    if decision.action == "accept":
        own = {o.id for o in ledger.open() if o.author == "designer"}
        ledger = close_objections(ledger, "designer", own, round_)
    if decision.scenes:
        ledger = engine(plan, ledger)
    ledger = raise_objections(ledger, "designer", decision.objections, round_)
    return Outcome(plan, ledger, fields)


def _fields_written(before: ScenePlan | None, after: ScenePlan) -> tuple[str, ...]:
    names = (name for name in ScenePlan.model_fields if name != "id")
    return tuple(n for n in names if before is None or getattr(before, n) != getattr(after, n))


def as_worded(before: PlanState, after: PlanState, fields: Mapping[str, Sequence[str]]) -> PlanState:
    """Return a revised plan in which what the designer wrote stands; the rest is as revised.

    Args:
        before: the plan with the designer's words.
        after: the same after a revision.
        fields: what the designer wrote, by the scene's id.
    """
    scenes = {scene.id: scene for scene in after.proposal.scenes}
    for scene in before.proposal.scenes:
        if written := fields.get(scene.id):
            words = {name: getattr(scene, name) for name in written}
            scenes[scene.id] = scenes.get(scene.id, scene).model_copy(update=words)
    proposal = Proposal(scenes=tuple(sorted(scenes.values(), key=scene_order)))
    return after.model_copy(update={"proposal": proposal})


def with_scenes(plan: PlanState, decision: Decision) -> PlanState:
    """Return the plan with the designer's scenes in it; all others stay byte for byte."""
    if not decision.scenes:
        return plan
    scenes = {s.id: s for s in plan.proposal.scenes} | {s.id: s for s in decision.scenes}
    return PlanState(
        proposal=Proposal(scenes=tuple(sorted(scenes.values(), key=scene_order))),
        unfinished={k: v for k, v in plan.unfinished.items() if k not in scenes},
        changed=tuple(sorted({*plan.changed, *(s.id for s in decision.scenes)})),
    )


def notes_on(edited: Sequence[str], language: Language) -> tuple[LintNote, ...]:
    """Return what the agents are told of scenes that the designer wrote."""
    text = say("review.told_agents", language)
    return tuple(LintNote(scene=s, rule=DESIGNER_RULE, severity="note", message=text) for s in edited)


def turn_of(decision: Decision, ledger: Ledger, round_: int, chapter: int, language: Language) -> str:
    """Return the designer's turn in the debate, for the chapter's file.

    Args:
        decision: what was said.
        ledger: after it.
        round_: number of the round after which it was said.
        chapter: number of the chapter, for objections to all of it.
        language: the adventure's.
    """
    lines = [say(f"review.turn.{decision.action}", language)]
    if decision.action == "accept" and (still := ledger.open()):
        lines.append(say("review.turn.overrules", language, ids=", ".join(o.id for o in still)))
    edited = [*(scene.id for scene in decision.scenes), *decision.prose]
    if edited:
        lines.append(say("review.turn.edits", language, ids=", ".join(edited)))
    if decision.waived:
        lines.append(say("review.turn.waives", language, ids=", ".join(decision.waived)))
    lines += [_objection_line(draft, chapter, language) for draft in decision.objections]
    return "\n\n".join(lines)


def _objection_line(draft: ObjectionDraft, chapter: int, language: Language) -> str:
    key = "debate.chapter_objection" if draft.scene == str(chapter) else "debate.objection"
    severity = say(f"debate.severity.{draft.severity}", language)
    field = f" · {draft.field}" if draft.field else ""
    line = say(key, language, severity=severity, scene=draft.scene, field=field, text=draft.text)
    return line + (say("debate.proposal", language, text=draft.proposal) if draft.proposal else "")


def step_after(decision: Decision, ledger: Ledger) -> str:
    """Return where a debate goes by a decision: to its end, to Iris, or to the reviewers once more."""
    if decision.action != "round":
        return "end"
    hers = any(o.field != MISSING_VERDICT_FIELD for o in ledger.open())
    return "refine" if hers else "review_again"
