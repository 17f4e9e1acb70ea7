"""`concilio fight`: a fight resolved move by move from a seed, as a log that replays to the same end."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concilio.bounded import read_text
from concilio.catalogue import say
from concilio.cli.form import text_or_json
from concilio.cli.numbers import WholeBetween
from concilio.cli.output_file import require_free, write_output

if TYPE_CHECKING:
    from rules.fights.events import Log

WRONG_USE = 2
LARGEST_SEED = 999_999_999


class FightError(Exception):
    """A fight cannot be resolved or replayed; the message is one line for people."""

    exit_code = WRONG_USE


@click.command(name="fight", help=say("fights.help"), short_help=say("cli.summary.fight"))
@click.argument(
    "scenario", metavar=say("fights.meta_scenario"), required=False, type=click.Path(path_type=Path)
)
@click.option("--seed", type=WholeBetween(0, LARGEST_SEED), metavar="N", help=say("fights.opt_seed"))
@text_or_json("fights.opt_format")
@click.option(
    "--log",
    "log_file",
    type=click.Path(path_type=Path),
    metavar=say("fights.meta_file"),
    help=say("fights.opt_log"),
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path),
    metavar=say("fights.meta_file"),
    help=say("fights.opt_replay"),
)
@click.option("--force", is_flag=True, help=say("cli.output.force"))
def command(
    scenario: Path | None,
    seed: int | None,
    form: str,
    log_file: Path | None,
    replay: Path | None,
    force: bool,
) -> int:
    """Resolve a scenario, or follow a log."""
    if (scenario is None) == (replay is None):
        raise FightError(say("fights.scenario_or_replay"))
    if replay is not None:
        if seed is not None or log_file is not None:
            raise FightError(say("fights.not_with_replay", option="--log" if seed is None else "--seed"))
        return _replay(replay, form)
    assert scenario is not None
    from concilio.catalogue import follow
    from concilio.cli.fight_scenario import read_scenario
    from rules.fights.resolve import resolve

    place = log_file and require_free(log_file, "--log", (scenario,), force)
    read = read_scenario(scenario)
    follow(read.language)
    log = resolve(read, seed or 0)
    if place is not None:
        from rules.fights.events import dump_log

        write_output(place, "--log", dump_log(log))
    _show(log, form)
    return 0


def _show(log: "Log", form: str) -> None:
    if form == "json":
        from rules.fights.events import dump_log

        click.echo(dump_log(log), nl=False)
        return
    from concilio.cli.fight_output import lines

    click.echo("\n".join(lines(log)))


def _replay(file: Path, form: str) -> int:
    """Print the fight of a log, and tell whether it leads to the end that it tells."""
    from concilio.catalogue import follow
    from rules.fights.events import LogError, load_log
    from rules.fights.resolve import agrees, replayed, scenario_of
    from rules.fights.setup import ScenarioError

    try:
        log = load_log(_read(file))
        scenario, seed = scenario_of(log)
        follow(scenario.language)
        end, same = replayed(log), agrees(log)
        _show(log, form)
    except LogError as error:
        problem = say(f"fights.log.{error.code}")
        raise FightError(say("fights.bad_log", file=file, line=error.line, problem=problem)) from None
    except ScenarioError as error:
        values: dict[str, Any] = {"found": error.faults[0].found}
        problem = say(f"fights.problem.{error.faults[0].code}", **values)
        raise FightError(say("fights.bad_log", file=file, line=1, problem=problem)) from None
    key = "fights.replay_same" if end.is_whole and same else "fights.replay_other"
    click.echo(say(key, seed=seed), err=True)
    return 0 if end.is_whole and same else 1


def _read(file: Path) -> str:
    from rules.fights.events import MOST_BYTES

    try:
        return read_text(file, MOST_BYTES)
    except (OSError, ValueError):  # too large or no UTF-8, too
        raise FightError(say("fights.cannot_read", file=file)) from None
