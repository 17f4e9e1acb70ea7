"""What the benchmarks share: timing, and the sentence that says whether a bar holds."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(__file__).resolve().parent / "data"


def timed(action: Callable[[], object]) -> float:
    """Return the wall time of an action, seconds."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def run_quietly(command: Sequence[str]) -> None:
    """Run a program to its end; its output is dropped, its failure is an error."""
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def medians(actions: Sequence[Callable[[], object]], times: int) -> list[float]:
    """Return the median seconds of each action, run in turns so that a busy machine is busy for all."""
    spent: list[list[float]] = [[] for _ in actions]
    for _ in range(times):
        for seconds, action in zip(spent, actions, strict=True):
            seconds.append(timed(action))
    return [statistics.median(seconds) for seconds in spent]


def report(name: str, value: float, bar: float, detail: str = "") -> bool:
    """Print a measured value beside its bar (at most); return whether it holds."""
    holds = value <= bar
    print(
        f"{name}: {value:.2f} (bar {bar:g}) {'ok' if holds else 'TOO MUCH'}{'  ' + detail if detail else ''}"
    )
    return holds


def finish(results: Sequence[bool]) -> None:
    """End with 1 where a bar does not hold."""
    sys.exit(0 if all(results) else 1)
