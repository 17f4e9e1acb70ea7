"""What comes of a chapter that is played."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from rules.playtest import chain
from rules.playtest.game import EndKey, Game, Moves, State
from rules.playtest.grades import Changes, best_trial, throw_odds
from rules.playtest.model import (
    END,
    GOOD,
    Basis,
    ConsequenceOdds,
    DeadEnd,
    Degree,
    Encounter,
    EndOdds,
    Hinge,
    Playtest,
    SceneOdds,
    WayOdds,
)

MOST_EFFORT = 800_000
"""Steps that are walked in all: the chapter is played again for each roll, as if it succeeded and failed, and
for each scene that may come again. Some three seconds.
"""
_SEEN: EndKey = (-1, -1)
_NEARLY = 1e-9
_BOUND = 0.005
"""Chance of the best end under which nothing is left of it."""


def told(game: Game, mattering: set[EndKey], met: tuple[Encounter, ...], texts: Sequence[str]) -> Playtest:
    """Return what comes of a game.

    Args:
        game: the chapter, ready to be played.
        mattering: outcomes on which something depends, whatever follows them.
        met: the chapter's encounters.
        texts: the outline's graded consequences.

    Raises:
        TooLargeError: there is too much to remember from scene to scene.
    """
    again = _may_repeat(game)
    times = 1 + len(again) + 2 * sum(1 for script in game.scripts if script.trials)
    if game.effort() * times > MOST_EFFORT:
        raise chain.TooLargeError
    solved = game.solve()
    reach = _reach(game, solved, again)
    best = _best(game)
    visited = _visits(game, solved)
    minutes = sum(n * s.minutes for n, s in zip(visited, game.scripts, strict=True))
    return Playtest(
        scenes=tuple(_scene_odds(game, i, reach[i], visited[i], solved) for i in range(len(game.scripts))),
        ends=_ends(game, solved),
        endless=solved.endless if solved.endless > _NEARLY else 0.0,
        minutes=minutes if solved.endless <= _NEARLY else None,
        best=best(game.moves) if best else None,
        consequences=_consequences(game, texts),
        unreached=tuple(s.id for s, p in zip(game.scripts, reach, strict=True) if p <= _NEARLY),
        dead_ends=_dead_ends(game, mattering),
        hinges=_hinges(game, reach, best) if best else (),
        encounters=met,
        notes=(),
    )


def _visits(game: Game, solved: chain.Solved[State, EndKey]) -> list[float]:
    visited = [0.0] * len(game.scripts)
    for (place, _), number in solved.visits.items():
        visited[place] += number
    return visited


def _reach(game: Game, solved: chain.Solved[State, EndKey], again: set[int]) -> list[float]:
    """Return the chance of each scene: its visits; where scenes may come again, by ending at the first."""
    visited = _visits(game, solved)
    return [_first_visit(game, i) if i in again else min(1.0, visited[i]) for i in range(len(visited))]


def _may_repeat(game: Game) -> set[int]:
    """Return the scenes that can be reached from themselves."""
    after: dict[int, set[int]] = {}
    for (place, _), steps in game.moves.items():
        after.setdefault(place, set()).update(step.to[0] for step in steps if step.to is not None)
    found: set[int] = set()
    for place in after:
        seen: set[int] = set()
        open_places = list(after[place])
        while open_places:
            each = open_places.pop()
            if each not in seen:
                seen.add(each)
                open_places += after.get(each, ())
        if place in seen:
            found.add(place)
    return found


def _first_visit(game: Game, place: int) -> float:
    stop: list[chain.Step[State, EndKey]] = [chain.Step(1.0, _SEEN)]
    moves = {state: stop if state[0] == place else steps for state, steps in game.moves.items()}
    return min(1.0, game.solve(moves).ends.get(_SEEN, 0.0))


def _ends(game: Game, solved: chain.Solved[State, EndKey]) -> tuple[EndOdds, ...]:
    found: list[EndOdds] = []
    for (place, index), chance in solved.ends.items():
        script = game.scripts[place]
        label = script.ways[index].label if index >= 0 else ""
        degree: Degree = game.degrees[place][index] if index >= 0 else "choice"
        found.append(EndOdds(script.id, label, degree, chance))
    return tuple(sorted(found, key=lambda end: -end.chance))


def _scene_odds(
    game: Game, place: int, reach: float, visits: float, solved: chain.Solved[State, EndKey]
) -> SceneOdds:
    script = game.scripts[place]
    mixed = _mixed(game, place, len(script.ways), solved)
    trial = (
        script.trials[best_trial(script, game.party, Changes(), game.wins.get(script.id))[0]]
        if script.trials
        else ()
    )
    basis: Basis = "fight" if trial and trial[0].kind == "fight" else "roll" if trial else "equal"
    endless = reach > _NEARLY and visits <= _NEARLY
    targets = [END if t is None else game.scripts[t].id for t in script.targets]
    ways = tuple(
        WayOdds(way.label, game.degrees[place][i], mixed[i], targets[i], script.stated[i])
        for i, way in enumerate(script.ways)
    )
    throws = tuple(throw_odds(throw, game.party, game.wins.get(script.id)) for throw in trial)
    number = None if endless else visits
    return SceneOdds(script.id, script.title, reach, number, script.minutes, basis, throws, ways)


def _mixed(game: Game, place: int, count: int, solved: chain.Solved[State, EndKey]) -> list[float]:
    """Return the chance of each outcome where the scene is played, over what may have come before."""
    states = [(state, n) for state, n in solved.visits.items() if state[0] == place and n > 0]
    total = sum(n for _, n in states)
    if not total:
        states, total = [((place, frozenset[int]()), 1.0)], 1.0
    found = [0.0] * count
    for state, number in states:
        for step in game.moves.get(state) or game.steps(state):
            if step.end[1] >= 0:
                found[step.end[1]] += step.chance * number / total
    return found


def _consequences(game: Game, texts: Sequence[str]) -> tuple[ConsequenceOdds, ...]:
    if game.decider is None:
        return ()
    place, outcomes = game.decider
    ends = game.solve(_ending_at(game, place, outcomes)).ends
    script = game.scripts[place]
    return tuple(
        ConsequenceOdds(text, script.id, script.ways[i].label, ends.get((place, i), 0.0))
        for text, i in zip(texts, outcomes, strict=True)
    )


def _ending_at(game: Game, place: int, outcomes: Sequence[int], base: Moves | None = None) -> Moves:
    """Return the chapter's steps where it ends with some outcomes of a scene."""

    def cut(step: chain.Step[State, EndKey]) -> chain.Step[State, EndKey]:
        ends_here = step.end[0] == place and step.end[1] in outcomes
        return replace(step, to=None) if ends_here else step

    return {state: [cut(step) for step in steps] for state, steps in (base or game.moves).items()}


