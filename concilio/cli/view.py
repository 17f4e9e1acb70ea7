"""`concilio view`: the runs of a folder as pages in a browser."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import click

from concilio.catalogue import say
from concilio.cli.completing import any_runs
from concilio.cli.numbers import WholeBetween

HIGHEST_PORT = 65535
NEEDED = ("starlette", "uvicorn", "markdown_it", "nh3")
"""Modules of the extra `view`."""


class CannotViewError(Exception):
    """The page cannot be served; the message is one line for people."""

    exit_code = 2


@click.command(name="view", help=say("view.help"), short_help=say("cli.summary.view"))
@click.argument("run", required=False, metavar=say("view.arg_run"), shell_complete=any_runs)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar=say("cli.meta.folder"),
    help=say("run.opt_out"),
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar=say("cli.meta.host"), help=say("view.opt_host")
)
@click.option("--port", type=WholeBetween(0, HIGHEST_PORT), metavar="N", help=say("view.opt_port"))
@click.option("--no-open", is_flag=True, help=say("view.opt_no_open"))
@click.option("--resume", "resumes", is_flag=True, help=say("view.opt_resume"))
def command(
    run: str | None, out: Path | None, host: str, port: int | None, no_open: bool, resumes: bool
) -> None:
    """Serve the page until the user ends it."""
    require_extra()
    from concilio.settings import load_settings
    from concilio.view.serve import bind, serve

    folder, path = place_of(run, load_settings({"out": out}).out)
    try:
        listening = bind(host, port)
    except OSError as error:
        problem = error.strerror or str(error)
        raise CannotViewError(
            say("view.cannot_listen", host=host, port=port or "", problem=problem)
        ) from None
    serve(folder, listening, host, path, told=_tell, browse=not no_open, resumes=resumes)
    click.echo(say("view.ended"), err=True)


def _tell(address: str, outside: Sequence[str]) -> None:
    click.echo(say("view.address", address=address))
    for each in outside:
        click.echo(say("view.address_outside", address=each))
    click.echo(say("view.how_to_end"), err=True)


def require_extra() -> None:
    """Say what to install where the extra is missing.

    Raises:
        CannotViewError: a package of the extra is not installed.
    """
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise CannotViewError(say("view.not_installed", missing=", ".join(missing)))


def place_of(run: str | None, out: Path) -> tuple[Path, str]:
    """Return the folder to serve and the page to open first.

    Raises:
        StoreError: there is no such run.
    """
    if run is None:
        return out, "/"
    from concilio.batch.plan import BATCH_NAME
    from concilio.batch.runs import find_run
    from concilio.store.run import read_info
    from concilio.view.found import list_found

    folder = find_run(run, out).resolve()
    if (folder / BATCH_NAME).is_file():
        return folder, "/"
    read_info(folder)
    for served in (out, folder.parent):
        for found in list_found(served):
            if found.folder.resolve() == folder:
                return served, f"/runs/{quote(found.id, safe='~')}"
    return folder.parent, "/"
