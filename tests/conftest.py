"""What every test has: no key, no network but 127.0.0.1, and a fake model on request."""

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fake_model import FakeModel

_SETTINGS = ("CONCILIO_", "LANGSMITH_", "LANGCHAIN_", "LITELLM_")
_ENDINGS = ("_API_KEY", "_API_BASE", "_BASE_URL", "_AUTH_TOKEN", "_PROXY", "_proxy")
_LOOPBACK = {"127.0.0.1", "::1", "localhost", "0.0.0.0", "", None, b"localhost", b"127.0.0.1"}


class NetworkForbidden(AssertionError):  # noqa: N818 - named for what is told
    """A test tried to reach another machine."""


class Network:
    """What a test may reach: this machine. `offline` makes the rest fail as it does without a network."""

    def __init__(self) -> None:
        self.offline = False
        self.refused: list[str] = []

    def check(self, host: Any) -> None:
        """Raise for any address that is not this machine's."""
        name = host.decode() if isinstance(host, bytes) else host
        if name in _LOOPBACK or (isinstance(name, str) and name.startswith("127.")):
            return
        if self.offline:
            raise socket.gaierror(socket.EAI_NONAME, "no network in this test")
        self.refused.append(str(name))
        raise NetworkForbidden(f"a test tried to reach {name}")


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    """Only this machine can be reached, and no key is in the environment."""
    for name in list(os.environ):
        if name.startswith(_SETTINGS) or name.endswith(_ENDINGS):
            monkeypatch.delenv(name)
    guard = Network()
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            guard.check(address[0])
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        if self.family != socket.AF_UNIX:
            guard.check(address[0])
        return connect_ex(self, address)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        guard.check(host)
        return getaddrinfo(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)
    yield guard
    if guard.refused:
        pytest.fail(f"the test tried to reach {', '.join(guard.refused)}")


@pytest.fixture
def no_network(network: Network) -> Network:
    """Other machines are as unreachable as without a network, and it is no fault to try."""
    network.offline = True
    return network


@pytest.fixture
def fake_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModel]:
    """A scripted model to which `openai/…` goes; `fake_model.load(script)` says what it answers."""
    with FakeModel() as fake:
        monkeypatch.setenv("OPENAI_API_BASE", fake.url)
        monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        monkeypatch.setenv("OPENAI_API_KEY", "fake-key-of-the-tests")
        yield fake


@pytest.fixture(scope="session")
def litellm_loaded() -> Any:
    """litellm, imported once for all tests: it takes seconds."""
    from concilio.gateway.wire import load_litellm

    return load_litellm()
