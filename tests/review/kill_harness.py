"""Kills a page with -9 around the write of a decision, in forks of one process; one line of JSON a point.

Usage: python -m tests.review.kill_harness COPIES N… (COPIES: a folder with one folder of runs a point)
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from concilio.review import last_asked
from concilio.view.found import list_found
from concilio.view.resuming import Resumer
from concilio.view.reviewing import Desk

STEPS = frozenset({"open", "tempfile.mkstemp", "os.link", "os.remove"})
"""What the system is asked for on the way, as Python's audit events name it."""


def die_at(step: int, within: str) -> None:
    """Make this process die without farewell before its nth step of a write, or before it begins another."""
    count = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        mine = event in STEPS and any(within in str(each) for each in arguments)
        count += mine and (count > 0 or event == "tempfile.mkstemp")
        if (mine and count == step) or event == "subprocess.Popen":
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def send(out: Path, fields: Mapping[str, str], resumer: Resumer | None = None) -> int:
    """Send a form to the desk; return the status."""
    (run,) = list_found(out)
    return Desk(resumer).take(run, 1, fields, "en").status


def in_fork(step: int, out: Path, fields: Mapping[str, str]) -> int:
    """Send a form in a child that dies at a step; return how it ended."""
    child = os.fork()
    if child == 0:
        die_at(step, "/review/")
        resumer = Resumer()
        send(out, fields, resumer)
        while any(resumer.is_at_work(run.folder) for run in list_found(out)):
            threading.Event().wait(0.01)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def once(step: int, out: Path) -> dict[str, Any]:
    """Die at a step, look at what is there, and send the same, and then something else, once more."""
    (run,) = list_found(out)
    asked = last_asked(run.folder)
    assert asked is not None
    form = {"version": asked[0].version, "do": "accept", "scene.1.2.place": "La sala del pozo."}
    died = in_fork(step, out, form)
    found = last_asked(run.folder)
    again = send(out, form)
    return {
        "step": step,
        "died": died,
        "decided": found is not None and found[1] is not None,
        "again": again,
        "other": send(out, form | {"do": "round"}),
    }


def main(arguments: Sequence[str]) -> None:
    """Die once at each step that is named."""
    copies, *steps = arguments
    for step in steps:
        print(json.dumps(once(int(step), Path(copies) / step)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
