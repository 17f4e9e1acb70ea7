"""A plan played at the table: the engine's numbers on where it leads, for the reviewers and for the file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from agents.types import LintNote
from concilio.catalogue import say
from concilio.chapterfile.plan_values import to_outcome
from concilio.domain.base import Language
from concilio.domain.playtest import (
    DeadEnd,
    Hinge,
    PlayedConsequence,
    PlayedEnd,
    PlayedFight,
    PlayedOutcome,
    PlayedPlan,
    PlayedScene,
)
from concilio.shares import Shown
from rules.checks.context import Context
from rules.document import PlanOutcome, PlanScene
from rules.folding import fold_words
from rules.playtest.model import Encounter, Playtest, PlaytestError, SceneOdds, Way
from rules.playtest.play import playtest
from rules.playtest.results import decisive
from rules.ruleset import Ruleset

RULE = "playtest"
MOST_ENDS = 6
LEAST_SWING = 0.001
"""Of the best end's chance: a roll on which less hangs is not told."""


@dataclass(frozen=True, slots=True)
class PlayedFacts:
    """What reviewers are told of a plan that was played."""

    notes: tuple[LintNote, ...] = ()
    minutes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Of each scene by its id, each time that it is played."""


def played_facts(
    context: Context, scenes: Sequence[PlanScene], consequences: Sequence[str], language: Language
) -> PlayedFacts:
    """Return what comes of a plan: the odds of each scene's outcomes and of the chapter's ends, and minutes.

    They are the numbers of `concilio playtest` and of the chapter file. A plan that cannot be played gives
    nothing.
    """
    found = _played(context, scenes, consequences, language)
    if found is None:
        return PlayedFacts()
    chapter = found.scenes[0].id.partition(".")[0]
    whole = (_note(chapter, text) for text in _chapter(found, language))
    fights = found.encounters
    met = (_note(one.scene, _met(one, context, language)) for one in fights)
    each = (_note(scene.id, text) for scene in found.scenes if (text := _scene(scene, language)))
    return PlayedFacts((*whole, *each, *met), {scene.id: round(scene.minutes) for scene in found.scenes})


def played_plan(
    context: Context,
    scenes: Sequence[PlanScene],
    consequences: Sequence[str],
    language: Language,
    own_party: bool,
) -> PlayedPlan | None:
    """Return what comes of a plan as its chapter keeps it; None where it cannot be played.

    Args:
        context: the chapter as it is printed, with the party in its facts.
        scenes: its plan's scenes in order.
        consequences: the outline's graded consequences, best first.
        language: the chapter's.
        own_party: whether the adventure names who plays.
    """
    found = _played(context, scenes, consequences, language)
    if found is None:
        return None
    single, shown = decisive(found), _shown(found)
    return PlayedPlan(
        party=_party(context, language, own_party),
        minutes=None if found.minutes is None else round(found.minutes),
        endless=shown(found.endless),
        best=None if found.best is None else shown(found.best),
        scenes=tuple(_kept_scene(scene, shown) for scene in found.scenes),
        ends=tuple(PlayedEnd(scene=e.scene, label=e.label, chance=shown(e.chance)) for e in found.ends),
        consequences=tuple(
            PlayedConsequence(
                text=without_label(c.text, c.label), scene=c.scene, label=c.label, chance=shown(c.chance)
            )
            for c in found.consequences
        ),
        unreached=found.unreached,
        dead_ends=tuple(
            DeadEnd(scene=d.scene, label=d.label, why=d.why, target=d.target) for d in found.dead_ends
        ),
        hinges=tuple(
            Hinge(
                scene=h.scene,
                roll=h.text,
                after_success=_share(h.after_success),
                after_failure=_share(h.after_failure),
                decisive=h is single,
            )
            for h in found.hinges
            if h.swing > LEAST_SWING
        ),
        fights=tuple(_kept_fight(one, context.ruleset, language) for one in found.encounters),
        assumed=tuple(say(f"playtest.note.{code}", language) for code in found.notes),
    )


def without_label(text: str, label: str) -> str:
    """Return a graded consequence without the outcome's name before it, which stands beside it anyway."""
    head, colon, rest = text.partition(":")
    return rest.strip() if colon and rest.strip() and fold_words(head) == fold_words(label) else text


def _played(
    context: Context, scenes: Sequence[PlanScene], consequences: Sequence[str], language: Language
) -> Playtest | None:
    try:
        return playtest(context, scenes, partial(read_way, language), consequences)
    except PlaytestError:
        return None


