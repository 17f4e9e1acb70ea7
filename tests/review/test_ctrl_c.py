"""Ctrl-C at any question ends a command with 130, and says how to go on: typed at a real terminal."""

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from concilio.catalogue import say
from tests.table_scripts import ADVENTURE

PATIENCE_S = 60
QUIET_S = 1
CTRL_C = "\x03"


def at_a_terminal(folder: Path, arguments: Sequence[str], talk: Sequence[tuple[str, str]]) -> tuple[int, str]:
    """Run a command at a terminal of its own: each text is typed when what it answers is on the screen."""
    outside, inside = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "concilio", *arguments],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        cwd=folder,
        env={**os.environ, "CONCILIO_LANG": "en", "TERM": "dumb", "COLUMNS": "200"},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(inside)
    screen, seen, end = "", 0, time.monotonic() + PATIENCE_S
    left = list(talk)
    while time.monotonic() < end:
        if left and left[0][0] in screen[seen:]:
            seen = len(screen)
            os.write(outside, left.pop(0)[1].encode())
        if not select.select([outside], [], [], QUIET_S)[0]:
            if not left:  # it came before the question was read, which a person's never does
                os.write(outside, CTRL_C.encode())
            continue
        try:
            read = os.read(outside, 65536)
        except OSError:  # so a terminal ends whose last process has
            break
        if not read:
            break
        screen += read.decode("utf-8", "replace")
    os.close(outside)
    try:
        return process.wait(1 if left else PATIENCE_S), screen
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise AssertionError(screen) from None


ASK, SCENE = say("review.prompt", "en"), say("review.ask_objection_scene", "en", chapter="1")
STOP, KEY_OF_STOP = say("review.stopping", "en"), say("review.keys.stop", "en")


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that waits for its designer, and of its adventure."""
    folder = tmp_path_factory.mktemp("waiting")
    (folder / "torre.md").write_text(ADVENTURE, encoding="utf-8")
    run = [
        sys.executable,
        "-m",
        "concilio",
        "run",
        "torre.md",
        "--review",
        "--model",
        "embedded",
        "--out",
        "out",
    ]
    assert (
        subprocess.run(run, cwd=folder, stdin=subprocess.DEVNULL, check=False, capture_output=True).returncode
        == 1
    )
    return folder


@pytest.mark.parametrize(
    "talk",
    [
        ((f"{ASK} ", CTRL_C),),
        ((f"{ASK} ", "o\n"), (f"{SCENE}: ", CTRL_C)),
        ((f"{ASK} ", "o\n"), (f"{SCENE}: ", "1.1\n"), (say("review.ask_text", "en"), CTRL_C)),
        ((f"{ASK} ", f"{KEY_OF_STOP}\n"), (STOP, CTRL_C)),
    ],
)
def test_at_any_question_of_the_desk(waiting: Path, talk: Sequence[tuple[str, str]]) -> None:
    status, screen = at_a_terminal(waiting, ("resume", "--out", "out"), talk)
    assert status == 130, screen
    assert "To go on: concilio resume" in screen
    assert "Traceback" not in screen


@pytest.mark.parametrize("answers", [0, 3])
def test_at_any_question_of_init(tmp_path: Path, answers: int) -> None:
    keys = ("language", "ruleset", "title", "level")
    asked = [say(f"init.ask.{key}", "en") for key in keys]
    talk = [(question, "\n") for question in asked[:answers]] + [(asked[answers], CTRL_C)]
    status, screen = at_a_terminal(tmp_path, ("init", "a.md"), talk)
    assert status == 130, screen
    assert not list(tmp_path.iterdir())
