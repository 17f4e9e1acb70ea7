"""Chapters as absorbing chains: known answers, circles, and what never ends."""

import random
from itertools import pairwise

import pytest

from rules.playtest.chain import MOST_IN_CIRCLE, Step, TooLargeError, explore, solve

Moves = dict[str, list[Step[str, str]]]


def to(chance: float, state: str) -> Step[str, str]:
    return Step(chance, f"to {state}", state)


def end(chance: float, name: str) -> Step[str, str]:
    return Step(chance, name)


def test_a_straight_line_shares_out_its_ends() -> None:
    moves: Moves = {"a": [to(0.25, "b"), end(0.75, "lost")], "b": [end(0.4, "won"), end(0.6, "lost")]}
    found = solve("a", moves)
    assert found.visits == pytest.approx({"a": 1.0, "b": 0.25})
    assert found.ends == pytest.approx({"won": 0.1, "lost": 0.9})
    assert found.endless == 0


def test_trying_again_until_it_works_takes_the_expected_number_of_tries() -> None:
    moves: Moves = {"a": [to(0.8, "a"), end(0.2, "through")]}
    found = solve("a", moves)
    assert found.visits["a"] == pytest.approx(5)
    assert found.ends == pytest.approx({"through": 1.0})


def test_the_gamblers_ruin() -> None:
    """From 3 of 10 with a fair coin: 30 % to win, 21 throws expected."""
    moves: Moves = {
        str(n): [
            end(0.5, "won") if n == 9 else to(0.5, str(n + 1)),
            end(0.5, "ruin") if n == 1 else to(0.5, str(n - 1)),
        ]
        for n in range(1, 10)
    }
    found = solve("3", moves)
    assert found.ends == pytest.approx({"won": 0.3, "ruin": 0.7})
    assert sum(found.visits.values()) == pytest.approx(21)


def test_a_circle_without_a_way_out_is_told_apart() -> None:
    moves: Moves = {"a": [to(0.3, "b"), end(0.7, "out")], "b": [to(1.0, "c")], "c": [to(1.0, "b")]}
    found = solve("a", moves)
    assert found.endless == pytest.approx(0.3)
    assert found.ends == pytest.approx({"out": 0.7})
    assert set(found.visits) == {"a"}


def random_moves(seed: int) -> Moves:
    rolls = random.Random(seed)
    names = [str(n) for n in range(8)]
    moves: Moves = {}
    for name in names:
        cuts = [0.0, *sorted(rolls.random() for _ in range(3)), 1.0]
        parts = [b - a for a, b in pairwise(cuts)]
        moves[name] = [*(to(p, rolls.choice(names)) for p in parts[:3]), end(parts[3], f"end {name}")]
    return moves


@pytest.mark.parametrize("seed", range(20))
def test_random_chains_agree_with_playing_step_by_step(seed: int) -> None:
    moves = random_moves(seed)
    mass, ends = {"0": 1.0}, dict[str, float]()
    for _ in range(4000):
        following: dict[str, float] = {}
        for state, share in mass.items():
            for step in moves[state]:
                where, name = (ends, step.end) if step.to is None else (following, step.to)
                where[name] = where.get(name, 0.0) + share * step.chance
        mass = following
    reached = explore("0", lambda state: moves[state])
    assert solve("0", reached).ends == pytest.approx({k: v for k, v in ends.items() if v}, abs=1e-6)


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(TooLargeError):
        explore(0, lambda n: [Step(1.0, "on", n + 1)])
    size = MOST_IN_CIRCLE + 1
    ring: dict[int, list[Step[int, str]]] = {
        n: [Step(0.9, "on", (n + 1) % size), Step(0.1, "out")] for n in range(size)
    }
    with pytest.raises(TooLargeError):
        solve(0, ring)


def test_a_long_line_needs_no_recursion() -> None:
    moves = {n: [Step(1.0, "on", n + 1 if n < 5000 else None)] for n in range(5001)}
    assert solve(0, moves).ends == {"on": 1.0}
