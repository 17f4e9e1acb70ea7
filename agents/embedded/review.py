"""Damián and Rubén as heuristics: each looks for faults of his own, closes what has changed, and votes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any

from agents.embedded.analysis import (
    CHECKER_KINDS,
    CRITIC_KINDS,
    CheckFact,
    Problem,
    checks_of,
    problems_of,
)
from agents.embedded.brief import Brief, make_brief
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.outline import kinds_of
from agents.embedded.slots import fill, pick, rng
from agents.types import Marks, ObjectionReply, ReviewReply, ReviewTask, RowReply
from concilio.domain.debate import Mark, Objection, Severity, Verdict
from concilio.domain.plan import ScenePlan
from rules.playtest.minutes import ROLL, SETTING, TURN, UNKNOWN_ROUNDS

FIGHTERS = 6
"""Who takes turns in a fight of which no more is known: four of the party, two of the others."""
LONGEST_MINUTES = 60
_KINDS = {"check": CHECKER_KINDS, "criticise": CRITIC_KINDS}
_DIMENSION = {
    "odds_hard": "numbers",
    "odds_easy": "numbers",
    "lint": "numbers",
    "no_partial": "outcomes",
    "leads_nowhere": "outcomes",
    "indistinct": "outcomes",
    "single_roll": "action",
    "same_skill": "pacing",
    "unknown_name": "action",
    "flat_dc": "numbers",
    "rule_unused": "action",
    "unused_element": "action",
    "no_end": "time",
    "idle_member": "pacing",
}
MOST_RAISED = 2
"""Grave objections that a reviewer raises in one round: the rest when those are settled."""
_GRAVITY: dict[Severity, int] = {"blocker": 0, "major": 1, "minor": 2}


@cache
def voices_of(language: str) -> Any:
    """Return what Damián, Rubén and Iris say, in a language."""
    return load_yaml(LEXICON / language / "voices.yaml")


@dataclass(frozen=True, slots=True)
class Chair:
    """A reviewer at work on one task."""

    task: ReviewTask
    brief: Brief
    problems: tuple[Problem, ...]
    """His own kinds alone."""
    checks: Mapping[str, tuple[CheckFact, ...]]

    @property
    def words(self) -> Any:
        """His sentences."""
        return voices_of(self.brief.language)[self.task.task]


def sit_down(task: ReviewTask) -> Chair:
    """Read a review task."""
    brief = make_brief(task.canon, task.outline, task.seed)
    kinds = _KINDS[task.task]
    found = [p for p in problems_of(brief, task.plan, task.odds) if p.kind in kinds]
    if task.task == "check":
        found += _lint_problems(task)
    checks = {scene.id: checks_of(brief, scene, task.odds) for scene in task.plan.scenes}
    return Chair(task, brief, tuple(found), checks)


def _lint_problems(task: ReviewTask) -> Iterable[Problem]:
    """Return the engine's errors as faults: what it finds is not argued about."""
    ids = {scene.id for scene in task.plan.scenes}
    for note in task.notes:
        if note.severity == "error":
            scene = note.scene if note.scene in ids else str(task.outline.number)
            yield Problem("lint", scene, "", "major", {"message": note.message, "quote": note.quote})


# --- objections ---------------------------------------------------------------------------------------


def objection_of(chair: Chair, problem: Problem) -> ObjectionReply:
    """Return an objection; its words depend on the fault alone: a fault that stays keeps its words."""
    words = chair.words["objections"][problem.kind]
    values = {"scene": problem.scene, **problem.values}
    key = (chair.task.seed, chair.task.canon.adventure, chair.task.task, problem.scene, problem.kind)
    return ObjectionReply(
        scene=problem.scene,
        field=problem.field,
        severity=problem.severity,
        text=fill(pick(words["text"], *key, "text"), values),
        proposal=fill(pick(words["proposal"], *key, "proposal"), values),
    )


def settled(chair: Chair, raised: Sequence[ObjectionReply]) -> tuple[str, ...]:
    """Return the ids of own open objections that no longer hold."""
    current = {objection.text for objection in raised}
    return tuple(o.id for o in chair.task.objections if o.text not in current and _moved(chair, o))


def _moved(chair: Chair, objection: Objection) -> bool:
    """Tell whether something happened to an objection: its scene changed, is gone, or it was argued away."""
    ids = {scene.id for scene in chair.task.plan.scenes}
    changed = objection.scene in chair.task.changed or objection.scene not in ids
    return changed or objection.answer_kind == "rebutted" or (not chair.task.changed and chair.task.round > 1)


