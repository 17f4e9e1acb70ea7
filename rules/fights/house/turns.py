"""A turn by the house rules: the players answer, then every hostile acts, and the engine sees to it."""

from collections.abc import Sequence

from rules.fights.house import acts, fight, harm, law, strike, windows
from rules.fights.house.windows import Window
from rules.fights.model import MASTER, Intent, Weapon
from rules.fights.places import distance_m, range_mode, stepped
from rules.fights.policies import chosen, flees
from rules.fights.script import Script
from rules.fights.state import Table
from rules.odds.checks import FACES, RollMode


def take_turn(table: Table, script: Script) -> bool:
    """Play one turn, one character's action or the round of several; return whether all is lost by it."""
    _begin(table)
    opened, asked = _master(table, script.due(MASTER, table.turn))
    active = tuple(name for name in table.characters if table[name].is_up)
    answers = _answers(table, script, active)
    # Who says nothing in a window has lost it.
    said = {intent.who for intent in answers}
    answers += [Intent(who=window.target, do="silent") for window in opened if window.target not in said]
    _clear_shields(table, active)
    for intent in _in_order(table, _in_time(table, answers, active, opened)):
        _answer(table, intent, next((w for w in opened if w.target == intent.who), None))
    for name in active:
        harm.shakes_off(table, name)
    for name in table.characters:
        if (
            table[name].unconscious
            and not table[name].stable
            and not table[name].dead
            and table[name].hp <= 0
        ):
            harm.death_save(table, name)
    if asked:
        table.tell("turn_ends_by_roll")
    if not fight.ends(table):
        _enemies(table, script, opened, asked)
        for name in table.status:
            if not table.is_character(name):
                harm.shakes_off(table, name)
    windows.let_time_pass(table, opened)
    if fight.ends(table) or not table.world.fighting:
        return False
    return _all_down(table)


def _begin(table: Table) -> None:
    table.turn += 1
    if table.world.fighting:
        table.round += 1
    table.tell("turn", {n: {"acted": False} for n, s in table.status.items() if s.acted}, turn=table.turn)
    harm.spells_end(table)
    for name, sheet in table.sheets.items():
        if sheet.joins_round == table.turn and not table[name].present:
            table.tell("arrives", {name: {"present": True}}, who=name)
            fight.enters(table)


def _master(table: Table, intents: Sequence[Intent]) -> tuple[tuple[Window, ...], bool]:
    """Do what the game master does first; return the open windows, and whether a roll is asked for."""
    opened: list[Window] = []
    asked = False
    for intent in intents:
        if intent.do == "window":
            window = windows.open_window(table, intent)
            opened += [window] if window else []
        elif intent.do == "ask_roll":
            asked = True
            table.tell("check_asked", who=intent.target, skill=intent.skill, dc=intent.dc)
            if intent.target:
                acts.check(table, intent.model_copy(update={"who": intent.target}))
        elif intent.do == "join":
            acts.joins(table, intent)
        elif intent.do in acts.BY_MASTER:
            acts.BY_MASTER[intent.do](table, intent)
    return tuple(opened), asked


def _answers(table: Table, script: Script, active: tuple[str, ...]) -> list[Intent]:
    """Return what each character means to do: by the script, else by its policy."""
    found: list[Intent] = []
    for name in active:
        due = script.due(name, table.turn)
        intent = due[0] if due else _by_policy(table, name)
        if intent:
            found.append(intent)
    return found


def _by_policy(table: Table, name: str) -> Intent | None:
    sheet, me = table.sheets[name], table[name]
    foes = [n for n in table.status if law.is_hostile(table, n, name) and _can_attack(table, name, n)]
    target = chosen(sheet.policy, me, foes, table.status)
    if target is None:
        return None
    if flees(sheet, me):
        return Intent(who=name, do="flee", metres=_away(table, name, target))
    weapon = _weapon_for(table, name, target)
    if weapon is None:
        return Intent(who=name, do="move", target=target)
    return Intent(who=name, do="attack", target=target, weapon=weapon.name)


def _away(table: Table, name: str, foe: str) -> float:
    speed = table.sheets[name].speed_m
    return speed if table[name].x >= table[foe].x else -speed


