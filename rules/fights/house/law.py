"""Hostility, crimes and their witnesses: who turns on whom, and who comes in because of it."""

from rules.fights.model import Attitude
from rules.fights.state import WORLD, Table

ATTITUDES: tuple[Attitude, ...] = ("hostile", "unfriendly", "neutral", "friendly", "ally")


def is_hostile(table: Table, name: str, to: str | None = None) -> bool:
    """Tell whether somebody of the game master's fights a character (None: any), or would if it could."""
    status = table[name]
    if table.is_character(name) or status.calm:
        return False
    return bool(status.hostile_to) if to is None else to in status.hostile_to


def attitude(table: Table, name: str, to: str) -> Attitude:
    """Return an NPC's attitude towards a character.

    Source: Combate, Atacar.
    """
    if is_hostile(table, name, to):
        return "hostile"
    said = table.sheets[name].attitudes.get(to, table.sheets[name].attitude)
    if said == "hostile":  # it was calmed
        return "unfriendly"
    # Who was wronged by somebody keeps no liking.
    return "unfriendly" if name in table[to].wronged else said


def turn_on(table: Table, name: str, against: str, cause: str) -> None:
    """Make an NPC hostile to a character; once."""
    status = table[name]
    if table.is_character(name) or (against in status.hostile_to and not status.calm):
        return
    hostile_to = (*(n for n in status.hostile_to if n != against), against)
    table.tell(
        "turns_hostile", {name: {"hostile_to": hostile_to, "calm": False}}, who=name, to=against, cause=cause
    )


def witnesses(table: Table, of: str, victim: str) -> tuple[str, ...]:
    """Return who of the game master's sees what somebody does.

    Source: Combate, Atacar; Golpe no letal.
    """
    place = table[of].place
    if table[of].hidden:
        return ()
    here = (n for n in table.others(of) if n != victim and not table.is_character(n))
    return tuple(n for n in here if table[n].is_up and table[n].place == place)


def crime(table: Table, who: str, victim: str, deed: str) -> None:
    """Write down a crime and let those come in who do because of it.

    Source: Combate, Los enemigos actúan siempre: who joins over a crime.
    """
    seen = witnesses(table, who, victim)
    changes = {WORLD: {"crimes": table.world.crimes + 1}}
    table.tell("crime", changes, who=who, target=victim, deed=deed, witnesses=list(seen))
    for name in seen:
        sheet = table.sheets[name]
        if is_hostile(table, name, who) or sheet.authority:
            continue
        if victim in sheet.friends or (victim in table.sheets and name in table.sheets[victim].friends):
            turn_on(table, name, who, "friend_who_steps_in")
        elif sheet.steps_in:
            turn_on(table, name, who, "witness_joins_over_crime")
    for name in seen:
        if table.sheets[name].authority and not is_hostile(table, name, who):
            table.tell("halt", who=name, to=who)


def was_called(table: Table, authority: str, who: str) -> bool:
    """Tell whether the authority has told somebody to stop."""
    return any(
        e.kind == "halt" and e.values["who"] == authority and e.values["to"] == who for e in table.events
    )


def resist(table: Table, who: str) -> None:
    """Let somebody resist those of the authority that called a halt: they fight, and the rest comes.

    Source: Combate, Los enemigos actúan siempre: authority that is resisted, and its support.
    """
    called = [n for n in table.status if table.sheets[n].authority and was_called(table, n, who)]
    called = [n for n in called if table[n].is_up and not is_hostile(table, n, who)]
    for name in called:
        turn_on(table, name, who, "authority_when_resisted")
    if called:
        support(table, who)


def support(table: Table, against: str) -> None:
    """Let the rest of the authority come to where somebody resists."""
    place = table[against].place
    for name, sheet in table.sheets.items():
        status = table[name]
        is_able = not status.dead and not status.unconscious and not status.tied
        if (
            not sheet.authority
            or sheet.kind == "character"
            or not is_able
            or is_hostile(table, name, against)
        ):
            continue
        table.tell("support_comes", {name: {"present": True, "place": place}}, who=name, place=place)
        turn_on(table, name, against, "authority_as_support")


def attacked(table: Table, who: str, target: str) -> None:
    """Draw what follows from an attack, hit or not: who turns hostile, and whether it is a crime.

    Source: Combate, Atacar: to return a first blow is no crime.
    """
    if table.is_character(target):
        turn_on(table, who, target, "attacked_first")
        return
    if not table.is_character(who) or is_hostile(table, target, who):
        return
    wronged = tuple(dict.fromkeys((*table[who].wronged, target)))
    table.tell("attacks_without_cause", {who: {"wronged": wronged}}, who=who, target=target)
    if table[target].is_up:
        turn_on(table, target, who, "victim_in_defence")
    if table.sheets[target].authority and table[target].is_up:
        support(table, who)
    crime(table, who, target, "assault")
