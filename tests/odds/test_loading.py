"""Each command of `concilio odds` loads the library that it needs, and no other: it is most of its time."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = ("litellm", "langgraph", "numpy", "icepool", "pydantic")
SIDE = "hp=12 ac=18 attack=+5 damage=1d8+3"
LOADED: list[tuple[list[str], list[str]]] = [
    (["check", "--bonus", "7", "--dc", "15"], []),
    (["attack", "--attack", "5", "--ac", "15", "--damage", "1d8+3"], []),
    (["roll", "3d6"], []),
    (["roll", "4d6kh3"], ["icepool"]),
    (["duel", "--a", SIDE, "--b", SIDE], ["numpy"]),
]


@pytest.mark.parametrize(("arguments", "loaded"), LOADED, ids=lambda a: " ".join(a)[:20])
def test_what_a_command_loads(arguments: list[str], loaded: list[str]) -> None:
    code = (
        "import sys\nfrom concilio.cli.main import run_command_line\nrun_command_line(sys.argv[1:])\n"
        f"print([n for n in {NAMES!r} if n in sys.modules])"
    )
    command = [sys.executable, "-c", code, "odds", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.splitlines()[-1] == str(loaded)