def _can_attack(table: Table, who: str, target: str) -> bool:
    other = table[target]
    return other.is_up and other.place == table[who].place and strike.can_be_seen(table, target)


def _weapon_for(table: Table, who: str, target: str) -> Weapon | None:
    """Return the first weapon that reaches with no disadvantage, else one that reaches at all."""
    metres = distance_m(table[who], table[target]) or 0.0
    rules = table.rules.combat.attacks
    modes = [(weapon, range_mode(weapon, metres, rules)) for weapon in strike.usable(table, who)]
    reaching = [weapon for weapon, mode in modes if mode is not None]
    plain = [weapon for weapon, mode in modes if mode == "normal"]
    return (plain or reaching or [None])[0]


def _in_time(
    table: Table, answers: list[Intent], active: tuple[str, ...], opened: tuple[Window, ...]
) -> list[Intent]:
    """Return the answers that count: with several players in a real fight, those of the round's 30 seconds.

    Source: Combate, Rondas en escenas tensas.
    """
    rules = table.rules.combat.tense_rounds
    if rules is None or not is_round(table, active, opened):
        if answers and not opened:
            table.clock.wait(max(intent.after_s for intent in answers))
        return answers
    table.tell("round_opens", waiting_for=list(active), seconds=rules.seconds)
    held = {window.target for window in opened}
    said = [i for i in answers if i.do != "silent" and (i.after_s <= rules.seconds or i.who in held)]
    late = [name for name in active if name not in {i.who for i in said} and name not in held]
    table.clock.wait(rules.seconds if late else max((i.after_s for i in said), default=0))
    for name in late:
        table.tell("hesitates", who=name)
    table.tell("round_resolved", acted=[i.who for i in said], hesitated=late, why="clock" if late else "all")
    return [*said, *(i for i in answers if i.who in held and i not in said)]


def is_round(table: Table, active: tuple[str, ...], opened: tuple[Window, ...]) -> bool:
    """Tell whether actions enter in rounds: several players in one place, and a real fight.

    A place that is tense by the story alone does not make one.

    Source: Combate, Rondas en escenas tensas.
    """
    rules = table.rules.combat.tense_rounds
    places = [table[name].place for name in active]
    together = rules is not None and any(places.count(place) >= rules.players for place in places)
    return together and (table.world.fighting or bool(fight.hostiles_here(table)) or bool(opened))


def _in_order(table: Table, answers: list[Intent]) -> list[Intent]:
    """Return answers as they came; initiative only breaks ties.

    Source: Combate, Cómo empieza.
    """
    times = [intent.after_s for intent in answers]
    tied = {time for time in times if times.count(time) > 1}
    rolls: dict[str, int] = {}
    if table.world.fighting:
        for intent in answers:
            if intent.after_s in tied:
                sheet = table.sheets[intent.who]
                bonus = (
                    sheet.initiative if sheet.initiative is not None else int(sheet.abilities.get("dex", 0))
                )
                rolls[intent.who] = table.dice.face(FACES) + bonus
    if rolls:
        table.tell("tie_broken", rolls=rolls)
    return sorted(answers, key=lambda intent: (intent.after_s, -rolls.get(intent.who, 0)))


def _answer(table: Table, intent: Intent, window: Window | None) -> None:
    """Let a character act; in a window, the time of the answer decides what becomes of the threat."""
    rules = table.rules.combat.windows
    if window is None or rules is None:
        if table[intent.who].is_up:
            acts.act(table, intent)
        return
    silent = intent.do == "silent" or intent.after_s > rules.seconds
    effect = windows.band_of(None if intent.do == "silent" else intent.after_s, rules)
    table.clock.wait(rules.seconds if silent else intent.after_s)
    table.tell("window_answer", who=intent.who, seconds=None if silent else intent.after_s, effect=effect)
    if silent:
        table.tell("time_up", who=intent.who)
        windows.carry_out(table, window, expired=True)
        return
    grounds: tuple[RollMode, ...] = ("advantage",) if effect == "advantage_or_acts_first" else ()
    was_up = bool(window.enemy) and table[window.enemy].is_free
    done = acts.act(table, intent, grounds)
    if effect == "both_at_once":
        _at_once(table, window, was_up)
    elif not done and not (window.enemy and not table[window.enemy].is_free):
        windows.carry_out(table, window, expired=False)
    else:
        table.tell("averted", who=intent.who, threat=window.threat.item)


