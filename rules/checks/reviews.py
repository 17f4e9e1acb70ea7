"""A reviewer's sentences, held against the plan under review: what they deny, and what they state of it."""

from collections.abc import Sequence
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks import review_denials as denials
from rules.checks import review_figures as figures
from rules.checks.context import Context
from rules.checks.review_denials import Clause, Spans, matter
from rules.checks.text import Sentence, Word
from rules.document import PlanScene


class Spoken(NamedTuple):
    """A reviewer's sentence and the scenes of which it may speak."""

    scenes: Sequence[PlanScene]
    sentence: Sentence
    sure: bool
    """One scene is named; otherwise the sentence itself must say of whom it speaks."""
    found: Spans
    """What stands in it, by the lists of the reviews' words."""
    question: Sentence | None = None
    """The sentence before it, where that one asks."""


def denied(ctx: Context, spoken: Spoken, clauses: Sequence[Clause]) -> tuple[PlanScene, str] | None:
    """Return the scene and what it gives of a thing that a sentence says it lacks; None where it is right."""
    scenes, _, sure, _, question = spoken
    asked = list(denials.clauses(ctx.source, question.words)) if question else []
    before = asked[-1] if asked else None
    for clause in clauses:
        how = denials.denial(clause) if _may_deny(clause.found) else ""
        if how:
            whole = _with_subject(before, clause)
            for scene in scenes:
                told = _given(ctx, ctx.twin(scene), whole, how, sure)
                if told:
                    return scene, ", ".join(told[:24])
        before = clause
    return None


def _may_deny(found: Spans) -> bool:
    """Tell whether the words that stand somewhere may deny at all: a particle needs what it denies."""
    if "lacking" in found or "none" in found or "asks" in found or "adds" in found:
        return True
    return "particles" in found and "gives" in found


def _with_subject(before: Clause | None, clause: Clause) -> Clause:
    """Return a clause that denies and names nothing together with the one before it (`the save? None`)."""
    named = any(name.startswith("thing_") for name in clause.found)
    if before is None or named or denials.denial(before):
        return clause
    if any(w.text not in denials.word_list("words", "fillers") for w in _bare(clause)):
        return clause
    words = (*before.words, *clause.words)
    return Clause(words, denials.marks().find(words), before.text + clause.text)


def _bare(clause: Clause) -> list[Word]:
    spent = {
        i
        for name in ("lacking", "particles", "none", "gives")
        for first, last in clause.found.get(name, ())
        for i in range(first, last)
    }
    return [w for i, w in enumerate(clause.words) if i not in spent]


def _given(ctx: Context, scene: PlanScene, clause: Clause, how: str, sure: bool) -> list[str]:
    if _is_supposed(clause, how):
        return []
    named = _named(ctx, scene, clause, how) if how not in ("asks", "adds") else []
    if named:
        return named
    found = denials.things(clause, how)
    rest = denials.rest_of(ctx, scene, clause, [(first, last) for _, first, last in found])
    for thing, first, _ in found:
        told = denials.given(ctx, scene, thing, rest, clause.words[first].start) if rest or sure else []
        if told:
            return told
    return _noun(ctx, scene, clause) if not found and clause.found.get("mentions") else []


def _is_supposed(clause: Clause, how: str) -> bool:
    if how == "adds":
        return False
    general = "splits" in clause.found and lexicon.phrases_any("denied_in_general").any(clause.words)
    return general or lexicon.phrases_any("supposes").any(clause.words)


def _named(ctx: Context, scene: PlanScene, clause: Clause, how: str) -> list[str]:
    """Return who or what a clause says is not in a scene, where it is."""
    if not (clause.found.get("appears") or clause.found.get("mentions") or how == "lacks"):
        return []
    at = denials.named_in(ctx, scene, clause)
    if not at:
        return []
    spent = list(at)
    for name in ("appears", "mentions", "thing_present", "thing_place"):
        spent += clause.found.get(name, ())
    rest = denials.rest_of(ctx, scene, clause, spent)
    return [] if rest else [" ".join(w.text for w in clause.words[first:last]) for first, last in at]


