"""`concilio completion`: the script by which a shell completes commands and options."""

import click

from concilio.catalogue import say

VARIABLE = "_CONCILIO_COMPLETE"
"""As click names it after the program."""


@click.command(name="completion", help=say("completion.help"), short_help=say("cli.summary.completion"))
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")), metavar=say("completion.arg_shell"))
def command(shell: str) -> None:
    """Print the script; it asks this program at each completion."""
    from click.shell_completion import get_completion_class

    from concilio.cli.main import make_group

    found = get_completion_class(shell)
    assert found is not None, "the choices are the shells that click knows"
    made = found(make_group(), {}, "concilio", VARIABLE)
    click.echo(made.source_template % made.source_vars())