def _at_once(table: Table, window: Window, was_up: bool) -> None:
    """Let action and threat happen together: the one does not forestall the other."""
    if was_up or not window.enemy:
        windows.carry_out(table, window, expired=False)


def _clear_shields(table: Table, active: tuple[str, ...]) -> None:
    for name in active:
        if table[name].shield_ac:
            table.tell("shield_ends", {name: {"shield_ac": 0}}, who=name)


def _enemies(table: Table, script: Script, opened: tuple[Window, ...], asked: bool) -> None:
    """Let every hostile who stands act once; where the game master does not, the engine does.

    Source: Combate, Los enemigos actúan siempre.
    """
    busy = {window.enemy for window in opened}
    for name in table.status:
        if not law.is_hostile(table, name) or not table[name].is_up or table[name].acted:
            continue
        if not fight.hostiles_here(table):
            break
        due = script.due(name, table.turn)
        reason = _idle(table, name, busy, asked)
        if reason:
            table.tell("idle", {name: {"acted": True}}, who=name, reason=reason)
            continue
        table.tell("acts", {name: {"acted": True}}, who=name, by=MASTER if due else "engine")
        if due:
            acts.act(table, due[0])
        else:
            _by_engine(table, name)


def _idle(table: Table, name: str, busy: set[str], asked: bool) -> str:
    """Return why a hostile does nothing; empty: it acts.

    Source: Combate, Los enemigos actúan siempre: when not.
    """
    if asked:
        return "master_asks_for_a_roll"
    if name in busy:
        return "opens_its_first_window"
    if table[name].tied:
        return "tied"
    if table[name].held_until:
        return "held"
    foes = [to for to in table[name].hostile_to if table[to].place == table[name].place]
    up = [to for to in foes if table[to].is_up]
    if not foes:
        return "nobody_here"
    if not up:
        return "foes_down"
    return "" if any(strike.can_be_seen(table, to) for to in up) else "cannot_see_the_target"


def _by_engine(table: Table, name: str) -> None:
    """Attack with all attacks of the block; who fights hand to hand runs up first."""
    sheet = table.sheets[name]
    foes = [to for to in table[name].hostile_to if _can_attack(table, name, to)]
    target = chosen(sheet.policy, table[name], foes, table.status)
    if target is None or flees(sheet, table[name]):
        _runs(table, name, target)
        return
    if _weapon_for(table, name, target) is None:
        x = stepped(table[name].x, table[target].x, sheet.speed_m)
        table.tell(
            "rushes",
            {name: {"x": x, "prone": False}},
            who=name,
            target=target,
            metres=round(abs(x - table[name].x), 3),
        )
    for _ in range(sheet.attacks if sheet.attacks is not None else 1):
        foes = [to for to in table[name].hostile_to if _can_attack(table, name, to)]
        target = target if target in foes else chosen(sheet.policy, table[name], foes, table.status)
        weapon = _weapon_for(table, name, target) if target else None
        if target is None or weapon is None:
            break
        strike.attack(table, name, target, strike.Blow(weapon, by="engine"))
        if weapon.once:
            break


def _runs(table: Table, name: str, foe: str | None) -> None:
    if foe is None:
        table.tell("waits", who=name)
        return
    table.tell("flees", {name: {"present": False}}, who=name)


def _all_down(table: Table) -> bool:
    """Tell of a fight in which no character stands any more: to lose is not to die.

    Source: Combate, Bloques por rol.
    """
    if any(table[n].is_up or (table[n].unconscious and not table[n].stable) for n in table.characters):
        return False
    alive = [n for n in table.characters if not table[n].dead]
    guards = [n for n in fight.hostiles_here(table) if table.sheets[n].authority]
    table.tell("all_down", alive=alive)
    for name in alive if guards else ():
        table.tell("wakes_in_cell", {name: {**harm.AWAKE, "hp": 1, "place": "cell"}}, who=name, by=guards[0])
    return True
