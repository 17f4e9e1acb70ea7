"""Names of files as they may be shown on a terminal."""

from pathlib import Path


def printable(name: str | Path) -> str:
    """Return a name without anything that a terminal would obey: a `?` stands for each such character."""
    return "".join(c if c.isprintable() else "?" for c in str(name))
