"""The console script `concilio`, also run as `python -m concilio`."""

import sys


def main() -> None:
    """Run the command line and end the process with its exit status."""
    from concilio.cli.quick_help import quick_help

    page = quick_help(sys.argv[1:])
    if page is None or sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - closed
        from concilio.cli.main import run_command_line

        sys.exit(run_command_line(sys.argv[1:]))
    sys.stdout.reconfigure(errors="backslashreplace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    try:
        print(page, end="", flush=True)  # noqa: T201 - click is not loaded
    except OSError as error:
        from concilio.cli.main import end_of_output

        sys.exit(end_of_output(error))


if __name__ == "__main__":
    main()
