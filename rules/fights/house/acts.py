"""What a character or an NPC does with one intent, by the house rules."""

from collections.abc import Callable, Mapping

from rules.fights.house import fight, harm, law, spells, strike
from rules.fights.house.meaning import meaning_of
from rules.fights.model import Intent
from rules.fights.places import distance_m, stepped
from rules.fights.rolling import d20, mode_of, rolled
from rules.fights.state import WORLD, Table
from rules.odds.checks import RollMode
from rules.odds.parser import parse

Grounds = tuple[RollMode, ...]


def act(table: Table, intent: Intent, grounds: Grounds = ()) -> bool:
    """Do what is meant, and return whether it came out well."""
    status = table[intent.who]
    if status.held_until and intent.do not in ("silent", "wait"):
        table.tell("cannot_move", who=intent.who)
        return False
    if status.tied and intent.do not in ("silent", "wait"):
        table.tell("is_tied", who=intent.who)
        return False
    return ACTS[intent.do](table, intent, grounds)


def _attack(table: Table, intent: Intent, grounds: Grounds) -> bool:
    who, target = intent.who, intent.target
    if table[target].unconscious and not table.is_character(target):
        return _finish(table, intent, grounds)
    weapon = strike.weapon_named(table, who, intent.weapon)
    blow = strike.Blow(weapon, intent.words, grounds=grounds)
    table.tell("roll_asked", who=who, target=target)
    hit = False
    for _ in range(1 if weapon.once else table.sheets[who].attacks or 1):
        if _can_go_on(table, target):
            hit = strike.attack(table, who, target, blow) or hit
    second = strike.second_weapon(table, who, weapon) if intent.off_hand else None
    if intent.off_hand and second is None:
        table.tell(
            "cannot_attack", who=who, target=target, weapon=weapon.name, reason="no_light_pair", metres=0
        )
    elif second and _can_go_on(table, target):
        hit = strike.attack(table, who, target, strike.Blow(second, intent.words, True, grounds)) or hit
    return hit


def _can_go_on(table: Table, target: str) -> bool:
    status = table[target]
    return status.present and not status.dead and not status.unconscious


def _cast(table: Table, intent: Intent, grounds: Grounds) -> bool:
    return spells.cast(table, intent.who, intent, grounds)


