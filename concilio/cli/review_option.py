"""`--review`, alone or with where to pause."""

from collections.abc import Sequence

import click

MODES: tuple[str, ...] = ("plan", "rounds", "prose", "all", "none")
FLAG = "--review"


class ReviewingCommand(click.Command):
    """A command whose `--review` may stand alone, before a file too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        return super().parse_args(ctx, with_mode(args))


def with_mode(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with `plan` where `--review` says nothing of where."""
    found: list[str] = []
    for position, argument in enumerate(arguments):
        after = arguments[position + 1] if position + 1 < len(arguments) else ""
        bare = argument == FLAG and after not in MODES
        found.append(f"{FLAG}={MODES[0]}" if bare else argument)
    return found
