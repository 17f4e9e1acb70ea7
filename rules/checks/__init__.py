"""The rules that turn documents and claims into findings, one file a group."""

from collections.abc import Callable, Iterator, Mapping

from rules.checks import (
    check_drift,
    conditions,
    debate,
    distances,
    encounters,
    falls,
    figures,
    languages,
    levels,
    mechanics,
    names,
    outcomes,
    structure,
    style,
    vocabulary,
)
from rules.checks.context import Context
from rules.checks.hit import Hit

Rule = Callable[[Context], Iterator[Hit]]

CHECKS: Mapping[str, Rule] = {
    "scene-count": structure.scene_count,
    "field-missing": structure.field_missing,
    "truncated": structure.truncated,
    "chat-in-plan": structure.chat_in_plan,
    "duplicate-scene": structure.duplicate_scene,
    "verdict-missing": debate.verdict_missing,
    "accepted-unresolved": debate.accepted_unresolved,
    "outcome-mislabelled": structure.outcome_mislabelled,
    "false-claim": debate.false_claim,
    "dc-drift": check_drift.dc_drift,
    "dice-drift": figures.dice_drift,
    "distance-drift": distances.distance_drift,
    "check-drift": check_drift.check_drift,
    "check-not-in-plan": check_drift.check_not_in_plan,
    "mechanic-not-in-plan": figures.mechanic_not_in_plan,
    "stat-dropped": figures.stat_dropped,
    "outcome-dropped": outcomes.outcome_dropped,
    "name-drift": names.name_drift,
    "stat-block-drift": names.stat_block_drift,
    "unknown-skill": vocabulary.unknown_skill,
    "unknown-condition": conditions.unknown_condition,
    "unknown-term": vocabulary.unknown_term,
    "term-variant": vocabulary.term_variant,
    "damage-type": vocabulary.damage_type,
    "cover-degree": vocabulary.cover_degree,
    "mixed-units": vocabulary.mixed_units,
    "mixed-language": languages.mixed_language,
    "stat-alias": vocabulary.stat_alias,
    "spell-name": vocabulary.spell_name,
    "ambiguous-die": vocabulary.ambiguous_die,
    "attack-against-dc": mechanics.attack_against_dc,
    "opportunity-attack-trigger": mechanics.opportunity_attack_trigger,
    "bonus-action-off-turn": mechanics.bonus_action_off_turn,
    "crit-on-check": mechanics.crit_on_check,
    "fall-damage": falls.fall_damage,
    "total-cover-targeted": mechanics.total_cover_targeted,
    "condition-no-escape": mechanics.condition_no_escape,
    "save-not-attack": mechanics.save_not_attack,
    "dc-for-level": levels.dc_for_level,
    "damage-for-level": levels.damage_for_level,
    "encounter-difficulty": encounters.encounter_difficulty,
    "ai-prose": style.ai_prose,
    "player-agency": style.player_agency,
    "read-aloud-length": style.read_aloud_length,
}
"""Every rule that the engine runs, by its id, in the order of the catalogue."""
