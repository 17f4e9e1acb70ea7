"""When a fight begins and when it is over."""

from rules.fights.house.law import is_hostile
from rules.fights.state import WORLD, Table

PAUSE_S = 3.0
"""Seconds between the last blow and the end. Source: Combate, Cómo empieza: a few."""


def involved(table: Table) -> tuple[str, ...]:
    """Return who is in the fight: the hostile, and the characters where they are."""
    hostile = [n for n in table.status if is_hostile(table, n) and table[n].is_up]
    against = {to for n in hostile for to in table[n].hostile_to}
    return tuple(n for n in table.status if n in hostile or (n in against and not table[n].dead))


def opens(table: Table, cause: str) -> None:
    """Begin a fight, unless one is going on; who is in it is marked, with hit points and conditions.

    Source: Combate, Cómo empieza.
    """
    if table.world.fighting:
        return
    table.round = 1
    names = involved(table)
    changes = {name: {"in_fight": True} for name in names}
    world = {"fight": table.world.fight + 1, "fighting": True}
    marked = {name: {"hp": table[name].hp, "max_hp": table[name].max_hp} for name in names}
    table.tell("fight_begins", {**changes, WORLD: world}, fight=world["fight"], cause=cause, involved=marked)
    for name in names:
        leaves_schedule(table, name)


def enters(table: Table) -> None:
    """Mark who has come into a fight that goes on."""
    if not table.world.fighting:
        return
    for name in involved(table):
        if not table[name].in_fight:
            table.tell("enters_fight", {name: {"in_fight": True}}, who=name)
            leaves_schedule(table, name)


def leaves_schedule(table: Table, name: str) -> None:
    """Tell of who leaves its day's work to fight.

    Source: Combate, Los enemigos actúan siempre: who fights keeps no schedule.
    """
    schedule = table.sheets[name].schedule
    if schedule and not table.is_character(name):
        table.tell("leaves_schedule", who=name, schedule=schedule)


def hostiles_here(table: Table) -> tuple[str, ...]:
    """Return the hostile who stand, free or tied, in a place where a character of theirs is."""
    return tuple(
        n for n in table.status if is_hostile(table, n) and table[n].is_up and _foe_is_near(table, n)
    )


def _foe_is_near(table: Table, name: str) -> bool:
    place = table[name].place
    foes = [table[to] for to in table[name].hostile_to if to in table.status]
    return any(foe.place == place and foe.present and not foe.dead for foe in foes)


def ends(table: Table) -> bool:
    """End the fight where no hostile is left: fallen, dead, gone or calmed.

    Source: Combate, Cómo empieza.
    """
    if not table.world.fighting or hostiles_here(table):
        return False
    table.clock.wait(PAUSE_S)
    changes = {
        n: {"in_fight": False, "windows": 0} for n, s in table.status.items() if s.in_fight or s.windows
    }
    resumed = [n for n in changes if table.sheets[n].schedule and table[n].is_free]
    table.tell("fight_ends", {**changes, WORLD: {"fighting": False}}, fight=table.world.fight)
    for name in resumed:
        if not table.is_character(name):
            table.tell("back_to_schedule", who=name, schedule=table.sheets[name].schedule)
    table.round = 0
    return True
