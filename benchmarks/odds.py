"""The speed of odds on one core: an exact duel, sampled duels a second, a chapter played; start-up excluded.

The fighter of the house rules' table (12 hit points) against the smith (22). The chapter has eight scenes;
each asks for a roll with three grades and a way back, some ask what came of the first; four play it.
"""

import os
import statistics
import sys
import time
from functools import partial

from common import ROOT, finish, report

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, str(ROOT))

from concilio.chapterfile.reader import read_document  # noqa: E402
from graphs.playing import read_way  # noqa: E402
from rules.checks.context import Context  # noqa: E402
from rules.facts import Facts, PartySheet  # noqa: E402
from rules.odds.combatants import turn_damage  # noqa: E402
from rules.odds.dice import spread  # noqa: E402
from rules.odds.duel import exact_duel  # noqa: E402
from rules.odds.parser import parse  # noqa: E402
from rules.odds.sampling import sample_duel  # noqa: E402
from rules.odds.sides import parse_side  # noqa: E402
from rules.playtest.play import playtest  # noqa: E402
from rules.ruleset import load_ruleset  # noqa: E402

FIGHTER = "hp=12 ac=18 attack=+5 damage=1d8+3"
SMITH = "hp=22 ac=12 attack=+4 damage=1d8+2"
EXACT_BAR_MS = 2.0
SAMPLES = 1_000_000
SAMPLE_BAR_S = SAMPLES / 1_500_000
"""Seconds for a million: 1.5 million duels a second."""
TIMES = 9
SCENES = 8
CHAPTER_BAR_MS = 50.0
TRAITS = ("stealth", "perception", "athletics", "persuasion")
ACTIONS = (
    "A DC {dc} Dexterity (Stealth) check, or a DC {dc} Charisma (Persuasion) check.",
    "A DC {dc} Wisdom (Perception) check, and then a DC {dc} Strength (Athletics) check.",
    "The whole party makes a DC {dc} Dexterity (Stealth) check.",
    "A DC {dc} Strength (Athletics) check; DC 10 with a success in scene 4.1.",
)


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


def chapter(turn: int) -> str:
    """Return a chapter's text; each turn has DCs of its own, so that nothing is known from the one before."""
    lines = ["# Chapter 4 · “The long way”", "", "## Scene plan", ""]
    for number in range(1, SCENES + 1):
        action = ACTIONS[number % len(ACTIONS)].format(dc=11 + (turn + number) % 9)
        following = f"4.{number + 1}" if number < SCENES else "end"
        lines += [
            f"### Chapter 4 · Scene 4.{number} — Part {number}",
            f"- PLACE: Place {number} of turn {turn}.",
            "- PRESENT: The travellers.",
            "- STARTING SITUATION: Rain falls on the stones.",
            f"- PLAYER ACTION: {action}",
            "- POSSIBLE OUTCOMES:",
            f"    - Success: They pass. (→ {following})",
            f"    - Partial success: They pass, and are seen. (→ {following})",
            f"    - Failure: They go round. (→ 4.{max(1, number - 1)})",
            "- STATE CHANGE: It is later now.",
            "",
        ]
    return "\n".join(lines)


def party() -> tuple[PartySheet, ...]:
    """Return four characters of level 5, each with a best skill of its own."""
    scores: dict[str, int] = dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 1)
    return tuple(
        PartySheet(f"P{i}", 5, None, scores, 3, {t: 7 if t == best else 2 for t in TRAITS}, {}, 15, 38)
        for i, best in enumerate(TRAITS)
    )


def chapter_ms() -> float:
    """Return the milliseconds of a chapter that is played, its claims read anew; the file is read before."""
    rules, facts = load_ruleset("srd5e"), Facts(5, party())
    spent: list[float] = []
    for turn in range(TIMES * 3):
        document = read_document(chapter(turn), "chapter", "en")
        scenes = document.plan.scenes if document.plan else ()
        begin = time.perf_counter()
        found = playtest(Context(document, rules, facts), scenes, partial(read_way, "en"), ())
        spent.append(1000 * (time.perf_counter() - begin))
        if len(found.scenes) != SCENES or not all(scene.throws for scene in found.scenes):
            raise SystemExit("the chapter is not played as it is meant")
    return statistics.median(spent[1:])


def main() -> None:
    """Measure and compare with the bars."""
    exact_duel(parse_side(FIGHTER), parse_side(SMITH))  # loads numpy
    parse("4d6kh3")
    exact = report("exact duel, 12 against 22 hit points, ms", exact_ms(), EXACT_BAR_MS)
    seconds = sampled_s()
    rate = f"{SAMPLES / seconds / 1e6:.1f} million duels a second"
    sampled = report("a million sampled duels, s", seconds, SAMPLE_BAR_S, rate)
    name = f"a chapter of {SCENES} scenes played exactly by a party of 4, ms"
    finish([exact, sampled, report(name, chapter_ms(), CHAPTER_BAR_MS)])


if __name__ == "__main__":
    main()
