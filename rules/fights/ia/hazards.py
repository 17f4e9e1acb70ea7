"""Falls, fire and want of breath in I&A."""

from rules.fights.ia import checks
from rules.fights.ia.attack import hurt
from rules.fights.ia.sides import flying_speed
from rules.fights.model import Intent
from rules.fights.rolling import rolled
from rules.fights.setup import whole
from rules.fights.state import Table
from rules.odds.parser import parse

MINUTE_S = 60.0


def falls_off(table: Table, name: str, metres: float, own_turn: bool) -> None:
    """Begin to fall; it is over at the end of the creature's next turn, or later where it is far.

    Source: I&A 6, Falling.
    """
    changes = {"falling_m": whole(metres), "fell_m": 0, "fall_since": table.turn - (not own_turn)}
    table.tell("begins_to_fall", {name: changes}, who=name, metres=whole(metres))


def fall_on(table: Table, name: str, intent: Intent | None = None) -> None:
    """Go on falling at the end of a turn of the creature's own."""
    status, rules = table[name], table.rules.falling_by_size
    if status.falling_m <= 0 or rules is None or table.turn <= status.fall_since:
        return
    total = status.falling_m + status.fell_m
    a_turn = rules.speed_m_s * table.rules.combat.turns.round_seconds
    step = status.falling_m if total <= rules.instant_m else min(status.falling_m, a_turn)
    left = whole(status.falling_m - step)
    changes = {"falling_m": left, "fell_m": whole(status.fell_m + step)}
    if left > 0:
        table.tell("falls_on", {name: changes}, who=name, metres=whole(step), left=left)
    else:
        changes["height"] = whole(status.height - total)
        table.tell("lands", {name: changes}, who=name, metres=whole(total))
        land(table, name, total, intent)


def land(table: Table, name: str, metres: float, intent: Intent | None = None) -> None:
    """Take the damage of a fall: dice by metres, also for whom it lands on, and what the ground does besides.

    Source: I&A 6, Falling.
    """
    rules = table.rules.falling_by_size
    if rules is None:
        return
    dice = rules.dice(metres)
    die = parse(table.sheets[name].scores.fall_die)
    amount = sum(rolled(die, table.dice) for _ in range(dice))
    under = intent.target if intent and intent.target in table.status else ""
    for each in (name, under) if under else (name,):
        table.tell("fall_damage", who=each, dice=dice, amount=amount)
        hurt(table, each, amount)
    if intent and intent.damage:
        hurt(table, name, rolled(parse(intent.damage), table.dice))
    if checks.check(table, name, rules.landing_ability, rules.landing_dr(metres), "leg") != "success":
        table.tell("drops_prone", {name: {"prone": True}}, who=name)


def catch(table: Table, intent: Intent) -> bool:
    """Try to stop a fall with one's turn."""
    who = intent.who
    done = checks.check(table, who, intent.skill or "agi", intent.dc, intent.limb or "") == "success"
    if done:
        table.tell("stops_falling", {who: {"falling_m": 0, "fell_m": 0}}, who=who)
    return done


def drops_from_the_air(table: Table, acting: str) -> None:
    """Let those fall who flew and no longer can: their wings fail, or they are out.

    Source: I&A 6, called shots: Wing; Falling.
    """
    for name, status in list(table.status.items()):
        can = status.is_free and flying_speed(table.sheets[name], status) > 0
        if status.flying and status.present and not can:
            table.tell("no_longer_flies", {name: {"flying": False}}, who=name)
            falls_off(table, name, max(0.0, status.height), name == acting)


def reacts(table: Table, intent: Intent) -> None:
    """Use the one reaction of a round: Part 6 names one use of it, to stop a fall.

    Source: I&A 6, rounds; Falling.
    """
    who = intent.who
    if not table[who].is_free or not table[who].reaction or intent.do != "hold":
        table.tell("cannot_react", who=who)
        return
    table.tell("reaction", {who: {"reaction": False}}, who=who)
    catch(table, intent)


def bleeds(table: Table, name: str) -> None:
    """Lose what External Bleeding takes each round, where the scenario says how much.

    Source: I&A 6, severed; its figure is in another part.
    """
    dice, status = table.scenario.bleeding, table[name]
    if not dice or not status.bleeding or status.dead or status.hp <= 0:
        return
    amount = rolled(parse(dice), table.dice)
    table.tell("bleeds", who=name, amount=amount)
    hurt(table, name, amount)


def burns(table: Table, name: str) -> None:
    """Burn at the start or the end of a turn; natural armour alone takes from it.

    Source: I&A 6, Burning.
    """
    status, rules = table[name], table.rules.burning
    if not status.burning or rules is None or status.dead:
        return
    amount = max(0.0, rolled(parse(rules.dice), table.dice) - table.sheets[name].scores.natural_armor)
    table.tell("burns", who=name, amount=whole(amount))
    hurt(table, name, amount)


def under(table: Table, intent: Intent) -> None:
    """Go under: with breath held, or taken by surprise; in a fight under water, by Constitution.

    Source: I&A 6, Drowning & Suffocating; underwater.
    """
    name, rules, water = intent.who, table.rules.suffocation, table.rules.combat.underwater
    scores = table.sheets[name].abilities
    breath = water.breath if intent.do == "submerge" and water else rules.held if rules else None
    if intent.by_surprise and rules and rules.surprised:
        breath = rules.surprised
    if breath is None:
        return
    seconds = whole(breath.seconds(scores.get(breath.ability, 0)))
    changes = {name: {"breath_s": seconds, "underwater": intent.do == "submerge" or table[name].underwater}}
    table.tell("holds_breath", changes, who=name, seconds=seconds)


def surface(table: Table, name: str) -> None:
    """Breathe again."""
    changes = {name: {"breath_s": None, "underwater": False}}
    table.tell("breathes", changes, who=name)


def breath_passes(table: Table, seconds: float) -> None:
    """Use breath up: then who drowns is unconscious, loses Intelligence each minute, and dies.

    Source: I&A 6, Drowning & Suffocating.
    """
    rules = table.rules.suffocation
    if rules is None:
        return
    for name, status in list(table.status.items()):
        if status.breath_s is None or status.dead:
            continue
        left = whole(status.breath_s - seconds)
        table.tell("breath", {name: {"breath_s": left}}, who=name, seconds=max(0, left))
        if left <= 0 and not status.unconscious:
            table.tell("out_of_breath", {name: {"unconscious": True}}, who=name)
        if left < 0:
            _without_air(table, name, status.breath_s, left)


def _without_air(table: Table, name: str, before: float, now: float) -> None:
    rules = table.rules.suffocation
    assert rules is not None
    most = rules.out_of_breath.seconds(table.sheets[name].abilities.get(rules.out_of_breath.ability, 0))
    ended = min(-now, most)
    minutes = int(ended / MINUTE_S) - int(max(0.0, -before) / MINUTE_S)
    if minutes > 0:
        lost = rules.harm.get("int", 0) * minutes
        table.tell("mind_suffers", {name: {"int_lost": table[name].int_lost + lost}}, who=name, amount=lost)
    if -now >= most:
        table.tell("drowns", {name: {"dead": True, "hp": 0}}, who=name)
