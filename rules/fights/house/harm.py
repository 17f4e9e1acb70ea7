"""What damage does: hit points, falling, dying, waking; and what a victory gives or costs."""

from collections.abc import Mapping

from rules.fights.house.law import crime
from rules.fights.house.meaning import Meaning
from rules.fights.model import Fighter
from rules.fights.rolling import d20
from rules.fights.state import WORLD, Status, Table

SAVE_AT = 10
SAVES_NEEDED = 3
FISTS = "fists"


def taken(damage: int, kind: str, sheet: Fighter, status: Status) -> tuple[int, str]:
    """Return what somebody takes of damage, and what changed it (`resistance`, `vulnerability`, `immunity`).

    Source: Combate, Atacar: resistance; SRD 5.1, Damage Resistance and Vulnerability.
    """
    if kind and kind in sheet.immunities:
        return 0, "immunity"
    resists, suffers = kind in (*sheet.resistances, *status.resists), kind in sheet.vulnerabilities
    if not kind or resists == suffers:
        return damage, ""
    return (damage // 2, "resistance") if resists else (damage * 2, "vulnerability")


def spares(kind: str, weapon: str, meaning: Meaning) -> bool:
    """Tell whether a blow that fells knocks out: the words decide, and where they do not, the weapon.

    Source: Combate, Golpe no letal.
    """
    if meaning:
        return meaning == "spare"
    return kind == "bludgeoning" or weapon == FISTS


def hurt(
    table: Table,
    target: str,
    damage: int,
    *,
    kind: str = "",
    by: str = "",
    weapon: str = "",
    meaning: Meaning = "",
    cause: str = "attack",
) -> None:
    """Deal damage and draw what follows."""
    sheet, status = table.sheets[target], table[target]
    amount, change = taken(damage, kind, sheet, status)
    left = max(0, status.hp - amount)
    values = {"who": target, "amount": amount, "type": kind, "left": left, "changed_by": change}
    table.tell("damage", {target: {"hp": left}}, **values)
    if left > 0 and status.asleep_until:
        table.tell("comes_to", {target: AWAKE}, who=target, tied=status.tied)
    if left > 0 or status.hp == 0:
        return
    if table.is_character(target):
        downed(table, target, by)
    elif spares(kind, weapon, meaning):
        knocked_out(table, target, by, cause)
    else:
        killed(table, target, by, cause)


def downed(table: Table, name: str, by: str) -> None:
    """Bring a character to the ground: nobody's target any more, and to its saving throws."""
    changes = {**AWAKE, "unconscious": True, "prone": True}
    table.tell("downed", {name: changes}, who=name, by=by)


def knocked_out(table: Table, name: str, by: str, cause: str) -> None:
    """Knock an NPC out: it lies there, to be seen, and comes to in some hours."""
    hours = table.rules.combat.downed.wakes_after_hours
    wakes = None if hours is None else table.world.hour + hours
    changes = {name: {"unconscious": True, "prone": True, "wakes_at_h": wakes, "asleep_until": 0}}
    table.tell("knocked_out", changes, who=name, by=by, place=table[name].place)
    told(table, "unconscious", name, by, cause)
    gives_xp(table, name, by)


def killed(table: Table, name: str, by: str, cause: str, finished: bool = False) -> None:
    """Kill somebody: nobody is beyond it. What it carried lies there, and the plot has its plan B.

    Source: Combate, Atacar; Golpe no letal; Nadie es inmortal.
    """
    changes: dict[str, Mapping[str, object]] = {name: {"dead": True, "hp": 0, "unconscious": False}}
    table.tell("killed", changes, who=name, by=by, cause=cause, grave=finished)
    told(table, "dead", name, by, cause)
    if loot := table.sheets[name].loot:
        lying = (*table.world.ground, *((table[name].place, thing, 1) for thing in loot))
        table.tell("drops", {WORLD: {"ground": lying}}, who=name, loot=list(loot))
    if table.is_character(by) and (finished or name in table[by].wronged):
        infamous(table, name, by)
    elif not finished:
        gives_xp(table, name, by)
    plan_b(table, name)


def infamous(table: Table, name: str, by: str) -> None:
    """Make a killing cost what it does where no experience is earned."""
    table.tell("infamy", {by: {"infamy": table[by].infamy + 1}}, who=by, target=name)
    crime(table, by, name, "killing")


def gives_xp(table: Table, name: str, by: str) -> None:
    """Give experience to who defeated a hostile, and none to who attacked without a cause."""
    xp = table.sheets[name].xp or 0
    if by in table.status and table.is_character(by):
        earned = 0 if name in table[by].wronged else xp
        table.tell("experience", {by: {"xp": table[by].xp + earned}}, who=by, target=name, xp=earned)


def told(table: Table, what: str, name: str, by: str, cause: str) -> None:
    """Tell those who keep the plot: what happened, of what, and who did it."""
    quests = list(table.sheets[name].quests)
    table.tell("told", what=what, who=name, by=by, cause=cause, quests=quests)


def plan_b(table: Table, name: str) -> None:
    """Let another carry on what the dead one held."""
    plan = table.sheets[name].plan_b
    if plan:
        table.tell("plan_b", who=name, heir=plan.heir, leaves=plan.leaves)


def saves(table: Table, who: str, ability: str, dc: int) -> bool:
    """Roll a saving throw and tell of it."""
    sheet = table.sheets[who]
    bonus = sheet.saves.get(ability, int(sheet.abilities.get(ability, 0)))
    natural, _ = d20(table.dice, "normal")
    saved = natural + bonus >= dc
    hidden = not table.is_character(who)
    table.tell("save", who=who, ability=ability, total=natural + bonus, dc=dc, success=saved, hidden=hidden)
    return saved


def spells_end(table: Table) -> None:
    """Let those wake and move again whose spell has lasted its minute."""
    for name, status in list(table.status.items()):
        if 0 < status.asleep_until <= table.turn and not status.dead:
            table.tell("comes_to", {name: AWAKE}, who=name, tied=status.tied)
        if 0 < status.held_until <= table.turn:
            table.tell("shakes_off", {name: FREED}, who=name)


def shakes_off(table: Table, name: str) -> None:
    """Roll the saving throw, at the end of somebody's turn, that frees it of a spell."""
    status = table[name]
    if status.held_until and status.is_up and saves(table, name, status.held_save, status.held_dc):
        table.tell("shakes_off", {name: FREED}, who=name)


FREED: Mapping[str, object] = {"held_save": "", "held_dc": 0, "held_until": 0}


def death_save(table: Table, name: str) -> None:
    """Roll a death saving throw of a character at 0 hit points.

    Source: Combate, Los enemigos actúan siempre; SRD 5.1, Death Saving Throws.
    """
    status = table[name]
    natural, _ = d20(table.dice, "normal")
    if natural == 20:
        table.tell("death_save", {name: {**AWAKE, "hp": 1}}, who=name, roll=natural, result="up")
        return
    successes = status.successes + (natural >= SAVE_AT)
    failures = status.failures + (0 if natural >= SAVE_AT else 2 if natural == 1 else 1)
    changes = {"successes": successes, "failures": failures, "stable": successes >= SAVES_NEEDED}
    result = "success" if natural >= SAVE_AT else "failure"
    values = {"who": name, "roll": natural, "result": result, "successes": successes, "failures": failures}
    table.tell("death_save", {name: changes}, **values)
    if failures >= SAVES_NEEDED:
        table.tell("dies", {name: {"dead": True, "unconscious": False}}, who=name)
    elif successes >= SAVES_NEEDED:
        table.tell("stable", who=name)


AWAKE = {
    "unconscious": False, "stable": False, "successes": 0, "failures": 0, "wakes_at_h": None,
    "asleep_until": 0,
}  # fmt: skip


def healed(table: Table, name: str, amount: float, by: str) -> None:
    """Give hit points back; who was unconscious comes to."""
    status = table[name]
    if status.dead:
        table.tell("in_vain", who=by, target=name)
        return
    left = min(status.max_hp, status.hp + amount)
    table.tell("healed", {name: {**AWAKE, "hp": left}}, who=name, by=by, amount=left - status.hp, left=left)
    if status.unconscious:
        table.tell("comes_to", who=name, tied=status.tied)


def pass_hours(table: Table, hours: float) -> None:
    """Let hours of the story pass; who lies unconscious for long enough comes to.

    Source: Combate, Golpe no letal: two hours, 1 hit point.
    """
    hour = table.world.hour + hours
    table.tell("hours_pass", {WORLD: {"hour": hour}}, hours=hours)
    for name, status in list(table.status.items()):
        if (
            status.unconscious
            and status.wakes_at_h is not None
            and status.wakes_at_h <= hour
            and not status.dead
        ):
            hp = table.rules.combat.downed.wakes_with_hp
            table.tell("comes_to", {name: {**AWAKE, "hp": hp}}, who=name, tied=status.tied)
