"""Forks workers of a fleet from one process that has all loaded: loading takes seconds, and once is enough.

Usage: python -m tests.fleet.worker_host, then a line a worker on the standard input: the arguments of
`concilio worker`, as JSON. Each is answered with the worker's process id. The end of the input ends all.
"""

import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from concilio.cli.fleet_working import load_all
from concilio.cli.main import run_command_line


def fork_worker(arguments: Sequence[str], log: Path) -> int:
    """Start a worker in a child, and return its process id."""
    child = os.fork()
    if child:
        return child
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(target, 1)
    os.dup2(target, 2)
    status = 70
    try:
        status = run_command_line(["worker", *arguments])
    finally:
        os._exit(status)


def main(log: Path) -> None:
    """Fork a worker for each line."""
    load_all()
    print("ready", flush=True)
    children: list[int] = []
    for line in sys.stdin:
        children.append(fork_worker(json.loads(line), log))
        print(children[-1], flush=True)
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
