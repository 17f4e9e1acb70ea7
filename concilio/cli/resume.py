"""`concilio resume`: go on with a run from where it stopped."""

from pathlib import Path

import click

from concilio.catalogue import say
from concilio.cli.completing import any_runs
from concilio.cli.form import text_or_json
from concilio.cli.numbers import Between
from concilio.cli.review_option import MODES, ReviewingCommand


@click.command(name="resume", help=say("resume.help"), cls=ReviewingCommand)
@click.argument("run", required=False, metavar=say("cli.meta.run"), shell_complete=any_runs)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@click.option("--budget", type=Between(0), metavar="USD", help=say("resume.opt_budget"))
@click.option(
    "--review", type=click.Choice(MODES), metavar=say("run.review_metavar"), help=say("run.opt_review")
)
@text_or_json()
def command(run: str | None, out: Path | None, budget: float | None, review: str | None, form: str) -> int:
    """Go on with a run; the exit status says how its chapters ended."""
    from concilio.cli.resuming import resume_run
    from concilio.settings import load_settings

    return resume_run(run, load_settings({"out": out}).out, {"budget_usd": budget, "review": review}, form)
