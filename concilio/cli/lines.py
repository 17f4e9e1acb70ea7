"""Lines of a width that every terminal has."""

from textwrap import wrap

WIDTH = 80
"""Characters of a line."""
INDENT = 2
"""Of what goes on in another line."""
_HARD = "\u00a0"
"""A space at which no line ends."""


def wrapped(line: str, width: int = WIDTH, hang: int | None = None) -> list[str]:
    """Return a line as lines of a width; what goes on begins under its text, or at `hang`.

    A figure and its sign of percent stay together.
    """
    indent = len(line) - len(line.lstrip()) + INDENT if hang is None else hang
    joined = line.replace(" %", f"{_HARD}%")
    parts = wrap(joined, width, subsequent_indent=" " * indent, break_on_hyphens=False)
    return [part.replace(_HARD, " ") for part in parts] or [line]
