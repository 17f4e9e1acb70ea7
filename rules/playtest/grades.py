"""From rolls to outcomes: by how much a roll succeeds or fails, and which of a scene's outcomes that is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb
from typing import NamedTuple

from rules.facts import PartySheet
from rules.odds.checks import RollMode
from rules.odds.rolls import Check, mode_of, total_spread
from rules.playtest.model import GOOD, Degree, SceneScript, Throw, ThrowOdds, Way

Margins = Mapping[int, float]
"""Chance of each difference between a roll and what it had to reach; from 0 on it succeeds."""
LOST = -20
"""Margin of what fails as badly as can be: a natural 1, a lost fight, a group that fails as one."""
PASSIVE = 10


class Changes(NamedTuple):
    """What earlier scenes change in a scene's rolls."""

    dc: int | None = None
    by: int = 0
    modes: tuple[RollMode, ...] = ()


NO_CHANGES = Changes()


def bonus_of(sheet: PartySheet, traits: Sequence[str]) -> int:
    """Return what a character adds: the best of these traits; of none, what it is best at."""
    known = [t for t in traits if t in sheet.skills or t in sheet.abilities]
    if known:
        return max(sheet.bonus(trait) for trait in known)
    return sheet.proficiency + max(sheet.abilities.values(), default=0)


def attack_bonus(sheet: PartySheet) -> int:
    """Return the bonus of a character's attack: proficiency and the highest of its modifiers."""
    return sheet.proficiency + max(sheet.abilities.values(), default=0)


@lru_cache(maxsize=4096)
def rolled(bonus: int, mode: RollMode, dc: int) -> Margins:
    """Return the margins of one d20 and a bonus against a DC."""
    spread = total_spread(Check(bonus, mode))
    return {total - dc: weight / spread.total for total, weight in spread.items()}


def success(margins: Margins) -> float:
    """Return the chance that a roll succeeds."""
    return sum(chance for margin, chance in margins.items() if margin >= 0)


def margins_of(throw: Throw, party: Sequence[PartySheet], changes: Changes) -> Margins:
    """Return the margins of one roll of the party, rolled by the best or by whom the plan names."""
    dc = (throw.dc if changes.dc is None else changes.dc) + changes.by
    modes = (throw.mode, *changes.modes)
    mode = mode_of("advantage" in modes, "disadvantage" in modes)
    able = [sheet for sheet in party if sheet.name == throw.who] or party
    if throw.series is not None:
        return _series(success(margins_of(replace(throw, series=None), party, changes)), throw.series)
    if throw.kind == "save":
        return _mixed([rolled(_save_bonus(sheet, throw.traits), mode, dc) for sheet in able])
    if throw.kind == "group":
        return _group([success(rolled(bonus_of(sheet, throw.traits), mode, dc)) for sheet in able])
    bonus = best_bonus(throw, able)
    if throw.kind == "passive":
        edge = {"advantage": 5, "disadvantage": -5}.get(mode, 0)
        return {PASSIVE + bonus + edge - dc: 1.0}
    if throw.kind == "contest":
        return _contest(bonus, mode, dc)
    return _attack(bonus, mode, dc) if throw.kind == "attack" else rolled(bonus, mode, dc)


def best_bonus(throw: Throw, able: Sequence[PartySheet]) -> int:
    """Return the highest bonus of those who may roll."""
    if throw.kind == "attack":
        return max(attack_bonus(sheet) for sheet in able)
    return max(bonus_of(sheet, throw.traits) for sheet in able)


def _save_bonus(sheet: PartySheet, traits: Sequence[str]) -> int:
    known = [trait for trait in traits if trait in sheet.saves or trait in sheet.abilities]
    return max((sheet.save_bonus(trait) for trait in known), default=0)


def _mixed(parts: Sequence[Margins]) -> Margins:
    found: dict[int, float] = {}
    for margins in parts:
        for margin, chance in margins.items():
            found[margin] = found.get(margin, 0.0) + chance / len(parts)
    return found


def _group(chances: Sequence[float]) -> Margins:
    """A group succeeds with at least half of it; it fails by 1 where somebody succeeds, else by far.

    Source: SRD 5.1, Using Ability Scores: Group Checks.
    """
    counts = [1.0]
    for chance in chances:
        none, one = [c * (1 - chance) for c in counts], [c * chance for c in counts]
        counts = [a + b for a, b in zip([*none, 0.0], [0.0, *one], strict=True)]
    enough = (len(chances) + 1) // 2
    return {0: sum(counts[enough:]), -1: sum(counts[1:enough]), LOST: counts[0]}


def _series(chance: float, series: tuple[int, int]) -> Margins:
    """So many successes before so many failures; it fails by 1 where one of them came, else by far."""
    wins, losses = series
    won = sum(comb(lost + wins - 1, lost) * chance**wins * (1 - chance) ** lost for lost in range(losses))
    none = (1 - chance) ** losses
    return {0: won, -1: max(0.0, 1 - won - none), LOST: none}


def _contest(bonus: int, mode: RollMode, against: int) -> Margins:
    """A tie changes nothing: who acts does not succeed (SRD 5.1, Contests)."""
    found: dict[int, float] = {}
    theirs = rolled(against, "normal", 0)
    for mine, chance in rolled(bonus, mode, 0).items():
        for other, weight in theirs.items():
            found[mine - other - 1] = found.get(mine - other - 1, 0.0) + chance * weight
    return found


