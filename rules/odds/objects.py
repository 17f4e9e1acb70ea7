"""Odds as plain values: what programs are given of a check, a contest, attacks, saves, dice and duels."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.odds.attacks import NO_DICE, Attack, Target, attack_odds, damage_of_turn
from rules.odds.combatants import MOST_HP, Combatant, First, can_hurt, first_chance, turn_damage
from rules.odds.dice import Roll, dice_in, render
from rules.odds.duel import DuelOdds, exact_duel, is_exact
from rules.odds.errors import OddsError
from rules.odds.rolls import Check, ContestOdds, check_chance, group_chance
from rules.odds.saves import Harm, save_odds
from rules.odds.spread import Spread

Odds = Mapping[str, Any]
DCS = (5, 10, 15, 20, 25, 30)
"""The ladder of the rules: what a check's odds are compared with."""
MOST_ATTACKS = 10


def check_object(checks: Sequence[Check], dc: int, is_group: bool) -> dict[str, Any]:
    """Return the odds of a check, or of a group's."""

    def chance(each: int) -> float:
        return group_chance(tuple(checks), each) if is_group else check_chance(checks[0], each)

    bonuses = [check.bonus for check in checks]
    found: dict[str, Any] = {
        "p": chance(dc),
        "dc": dc,
        "mode": checks[0].mode,
        "dice": _added(checks[0].dice),
        "by_dc": [{"dc": each, "p": chance(each)} for each in sorted({*DCS, dc})],
    }
    if is_group:
        return found | {"group": bonuses, "each": [check_chance(check, dc) for check in checks]}
    return found | {"bonus": bonuses[0]}


def contest_object(check: Check, against: int, found: ContestOdds) -> dict[str, Any]:
    """Return the odds of a contest, seen from the first side."""
    return {
        "p": found.win,
        "tie": found.tie,
        "lose": found.lose,
        "bonus": check.bonus,
        "against": against,
        "mode": check.mode,
        "dice": _added(check.dice),
    }


def _added(dice: Roll) -> str | None:
    return None if dice == NO_DICE else render(dice)


def attack_object(attack: Attack, target: Target, attacks: int, hp: int | None) -> dict[str, Any]:
    """Return the odds of a turn of attacks.

    Raises:
        OddsError: too many attacks or dice, or a critical range that is none.
    """
    if not 1 <= attacks <= MOST_ATTACKS:
        raise OddsError("bad_attacks", found=attacks, least=1, most=MOST_ATTACKS)
    _check_hp(hp)
    one = attack_odds(attack, target)
    turn = damage_of_turn([(attack, attacks)], target)
    found: dict[str, Any] = {
        "p": one.hit,
        "p_hit": one.hit,
        "p_critical": one.critical,
        "mean": turn.mean,
        "mean_on_hit": one.mean_on_hit,
        "attack": attack.bonus,
        "ac": target.ac,
        "cover": target.cover,
        "mode": attack.mode,
        "dice": _added(attack.dice),
        "takes": target.takes,
        "attacks": attacks,
        "damage": render(attack.damage),
        "outcomes": _outcomes(turn),
    }
    return found if hp is None else found | {"hp": hp, "p_down": turn.at_least(hp)}


def _check_hp(hp: int | None) -> None:
    if hp is not None and not 1 <= hp <= MOST_HP:
        raise OddsError("bad_hp", found=hp, least=1, most=MOST_HP)


def save_object(save: Check, dc: int, harm: Harm | None, hp: int | None) -> dict[str, Any]:
    """Return the odds of a saving throw, and of the damage that it protects from, if any.

    Raises:
        OddsError: too many dice, too much damage, or no such hit points.
    """
    found = check_object((save,), dc, is_group=False)
    if harm is None:
        return found
    _check_hp(hp)
    odds = save_odds(save, dc, harm)
    found |= {
        "damage": render(harm.damage),
        "on_success": harm.on_success,
        "on_failure": harm.on_failure,
        "takes": harm.takes,
        "mean": odds.damage.mean,
        "mean_on_success": odds.on_success.mean,
        "mean_on_failure": odds.on_failure.mean,
        "outcomes": _outcomes(odds.damage),
    }
    return found if hp is None else found | {"hp": hp, "p_down": odds.damage.at_least(hp)}


def roll_object(roll: Roll, spread: Spread) -> dict[str, Any]:
    """Return the distribution of dice; of exploding ones also how often one is rolled again at most."""
    again = max((dice.again for dice in dice_in(roll)), default=0)
    return {
        "dice": render(roll),
        **({"again": again} if again else {}),
        "mean": spread.mean,
        "deviation": spread.deviation,
        "median": spread.median,
        "min": spread.low,
        "max": spread.high,
        "outcomes": _outcomes(spread),
    }


def _outcomes(spread: Spread) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    reached = spread.total
    for outcome, weight in spread.items():
        rows.append({"value": outcome, "p": weight / spread.total, "at_least": reached / spread.total})
        reached -= weight
    return rows


def play_duel(a: Combatant, b: Combatant, first: First, samples: int | None, seed: int) -> DuelOdds:
    """Return a duel's odds: exact, unless sampling is asked for or the hit points are too many."""
    if samples is None and is_exact(a, b):
        return exact_duel(a, b, first)
    from rules.odds.sampling import sample_duel, usual_samples  # here: numpy is slow to load

    return sample_duel(a, b, first, samples or usual_samples(a, b), seed)


def duel_object(a: Combatant, b: Combatant, first: First, found: DuelOdds, seed: int) -> dict[str, Any]:
    """Return the odds of a duel."""
    sampled = found.samples > 0
    return {
        "p_a": found.p_a,
        "p_b": found.p_b,
        "turns": found.turns,
        "first": first,
        "p_a_first": first_chance(a, b, first),
        "method": "sampling" if sampled else "exact",
        "standard_error": found.standard_error,
        "samples": found.samples,
        "seed": seed if sampled else None,
        "a": _side(a, b, found.hp_left_a),
        "b": _side(b, a, found.hp_left_b),
    }


def _side(one: Combatant, other: Combatant, left: float) -> dict[str, Any]:
    odds = attack_odds(one.attack, Target(other.ac, takes=other.takes))
    made = [(one.attack, one.attacks), *((attack, 1) for attack in one.also)]
    return {
        "name": one.name,
        "hp": one.hp,
        "ac": one.ac,
        "p_hit": odds.hit,
        "mean_damage": turn_damage(one, other).mean,
        "attacks": [
            {"times": n, "bonus": each.bonus, "damage": render(each.damage)} for each, n in _together(made)
        ],
        "used": [{"name": name, "times": times} for name, times in one.used],
        "does_more": one.does_more,
        "can_hurt": can_hurt(one, other),
        "hp_left_if_it_wins": left,
    }


def _together(made: Sequence[tuple[Attack, int]]) -> list[tuple[Attack, int]]:
    """Return attacks once each, with how often they are made."""
    found: dict[Attack, int] = {}
    for attack, times in made:
        found[attack] = found.get(attack, 0) + times
    return [(attack, times) for attack, times in found.items() if times]