def _noun(ctx: Context, scene: PlanScene, clause: Clause) -> list[str]:
    """Return the plan's sentence with a plain thing that is said not to be mentioned (`the bell`)."""
    rest = [matter(w) for w in denials.rest_of(ctx, scene, clause, clause.found["mentions"])]
    after = clause.found["mentions"][0][1]
    if (
        not rest
        or len(rest) > 2
        or any(w.text in denials.word_list("words", "asking") for w in clause.words[after:])
    ):
        return []
    for field in scene.fields:
        for sentence in ctx.sentences(field.text):
            if set(rest) <= set(map(matter, sentence.words)):
                return [" ".join(ctx.source[sentence.start : sentence.end].split())[:120]]
    return []


_DENYING = ("lacking", "particles", "asks", "adds")
_COUNTED = frozenset(f"counted_{noun}" for noun in figures.COUNTED)
_JUDGING = frozenset((*_DENYING, *_COUNTED, "thing_save"))


def spoken_of(
    scenes: Sequence[PlanScene], sentence: Sentence, sure: bool, question: Sentence | None
) -> Spoken | None:
    """Return a sentence as it is read; None where it can neither deny nor state anything of a plan."""
    found = denials.marks().find(sentence.words)
    if _JUDGING.isdisjoint(found) and not figures.has_figure(sentence):
        return None
    return Spoken(scenes, sentence, sure, found, question)


def judged(ctx: Context, spoken: Spoken, *, accepts: bool) -> tuple[PlanScene, str] | None:
    """Return the scene of which a sentence says what is not so, and what its plan gives."""
    denies = _may_deny(spoken.found)
    counts = not _COUNTED.isdisjoint(spoken.found) and figures.has_number(spoken.sentence)
    if not (denies or counts or figures.may_state(spoken.sentence, spoken.found, accepts)):
        return None
    spoken = _placed(ctx, spoken)
    scenes, sentence, sure, found, _ = spoken
    clauses = list(denials.clauses(ctx.source, sentence.words, found)) if denies or counts else []
    wrong = denied(ctx, spoken, clauses) if denies else None
    if wrong:
        return wrong
    scene = scenes[0] if sure else None
    have = figures.miscounted(ctx, scene, _scene_total(ctx), clauses) if counts else ""
    if have:
        return scenes[0], have
    if not figures.may_state(sentence, found, sure and accepts):
        return None
    told = figures.stated(ctx, scenes, sentence, found)
    if told:  # a reviewer may quote any version
        versions = [v for s in scenes for v in _versions(ctx, s)]
        told = figures.stated(ctx, versions, sentence, found)
    return (scenes[0], told) if told else None


_ORDINALS = ("first", "second", "third", "fourth", "fifth")


def _placed(ctx: Context, spoken: Spoken) -> Spoken:
    """Return a sentence with the one scene that it calls by its number in words or by its place."""
    if spoken.sure:
        return spoken
    scenes, found = spoken.scenes, spoken.found
    named = [scenes[i] for i, n in enumerate(_ORDINALS[: len(scenes)]) if f"scene_{n}" in found]
    if not named:
        named = [s for s in scenes if denials.is_located(ctx, s, spoken.sentence.words)]
    return spoken._replace(scenes=named, sure=True) if len(named) == 1 else spoken


def _scene_total(ctx: Context) -> int:
    """Return how many scenes the chapter's plan has."""
    return len({s.id for s in ctx.document.plan.scenes}) if ctx.document.plan else 0


def _versions(ctx: Context, scene: PlanScene) -> list[PlanScene]:
    """Return every version of a scene that the file has: a reviewer may quote any."""
    debated = [s for m in ctx.document.debate for s in m.scenes if s.id == scene.id]
    return [*debated, *ctx.plans_by_id.get(scene.id, ())]
