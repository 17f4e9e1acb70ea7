"""`concilio worker`: one worker of a fleet."""

import click

from concilio.catalogue import say
from concilio.cli.numbers import Between, WholeBetween


@click.command(name="worker", help=say("fleet.worker_help"))
@click.option(
    "--fleet", "url", required=True, envvar="CONCILIO_FLEET_URL", metavar="URL", help=say("fleet.opt_url")
)
@click.option("--jobs", type=WholeBetween(1, 1000), default=16, show_default=True, help=say("fleet.opt_jobs"))
@click.option(
    "--stalled-after",
    type=Between(2, 3600),
    default=30,
    show_default=True,
    metavar="S",
    help=say("fleet.opt_stalled"),
)
@click.option("--setup", is_flag=True, help=say("fleet.opt_setup"))
def command(url: str, jobs: int, stalled_after: float, setup: bool) -> int:
    """Join a fleet and work until stopped, or only make its tables."""
    from concilio.cli.fleeting import require_extra

    require_extra()
    from concilio.cli.fleet_working import run_setup, run_worker

    return run_setup(url) if setup else run_worker(url, jobs, stalled_after)
