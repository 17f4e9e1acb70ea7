"""`concilio view`: the address, the end at Ctrl-C, and what it says where it cannot serve."""

import http.client
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from concilio.cli import view
from concilio.cli.view import CannotViewError, place_of, require_extra
from concilio.store.errors import StoreError
from concilio.view.addresses import Addresses, addresses_of
from concilio.view.guard import is_loopback
from concilio.view.serve import bind
from tests.view.runs import RUN, make_run


def can_listen(address: str) -> bool:
    """Tell whether an address is one of this machine's."""
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as trial, suppress(OSError):
        trial.bind((address, 0))
        return True
    return False


needs_ipv6 = pytest.mark.skipif(not can_listen("::1"), reason="this machine has no IPv6")


@contextmanager
def viewing(*words: str) -> Generator[subprocess.Popen[str]]:
    """Give the command, begun without a browser; it does not outlive a test that fails."""
    command = [sys.executable, "-m", "concilio", "--lang", "en", "view", *words, "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_says_where_it_is_serves_and_ends_cleanly(out: Path) -> None:
    make_run(out)
    with viewing(RUN, "--out", str(out)) as process:
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


@pytest.mark.parametrize("host", ["0.0.0.0", pytest.param("::", marks=needs_ipv6), "0"])
def test_served_to_all_it_says_where_it_is_found_from_here_and_from_elsewhere(out: Path, host: str) -> None:
    """No address of none (`0.0.0.0`): this machine's, then those that others can use, each with the token."""
    make_run(out)
    with viewing("--out", str(out), "--host", host) as process:
        assert process.stdout
        lines = [process.stdout.readline()]
        here = re.search(r"http://127\.0\.0\.1:(\d+)(/\?token=\S{30,})\n", lines[0])
        assert here, lines
        lines.append(process.stdout.readline())
        port, path = here.groups()
        outside = re.fullmatch(rf"From another machine: http://(\S+):{port}{re.escape(path)}\n", lines[1])
        assert outside, lines
        assert not is_loopback(outside[1])
        assert outside[1] not in {"0.0.0.0", "[::]", host}
        assert is_ours(outside[1])
        for host_header in (f"127.0.0.1:{port}", f"{outside[1]}:{port}"):
            assert status_of(int(port), path, host_header) == 303, "the token becomes a cookie"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=10)
    assert process.returncode == 0, told


def is_ours(host: str) -> bool:
    """Tell whether a host is this machine: its name, or an address on which it can listen."""
    if host == socket.gethostname():
        return True
    return can_listen(host.strip("[]"))


def status_of(port: int, path: str, host_header: str) -> int:
    """Ask by the loopback, as who came by another address of this machine would: tests go nowhere else."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", path, headers={"Host": host_header})
        return connection.getresponse().status


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        pytest.param("::1", "[::1]", marks=needs_ipv6),
        pytest.param("[::1]", "[::1]", marks=needs_ipv6),
    ],
)
def test_served_to_this_machine_it_says_the_address_that_was_asked_for(host: str, here: str) -> None:
    with bind(host.strip("[]"), 0) as listening:
        assert addresses_of(listening, host) == Addresses(here)


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