def _attack(bonus: int, mode: RollMode, ac: int) -> Margins:
    """A natural 1 misses and a natural 20 hits, whatever the AC."""
    found: dict[int, float] = {}
    for margin, chance in rolled(bonus, mode, ac).items():
        natural = margin + ac - bonus
        fair = LOST if natural == 1 else max(margin, 0) if natural == 20 else margin
        found[fair] = found.get(fair, 0.0) + chance
    return found


def then(first: Margins, second: Margins) -> Margins:
    """Return the margins of two rolls that must both succeed, one after the other."""
    found = {margin: chance for margin, chance in first.items() if margin < 0}
    passed = success(first)
    for margin, chance in second.items():
        found[margin] = found.get(margin, 0.0) + passed * chance
    return found


def best_trial(
    script: SceneScript, party: Sequence[PartySheet], changes: Changes, won: float | None
) -> tuple[int, Margins]:
    """Return the index of the trial that the party takes, and its margins."""
    found: list[tuple[float, float, int, Margins]] = []
    for index, trial in enumerate(script.trials):
        margins: Margins = {0: 1.0}
        for throw in trial:
            fight = throw.kind == "fight" and won is not None
            fought = {0: won or 0.0, LOST: 1 - (won or 0.0)}
            margins = then(margins, fought if fight else margins_of(throw, party, changes))
        near = sum(chance for margin, chance in margins.items() if margin >= -script.near)
        found.append((success(margins), near, -index, margins))
    best = max(found, key=lambda one: one[:3])
    return -best[2], best[3]


def throw_odds(throw: Throw, party: Sequence[PartySheet], won: float | None) -> ThrowOdds:
    """Return how a roll stands by itself, and who makes it; nobody in particular where several do."""
    if throw.kind == "fight":
        return ThrowOdds(throw, "", 0, won or 0.0)
    chance = success(margins_of(throw, party, NO_CHANGES))
    if throw.kind in ("group", "save"):
        return ThrowOdds(throw, "", 0, chance)
    able = [sheet for sheet in party if sheet.name == throw.who] or list(party)
    best = max(able, key=lambda sheet: best_bonus(throw, [sheet]))
    return ThrowOdds(throw, best.name, best_bonus(throw, able), chance)


def graded(ways: Sequence[Way], rolls: bool) -> tuple[Degree, ...]:
    """Return the degrees of a scene's outcomes where labels leave some to be told from their order.

    Outcomes are written from the best to the worst. Where a roll is made and nothing is named a success, the
    first unnamed outcome is it; where nothing is named a failure, the unnamed ones after it are: the first of
    several a partial success. What is still unnamed is the players' decision.
    """
    found: list[Degree] = [way.degree for way in ways]
    if not rolls:
        return tuple(found)
    if not {"success", "critical_success"} & set(found) and "choice" in found:
        found[found.index("choice")] = "success"
    open_ones = [index for index, degree in enumerate(found) if degree == "choice"]
    if not {"failure", "critical_failure"} & set(found) and open_ones:
        for index in open_ones:
            found[index] = "failure"
        if len(open_ones) > 1 and "partial" not in found:
            found[open_ones[0]] = "partial"
    return tuple(found)


def chances(script: SceneScript, margins: Margins | None) -> tuple[float, ...]:
    """Return the chance of each outcome of a scene; equal ones where there is no roll.

    A decision of the players is as likely as each other one, and as trying the roll.
    """
    if margins is None:
        return (1 / len(script.ways),) * len(script.ways)
    degrees = graded(script.ways, rolls=True)
    decisions = degrees.count("choice")
    share = 1 / (decisions + 1)
    found = [share if degree == "choice" else 0.0 for degree in degrees]
    for margin, chance in margins.items():
        places = _places(script, margin, degrees)
        for index in places:
            found[index] += share * chance / len(places)
    return tuple(found)


def _places(script: SceneScript, margin: int, degrees: Sequence[Degree]) -> list[int]:
    """Return the outcomes for which a margin stands: those that state it, else those of its degree.

    Outcomes of the same degree share it. One that states other margins stands for it only where nothing else
    of its side is there: a failure by 2 where all that is written is a failure by 5 or more.
    """
    stated = [i for i, way in enumerate(script.ways) if way.band and way.band[0] <= margin <= way.band[1]]
    if stated:
        return [i for i in stated if degrees[i] != "choice"] or stated
    free = [i for i, way in enumerate(script.ways) if way.band is None and degrees[i] != "choice"]
    same_side = [i for i in free if (degrees[i] in GOOD) == (margin >= 0)]
    able = same_side or [i for i, degree in enumerate(degrees) if degree != "choice"]
    degree = _degree(script, margin, degrees, [degrees[i] for i in able])
    return [i for i in able if degrees[i] == degree]


_FALLBACK: Mapping[Degree, tuple[Degree, ...]] = {
    "critical_success": ("critical_success", "success", "partial"),
    "success": ("success", "critical_success", "partial"),
    "partial": ("partial", "failure", "critical_failure", "success"),
    "failure": ("failure", "critical_failure", "partial"),
    "critical_failure": ("critical_failure", "failure", "partial"),
}


def _degree(script: SceneScript, margin: int, degrees: Sequence[Degree], able: Sequence[Degree]) -> Degree:
    """Return the degree, of those that the scene has and that may be, that a margin comes to."""
    wanted = _wanted(script, margin, degrees)
    return next(degree for degree in (*_FALLBACK[wanted], *able) if degree in able)


def _wanted(script: SceneScript, margin: int, degrees: Sequence[Degree]) -> Degree:
    if margin >= 0:
        return "critical_success" if margin >= script.far else "success"
    if margin >= -script.near:
        return "partial"
    three = "partial" in degrees and "failure" in degrees
    return "failure" if three and margin > -script.far else "critical_failure"
