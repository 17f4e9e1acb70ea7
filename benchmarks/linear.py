"""Twice the text costs at most 2.2 times the time: `check` and its replacements on texts made to be slow.

Processor time on one core. Shapes (`benchmarks/data/shapes.yaml`) may be named; `--fix` measures what
`check --fix` does, which reads a text as often as it mends it.
"""

import gc
import sys
import time
from collections.abc import Callable

import yaml
from common import DATA, ROOT, finish, report

sys.path.insert(0, str(ROOT))

from concilio.__main__ import COLLECT_EVERY

SMALL = 100_000
"""Characters of the shorter text, at least; more where so many are read in no time."""
LEAST_SECONDS = 0.25
LARGEST = 1_600_000
RUNS = 3
BAR = 2.2


def text(piece: str, size: int) -> str:
    """Return a piece again and again, about as many characters as asked."""
    if not piece:
        raise ValueError("a shape of nothing never grows")
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(piece.replace("{0}", str(10_000 + len(pieces) % 90_000)))
        length += len(pieces[-1])
    return "".join(pieces)


def seconds(action: Callable[[str], object], subject: str) -> float:
    """Return the least processor seconds of some runs."""
    best = float("inf")
    for _ in range(RUNS):
        gc.collect()
        begin = time.process_time()
        action(subject)
        best = min(best, time.process_time() - begin)
    return best


def ratio(action: Callable[[str], object], piece: str) -> tuple[float, float, int]:
    """Return how many times as long twice the text takes, the shorter one's seconds and its size."""
    size = SMALL
    while (short := seconds(action, text(piece, size))) < LEAST_SECONDS and size < LARGEST:
        size *= 2
    return seconds(action, text(piece, 2 * size)) / short, short, size


def actions() -> dict[str, Callable[[str], object]]:
    """Return what is measured, by name: `check`, and `fix`, which goes on from what it finds."""
    from concilio.chapterfile.reader import read_document
    from concilio.report.repair import repair
    from rules.document import Document
    from rules.engine import Config, check
    from rules.ruleset import load_ruleset

    ruleset = load_ruleset()

    def read(subject: str) -> Document:
        return read_document(subject, "shape.md")

    return {
        "check": lambda subject: check(read(subject), ruleset),
        "fix": lambda subject: repair(subject, read, ruleset, None, Config()),
    }


def main() -> None:
    """Measure every shape and compare the worst with the bar."""
    gc.set_threshold(*COLLECT_EVERY)  # as the command does
    names = [argument for argument in sys.argv[1:] if argument != "--fix"]
    action = actions()["fix" if "--fix" in sys.argv else "check"]
    action("A DC 15 Strength (Athletics) check.")
    shapes: dict[str, str] = yaml.safe_load((DATA / "shapes.yaml").read_text(encoding="utf-8"))
    results: list[bool] = []
    for name in names or shapes:
        times, short, size = ratio(action, shapes[name])
        results.append(report(f"{name}, times", times, BAR, f"{short:.2f} s for {size:,} characters"))
    print(f"{sum(results)} of {len(results)} shapes hold")
    finish(results)


if __name__ == "__main__":
    main()
