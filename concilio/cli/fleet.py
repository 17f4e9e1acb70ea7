"""`concilio fleet`: bring one up, watch, cancel."""

from pathlib import Path

import click

from concilio.catalogue import say
from concilio.cli.form import text_or_json
from concilio.cli.numbers import Between, WholeBetween


@click.group(name="fleet", help=say("fleet.help"))
def command() -> None:
    """Look after a fleet."""


def _url(function: click.decorators.FC) -> click.decorators.FC:
    return click.option(
        "--fleet",
        "url",
        required=True,
        envvar="CONCILIO_FLEET_URL",
        metavar="URL",
        help=say("fleet.opt_url"),
    )(function)


@command.command(name="up", help=say("fleet.up_help"))
@click.argument(
    "folder", type=click.Path(path_type=Path, file_okay=False), metavar=say("cli.meta.new_folder")
)
@click.option(
    "--workers", type=WholeBetween(0, 64), default=2, show_default=True, help=say("fleet.opt_workers")
)
@click.option("--jobs", type=WholeBetween(1, 1000), default=16, show_default=True, help=say("fleet.opt_jobs"))
def up(folder: Path, workers: int, jobs: int) -> int:
    """Run a database and workers on this machine."""
    from concilio.cli.fleeting import require_extra

    require_extra()
    from concilio.cli.fleet_batches import bring_up

    return bring_up(folder, workers, jobs)


@command.command(name="status", help=say("fleet.status_help"))
@click.argument("batch", required=False, metavar=say("cli.meta.batch"))
@_url
@text_or_json()
def status(batch: str | None, url: str, form: str) -> int:
    """Show the batches of a fleet, or one of them."""
    from concilio.cli.fleeting import require_extra

    require_extra()
    from concilio.cli.fleet_batches import show_batch, show_fleet

    return show_batch(url, batch, form) if batch else show_fleet(url, form)


@command.command(name="watch", help=say("fleet.watch_help"))
@click.argument("batch", metavar=say("cli.meta.batch"))
@_url
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@text_or_json()
def watch(batch: str, url: str, out: Path | None, form: str) -> int:
    """Watch a batch to its end, and write its files."""
    from concilio.cli.fleeting import require_extra

    require_extra()
    from concilio.cli.fleet_batches import watch_batch
    from concilio.settings import load_settings

    return watch_batch(url, batch, load_settings({"out": out}).out, form)


@command.command(name="cancel", help=say("fleet.cancel_help"))
@click.argument("batch", metavar=say("cli.meta.batch"))
@_url
def cancel(batch: str, url: str) -> int:
    """Take a batch back."""
    from concilio.cli.fleeting import require_extra

    require_extra()
    from concilio.cli.fleet_batches import cancel_batch

    return cancel_batch(url, batch)


@command.command(name="retry", help=say("fleet.retry_help"))
@click.argument("batch", metavar=say("cli.meta.batch"))
@_url
@click.option("--budget", type=Between(0), metavar="USD", help=say("resume.opt_budget"))
def retry(batch: str, url: str, budget: float | None) -> int:
    """Try again what was left of a batch."""
    from concilio.cli.fleeting import require_extra

    require_extra()
    from concilio.cli.fleet_batches import retry_batch

    return retry_batch(url, batch, budget)
