"""A plan played at the table: the engine's numbers on where it leads, as notes for the reviewers."""

from collections.abc import Iterator, Sequence
from functools import partial

from agents.types import LintNote
from concilio.catalogue import say
from concilio.chapterfile.plan_values import to_outcome
from concilio.domain.base import Language
from rules.checks.context import Context
from rules.document import PlanOutcome, PlanScene
from rules.playtest.model import Encounter, Playtest, PlaytestError, SceneOdds, Way
from rules.playtest.play import playtest
from rules.playtest.results import decisive
from rules.ruleset import Ruleset

RULE = "playtest"
MOST_ENDS = 6


def played_notes(
    context: Context, scenes: Sequence[PlanScene], consequences: Sequence[str], language: Language
) -> tuple[LintNote, ...]:
    """Return what comes of a plan: the odds of each scene's outcomes, and of the chapter's ends.

    Fights are weighed, not sampled. A plan that cannot be played gives nothing.
    """
    try:
        found = playtest(context, scenes, partial(read_way, language), consequences, sampled=False)
    except PlaytestError:
        return ()
    chapter = found.scenes[0].id.partition(".")[0]
    whole = (_note(chapter, text) for text in _chapter(found, language))
    met = (_note(one.scene, weighed(one, context.ruleset, language)) for one in found.encounters)
    each = (_note(scene.id, text) for scene in found.scenes if (text := _scene(scene, language)))
    return (*whole, *each, *met)


def read_way(language: str, scene: PlanScene, outcome: PlanOutcome) -> Way:
    """Return an outcome as it is played: the degree and the destination that its author means."""
    known = to_outcome(outcome, language, scene.id.partition(".")[0])
    return Way(known.label, known.degree, known.text, known.leads_to)


def weighed(met: Encounter, ruleset: Ruleset, language: Language) -> str:
    """Return an encounter with how hard it is by each of the ruleset's budgets."""
    foes = ", ".join(f"{count} × {name}" for name, count in met.foes)
    degrees = ", ".join(_degree(met, table, ruleset, language) for table in met.degrees)
    return say("playtest.encounter", language, scene=met.scene, foes=foes, xp=met.xp, degrees=degrees)


def _degree(met: Encounter, table: str, ruleset: Ruleset, language: Language) -> str:
    budget, degree = ruleset.encounters[table], met.degrees[table]
    names = budget.names[degree or budget.degrees[0]].get(language)
    word = names.word if names else degree or budget.degrees[0]
    return say("playtest.degree" if degree else "playtest.below", language, name=word, table=table)


def _note(scene: str, text: str) -> LintNote:
    return LintNote(scene=scene, rule=RULE, severity="note", message=" ".join(text.split()))


def _chapter(found: Playtest, language: Language) -> Iterator[str]:
    if found.minutes is not None:
        yield say("playtest.fact.minutes", language, minutes=round(found.minutes))
    if found.endless:
        yield say("playtest.fact.endless", language, share=_percent(found.endless))
    told = [(one.text, one.chance) for one in found.consequences]
    told = told or [(f"{end.scene} {end.label}".strip(), end.chance) for end in found.ends[:MOST_ENDS]]
    for text, chance in told:
        yield say("playtest.fact.end", language, text=text, share=_percent(chance))
    for scene in found.unreached:
        yield say("playtest.fact.unreached", language, scene=scene)
    hinge = decisive(found)
    if hinge is not None:
        yield say("playtest.fact.decisive", language, scene=hinge.scene, text=hinge.text)


def _scene(scene: SceneOdds, language: Language) -> str:
    if scene.basis == "equal":
        return ""
    ways = ", ".join(f"{way.label} {_percent(way.chance)} → {way.to}" for way in scene.ways)
    return say("playtest.fact.scene", language, share=_percent(scene.reach), ways=ways)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