def _share(chance: float) -> float:
    """Return a probability without the machine's rounding beyond its bounds."""
    return min(1.0, max(0.0, chance))


def _shown(found: Playtest) -> Callable[[float], float]:
    """Return what gives a played plan's figures: one chance has one figure in all of a chapter's file."""
    ends = [*(_share(end.chance) for end in found.ends), _share(found.endless)]
    figures = Shown([ends, *([_share(way.chance) for way in scene.ways] for scene in found.scenes)])
    return lambda chance: figures(_share(chance))


def _party(context: Context, language: Language, own: bool) -> str:
    sheets = context.facts.party
    members = (say("playtest.member", language, name=s.name, level=s.level) for s in sheets)
    who = ", ".join(members)
    return who if own else say("playtest.fact.default_party", language, party=who)


def _kept_scene(scene: SceneOdds, shown: Callable[[float], float]) -> PlayedScene:
    outcomes = (
        PlayedOutcome(label=way.label, chance=shown(way.chance), leads_to=way.to) for way in scene.ways
    )
    return PlayedScene(
        id=scene.id,
        reach=_share(scene.reach),
        basis=scene.basis,
        minutes=round(scene.minutes),
        outcomes=tuple(outcomes),
    )


def _kept_fight(met: Encounter, ruleset: Ruleset, language: Language) -> PlayedFight:
    return PlayedFight(
        scene=met.scene,
        foes=_foes(met),
        xp=met.xp,
        difficulty={table: _hardness(met, table, ruleset, language) for table in met.degrees},
        win=met.win,
        rounds=met.rounds,
        losses=met.losses,
        not_counted=", ".join(met.left_out),
        unknown=", ".join(met.unknown),
    )


def read_way(language: str, scene: PlanScene, outcome: PlanOutcome) -> Way:
    """Return an outcome as it is played: the degree and the destination that its author means."""
    known = to_outcome(outcome, language, scene.id.partition(".")[0])
    return Way(known.label, known.degree, known.text, known.leads_to)


def weighed(met: Encounter, ruleset: Ruleset, language: Language) -> str:
    """Return an encounter with how hard it is by each of the ruleset's budgets."""
    foes = _foes(met)
    degrees = ", ".join(_degree(met, table, ruleset, language) for table in met.degrees)
    return say("playtest.encounter", language, scene=met.scene, foes=foes, xp=met.xp, degrees=degrees)


def _met(met: Encounter, context: Context, language: Language) -> str:
    """Return an encounter with its weight and, where it was fought, what came of it and is not counted."""
    told = weighed(met, context.ruleset, language)
    if met.win is None or met.rounds is None or met.losses is None:
        return told
    fought = say(
        "playtest.fact.fight",
        language,
        win=_percent(met.win),
        rounds=round(met.rounds),
        losses=round(met.losses),
        party=len(context.facts.party),
    )
    worse = say("playtest.fight_worse", language, names=", ".join(met.left_out)) if met.left_out else ""
    return "; ".join(filter(None, (told, fought, worse)))


def _foes(met: Encounter) -> str:
    return ", ".join(f"{count} × {name}" for name, count in met.foes)


def _degree(met: Encounter, table: str, ruleset: Ruleset, language: Language) -> str:
    name = _degree_name(met, table, ruleset, language)
    budgets = met.budgets[table]
    degree = met.degrees[table]
    weight = f"{met.weights[table]:g}"
    if met.weights[table] != met.xp:
        weight = say("playtest.adjusted", language, xp=weight)
    values = {"name": name, "table": table, "weight": weight}
    budget = budgets[degree] if degree else next(iter(budgets.values()))
    return say("playtest.degree" if degree else "playtest.below", language, budget=budget, **values)


def _hardness(met: Encounter, table: str, ruleset: Ruleset, language: Language) -> str:
    """Return how hard an encounter is by one budget, which is named elsewhere."""
    name = _degree_name(met, table, ruleset, language)
    return name if met.degrees[table] else say("playtest.fact.below", language, name=name)


def _degree_name(met: Encounter, table: str, ruleset: Ruleset, language: Language) -> str:
    """Return the degree's name; of the lowest one where the encounter is below it."""
    budget, degree = ruleset.encounters[table], met.degrees[table]
    names = budget.names[degree or budget.degrees[0]].get(language)
    return names.word if names else degree or budget.degrees[0]


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
    return say(
        "playtest.fact.scene", language, share=_percent(scene.reach), minutes=round(scene.minutes), ways=ways
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
