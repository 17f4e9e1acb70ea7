"""`concilio mcp`: the rules engine as a server of tools, over the standard input and output."""

from typing import cast

import click

from concilio.catalogue import Language, say, user_language


class CannotServeError(Exception):
    """The server cannot run; the message is one line for people."""

    exit_code = 2


@click.command(name="mcp", help=say("mcp.help"), short_help=say("cli.summary.mcp"))
def command() -> None:
    """Serve until the client goes away."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise CannotServeError(say("mcp.not_installed"))
    import anyio

    from concilio.mcp.server import serve

    anyio.run(serve, cast("Language", user_language()))
