"""Rounds of I&A: three seconds each, everybody in turn with the actions of their Dexterity."""

from rules.fights.ia import acts, hazards, limbs
from rules.fights.ia import attack as attacks
from rules.fights.ia.goals import outcome
from rules.fights.ia.order import Turn, order
from rules.fights.ia.sides import apart_m, fights, foes, gap_m, held, reaches, team
from rules.fights.model import MASTER, Intent
from rules.fights.places import distance_m, range_mode
from rules.fights.policies import chosen, flees
from rules.fights.script import Script
from rules.fights.state import WORLD, Table


def fight_rounds(table: Table, script: Script) -> str:
    """Fight round by round to the end, and return how it ended.

    Source: I&A 6, initiative and rounds.
    """
    turns = order(table.sheets)
    table.tell("order", turns=[list(names) for names in turns])
    while table.goes_on:
        _round(table, script, turns)
        if not table.world.fighting:
            if script.is_empty:
                return _peace(table)
            continue
        if found := outcome(table):
            return found
        if not any(foes(table, name) for name in table.status) and script.is_empty:
            return _peace(table)
    return "broken_off"


def _peace(table: Table) -> str:
    return "peace" if any(status.calm for status in table.status.values()) else "no_fight"


def _round(table: Table, script: Script, turns: tuple[Turn, ...]) -> None:
    table.turn += 1
    _begins(table)
    if table.world.fighting:
        table.round += 1
    back = {n: {"reaction": True} for n, s in table.status.items() if not s.reaction}
    table.tell("turn", back, turn=table.turn)
    came = _arrivals(table)
    falling: dict[str, Intent] = {}
    for intent in script.due(MASTER, table.turn):
        acts.by_master(table, intent)
        if intent.do == "fall":
            falling[intent.enemy] = intent
    for names in turns:
        for name in names:
            if name not in came:
                _turn(table, script, name, falling)
                hazards.drops_from_the_air(table, name)
        _begins(table)
    seconds = table.rules.combat.turns.round_seconds
    table.clock.wait(seconds)
    limbs.time_passes(table, seconds)
    hazards.breath_passes(table, seconds)
    surprised = {n: {"surprised": False} for n, s in table.status.items() if s.surprised}
    if surprised and table.world.fighting:
        table.tell("surprise_ends", surprised, who=list(surprised))


def _begins(table: Table) -> None:
    """Begin the fight where both sides have abandoned diplomacy: one is hostile, and the other is there."""
    if table.world.fighting:
        return
    names = [n for n in table.status if table[n].is_up and fights(table, n)]
    if len({team(table, n) for n in names}) > 1:
        changes = {n: {"in_fight": True} for n in names}
        world = {WORLD: {"fighting": True, "fight": table.world.fight + 1}}
        marked = {n: {"hp": table[n].hp, "max_hp": table[n].max_hp} for n in names}
        values = {"fight": table.world.fight + 1, "cause": "diplomacy_abandoned", "involved": marked}
        table.tell("fight_begins", {**changes, **world}, **values)


def _arrivals(table: Table) -> set[str]:
    """Let latecomers in: they take their turns after the end of this round.

    Source: I&A 6, who joins.
    """
    came: set[str] = set()
    for name, sheet in table.sheets.items():
        is_due = sheet.joins_round is not None and sheet.joins_round <= table.turn
        if is_due and not table[name].present and not table[name].came:
            table.tell("arrives", {name: {"present": True, "came": True}}, who=name)
            came.add(name)
    return came


def _turn(table: Table, script: Script, name: str, falling: dict[str, Intent]) -> None:
    status = table[name]
    if not status.present or status.dead:
        return
    if status.surprised and table.world.fighting:
        table.tell("idle", who=name, reason="surprised")
        return
    hazards.burns(table, name)
    if table[name].is_free:
        _actions(table, script, name, falling)
    hazards.burns(table, name)
    hazards.bleeds(table, name)
    if table[name].falling_m > 0 and (answer := script.reaction(name, table.turn)):
        hazards.reacts(table, answer)
    if table[name].falling_m > 0:
        hazards.fall_on(table, name, falling.get(name))


def _actions(table: Table, script: Script, name: str, falling: dict[str, Intent]) -> None:
    """Spend the actions of a turn: as the script says, else by policy."""
    left = table.sheets[name].scores.max_actions
    while left > 0 and table[name].is_free:
        due = script.due(name, table.turn)
        intent = due[0] if due else _by_policy(table, name)
        if intent is None:
            return
        if _cost(table, intent) > left:
            table.tell("too_few_actions", who=name, left=left)
            return
        if intent.do == "fall":
            falling[name] = intent
        left -= acts.act(table, intent)


def _cost(table: Table, intent: Intent) -> int:
    if intent.do != "attack":
        return 1
    return attacks.weapon_of(table, intent.who, intent.weapon).actions


def _by_policy(table: Table, name: str) -> Intent | None:
    if not table.world.fighting:
        return None
    me, sheet = table[name], table.sheets[name]
    near = [n for n in foes(table, name) if table[n].place == me.place and table.sheets[n].behind != "total"]
    target = chosen(sheet.policy, me, near, table.status)
    if target is None:
        return None
    if flees(sheet, me):
        return Intent(who=name, do="flee")
    metres = apart_m(table, name, target) or 0.0
    for weapon in held(sheet, me):
        loaded = not weapon.ammunition or me.ammunition.get(weapon.ammunition, 0) > 0
        reach = reaches(table, name, target) or range_mode(weapon, metres, table.rules.combat.attacks)
        if loaded and reach and not attacks.obstacle(table, name, target, weapon):
            return Intent(
                who=name, do="attack", target=target, weapon="" if weapon.name == "fists" else weapon.name
            )
    middle = distance_m(me, table[target]) or 0.0
    can_near = acts.speed_m(table, name) > 0 and middle > gap_m(table, name, target)
    return Intent(who=name, do="move", target=target) if can_near else None
