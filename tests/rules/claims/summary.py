"""Claims as short strings, so that a table of texts and claims can be read."""

from collections.abc import Callable
from typing import Any

from rules.claims.extract import extract
from rules.claims.model import Check, CheckOption, Claim, Difficulty, Named
from rules.document import Passage
from rules.ruleset import load_ruleset

RULESET = load_ruleset()


def read(text: str, language: str, start: int = 0) -> tuple[Claim, ...]:
    """Extract with the shipped ruleset."""
    return extract(Passage(text, start), language, RULESET)


def _named(named: Named) -> str:
    marks = {"canonical": "", "synonym": "~", "wrong": "!", "unknown": "?"}
    return marks[named.status] + (named.id or named.text)


def _option(option: CheckOption) -> str:
    parts = [_named(named) for named in (option.skill, option.ability) if named]
    return "/".join(parts)


def _dcs(dcs: tuple[Difficulty, ...]) -> str:
    return "".join(f" dc{d.value}" + (f"[{d.condition}]" if d.condition else "") for d in dcs)


def _check(c: Check) -> str:
    how = "&" if c.joined == "and" else "|"
    form = "" if c.form == "check" else f"{c.form} "
    against = " vs " + "|".join(map(_option, c.against)) if c.against else ""
    return f"check {form}{how.join(map(_option, c.options))}{against}{_dcs(c.dcs)}"


def _amount(value: object, dice: object) -> str:
    return "=".join(str(part) for part in (value, dice) if part is not None)


def _distance(c: Any) -> str:
    low = f"{c.low:g}-" if c.low is not None else ""
    return f"distance {low}{c.metres:g}m" + ("" if c.shape == "distance" else f" {c.shape}")


def _duration(c: Any) -> str:
    if c.until:
        return f"until {c.unit}"
    low = f"{c.low:g}-" if c.low is not None else ""
    number = str(c.dice) if c.dice else f"{low}{c.value:g}"
    return f"{'every' if c.every else 'duration'} {number} {c.unit}"


def _condition(c: Any) -> str:
    return (
        f"condition {_named(c.condition)}" + ("" if c.mechanical else " told") + (" not" if c.negated else "")
    )


_WRITERS: dict[str, Callable[[Any], str]] = {
    "check": _check,
    "save": lambda c: "save death" if c.death else "save " + "|".join(map(_named, c.abilities)) + _dcs(c.dcs),
    "dc": lambda c: "dc" + _dcs(c.dcs) + (" escape" if c.escape else ""),
    "dc_change": lambda c: f"dc {c.by:+d}" if c.by is not None else "dc to " + "|".join(map(str, c.to)),
    "attack": lambda c: "attack" + (f" {c.bonus:+d}" if c.bonus is not None else ""),
    "armor_class": lambda c: f"ac {c.value}",
    "armor_bonus": lambda c: f"ac {c.value:+d}",
    "hit_points": lambda c: (
        f"hp {_amount(c.value, c.dice)}"
        + (" temp" if c.temporary else "")
        + (f" {c.change}" if c.change else "")
    ),
    "damage": lambda c: f"damage {_amount(c.amount, c.dice)} " + "|".join(map(_named, c.types)),
    "roll": lambda c: f"roll {c.dice}",
    "distance": _distance,
    "duration": _duration,
    "condition": _condition,
    "cover": lambda c: f"cover {_named(c.degree)}" + (f" {c.bonus:+d}" if c.bonus is not None else ""),
    "advantage": lambda c: c.mode + (f" {c.applies}" if c.applies else "") + (" ranged" if c.ranged else ""),
    "action": lambda c: f"action {_named(c.action)}",
    "critical": lambda c: c.what,
    "fall": lambda c: "fall" + (f" {c.metres:g}m" if c.metres is not None else ""),
    "unsized_die": lambda c: "unsized die",
    "sense": lambda c: f"sense {_named(c.sense)}" + (f" {c.metres:g}m" if c.metres is not None else ""),
    "spell": lambda c: f"spell {_named(c.spell)}",
    "term": lambda c: f"term {_named(c.term)}",
}


def summary(claim: Claim) -> str:
    """Return a claim in a few words; `~` synonym, `!` known error, `?` no word of the ruleset."""
    return " ".join(_WRITERS[claim.kind](claim).split())


def summaries(text: str, language: str) -> list[str]:
    """Return the claims of a text in a few words each."""
    return [summary(claim) for claim in read(text, language)]
