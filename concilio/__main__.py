"""The console script `concilio`, also run as `python -m concilio`."""

import gc
import sys

INTERRUPTED = 130
COLLECT_EVERY = (50_000, 20, 100)
"""Thresholds of the collector, for its three generations. Nearly all that a command makes is let go of by
counting references: a search for circles every 700 objects took a third of the time of reading a text."""


def main() -> None:
    """Run the command line and end the process with its exit status."""
    from concilio.cli.quick_help import quick_help

    page = quick_help(sys.argv[1:])
    if page is None or sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - closed
        sys.exit(_run())
    sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    try:
        print(page, end="", flush=True)  # noqa: T201 - click is not loaded
    except OSError as error:
        from concilio.cli.main import end_of_output

        sys.exit(end_of_output(error))


def _run() -> int:
    """Run a command; return the exit status of a process that has nothing more to tell."""
    from concilio.cli.ending import leave, watch

    gc.set_threshold(*COLLECT_EVERY)
    watch()
    status = INTERRUPTED
    try:
        from concilio.cli.main import run_command_line

        status = run_command_line(sys.argv[1:])
    except KeyboardInterrupt:  # once more, while the first was being told of; or before anything began
        pass
    finally:
        leave(status)
    return status


if __name__ == "__main__":
    main()
