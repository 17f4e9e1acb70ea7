"""`concilio runs`: what ran, how it ended, what it cost."""

from pathlib import Path

import click

from concilio.catalogue import say
from concilio.cli.form import text_or_json


@click.command(name="runs", help=say("runs.help"))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@text_or_json()
def command(out: Path | None, form: str) -> None:
    """List the runs of a folder, oldest first."""
    from concilio.batch.runs import run_rows
    from concilio.cli.run_table import rows_as_json, rows_as_text
    from concilio.settings import load_settings

    folder = load_settings({"out": out}).out
    rows = run_rows(folder)
    click.echo(rows_as_json(rows) if form == "json" else rows_as_text(rows, folder))
