"""`concilio batch`: many adventures, side by side."""

from pathlib import Path

import click

from concilio.catalogue import say
from concilio.cli.form import text_or_json
from concilio.cli.numbers import Between, Whole, WholeBetween


@click.command(name="batch", help=say("batch.help"))
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar=say("cli.meta.paths")
)
@click.option("--jobs", type=WholeBetween(1, 1000), default=16, show_default=True, help=say("batch.opt_jobs"))
@click.option("--fleet", "url", envvar="CONCILIO_FLEET_URL", metavar="URL", help=say("batch.opt_fleet"))
@click.option("--model", metavar=say("cli.meta.model"), help=say("run.opt_model"))
@click.option(
    "--agent", "agents", multiple=True, metavar=say("cli.meta.agent_model"), help=say("run.opt_agent")
)
@click.option("--rounds", type=WholeBetween(1, 50), metavar="N", help=say("run.opt_rounds"))
@click.option("--max-rewrites", type=WholeBetween(0, 10), metavar="N", help=say("run.opt_rewrites"))
@click.option("--seed", type=Whole(), metavar="N", help=say("run.opt_seed"))
@click.option("--budget", type=Between(0), metavar="USD", help=say("batch.opt_budget"))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@text_or_json()
def command(
    paths: tuple[Path, ...],
    jobs: int,
    url: str | None,
    model: str | None,
    agents: tuple[str, ...],
    rounds: int | None,
    max_rewrites: int | None,
    seed: int | None,
    budget: float | None,
    out: Path | None,
    form: str,
) -> int:
    """Run adventures side by side; the exit status is the gravest of theirs."""
    from concilio.cli.run import parse_agents
    from concilio.settings import load_settings

    flags = {
        "model": model,
        "agents": parse_agents(agents) or None,
        "rounds": rounds,
        "max_rewrites": max_rewrites,
        "seed": seed,
        "budget_usd": budget,
        "out": out,
    }
    settings = load_settings(flags)
    if url:
        from concilio.cli.fleeting import require_extra

        require_extra()
        from concilio.cli.fleet_batches import run_fleet_batch

        return run_fleet_batch(url, paths, settings, form)
    from concilio.cli.batching import run_new_batch

    return run_new_batch(paths, settings, jobs, form)
