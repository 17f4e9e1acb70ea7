"""Numbers on the command line, called in the user's language where they are none; click's own are English."""

import click

from concilio.catalogue import say


class Whole(click.types.IntParamType):
    """A whole number."""

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride] - a class's name in click
        """What messages call it."""
        return say("cli.number.whole")


class WholeBetween(click.IntRange):
    """A whole number between bounds."""

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What messages call it."""
        return say("cli.number.whole")


class Between(click.FloatRange):
    """A number between bounds."""

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What messages call it."""
        return say("cli.number.any")