def _best(game: Game) -> Callable[[Moves], float] | None:
    """Return what tells the chance of the best end by the chapter's steps; None where no end is better."""
    if game.decider is not None:
        place, outcomes = game.decider
        return lambda moves: game.solve(_ending_at(game, place, outcomes, moves)).ends.get(
            (place, outcomes[0]), 0.0
        )
    ends = {step.end for steps in game.moves.values() for step in steps if step.to is None}
    good = {end for end in ends if end[1] >= 0 and game.degrees[end[0]][end[1]] in GOOD}
    if not good or good == ends:
        return None

    def chance(moves: Moves) -> float:
        found = game.solve(moves).ends
        return sum(found.get(end, 0.0) for end in good)

    return chance


def _hinges(game: Game, reach: Sequence[float], best: Callable[[Moves], float]) -> tuple[Hinge, ...]:
    """Return the rolls by how much hangs on each: the chapter is played as if it succeeded, and failed."""
    found: list[Hinge] = []
    for place, script in enumerate(game.scripts):
        good = {i for i, degree in enumerate(game.degrees[place]) if degree in GOOD}
        bad = {i for i, degree in enumerate(game.degrees[place]) if degree not in (*GOOD, "choice")}
        if script.trials and good and bad and reach[place] > _NEARLY:
            after = [best(_forced(game, place, only)) for only in (good, bad)]
            found.append(Hinge(script.id, _text(game, place), *after))
    return tuple(sorted(found, key=lambda hinge: -hinge.swing))


def _text(game: Game, place: int) -> str:
    script = game.scripts[place]
    trial = script.trials[best_trial(script, game.party, Changes(), game.wins.get(script.id))[0]]
    return " + ".join(throw.text for throw in trial)


def _forced(game: Game, place: int, only: set[int]) -> Moves:
    """Return the chapter's steps where a scene ends in one of some outcomes."""

    def steps(state: State) -> list[chain.Step[State, EndKey]]:
        if state[0] != place and state in game.moves:
            return list(game.moves[state])
        found = game.steps(state)
        if state[0] != place:
            return found
        kept = [step for step in found if step.end[1] in only]
        total = sum(step.chance for step in kept)
        return [replace(step, chance=step.chance / total if total else 1 / len(kept)) for step in kept]

    return game.explore(steps)


def _dead_ends(game: Game, mattering: set[EndKey]) -> tuple[DeadEnd, ...]:
    found: list[DeadEnd] = []
    for place, script in enumerate(game.scripts):
        if not script.ways:
            found.append(DeadEnd(script.id, "", "no_outcomes"))
        for index, way in enumerate(script.ways):
            if way.leads_to and not script.stated[index]:
                found.append(DeadEnd(script.id, way.label, "unknown_scene", way.leads_to))
            elif not script.stated[index] and (place, index) not in mattering:
                found.append(DeadEnd(script.id, way.label, "unstated"))
    return tuple(found)


def decisive(found: Playtest) -> Hinge | None:
    """Return the roll on which everything hangs: failing it leaves nothing of the best end; or None."""
    lost = [hinge for hinge in found.hinges if hinge.after_failure < _BOUND < hinge.after_success]
    return lost[0] if lost else None
