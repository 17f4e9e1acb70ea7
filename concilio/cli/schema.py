"""`concilio schema`: the JSON Schema of a format."""

import click

from concilio.catalogue import say

KINDS = ("adventure", "chapter", "check", "batch")


@click.command(name="schema", help=say("schema.help"), short_help=say("cli.summary.schema"))
@click.argument("kind", type=click.Choice(KINDS), metavar=say("schema.arg_kind"))
def command(kind: str) -> None:
    """Print one schema; that of an adventure is described in the user's language."""
    from concilio.starting.schemas import schema_text

    click.echo(schema_text(kind), nl=False)
