"""Decisive windows: when one may open, and what an answer in time does."""

from dataclasses import dataclass

from rules.combat import Windows
from rules.fights.house import harm, strike
from rules.fights.house.harm import saves
from rules.fights.model import Intent
from rules.fights.rolling import rolled
from rules.fights.state import WORLD, Table
from rules.odds.parser import parse


@dataclass(frozen=True, slots=True)
class Window:
    """A window that is open."""

    target: str
    enemy: str
    threat: Intent


def why_not(table: Table, intent: Intent) -> str:
    """Return why a window may not open; empty: it may.

    Source: Combate, Ventanas decisivas.
    """
    rules = table.rules.combat.windows
    needed = {"real_risk": "real", "immediate_risk": "immediate"}
    if rules is None or not intent.target or not _can_answer(table, intent.target):
        return "nobody"
    if not {needed[need] for need in rules.needs} <= set(intent.risk):
        return "no_risk"
    if table[intent.target].window_barred:
        return "in_a_row"
    if intent.enemy and table[intent.enemy].windows >= rules.per_enemy:
        return "enemy_had_one"
    if intent.enemy and not table[intent.enemy].is_free:
        return "enemy_out"
    return ""


def _can_answer(table: Table, name: str) -> bool:
    return table.is_character(name) and table[name].is_up


def open_window(table: Table, intent: Intent) -> Window | None:
    """Open a window, or tell why it is refused."""
    reason, rules = why_not(table, intent), table.rules.combat.windows
    if reason or rules is None:
        table.tell("window_refused", target=intent.target, enemy=intent.enemy, reason=reason)
        return None
    changes: dict[str, dict[str, object]] = {
        intent.target: {"window_barred": True},
        WORLD: {"last_window": intent.target},
    }
    if intent.enemy:
        changes[intent.enemy] = {"windows": table[intent.enemy].windows + 1}
    values = {"target": intent.target, "enemy": intent.enemy, "threat": intent.item, "seconds": rules.seconds}
    table.tell("window_opens", changes, **values, suggested=list(intent.suggested))
    return Window(intent.target, intent.enemy, intent)


def band_of(seconds: float | None, rules: Windows) -> str:
    """Return what an answer after so many seconds does (None: there is none).

    Source: Combate, Ventanas decisivas: under 15 s, from 15 to 60 s, later.
    """
    for band in rules.bands:
        if band.under_s is None or (seconds is not None and seconds < band.under_s):
            return band.effect
        # The last second of the window still belongs to it.
        if seconds is not None and seconds == band.under_s == rules.seconds:
            return band.effect
    return rules.bands[-1].effect


def carry_out(table: Table, window: Window, expired: bool) -> None:
    """Let the engine carry the threat out: an attack, an arrest, or what a trap does.

    Source: Combate, Ventanas decisivas. Who is away still has armour class and saving throws.
    """
    threat, target = window.threat, window.target
    table.tell("threat", target=target, enemy=window.enemy, threat=threat.item, expired=expired)
    if window.enemy and table.sheets[window.enemy].authority and expired:
        # Who is arrested is fought no longer.
        rest = tuple(name for name in table[window.enemy].hostile_to if name != target)
        changes = {target: {"tied": True}, window.enemy: {"hostile_to": rest}}
        table.tell("tied", changes, who=target, by=window.enemy)
    elif window.enemy:
        weapon = strike.weapon_named(table, window.enemy, threat.weapon)
        strike.attack(table, window.enemy, target, strike.Blow(weapon, by="engine"))
    elif threat.damage:
        saved = bool(threat.save) and saves(table, target, threat.save, threat.dc)
        if not saved:
            harm.hurt(table, target, rolled(parse(threat.damage), table.dice), cause=threat.item)


def let_time_pass(table: Table, windows: tuple[Window, ...]) -> None:
    """Allow a next window for those for whom none was opened in this turn."""
    held = {window.target for window in windows}
    for name in table.characters:
        if table[name].window_barred and name not in held:
            table.tell("window_allowed", {name: {"window_barred": False}}, who=name, why="turn_between")
