"""How the process ends: nothing that dies with it is told at the terminal, and no Ctrl-C is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.review.test_ctrl_c import CTRL_C, at_a_terminal

RAISES = "raise RuntimeError('Event loop is closed')"
PRESSES = "import signal; signal.raise_signal(signal.SIGINT)"
LOGS = "logging.getLogger('asyncio').error('Unclosed client session')"
LIBRARY = """
import atexit, logging
class Connection:
    def __del__(self):
        {act}
{how}
"""
"""A library as they are: what it holds complains when it is torn down. Python loads it at its start."""
ENDS = {
    "with the modules": "kept = Connection()",
    "with the process": "import sys; sys.kept = Connection()",
    "as a ring": "kept = Connection(); kept.self = kept",
    "at the exit": "atexit.register(Connection().__del__)",
}


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a library that every Python loads that is started here."""
    folder = tmp_path / "library"
    folder.mkdir()
    here = Path(__file__).parents[2]
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{here}")
    return folder / "sitecustomize.py"


@pytest.mark.parametrize("act", [RAISES, PRESSES, LOGS], ids=["raises", "ctrl-c once more", "logs"])
@pytest.mark.parametrize("how", ENDS.values(), ids=ENDS)
def test_ctrl_c_shows_nothing_of_what_is_torn_down(library: Path, tmp_path: Path, how: str, act: str) -> None:
    library.write_text(LIBRARY.format(how=how, act=act), encoding="utf-8")
    talk = [("Language of the adventure", CTRL_C)]
    status, screen = at_a_terminal(tmp_path, ("init", "a.md"), talk)
    assert status == 130, screen
    assert "Interrupted" in screen
    assert "ignored" not in screen
    assert "Traceback" not in screen
    assert "Unclosed" not in screen


def test_a_ctrl_c_that_a_destructor_swallows_comes_again() -> None:
    """It ends the program as if it had hit the next line, and nothing is printed of the first."""
    program = (
        "import signal, threading\n"
        "from concilio.cli.ending import watch\n"
        "class Connection:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
        "watch()\n"
        "Connection()\n"
        "try: threading.Event().wait(20)\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("interrupted\n", "")


def test_what_nobody_can_catch_goes_to_the_crash_file_once(tmp_path: Path) -> None:
    program = (
        "from concilio.cli.ending import watch\n"
        "class Connection:\n"
        f"    def __del__(self): {RAISES}\n"
        "watch()\n"
        "for _ in range(3): Connection()\n"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert (ran.stdout, ran.stderr) == ("", "")
    (file,) = tmp_path.glob("concilio-crash-*.txt")
    assert "Event loop is closed" in file.read_text(encoding="utf-8")
    shown = subprocess.run(
        command, capture_output=True, text=True, timeout=60, env=environment | {"CONCILIO_DEBUG": "1"}
    )
    assert shown.stderr.count("Event loop is closed") == 3


def test_who_is_started_without_ctrl_c_stays_so() -> None:
    """As a shell's background process is: the end does not listen to it either."""
    program = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "from concilio.cli.ending import leave\n"
        "leave(3)\n"
        "signal.raise_signal(signal.SIGINT)\n"
        "print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout) == (0, "True\n")
