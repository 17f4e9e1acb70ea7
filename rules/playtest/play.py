"""A chapter played: every way through its scenes with its exact chance."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rules.checks.context import Context
from rules.document import Passage, PlanOutcome, PlanScene
from rules.playtest import chain, fights, foes, manner, margins, reading
from rules.playtest.consequences import bringing
from rules.playtest.game import Decider, EndKey, Game
from rules.playtest.grades import graded
from rules.playtest.links import Chapter, asked_for, links, other_chapter, target_of, told_target
from rules.playtest.minutes import minutes_of
from rules.playtest.model import (
    END,
    Encounter,
    Playtest,
    PlaytestError,
    SceneScript,
    Way,
)
from rules.playtest.results import told

MOST_SCENES = 60
MOST_WAYS = 40
ReadWay = Callable[[PlanScene, PlanOutcome], Way]
"""Reads an outcome: its degree and where it leads."""


def playtest(
    ctx: Context,
    scenes: Sequence[PlanScene],
    read: ReadWay,
    consequences: Sequence[str],
    sampled: bool = True,
) -> Playtest:
    """Play a chapter and return what comes of it.

    Args:
        ctx: the document, with the party in its facts.
        scenes: the planned scenes in the order of play.
        read: reads an outcome as its author means it.
        consequences: the outline's graded consequences, best first; may be empty.
        sampled: whether fights are fought (a tenth of a second each, once a process), or only weighed.

    Raises:
        PlaytestError: there is no scene, nobody in the party, or more than can be played.
    """
    if not scenes:
        raise PlaytestError("no_scenes")
    if not ctx.facts.party:
        raise PlaytestError("no_party")
    if len(scenes) > MOST_SCENES or any(len(s.outcomes) > MOST_WAYS for s in scenes):
        raise PlaytestError("too_large", scenes=MOST_SCENES, outcomes=MOST_WAYS)
    met = tuple(fights.encounters(ctx, scenes, sampled))
    scripts, notes = _scripts(ctx, scenes, read, met)
    met = _counted(met, scripts)
    notes |= _about_fights(ctx, scenes, met)
    notes |= {"bonuses"} if ctx.facts.guessed and any(script.trials for script in scripts) else set()
    degrees = tuple(graded(script.ways, bool(script.trials)) for script in scripts)
    decider = bringing(ctx, scripts, degrees, consequences) if consequences else None
    scripts = _directed(ctx, scripts, decider, consequences)
    changes, left_out = links(ctx, Chapter(scenes, degrees))
    wins = {encounter.scene: encounter.win for encounter in met if encounter.win is not None}
    game = Game(scripts, degrees, ctx.facts.party, changes, wins, decider)
    mattering = _mattering(ctx, game)
    found, kept = _remembering(game, lambda played: told(played, mattering, met, consequences))
    left_out = left_out or kept < len(changes)
    return replace(found, notes=tuple(sorted({*notes, "links"} if left_out else notes)))


def _remembering(game: Game, tell: Callable[[Game], Playtest]) -> tuple[Playtest, int]:
    """Return what comes of a game with all that is remembered from scene to scene, or half of it, or nothing.

    Each change that is remembered may double the work, so that half of them cost a sixteenth.
    """
    for kept in (len(game.links), len(game.links) // 2):
        try:
            return tell(replace(game, links=game.links[:kept])), kept
        except chain.TooLargeError:
            continue
    return tell(replace(game, links=())), 0


def _scripts(
    ctx: Context, scenes: Sequence[PlanScene], read: ReadWay, met: Sequence[Encounter]
) -> tuple[tuple[SceneScript, ...], set[str]]:
    """Return the scenes as they are rolled, and codes of what had to be supposed."""
    fought = fights.by_scene(met)
    scripts: list[SceneScript] = []
    notes: set[str] = set()
    for scene in scenes:
        encounter = fought.get(scene.id)
        can_fight = encounter is not None and encounter.win is not None
        asked, supposed = reading.trials(ctx, scene, can_fight)
        ways = tuple(_way(ctx, scene, outcome, read) for outcome in scene.outcomes)
        near, far = margins.margins(ctx, _texts(ctx, scene))
        script = SceneScript(scene.id, scene.title.text.strip(' «»"*'), ways, asked)
        script = replace(script, near=near or script.near, near_stated=near is not None)
        script = replace(script, far=far or script.far, far_stated=far is not None)
        scripts.append(replace(script, minutes=minutes_of(script, encounter, len(ctx.facts.party))))
        notes |= supposed | _supposed(script)
        action = scene.field("player_action")
        notes |= {"some_advantage"} if action and asked and manner.leaves_out(ctx, action.text) else set()
    return tuple(scripts), notes


def _counted(met: Sequence[Encounter], scripts: Sequence[SceneScript]) -> tuple[Encounter, ...]:
    """Return encounters with whether their scenes' outcomes depend on them."""
    fought = {s.id for s in scripts if any(throw.kind == "fight" for trial in s.trials for throw in trial)}
    return tuple(replace(one, counted=one.win is None or one.scene in fought) for one in met)


