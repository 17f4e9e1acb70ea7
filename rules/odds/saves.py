"""Exact odds of a saving throw, and of the damage that hangs on it."""

from dataclasses import dataclass
from typing import Literal

from rules.odds.attacks import Takes, taken
from rules.odds.dice import Roll, spread
from rules.odds.rolls import Check, total_spread
from rules.odds.spread import Spread, fixed, mapped, mixture

Share = Literal["full", "half", "none"]
"""How much of the damage somebody takes."""


@dataclass(frozen=True, slots=True)
class Harm:
    """What a saving throw protects from."""

    damage: Roll
    on_success: Share = "half"
    on_failure: Share = "full"
    """`half` with a success that takes none: evasion."""
    takes: Takes = "normal"


@dataclass(frozen=True)
class SaveOdds:
    """What comes of a saving throw against damage."""

    damage: Spread
    """Of the whole, whether it succeeds or not."""
    on_success: Spread
    on_failure: Spread


def save_odds(save: Check, dc: int, harm: Harm) -> SaveOdds:
    """Return the exact odds of a saving throw against damage.

    A natural 1 or 20 has no special effect. What is halved is rounded down, and again by resistance.

    Source: SRD 5.1, Using Ability Scores: Saving Throws; Damage and Healing: Damage Rolls, Damage Resistance.

    Raises:
        OddsError: the dice are too many, or the damage is too much.
    """
    whole = spread(harm.damage)
    on_success, on_failure = (taken(_share(whole, s), harm.takes) for s in (harm.on_success, harm.on_failure))
    total = total_spread(save)
    saved = total.weight_at_least(dc)
    return SaveOdds(mixture(((saved, on_success), (total.total - saved, on_failure))), on_success, on_failure)


def _share(damage: Spread, share: Share) -> Spread:
    if share == "none":
        return fixed(0)
    return damage if share == "full" else mapped(damage, lambda n: n // 2)
