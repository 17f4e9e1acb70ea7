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