def _about_fights(ctx: Context, scenes: Sequence[PlanScene], met: Sequence[Encounter]) -> set[str]:
    """Return codes of what is supposed of fights, and of creatures that are not fought."""
    found = {"fights"} if any(one.win is not None for one in met) else set[str]()
    found |= set[str]() if all(one.counted for one in met) else {"fight_apart"}
    weighed = {one.scene for one in met}
    return found.union(*(foes.supposed(ctx, scene, scene.id in weighed) for scene in scenes))


def _way(ctx: Context, scene: PlanScene, outcome: PlanOutcome, read: ReadWay) -> Way:
    way = read(scene, outcome)
    band = margins.band_of(ctx, outcome)
    degree = way.degree
    if band is not None and degree == "choice":
        degree = "success" if band.low >= 0 else "failure"
    return replace(way, leads_to=target_of(ctx, way, chapter_of(scene.id)), degree=degree, band=band)


def chapter_of(scene: str) -> str:
    """Return the number of a scene's chapter, by its id."""
    return scene.partition(".")[0]


def _supposed(script: SceneScript) -> set[str]:
    found: set[str] = set()
    degrees = graded(script.ways, bool(script.trials))
    if len(script.ways) > 1 and not script.trials:
        found.add("no_roll")
    elif script.trials and degrees.count("choice"):
        found.add("decision")
    if script.trials and not script.near_stated and "partial" in degrees:
        found.add("near")
    if script.trials and not script.far_stated and {"critical_success", "critical_failure"} & set(degrees):
        found.add("far")
    return found


def _texts(ctx: Context, scene: PlanScene) -> list[Passage]:
    labels = [outcome.label for outcome in scene.outcomes]
    prose = [pair.prose for pair in ctx.pairs if pair.scene == scene.id]
    fields = [field.text for field in scene.fields if field.key in ("player_action", "situation")]
    return [*fields, *labels, *(outcome.text for outcome in scene.outcomes), *prose]


def _directed(
    ctx: Context, scripts: Sequence[SceneScript], decider: Decider | None, consequences: Sequence[str]
) -> tuple[SceneScript, ...]:
    """Return the scenes with what follows each outcome; a consequence's leads where that one says."""
    told_of = dict[EndKey, str]()
    if decider is not None:
        place, outcomes = decider
        told_of = {(place, index): text for index, text in zip(outcomes, consequences, strict=True)}
    places = {script.id: index for index, script in reversed(list(enumerate(scripts)))}
    found: list[SceneScript] = []
    for place, script in enumerate(scripts):
        following = place + 1 if place + 1 < len(scripts) else None
        goals: list[tuple[int | None, bool]] = []
        for index, way in enumerate(script.ways):
            target = way.leads_to
            if target is None and (place, index) in told_of:
                target = told_target(ctx, told_of[place, index], chapter_of(script.id))
            known = target == END or target in places
            goals.append((places.get(target or "") if known else following, known))
        found.append(replace(script, targets=tuple(g[0] for g in goals), stated=tuple(g[1] for g in goals)))
    return tuple(found)


def _mattering(ctx: Context, game: Game) -> set[EndKey]:
    """Return the outcomes on which something depends: later rolls, consequences, other chapters."""
    place, outcomes = game.decider or (0, ())
    found = asked_for(game.links) | {(place, index) for index in outcomes}
    for at, script in enumerate(game.scripts):
        number = chapter_of(script.id)
        found |= {(at, i) for i, way in enumerate(script.ways) if other_chapter(ctx, way.text, number)}
    return found
