"""Processes that this one has started, and their end."""

import subprocess
from collections.abc import Iterable


def end_children(children: "Iterable[subprocess.Popen[bytes]]", ask: int, patience_s: float) -> None:
    """Ask processes to end by a signal, and end those that do not.

    Args:
        children: some may have ended already.
        ask: the signal that asks.
        patience_s: seconds that each is given.
    """
    left = [child for child in children if child.poll() is None]
    for child in left:
        child.send_signal(ask)
    for child in left:
        try:
            child.wait(patience_s)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
