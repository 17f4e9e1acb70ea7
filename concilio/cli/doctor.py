"""`concilio doctor`: what is installed, which models answer, what is missing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from concilio.catalogue import say
from concilio.cli.form import text_or_json
from concilio.diagnosis.report import Diagnosis, Folder, Problem, Seat

COMPLETE, INCOMPLETE = 0, 1
"""Exit status where nothing is missing, and where something is."""


def parse_agents(values: Sequence[str]) -> dict[str, str]:
    """Return the seats and models of `--agent iris=MODEL`, given any number of times.

    Raises:
        click.BadParameter: a value that has no `=`, or nothing beside it.
    """
    pairs: dict[str, str] = {}
    for value in values:
        agent, _, model = (part.strip() for part in value.partition("="))
        if not agent or not model:
            raise click.BadParameter(say("doctor.bad_agent", value=value), param_hint="--agent")
        pairs[agent] = model
    return pairs


@click.command(name="doctor", help=say("doctor.help"))
@click.option("--model", metavar=say("cli.meta.model"), help=say("doctor.option_model"))
@click.option(
    "--agent", "agents", multiple=True, metavar=say("cli.meta.agent_model"), help=say("doctor.option_agent")
)
@click.option("--probe", is_flag=True, help=say("doctor.option_probe"))
@click.option("--near", type=click.Path(path_type=Path), help=say("doctor.option_near"))
@text_or_json("doctor.option_format")
def command(model: str | None, agents: tuple[str, ...], probe: bool, near: Path | None, form: str) -> int:
    """Print the diagnosis; 1 where something is missing."""
    from concilio.diagnosis.collect import diagnose
    from concilio.diagnosis.models import ask_model, look_at_model
    from concilio.settings import load_settings

    settings = load_settings({"model": model, "agents": parse_agents(agents)}, beside=near)
    diagnosis = diagnose(settings, ask_model if probe else look_at_model)
    if form == "json":
        click.echo(diagnosis.model_dump_json(indent=2))
    else:
        click.echo("\n".join(lines(diagnosis)))
    return COMPLETE if diagnosis.complete else INCOMPLETE


def lines(diagnosis: Diagnosis) -> Iterator[str]:
    """Yield the diagnosis as text for a person."""
    yield from _section("packages", _installed(diagnosis))
    yield from _section("seats", [_seat(seat) for seat in diagnosis.seats])
    yield from _section(
        "settings",
        [(s.name, s.value or say("doctor.unset"), _place(s.layer, s.where)) for s in diagnosis.settings],
    )
    yield from _section("out", [_folder(diagnosis.out)])
    if not diagnosis.problems:
        yield click.style(say("doctor.nothing"), fg="green")
        return
    yield click.style(say("doctor.problems"), bold=True)
    for problem in diagnosis.problems:
        yield from _problem(problem)


def _section(key: str, rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield a title and the rows in columns as wide as their longest cell."""
    yield click.style(say(f"doctor.{key}"), bold=True)
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield ("  " + "  ".join(cells)).rstrip()
    yield ""


def _installed(diagnosis: Diagnosis) -> list[tuple[str, str]]:
    missing = say("doctor.not_installed")
    return [
        ("concilio", diagnosis.concilio),
        ("python", f"{diagnosis.python}  {diagnosis.executable}"),
        *((package.name, package.version or missing) for package in diagnosis.packages),
    ]


def _seat(seat: Seat) -> tuple[str, str, str, str]:
    if seat.key_variable:
        state = say("doctor.key_missing", variable=seat.key_variable)
    elif seat.answers is None:
        state = say("doctor.not_asked")
    else:
        state = say("doctor.answers" if seat.answers else "doctor.silent")
    return (seat.agent, seat.model, state, _place(seat.layer, seat.where))


def _place(layer: str, where: str) -> str:
    return where or say(f"doctor.layer.{layer}")


def _folder(out: Folder) -> tuple[str, str]:
    if not out.writable:
        return (out.path, say("doctor.not_writable"))
    return (out.path, say("doctor.writable" if out.exists else "doctor.will_be_made"))


def _problem(problem: Problem) -> Iterator[str]:
    mark, colour = ("✗", "red") if problem.kind == "missing" else ("·", "yellow")
    yield f"  {click.style(mark, fg=colour)} {problem.message}"
    yield f"      {problem.remedy}"
