"""Mechanics as the plan writes them: checks, damage and cover in the ruleset's own words."""

from functools import cache
from typing import Any

from agents.embedded.loading import LEXICON, load_yaml
from rules.ruleset import Ruleset, RulesetError, load_ruleset

BASE_RULESET = "srd5e"
LADDER: tuple[int, ...] = (10, 15, 20, 25, 30)
"""DCs of the SRD's ladder from easy on."""
LOWEST_CHANCE = 0.35
HIGHEST_CHANCE = 0.80
"""Band, as probabilities for the best-suited character, in which a proposed check stays."""


@cache
def phrases_of(language: str) -> Any:
    """Return the engine's own phrases in a language."""
    return load_yaml(LEXICON / language / "phrases.yaml")


@cache
def ruleset_of(name: str) -> Ruleset:
    """Return the ruleset whose words are used: the adventure's where it has skills, else the SRD's."""
    try:
        ruleset = load_ruleset(name)
    except RulesetError:
        return load_ruleset(BASE_RULESET)
    return ruleset if "stealth" in ruleset.skills else load_ruleset(BASE_RULESET)


def chance(bonus: int, dc: int) -> float:
    """Return the probability, 0 to 1, that 1d20 + bonus reaches the DC."""
    return min(1.0, max(0.0, (21 + bonus - dc) / 20))


def fitting_dc(bonus: int, wanted: float) -> int:
    """Return the DC of the ladder whose chance is nearest to the wanted one, inside the band."""
    inside = [dc for dc in LADDER if LOWEST_CHANCE <= chance(bonus, dc) <= HIGHEST_CHANCE]
    return min(inside or LADDER, key=lambda dc: (abs(chance(bonus, dc) - wanted), dc))


_TIERS: tuple[tuple[int, dict[str, int]], ...] = (
    (4, {"opening": 11, "middle": 12, "climax": 14}),
    (10, {"opening": 13, "middle": 14, "climax": 16}),
    (16, {"opening": 15, "middle": 16, "climax": 18}),
    (20, {"opening": 17, "middle": 18, "climax": 20}),
)
"""DCs by the highest level of each tier and the place in the arc."""


def climb(level: int, position: str) -> int:
    """Return the DC from which a scene's checks are set: it climbs with the level and through the chapter."""
    return next(dcs[position] for top, dcs in _TIERS if level <= top or top == _TIERS[-1][0])


def dc_band(bonus: int) -> tuple[int, int]:
    """Return the lowest and the highest DC that keep a check inside the band of odds for a bonus."""
    inside = [dc for dc in range(5, 36) if LOWEST_CHANCE - 1e-9 <= chance(bonus, dc) <= HIGHEST_CHANCE + 1e-9]
    return (inside[0], inside[-1]) if inside else (LADDER[0], LADDER[0])


def too_hard_dc(bonus: int) -> int:
    """Return the lowest DC of the ladder that is out of the band upwards."""
    return next((dc for dc in LADDER if chance(bonus, dc) < LOWEST_CHANCE - 0.05), LADDER[-1])


def check_text(skill: str, dc: int, language: str, ruleset: Ruleset) -> str:
    """Return a check with its article (`una prueba de Fuerza (Atletismo) CD 15`)."""
    ability = ruleset.word("ability", ruleset.ability_of(skill), language)
    template: str = phrases_of(language)["check"]
    return template.format(ability=ability, skill=ruleset.word("skill", skill, language), dc=dc)


def harm_text(severity: str, damage_type: str, level: int, language: str, ruleset: Ruleset) -> str:
    """Return damage by severity and level (`2d10 de daño contundente`); empty where there is none."""
    trap = ruleset.traps.get(severity) or load_ruleset(BASE_RULESET).traps.get(severity)
    if trap is None:
        return ""
    kind = ruleset.printed("damage_type", damage_type, language)
    template: str = phrases_of(language)["harm"]
    return template.format(dice=trap.damage_at(level), type=kind)


def boon_text(boon: str, language: str) -> str:
    """Return what a success gives by the rules; empty where it gives nothing."""
    return phrases_of(language)["boons"].get(boon, "")
