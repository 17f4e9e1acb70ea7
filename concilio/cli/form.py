"""The option `--format` of commands that print for people, or JSON for programs."""

from collections.abc import Callable
from typing import Any

import click

from concilio.catalogue import say


def text_or_json(help_key: str = "run.opt_format") -> Callable[[Any], Any]:
    """Return the option, which a command takes as `form`: `text` or `json`.

    Args:
        help_key: key of its help in the catalogue.
    """
    return click.option(
        "--format",
        "form",
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        help=say(help_key),
    )
