"""`resolve`: a scenario and a seed in, the log of the fight out; `replayed`: a log in, how it ends."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from rules.fights.clock import Clock, StoryClock
from rules.fights.events import VERSION, Log, LogError
from rules.fights.house import fight
from rules.fights.house.turns import take_turn
from rules.fights.ia.rounds import fight_rounds
from rules.fights.model import Scenario
from rules.fights.rolling import SeededDice, Source
from rules.fights.script import Script
from rules.fights.setup import filled, first_statuses, make_table, scaled_sheets
from rules.fights.state import Status, Table, UnknownChangeError, World, end_of, folded
from rules.ruleset import Ruleset, load_ruleset

LARGEST_SEED = 999_999_999


def resolve(
    scenario: Scenario,
    seed: int = 0,
    *,
    dice: Source | None = None,
    clock: Clock | None = None,
    rules: Ruleset | None = None,
) -> Log:
    """Fight a fight to its end, and return what happened.

    Args:
        scenario: who is there, and what they mean to do.
        seed: of the dice; the same one gives the same log, to the byte.
        dice: where faces come from in place of the seed.
        clock: the time in which players answer; None: as the script says.
        rules: the ruleset in place of the one that the scenario names.

    Raises:
        ScenarioError: something in the scenario does not fit.
    """
    rules = rules or load_ruleset(scenario.ruleset)
    table = make_table(scenario, rules, dice or SeededDice(seed), clock or StoryClock())
    told = scenario.model_dump(mode="json", exclude_unset=True)
    table.tell("scenario", version=VERSION, seed=seed, scenario=told)
    _told_scale(table)
    fought = fight_rounds if scenario.ruleset == "ia" else _by_turns
    outcome = fought(table, Script(scenario.script))
    table.tell("end", outcome=outcome, states=_plain(end_of(table.status)))
    return tuple(table.events)


def _told_scale(table: Table) -> None:
    written, players = table.scenario.written_for, len(table.characters)
    if written and written != players:
        foes = {n: s.max_hp for n, s in table.status.items() if not table.is_character(n)}
        table.tell("scaled", written_for=written, players=players, hp=foes)


def _by_turns(table: Table, script: Script) -> str:
    """Play turns until nothing is left to do; return how it ended."""
    while table.goes_on:
        if take_turn(table, script):
            return "lost"
        alive = [n for n in table.characters if not table[n].dead]
        up = [n for n in alive if table[n].is_up]
        if table.characters and not up and all(table[n].stable or table[n].dead for n in table.characters):
            return "lost"
        if up and all(table[n].tied for n in up):
            return "lost"
        if script.is_empty and not table.world.fighting and not fight.hostiles_here(table):
            return "won" if table.world.fight else "no_fight"
    return "broken_off"


def _plain(value: Any) -> Any:
    """Return a value as it is after a way through JSON."""
    return json.loads(json.dumps(value))


@dataclass(frozen=True, slots=True)
class Replay:
    """What a log says, without rolling any die."""

    outcome: str
    states: Mapping[str, Status]
    world: World
    is_whole: bool
    """Whether the changes of its events lead to the end that it tells."""


def scenario_of(log: Log) -> tuple[Scenario, int]:
    """Return the scenario and the seed that a log begins with.

    Raises:
        LogError: there is none, or it is not valid.
    """
    if not log:
        raise LogError("no_scenario", 1)
    values = log[0].values
    seed = values.get("seed")
    try:
        scenario = Scenario.model_validate(values.get("scenario"))
    except ValidationError:
        raise LogError("no_scenario", 1) from None
    if log[0].kind != "scenario" or not isinstance(seed, int) or values.get("version") != VERSION:
        raise LogError("no_scenario", 1)
    return scenario, seed


def replayed(log: Log) -> Replay:
    """Follow the changes of a log to its end.

    Raises:
        LogError: it does not begin with a scenario, or changes what does not exist.
    """
    scenario, _ = scenario_of(log)
    rules = load_ruleset(scenario.ruleset)
    sheets = scaled_sheets(scenario, rules)
    try:
        states, world = folded(log, first_statuses(sheets, scenario))
    except UnknownChangeError:
        raise LogError("unknown_change", len(log)) from None
    last = log[-1]
    told = last.values.get("states") if last.kind == "end" else None
    outcome = last.values.get("outcome") if last.kind == "end" else None
    return Replay(str(outcome or ""), states, world, told == _plain(end_of(states)))


def agrees(log: Log) -> bool:
    """Tell whether the scenario and the seed of a log lead to that very log again.

    Raises:
        LogError, ScenarioError: it cannot be fought again.
    """
    scenario, seed = scenario_of(log)
    return [e.line() for e in resolve(scenario, seed)] == [e.line() for e in log]


__all__ = ["Replay", "agrees", "filled", "replayed", "resolve", "scenario_of"]
