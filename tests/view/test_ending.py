"""Clients that are slow or go away, and the end of the page: the server's terminal shows no fault of ours."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from concilio.review import ReviewFolder
from concilio.view.bodies import read_body
from tests.view.runs import RUN, make_run, pause_of

LONG_S = 20
DROPS = 20


@pytest.fixture
def served(out: Path) -> "Iterator[subprocess.Popen[str]]":
    """The page of a run that waits for its designer."""
    ReviewFolder(make_run(out, status="waiting"))(pause_of())
    command = [sys.executable, "-m", "concilio", "--lang", "en", "view", "--out", str(out), "--no-open"]
    process = subprocess.Popen(
        [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        yield process
        process.kill()


def port_of(process: "subprocess.Popen[str]") -> int:
    assert process.stdout
    found = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
    assert found
    return int(found[1])


def half_a_post(port: int) -> socket.socket:
    """Begin to send a form, and stop in the middle."""
    host = f"127.0.0.1:{port}"
    head = (
        f"POST /runs/{RUN}/chapters/1/review HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na=1&b="
    )
    made = socket.create_connection(("127.0.0.1", port), timeout=LONG_S)
    made.sendall(head.encode())
    return made


def answer_of(client: socket.socket) -> bytes:
    """Return all that a client is answered until the connection ends."""
    pieces: list[bytes] = []
    while piece := client.recv(65536):
        pieces.append(piece)
    return b"".join(pieces)


def is_answered(port: int) -> bool:
    """Tell whether the server goes on: whatever came before has been read by then."""
    with socket.create_connection(("127.0.0.1", port), timeout=LONG_S) as client:
        client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        return answer_of(client).startswith(b"HTTP/1.1 200")


def ended(process: "subprocess.Popen[str]") -> str:
    """End the page as Ctrl-C does, and return what it said."""
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=LONG_S)
    assert process.returncode == 0, told
    return told


def test_who_goes_away_in_the_middle_of_a_form_is_nothing_to_tell(served: "subprocess.Popen[str]") -> None:
    port = port_of(served)
    for _ in range(DROPS):
        half_a_post(port).close()
        assert is_answered(port)
    told = ended(served)
    assert "Traceback" not in told
    assert "Exception" not in told


def test_the_end_waits_for_no_slow_form(served: "subprocess.Popen[str]") -> None:
    """Ctrl-C while one is on its way: who sends it is told, and the terminal that the page is closed."""
    port = port_of(served)
    with half_a_post(port) as slow:
        assert is_answered(port)
        told = ended(served)
        answer = answer_of(slow)
    assert answer.startswith(b"HTTP/1.1 503")
    assert b"nothing was taken" in answer
    assert told.splitlines() == ["Ctrl-C ends it.", "The page is closed."]


def test_the_end_is_quiet_for_who_waits_for_an_answer(served: "subprocess.Popen[str]") -> None:
    """A second Ctrl-C at once cuts off whatever still runs."""
    port = port_of(served)
    with half_a_post(port), half_a_post(port):
        assert is_answered(port)
        served.send_signal(signal.SIGINT)
        told = ended(served)
    assert "Traceback" not in told


@pytest.mark.parametrize(("closing", "status"), [(False, 408), (True, 503)])
async def test_a_form_that_never_comes_is_given_up(closing: bool, status: int) -> None:
    async def silent() -> dict[str, str]:
        await asyncio.Event().wait()
        raise AssertionError

    request = Request({"type": "http", "method": "POST", "headers": []}, silent)
    with pytest.raises(HTTPException) as refused:
        await read_body(request, lambda: closing, longest_s=0.01)
    assert refused.value.status_code == status
