"""What somebody does with one action in I&A."""

from collections.abc import Callable, Mapping
from math import hypot

from rules.fights.ia import attack as attacks
from rules.fights.ia import checks, hazards, limbs
from rules.fights.ia.sides import flying_speed, foes, gap_m, swim_m
from rules.fights.model import Intent
from rules.fights.places import stepped
from rules.fights.setup import whole
from rules.fights.state import WORLD, Table

FARTHEST_STEPS = 4_000
"""Half metres to each side in which a free space is looked for: more than forty of the largest take up."""


def act(table: Table, intent: Intent) -> int:
    """Do what is meant, and return how many actions it took."""
    weapon_actions = 1
    if intent.do == "attack":
        weapon = attacks.weapon_of(table, intent.who, intent.weapon)
        weapon_actions = weapon.actions
        attacks.attack(table, intent, intent.target, weapon)
    else:
        ACTS.get(intent.do, _other)(table, intent)
    return weapon_actions


def speed_m(table: Table, name: str) -> float:
    """Return metres a turn: on foot, swimming, or in the air."""
    if table[name].flying:
        return flying_speed(table.sheets[name], table[name])
    if table[name].underwater and not table.sheets[name].scores.aquatic:
        return swim_m(table, name)
    return table.sheets[name].speed_m


def _move(table: Table, intent: Intent) -> None:
    me = table[intent.who]
    towards = table[intent.target].x if intent.target else me.x + intent.metres
    stop = gap_m(table, intent.who, intent.target) if intent.target else 0
    x = whole(stepped(me.x, towards, speed_m(table, intent.who), stop))
    changes = {intent.who: {"x": x, "prone": False}}
    table.tell("moves", changes, who=intent.who, metres=whole(round(abs(x - me.x), 3)))
    shunted(table, intent.who)


def _go(table: Table, intent: Intent) -> None:
    table.tell("crosses", {intent.who: {"place": intent.to, "x": 0}}, who=intent.who, to=intent.to)


def _fly(table: Table, intent: Intent) -> None:
    """Move through the air, straight, as far as the wings carry.

    Source: I&A 6, called shots: Wing; Part 6 has no other rule for the air, so height is a way like any.
    """
    who, me = intent.who, table[intent.who]
    most = flying_speed(table.sheets[who], me)
    if most <= 0:
        table.tell("cannot_fly", who=who)
        return
    towards = table[intent.target].x if intent.target else me.x + intent.metres
    height = me.height if intent.height is None else intent.height
    way = hypot(towards - me.x, height - me.height)
    stop = gap_m(table, who, intent.target) if intent.target and height == table[intent.target].height else 0
    share = min(1.0, most / way, max(0.0, way - stop) / way) if way else 0.0
    x, up = (whole(round(a + share * (b - a), 3)) for a, b in ((me.x, towards), (me.height, height)))
    changes = {who: {"x": x, "height": up, "flying": up > 0, "prone": False}}
    table.tell("flies", changes, who=who, metres=whole(round(share * way, 3)), height=up)
    shunted(table, who)


def taken_spaces(table: Table, name: str) -> tuple[tuple[float, float], ...]:
    """Return where others stand in the same place and at the same height, and how near one may be to each."""
    me = table[name]
    others = ((n, table[n]) for n in table.others(name))
    return tuple(
        (o.x, gap_m(table, name, n)) for n, o in others
        if o.is_up and o.place == me.place and o.height == me.height
    )  # fmt: skip


def shunted(table: Table, name: str) -> None:
    """Put who ends in another's space into the nearest one that is free.

    Source: I&A 6, moving through others.
    """
    x, taken = table[name].x, taken_spaces(table, name)

    def is_free(at: float) -> bool:
        return all(abs(at - other) >= gap - 1e-6 for other, gap in taken)

    if is_free(x):
        return
    steps = (x + sign * step / 2 for step in range(1, FARTHEST_STEPS) for sign in (1, -1))
    free = next((at for at in steps if is_free(at)), x)
    table.tell("shunted", {name: {"x": whole(free)}}, who=name, metres=whole(abs(free - x)))


