"""The speed of odds on one core: an exact duel, sampled duels a second; start-up excluded.

The fighter of the house rules' table (12 hit points) against the smith (22).
"""

import os
import statistics
import sys
import time

from common import ROOT, finish, report

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, str(ROOT))

from rules.odds.combatants import turn_damage  # noqa: E402
from rules.odds.dice import spread  # noqa: E402
from rules.odds.duel import exact_duel  # noqa: E402
from rules.odds.parser import parse  # noqa: E402
from rules.odds.sampling import sample_duel  # noqa: E402
from rules.odds.sides import parse_side  # noqa: E402

FIGHTER = "hp=12 ac=18 attack=+5 damage=1d8+3"
SMITH = "hp=22 ac=12 attack=+4 damage=1d8+2"
EXACT_BAR_MS = 2.0
SAMPLES = 1_000_000
SAMPLE_BAR_S = SAMPLES / 1_500_000
"""Seconds for a million: 1.5 million duels a second."""
TIMES = 9


def exact_ms() -> float:
    """Return the milliseconds of an exact duel from its text, nothing of it kept from the one before."""
    spent: list[float] = []
    for _ in range(TIMES * 10):
        turn_damage.cache_clear()
        spread.cache_clear()
        begin = time.perf_counter()
        exact_duel(parse_side(FIGHTER), parse_side(SMITH))
        spent.append(1000 * (time.perf_counter() - begin))
    return statistics.median(spent)


def sampled_s() -> float:
    """Return the seconds of a million sampled duels."""
    fighter, smith = parse_side(FIGHTER), parse_side(SMITH)
    spent: list[float] = []
    for seed in range(TIMES):
        begin = time.perf_counter()
        sample_duel(fighter, smith, samples=SAMPLES, seed=seed)
        spent.append(time.perf_counter() - begin)
    return statistics.median(spent)


def main() -> None:
    """Measure and compare with the bars."""
    exact_duel(parse_side(FIGHTER), parse_side(SMITH))  # loads numpy
    parse("4d6kh3")
    exact = report("exact duel, 12 against 22 hit points, ms", exact_ms(), EXACT_BAR_MS)
    seconds = sampled_s()
    rate = f"{SAMPLES / seconds / 1e6:.1f} million duels a second"
    finish([exact, report("a million sampled duels, s", seconds, SAMPLE_BAR_S, rate)])


if __name__ == "__main__":
    main()
