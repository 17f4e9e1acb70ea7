"""What the commands of a fleet share."""

from importlib.util import find_spec

from concilio.fleet.errors import FleetError

NEEDED = ("procrastinate", "psycopg", "psycopg_pool", "langgraph.checkpoint.postgres")
"""Modules of the extra `fleet`."""


def require_extra() -> None:
    """Say what to install where the extra is missing.

    Raises:
        FleetError: it is.
    """
    missing = [name for name in NEEDED if not _is_there(name)]
    if missing:
        raise FleetError("not_installed", "", missing=", ".join(missing))


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:
        return False
