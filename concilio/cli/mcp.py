"""`concilio mcp`: the rules engine as a server of tools, over the standard input and output."""

from typing import Any, cast

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

    problem = ""
    try:
        anyio.run(serve, cast("Language", user_language()))
    except* OSError as errors:  # one of its tasks writes, another reads
        problem = _reason(errors)
    if problem:
        from concilio.cli.main import drop_output

        drop_output()
        raise CannotServeError(say("cli.output_fails", problem=problem))


def _reason(errors: BaseExceptionGroup[Any]) -> str:
    """Return what the system says of the first error."""
    first: BaseException = errors
    while isinstance(first, BaseExceptionGroup):
        first = cast("BaseExceptionGroup[BaseException]", first).exceptions[0]
    return getattr(first, "strerror", None) or type(first).__name__