# --- rows, marks, verdict -----------------------------------------------------------------------------


def _marks(problems: Iterable[Problem]) -> Marks:
    marks: dict[str, Mark] = dict.fromkeys(Marks.model_fields, "good")
    for problem in problems:
        dimension = _DIMENSION[problem.kind]
        if problem.severity == "minor" and marks[dimension] == "good":
            marks[dimension] = "fair"
        elif problem.severity != "minor":
            marks[dimension] = "bad"
    return Marks.model_validate(marks)


def guessed_minutes(*, rolls: bool, combat: bool) -> int:
    """Return the minutes that a scene of a plan that cannot be played will take, to the next five.

    Where it has checks, one is made: they are ways to the same end. The figures are those by which a plan is
    played.
    """
    fight = UNKNOWN_ROUNDS * TURN * FIGHTERS if combat else 0.0
    minutes = SETTING + (ROLL if rolls else 0.0) + fight
    return min(LONGEST_MINUTES, ceil(minutes / 5) * 5)


def _row(chair: Chair, index: int, scene: ScenePlan) -> RowReply:
    own = [p for p in chair.problems if p.scene == scene.id]
    rolls = bool(chair.checks[scene.id])
    combat = "combat" in kinds_of(chair.task.outline, chair.brief.language)
    return RowReply(
        scene=scene.id,
        marks=_marks(own),
        minutes=chair.task.minutes.get(scene.id) or guessed_minutes(rolls=rolls, combat=combat),
        note=_note(chair, index, own),
    )


def _note(chair: Chair, index: int, own: Sequence[Problem]) -> str:
    key = (chair.task.seed, chair.task.canon.adventure, chair.task.task, chair.task.outline.number)
    if own:
        options: list[str] = chair.words["notes"][own[0].kind]
        return fill(pick(options, *key, own[0].scene), {"scene": own[0].scene, **own[0].values})
    clean = list(chair.words["notes"]["clean"])
    rng(*key, "clean").shuffle(clean)
    said = (chair.task.round - 1) * len(chair.task.plan.scenes)
    return clean[(said + index) % len(clean)]


def _summary(chair: Chair, verdict: Verdict, closed: Sequence[str], raised: Sequence[ObjectionReply]) -> str:
    words = chair.words["summary"]
    adventure = chair.task.canon.adventure
    key = (chair.task.seed, adventure, chair.task.task, chair.task.round, chair.task.outline.number)
    sentences = [pick(words[verdict], *key)]
    if closed:
        sentences.insert(0, pick(words["closed"], *key, "closed"))
    if verdict == "accept" and raised:
        sentences.append(pick(words["minor"], *key, "minor"))
    return " ".join(sentences)


def verdict_of(chair: Chair, raised: Sequence[ObjectionReply], closed: Sequence[str]) -> Verdict:
    """Return `accept` where no blocker and no major objection of his own stands, old or new."""
    standing = [o.severity for o in chair.task.objections if o.id not in closed]
    severities = [*standing, *(objection.severity for objection in raised)]
    return "refine" if any(severity != "minor" for severity in severities) else "accept"


def _gravest(found: Iterable[ObjectionReply]) -> list[ObjectionReply]:
    """Return the objections that are raised in this round: some grave ones at a time, small ones at once."""
    ranked = sorted(found, key=lambda o: _GRAVITY[o.severity])
    grave = [o for o in ranked if o.severity != "minor"]
    return [*grave[:MOST_RAISED], *(o for o in ranked if o.severity == "minor")]


def review(task: ReviewTask) -> ReviewReply:
    """Return a reviewer's turn."""
    chair = sit_down(task)
    found = list({o.text: o for o in (objection_of(chair, p) for p in chair.problems)}.values())
    closed = settled(chair, found)
    already = {o.text for o in task.objections}
    raised = [o for o in found if o.text in already] + _gravest(o for o in found if o.text not in already)
    verdict = verdict_of(chair, raised, closed)
    return ReviewReply(
        summary=_summary(chair, verdict, closed, raised),
        rows=[_row(chair, i, scene) for i, scene in enumerate(task.plan.scenes)],
        marks=_marks(chair.problems),
        objections=[o for o in raised if o.text not in already],
        closed=list(closed),
        verdict=verdict,
    )
