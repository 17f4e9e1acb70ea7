"""The console script `concilio`, also run as `python -m concilio`."""

import sys


def main() -> None:
    """Run the command line and end the process with its exit status."""
    from concilio.cli.main import run_command_line

    sys.exit(run_command_line(sys.argv[1:]))


if __name__ == "__main__":
    main()
