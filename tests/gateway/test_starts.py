"""Runs that begin together come to their first request one after the other, and then hinder nobody."""

import asyncio

import pytest

from concilio.gateway.starts import Starts, has_begun


async def _run(starts: Starts, name: str, told: list[str], asks: bool, fails: bool = False) -> None:
    async with starts.turn():
        told.append(f"{name} makes ready")
        await asyncio.sleep(0)  # whoever else could begin by now would
        if asks:
            told.append(f"{name} asks")
            has_begun()
            await asyncio.sleep(0)
            has_begun()  # each later call says so too
        if fails:
            raise RuntimeError(name)


def _runs(*kinds: tuple[str, bool, bool]) -> list[str]:
    told: list[str] = []

    async def together() -> None:
        starts = Starts()
        runs = (_run(starts, name, told, asks, fails) for name, asks, fails in kinds)
        await asyncio.gather(*runs, return_exceptions=True)

    asyncio.run(asyncio.wait_for(together(), 10))
    return told


@pytest.mark.parametrize("fails", [False, True])
def test_the_next_run_begins_when_the_one_before_has_asked(fails: bool) -> None:
    told = _runs(("a", True, fails), ("b", True, fails), ("c", True, fails))
    assert told == [f"{name} {does}" for name in "abc" for does in ("makes ready", "asks")]


@pytest.mark.parametrize("fails", [False, True])
def test_a_run_that_never_asks_gives_its_turn_on_when_it_ends(fails: bool) -> None:
    told = _runs(("a", False, fails), ("b", True, False))
    assert told == ["a makes ready", "b makes ready", "b asks"]


def test_a_call_outside_of_a_batch_has_no_turn_to_give() -> None:
    has_begun()