def _through(table: Table, intent: Intent) -> None:
    """Move through another's space: a friend lets one pass, a foe only who wins against its Strength.

    Source: I&A 6, moving through others.
    """
    who, other = intent.who, intent.target
    me = table[who]
    way = 1 if table[other].x >= me.x else -1
    gap = gap_m(table, who, other)
    beyond = table[other].x + way * gap
    passes = other not in foes(table, who) or checks.contest(table, who, other)
    if not passes or abs(beyond - me.x) > speed_m(table, who):
        # One cannot end one's turn in it: so one stays before it.
        beyond = stepped(me.x, table[other].x, speed_m(table, who), gap)
        table.tell("is_stopped", {who: {"x": whole(beyond)}}, who=who, target=other)
        return
    table.tell("passes_through", {who: {"x": whole(beyond)}}, who=who, target=other)
    shunted(table, who)


def _parley(table: Table, intent: Intent) -> None:
    """Try to settle it in peace, before or while fighting."""
    who = intent.who
    if checks.check(table, who, intent.skill or "cha", intent.dc) != "success":
        return
    for name in (intent.target,) if intent.target else foes(table, who):
        table.tell("calmed", {name: {"calm": True, "hostile_to": ()}}, who=name, by=who, how="parley")


def _put_out(table: Table, intent: Intent) -> None:
    name = intent.target or intent.who
    table.tell("put_out", {name: {"burning": False}}, who=name)


def _ignite(table: Table, intent: Intent) -> None:
    name = intent.target or intent.who
    table.tell("catches_fire", {name: {"burning": True}}, who=name)


def _take(table: Table, intent: Intent) -> None:
    name = intent.target or intent.item
    table.tell("takes", {WORLD: {"taken": name}}, who=intent.who, target=name)


def _flee(table: Table, intent: Intent) -> None:
    if intent.metres:
        _move(table, intent)
    else:
        table.tell("flees", {intent.who: {"present": False}}, who=intent.who)


def _prone(table: Table, intent: Intent) -> None:
    kind = "drops_prone" if intent.do == "prone" else "stands"
    table.tell(kind, {intent.who: {"prone": intent.do == "prone"}}, who=intent.who)


def _other(table: Table, intent: Intent) -> None:
    table.tell("not_here_rule", who=intent.who, deed=intent.do)


def _wait(table: Table, intent: Intent) -> None:
    table.tell("waits", who=intent.who)


ACTS: Mapping[str, Callable[[Table, Intent], object]] = {
    "move": _move, "flee": _flee, "go": _go, "through": _through, "fly": _fly, "parley": _parley,
    "put_out": _put_out, "ignite": _ignite, "take": _take, "prone": _prone, "stand": _prone, "wait": _wait,
    "silent": _wait,
    "heal": limbs.heal, "mend": limbs.mend, "submerge": hazards.under, "drown": hazards.under,
    "surface": lambda table, intent: hazards.surface(table, intent.who),
    "rest": lambda table, intent: limbs.rest(table, intent.who),
    "fall": lambda table, intent: hazards.falls_off(table, intent.who, intent.metres, True),
    "hold": hazards.catch,
}  # fmt: skip
"""How each deed is done."""


def by_master(table: Table, intent: Intent) -> None:
    """Do what the game master does: time passes, somebody is pushed, dropped, set on fire or held under."""
    if intent.do == "hours":
        seconds = intent.hours * 3600
        table.tell(
            "hours_pass", {WORLD: {"hour": table.world.hour + intent.hours}}, hours=whole(intent.hours)
        )
        limbs.time_passes(table, seconds)
        hazards.breath_passes(table, seconds)
    elif intent.do == "move" and intent.enemy:
        x = whole(table[intent.enemy].x + intent.metres)
        table.tell("is_moved", {intent.enemy: {"x": x}}, who=intent.enemy, metres=whole(abs(intent.metres)))
        shunted(table, intent.enemy)
    elif intent.do == "fall" and intent.enemy:
        hazards.falls_off(table, intent.enemy, intent.metres, False)
    elif intent.enemy:
        act(table, intent.model_copy(update={"who": intent.enemy}))