def _move(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Walk: towards somebody, or so many metres; fleeing is no other thing.

    Source: Combate, Cómo empieza.
    """
    who = intent.who
    me, speed = table[who], table.sheets[who].speed_m
    if intent.target and table[intent.target].place == me.place:
        x = stepped(me.x, table[intent.target].x, speed)
    else:
        x = stepped(me.x, me.x + intent.metres, speed)
    table.tell("moves", {who: {"x": x, "prone": False}}, who=who, metres=round(abs(x - me.x), 3))
    return True


def _go(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Cross to another place; each crossing has its line, and who follows goes on with the same fight.

    Source: Combate, Un rival que te sigue a otro sitio.
    """
    who = intent.who
    old = table[who].place
    table.tell("crosses", {who: {"place": intent.to, "x": 0, "height": 0}}, who=who, to=intent.to)
    after = [
        n
        for n in table.status
        if law.is_hostile(table, n, who) and table[n].is_free and table[n].place == old
    ]
    for name in after:
        if table.sheets[name].speed_m < table.sheets[who].speed_m or table[who].hidden:
            table.tell("left_behind", who=name, by=who)
        elif not any(table[to].place == old and table[to].is_up for to in table[name].hostile_to):
            table.tell("crosses", {name: {"place": intent.to, "x": 0, "height": 0}}, who=name, to=intent.to)
            if table.world.fighting:
                table.tell("fight_goes_on", fight=table.world.fight, place=intent.to, who=name)
    return True


def _hide(table: Table, intent: Intent, grounds: Grounds) -> bool:
    done = check(table, intent, grounds)
    if done:
        table.tell("hides", {intent.who: {"hidden": True}}, who=intent.who)
    return done


def check(table: Table, intent: Intent, grounds: Grounds = ()) -> bool:
    """Roll a check against a DC."""
    sheet = table.sheets[intent.who]
    bonus = sheet.skills.get(intent.skill, int(sheet.abilities.get(intent.skill, 0)))
    natural, _ = d20(table.dice, mode_of(grounds.count("advantage"), grounds.count("disadvantage")))
    done = natural + bonus >= intent.dc
    values = {
        "who": intent.who,
        "skill": intent.skill,
        "total": natural + bonus,
        "dc": intent.dc,
        "success": done,
    }
    table.tell("check", **values)
    if done:
        strike.success(table, intent.who)
    return done


REACTIONS: Mapping[str, str] = {"steal": "warns_the_watch", "struggle": "grabs", "threaten": "shouts"}
"""What an NPC does where it goes wrong. It opens no fight. Source: Combate, Cómo empieza."""


def _misdeed(table: Table, intent: Intent, grounds: Grounds) -> bool:
    done = check(table, intent, grounds)
    table.tell("misdeed", who=intent.who, target=intent.target, deed=intent.do, success=done)
    if not done and intent.target:
        table.tell("reacts", who=intent.target, to=intent.who, reaction=REACTIONS[intent.do])
    return done


def _calm(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Apologise, convince or cow: who takes it fights no longer."""
    done = check(table, intent, grounds)
    if done and intent.target:
        changes = {intent.target: {"calm": True, "hostile_to": ()}}
        table.tell("calmed", changes, who=intent.target, by=intent.who, how=intent.do)
    return done


def _resist(table: Table, intent: Intent, grounds: Grounds) -> bool:
    law.resist(table, intent.who)
    return True


def _tie(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Tie somebody who lies unconscious: until untied, they neither move nor fight."""
    if not table[intent.target].unconscious or not _is_beside(table, intent):
        table.tell("cannot", who=intent.who, target=intent.target, deed=intent.do)
        return False
    table.tell("tied", {intent.target: {"tied": True}}, who=intent.target, by=intent.who)
    return True


def _untie(table: Table, intent: Intent, grounds: Grounds) -> bool:
    if not _is_beside(table, intent):
        table.tell("cannot", who=intent.who, target=intent.target, deed=intent.do)
        return False
    table.tell("untied", {intent.target: {"tied": False}}, who=intent.target, by=intent.who)
    return True


def _is_beside(table: Table, intent: Intent) -> bool:
    metres = distance_m(table[intent.who], table[intent.target])
    return metres is not None and metres <= 1.5


def _search(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Search who lies there, with no roll; seen, it is theft.

    Source: Combate, Golpe no letal.
    """
    status = table[intent.target]
    if not (status.unconscious or status.dead) or not _is_beside(table, intent):
        table.tell("cannot", who=intent.who, target=intent.target, deed=intent.do)
        return False
    taken = () if status.loot else table.sheets[intent.target].loot
    found = list(taken)
    changes = {
        intent.who: {"loot": (*table[intent.who].loot, *taken)},
        intent.target: {"loot": ("searched",)},
    }
    table.tell("searches", changes, who=intent.who, target=intent.target, loot=found)
    if not status.dead and law.witnesses(table, intent.who, intent.target):
        law.crime(table, intent.who, intent.target, "theft")
    return True


def _finish(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Finish off who lies unconscious: the blow lands by itself and kills; a grave death, with no experience.

    Source: Combate, Golpe no letal.
    """
    if not table[intent.target].unconscious or table[intent.target].dead or not _is_beside(table, intent):
        table.tell("cannot", who=intent.who, target=intent.target, deed=intent.do)
        return False
    if meaning_of(intent.words, table.scenario.language) == "spare" and intent.do == "attack":
        table.tell("stays_down", who=intent.target)
        return False
    weapon = strike.weapon_named(table, intent.who, intent.weapon).name
    table.tell("finishes", who=intent.who, target=intent.target, weapon=weapon)
    harm.killed(table, intent.target, intent.who, weapon, finished=True)
    return True


def _heal(table: Table, intent: Intent, grounds: Grounds) -> bool:
    target = intent.target or intent.who
    amount = rolled(parse(intent.damage), table.dice) if intent.damage else int(intent.amount)
    harm.healed(table, target, amount, intent.who)
    return True


def _collect(table: Table, intent: Intent, grounds: Grounds) -> bool:
    """Gather one's missiles and thrown weapons that lie here, or what was dropped.

    Source: Combate, Atacar.
    """
    who, place = intent.who, table[intent.who].place
    here = [lying for lying in table.world.ground if lying[0] == place and intent.item in ("", lying[1])]
    ammunition, thrown = dict(table[who].ammunition), list(table[who].thrown)
    loot: list[str] = []
    for _, thing, count in here:
        if thing in ammunition:
            ammunition[thing] += count
        elif thing in thrown:
            thrown.remove(thing)
        else:
            loot.append(thing)
    rest = tuple(lying for lying in table.world.ground if lying not in here)
    mine = {"ammunition": ammunition, "thrown": tuple(thrown), "loot": (*table[who].loot, *loot)}
    things = [f"{count} × {thing}" for thing, count in _counted(here)]
    table.tell("collects", {who: mine, WORLD: {"ground": rest}}, who=who, things=things)
    return bool(here)


def _counted(lying: list[tuple[str, str, int]]) -> list[tuple[str, int]]:
    found: dict[str, int] = {}
    for _, thing, count in lying:
        found[thing] = found.get(thing, 0) + count
    return list(found.items())


def _drink(table: Table, intent: Intent, grounds: Grounds) -> bool:
    kind = table.sheets[intent.who].potions.get(intent.item)
    if kind is None:
        table.tell("cannot", who=intent.who, target=intent.item, deed=intent.do)
        return False
    resists = (*table[intent.who].resists, kind)
    table.tell("drinks", {intent.who: {"resists": resists}}, who=intent.who, item=intent.item, type=kind)
    return True


def _stand(table: Table, intent: Intent, grounds: Grounds) -> bool:
    table.tell(
        "stands" if intent.do == "stand" else "drops_prone",
        {intent.who: {"prone": intent.do == "prone"}},
        who=intent.who,
    )
    return True


def _wait(table: Table, intent: Intent, grounds: Grounds) -> bool:
    table.tell("waits", who=intent.who)
    return True


def _other(table: Table, intent: Intent, grounds: Grounds) -> bool:
    table.tell("not_here_rule", who=intent.who, deed=intent.do)
    return False


Act = Callable[[Table, Intent, Grounds], bool]
_KNOWN: Mapping[str, Act] = {
    "attack": _attack, "cast": _cast, "move": _move, "flee": _move, "go": _go, "hide": _hide, "wait": _wait,
    "silent": _wait, "steal": _misdeed, "struggle": _misdeed, "threaten": _misdeed, "resist": _resist,
    "apologise": _calm, "convince": _calm, "cow": _calm, "tie": _tie, "untie": _untie, "search": _search,
    "finish": _finish, "heal": _heal, "collect": _collect, "drink": _drink, "stand": _stand, "prone": _stand,
}  # fmt: skip


class _Acts(dict[str, Act]):
    def __missing__(self, key: str) -> Act:
        return _other


ACTS: Mapping[str, Act] = _Acts(_KNOWN)
"""How each deed is done; what is of another game is told to be so."""
BY_MASTER: Mapping[str, Callable[[Table, Intent], None]] = {
    "hours": lambda table, intent: harm.pass_hours(table, intent.hours),
}


def joins(table: Table, intent: Intent) -> None:
    """Let somebody whom the game master names come in against a character."""
    if intent.enemy and intent.target:
        table.tell(
            "arrives",
            {intent.enemy: {"present": True, "place": table[intent.target].place}},
            who=intent.enemy,
        )
        law.turn_on(table, intent.enemy, intent.target, "joins")
        fight.enters(table)
