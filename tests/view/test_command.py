"""`concilio view`: the address, the end at Ctrl-C, and what it says where it cannot serve."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from concilio.cli import view
from concilio.cli.view import CannotViewError, place_of, require_extra
from concilio.store.errors import StoreError
from tests.view.runs import RUN, make_run


def test_it_says_where_it_is_serves_and_ends_cleanly(out: Path) -> None:
    make_run(out)
    command = [sys.executable, "-m", "concilio", "--lang", "en", "view", RUN, "--out", str(out)]
    with subprocess.Popen(
        [*command, "--no-open", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/runs/\S+", line)
        assert found, line
        with urllib.request.urlopen(found[0], timeout=10) as answer:
            assert b"The bridge" in answer.read()
        with urllib.request.urlopen(f"{found[0]}/news", timeout=10) as stream:
            assert b"retry" in stream.readline()
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=10)
    assert process.returncode == 0, told
    assert "Traceback" not in told
    assert "The page is closed." in told


def test_a_taken_port_is_one_clear_line(out: Path) -> None:
    from click.testing import CliRunner

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(view.command, ["--out", str(out), "--port", port, "--no-open"])
    assert isinstance(result.exception, CannotViewError)
    assert port in str(result.exception)


def test_the_page_to_open_first(out: Path) -> None:
    folder = make_run(out)
    assert place_of(None, out) == (out, "/")
    assert place_of(RUN, out) == (out, f"/runs/{RUN}")
    assert place_of(str(folder), out.parent / "empty") == (folder.parent.resolve(), f"/runs/{RUN}")
    with pytest.raises(StoreError):
        place_of("nothing", out)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "NEEDED", ("starlette", "no_such_module"))
    with pytest.raises(CannotViewError, match=r"no_such_module.*concilio\[view\]"):
        require_extra()
