"""Start-up: the wall time of `concilio --help` in units of `python -c pass`."""

import sys
from pathlib import Path

from common import finish, medians, report, run_quietly

TIMES = 25
BAR = 8.0


def main() -> None:
    """Measure the installed console script."""
    script = str(Path(sys.executable).with_name("concilio"))
    empty, help_ = medians(
        [lambda: run_quietly([sys.executable, "-c", "pass"]), lambda: run_quietly([script, "--help"])], TIMES
    )
    detail = f"{help_ * 1000:.0f} ms against {empty * 1000:.0f} ms, medians of {TIMES}"
    finish([report("concilio --help / python -c pass", help_ / empty, BAR, detail)])


if __name__ == "__main__":
    main()
