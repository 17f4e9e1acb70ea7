"""Chapters as absorbing Markov chains: exact visits and ends; circles are solved as linear equations."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)

MOST_STATES = 30_000
MOST_STEPS = 60_000
"""Steps of all states together: a second and a half of work to find them."""
MOST_IN_CIRCLE = 600
"""States of one circle: they are solved together."""
CUBE = 70_000
"""What solving a circle costs, in steps: the cube of its states by this."""


class TooLargeError(ValueError):
    """More states than can be solved in a moment."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S, E]):
    """One way on from a state: to another one, or (`to` None) to an end."""

    chance: float
    end: E
    """Name of the end, or of the way that is taken."""
    to: S | None = None


@dataclass(frozen=True, slots=True)
class Solved(Generic[S, E]):
    """What is expected of a chain."""

    visits: Mapping[S, float]
    """Expected visits by state; states that never come to an end are left out."""
    ends: Mapping[E, float]
    """Chance of each end."""
    endless: float
    """Chance to come into a circle that has no way out."""


Moves = Mapping[S, Sequence[Step[S, E]]]


def explore(start: S, steps: Callable[[S], Sequence[Step[S, E]]]) -> dict[S, Sequence[Step[S, E]]]:
    """Return the steps of every state that can come about.

    Raises:
        TooLargeError: there are too many.
    """
    found: dict[S, Sequence[Step[S, E]]] = {}
    number = 0
    open_states = [start]
    while open_states:
        state = open_states.pop()
        if state in found:
            continue
        if len(found) >= MOST_STATES:
            raise TooLargeError
        found[state] = [step for step in steps(state) if step.chance > 0]
        number += len(found[state])
        if number > MOST_STEPS:
            raise TooLargeError
        open_states += [step.to for step in found[state] if step.to is not None]
    return found


def solve(start: S, moves: Moves[S, E]) -> Solved[S, E]:
    """Return the exact expected visits and the chances of the ends.

    Raises:
        TooLargeError: a circle has too many states.
    """
    ending = _ending(moves)
    inflow: dict[S, float] = {start: 1.0}
    visits: dict[S, float] = {}
    ends: dict[E, float] = {}
    endless = 0.0
    for group in reversed(_components(start, moves)):
        if group[0] not in ending:
            endless += sum(inflow.get(state, 0.0) for state in group)
            continue
        visits.update(_group_visits(group, moves, inflow))
        inside = set(group)
        for state in group:
            for step in moves[state]:
                mass = visits[state] * step.chance
                if step.to is None:
                    ends[step.end] = ends.get(step.end, 0.0) + mass
                elif step.to not in inside:
                    inflow[step.to] = inflow.get(step.to, 0.0) + mass
    return Solved(visits, ends, min(1.0, endless))


def effort(start: S, moves: Moves[S, E]) -> int:
    """Return what solving a chain costs, in steps."""
    circles = (len(group) for group in _components(start, moves))
    return sum(map(len, moves.values())) + sum(size**3 // CUBE for size in circles if size > 1)


def _ending(moves: Moves[S, E]) -> set[S]:
    """Return the states from which an end can be reached."""
    before: dict[S, list[S]] = {}
    found = {state for state, steps in moves.items() if any(step.to is None for step in steps)}
    for state, steps in moves.items():
        for step in steps:
            if step.to is not None:
                before.setdefault(step.to, []).append(state)
    open_states = list(found)
    while open_states:
        for state in before.get(open_states.pop(), ()):
            if state not in found:
                found.add(state)
                open_states.append(state)
    return found


def _group_visits(group: Sequence[S], moves: Moves[S, E], inflow: Mapping[S, float]) -> dict[S, float]:
    if len(group) == 1:
        (state,) = group
        back = sum(step.chance for step in moves[state] if step.to == state)
        return {state: inflow.get(state, 0.0) / (1 - back)}
    if len(group) > MOST_IN_CIRCLE:
        raise TooLargeError
    import numpy as np  # here: chapters without a circle do without it

    place = {state: index for index, state in enumerate(group)}
    matrix = np.eye(len(group))
    for state in group:
        for step in moves[state]:
            if step.to is not None and step.to in place:
                matrix[place[step.to], place[state]] -= step.chance
    entering = np.array([inflow.get(state, 0.0) for state in group])
    return dict(zip(group, map(float, np.linalg.solve(matrix, entering)), strict=True))


def _components(start: S, moves: Moves[S, E]) -> list[list[S]]:
    """Return the strongly connected states, those that come last first (Tarjan, without recursion)."""
    order: dict[S, int] = {}
    low: dict[S, int] = {}
    stack: list[S] = []
    on_stack: set[S] = set()
    found: list[list[S]] = []
    work: list[tuple[S, int]] = [(start, 0)]
    while work:
        state, at = work.pop()
        if at == 0:
            order[state] = low[state] = len(order)
            stack.append(state)
            on_stack.add(state)
        following = [step.to for step in moves[state] if step.to is not None]
        if at and following[at - 1] in on_stack:
            low[state] = min(low[state], low[following[at - 1]])
        while at < len(following) and following[at] in order:
            if following[at] in on_stack:
                low[state] = min(low[state], order[following[at]])
            at += 1
        if at < len(following):
            work += [(state, at + 1), (following[at], 0)]
        elif low[state] == order[state]:
            found.append(_popped(stack, on_stack, state))
    return found


def _popped(stack: list[S], on_stack: set[S], state: S) -> list[S]:
    group: list[S] = []
    while not group or group[-1] != state:
        group.append(stack.pop())
        on_stack.discard(group[-1])
    return group
