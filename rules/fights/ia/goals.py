"""What a fight in I&A is about: five kinds of goal, and when each is reached."""

from rules.fights.ia.sides import CHARACTERS, fights, team
from rules.fights.model import Goal
from rules.fights.state import WORLD, Table


def teams_up(table: Table) -> set[str]:
    """Return the teams of which somebody stands and fights."""
    return {team(table, n) for n in table.status if table[n].is_up and fights(table, n)}


def _ends(table: Table, won: bool, goal: Goal) -> str:
    mine = goal.team or CHARACTERS
    return "won" if won == (mine == CHARACTERS) else "lost"


def outcome(table: Table) -> str:
    """Return how the fight ended, seen from the characters; empty: it goes on.

    Source: I&A 6, the five categories.
    """
    goal = table.scenario.goal or Goal()
    if goal.kind == "chase":
        found = _chase(table, goal)
    elif goal.kind == "control":
        found = _control(table, goal)
    elif goal.kind == "survival":
        found = _survival(table, goal)
    else:
        found = ""
    return found or _target(table, goal) or _last_team(table)


def _last_team(table: Table) -> str:
    up = teams_up(table)
    if len(up) > 1:
        return ""
    coming = any(s.joins_round and not table[n].present for n, s in table.sheets.items() if n in table.status)
    if coming and CHARACTERS in up and not _all_came(table):
        return ""
    if any(s.calm and s.is_up for s in table.status.values()):
        return "peace"
    return "won" if CHARACTERS in up else "lost"


def _all_came(table: Table) -> bool:
    return all((s.joins_round or 0) < table.round for s in table.sheets.values())


def _target(table: Table, goal: Goal) -> str:
    """A very important target falls, or is taken: by whoever is not of its team."""
    name = table.world.target or (goal.target if goal.kind == "very_important_target" else "")
    if not name:
        return ""
    is_over = table.world.taken == name or (name in table.status and not table[name].is_up)
    if not is_over:
        return ""
    return "lost" if team(table, name) == CHARACTERS else "won"


def _chase(table: Table, goal: Goal) -> str:
    """Who flees has the lead that is asked for, or is caught."""
    mine = goal.team or CHARACTERS
    fleeing = [table[n] for n in table.status if team(table, n) == mine and table[n].is_up]
    after = [table[n] for n in table.status if team(table, n) != mine and table[n].is_up and fights(table, n)]
    if not fleeing:
        return _ends(table, False, goal)
    gaps = [abs(one.x - other.x) for one in fleeing for other in after if one.place == other.place]
    return _ends(table, True, goal) if not gaps or min(gaps) >= goal.metres else ""


def _control(table: Table, goal: Goal) -> str:
    """A place is held round by round; where only the other side stands in it, it is lost."""
    mine = goal.team or CHARACTERS
    here = [n for n in table.status if table[n].is_up and fights(table, n) and table[n].place == goal.place]
    ours = [n for n in here if team(table, n) == mine]
    if here and not ours:
        return _ends(table, False, goal)
    if not ours:
        return ""
    held = table.world.held + 1
    table.tell("held", {WORLD: {"held": held}}, place=goal.place, rounds=held, most=goal.rounds)
    return _ends(table, True, goal) if held >= goal.rounds else ""


def _survival(table: Table, goal: Goal) -> str:
    """A group lasts for some rounds; then something happens: a target comes, or help does."""
    mine = goal.team or CHARACTERS
    if mine not in teams_up(table):
        return _ends(table, False, goal)
    if table.round < goal.rounds or table.world.target:
        return ""
    if goal.then:
        changes = {goal.then: {"present": True}, WORLD: {"target": goal.then}}
        table.tell("new_goal", changes, who=goal.then)
        return ""
    return _ends(table, True, goal)
