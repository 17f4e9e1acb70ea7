"""A chapter as a game: what may follow what, and how likely."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.facts import PartySheet
from rules.odds.checks import RollMode
from rules.playtest import chain
from rules.playtest.grades import Changes, Margins, best_trial, chances
from rules.playtest.model import (
    Degree,
    Link,
    SceneScript,
)

State = tuple[int, frozenset[int]]
"""A scene's index, and the links that hold now, by index."""
EndKey = tuple[int, int]
"""A scene's index and its outcome's; -1 for a scene that states none."""
Decider = tuple[int, tuple[int, ...]]
"""Index of the scene that decides a chapter, and of the outcome that brings each graded consequence."""
Moves = Mapping[State, Sequence[chain.Step[State, EndKey]]]


@dataclass(frozen=True)
class Game:
    """A chapter ready to be played, with who plays it."""

    scripts: tuple[SceneScript, ...]
    degrees: tuple[tuple[Degree, ...], ...]
    """Of each scene's outcomes, as they are played."""
    party: tuple[PartySheet, ...]
    links: tuple[Link, ...]
    wins: Mapping[str, float]
    """Chance to win the fight of a scene, by its id."""
    decider: Decider | None = None
    """The scene that brings the graded consequences, with the outcome of each; None: there is none."""

    @cached_property
    def moves(self) -> Moves:
        """The steps of every state that can come about.

        Raises:
            TooLargeError: there are too many.
        """
        return self.explore(self.steps)

    def explore(self, steps: Callable[[State], Sequence[chain.Step[State, EndKey]]]) -> Moves:
        """Return the steps of every state that can come about where states go on in that way.

        Raises:
            TooLargeError: there are too many.
        """
        return chain.explore((0, frozenset[int]()), steps)

    def steps(self, state: State) -> list[chain.Step[State, EndKey]]:
        """Return how a scene may end, and what follows each way."""
        place, held = state
        script = self.scripts[place]
        if not script.ways:
            after = place + 1 if place + 1 < len(self.scripts) else None
            return [chain.Step(1.0, (place, -1), None if after is None else (after, held))]
        found = chances(script, self.margins(place, held))
        return [
            chain.Step(chance, (place, index), self._after(place, index, held))
            for index, chance in enumerate(found)
        ]

    def _after(self, place: int, outcome: int, held: frozenset[int]) -> State | None:
        target = self.scripts[place].targets[outcome]
        if target is None:
            return None
        kept = {i for i in held if place not in (self.links[i].source, self.links[i].target)}
        kept |= {i for i, link in enumerate(self.links) if link.source == place and outcome in link.outcomes}
        return target, frozenset(kept)

    def margins(self, place: int, held: frozenset[int]) -> Margins | None:
        """Return by how much a scene's roll succeeds or fails; None where the plan states no roll."""
        script = self.scripts[place]
        if not script.trials:
            return None
        key = place, self._changes(place, held)
        if key not in self._known:
            self._known[key] = best_trial(script, self.party, key[1], self.wins.get(script.id))[1]
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[int, Changes], Margins]:
        return {}

    def _changes(self, place: int, held: frozenset[int]) -> Changes:
        found = [self.links[i] for i in sorted(held) if self.links[i].target == place]
        stated = [link.dc for link in found if link.dc is not None]
        modes: tuple[RollMode, ...] = tuple(link.mode for link in found)
        return Changes(min(stated) if stated else None, sum(link.change for link in found), modes)

    def effort(self) -> int:
        """Return what playing the chapter once costs, in steps.

        Raises:
            TooLargeError: there are too many states.
        """
        return chain.effort((0, frozenset[int]()), self.moves)

    def solve(self, moves: Moves | None = None) -> chain.Solved[State, EndKey]:
        """Return what is expected of the whole chapter, or of another way to go on from its states."""
        return chain.solve((0, frozenset[int]()), self.moves if moves is None else moves)
