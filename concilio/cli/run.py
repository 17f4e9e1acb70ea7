"""`concilio run`: an adventure in, chapters out."""

from pathlib import Path

import click

from concilio.catalogue import say
from concilio.cli.form import text_or_json
from concilio.cli.numbers import Between, Whole, WholeBetween
from concilio.cli.review_option import MODES, ReviewingCommand


@click.command(name="run", help=say("run.help"), cls=ReviewingCommand)
@click.argument("file", type=click.Path(path_type=Path), metavar=say("cli.meta.file"))
@click.option("--chapter", "chapters", multiple=True, type=Whole(), metavar="N", help=say("run.opt_chapter"))
@click.option("--model", metavar=say("cli.meta.model"), help=say("run.opt_model"))
@click.option(
    "--agent", "agents", multiple=True, metavar=say("cli.meta.agent_model"), help=say("run.opt_agent")
)
@click.option("--rounds", type=WholeBetween(1, 50), metavar="N", help=say("run.opt_rounds"))
@click.option("--max-rewrites", type=WholeBetween(0, 10), metavar="N", help=say("run.opt_rewrites"))
@click.option("--seed", type=Whole(), metavar="N", help=say("run.opt_seed"))
@click.option("--budget", type=Between(0), metavar="USD", help=say("run.opt_budget"))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@click.option("--on-unresolved", type=click.Choice(("write", "ask", "stop")), help=say("run.opt_unresolved"))
@click.option(
    "--review", type=click.Choice(MODES), metavar=say("run.review_metavar"), help=say("run.opt_review")
)
@text_or_json()
def command(
    file: Path,
    chapters: tuple[int, ...],
    model: str | None,
    agents: tuple[str, ...],
    rounds: int | None,
    max_rewrites: int | None,
    seed: int | None,
    budget: float | None,
    out: Path | None,
    on_unresolved: str | None,
    review: str | None,
    form: str,
) -> int:
    """Run chapters; the exit status says how they ended."""
    from concilio.cli.running import run_file
    from concilio.settings import load_settings

    flags = {
        "model": model,
        "agents": parse_agents(agents) or None,
        "rounds": rounds,
        "max_rewrites": max_rewrites,
        "seed": seed,
        "budget_usd": budget,
        "out": out,
        "on_unresolved": on_unresolved,
        "review": review,
    }
    return run_file(file, chapters, load_settings(flags, beside=file), form)


def parse_agents(values: tuple[str, ...]) -> dict[str, str]:
    """Return seats and models of `--agent iris=MODEL`, given any number of times.

    Raises:
        click.BadParameter: a value without `=`, or a seat that does not exist.
    """
    from concilio.settings import AGENTS

    pairs: dict[str, str] = {}
    for value in values:
        agent, _, model = (part.strip() for part in value.partition("="))
        if agent not in AGENTS or not model:
            raise click.BadParameter(say("run.bad_agent", value=value, names=", ".join(AGENTS)))
        pairs[agent] = model
    return pairs
