"""Work shared out among the machine's cores, results in order."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

R = TypeVar("R")

LEAST_ITEMS = 12
"""Items from which starting processes is worth its while."""
_MOST_AT_ONCE = 16
"""Items of a portion, so that results come in soon however many there are."""
_SHARES = 4
"""Portions a process: the last one does not keep the others waiting long."""

_work: list[Callable[[str], object]] = []


def in_order(work: Callable[[str], R], items: Sequence[str], processes: int | None = None) -> Iterator[R]:
    """Yield what `work` returns for each item, in the items' order.

    Several processes do it where there are many items and the system can fork safely: what `work` refers to
    is inherited, only items and results travel. What it raises is raised here.
    """
    number = processes or _cores()
    if number < 2 or len(items) < LEAST_ITEMS or not _can_fork():
        yield from map(work, items)
        return
    _work.append(work)
    try:
        with ProcessPoolExecutor(number, multiprocessing.get_context("fork")) as pool:
            portion = min(_MOST_AT_ONCE, max(1, len(items) // (number * _SHARES)))
            yield from pool.map(_do, items, chunksize=portion)  # type: ignore[misc]
    finally:
        _work.remove(work)


def _do(item: str) -> object:
    return _work[-1](item)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
