"""Before a run: no key and no answer are noticed in seconds, without litellm."""

import os
import socket
import subprocess
import sys
import time

import pytest

from concilio.gateway import MissingKey, ModelUnreachable, check_models
from concilio.gateway.proxies import spare_this_machine
from concilio.gateway.routing import litellm_name, provider_name, provider_of
from tests.conftest import Network
from tests.fake_model import FakeModel


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4", "ANTHROPIC_API_KEY"),
        ("claude-sonnet-4", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY"),
        ("openrouter/meta/llama", "OPENROUTER_API_KEY"),
    ],
)
def test_a_missing_key_is_named(model: str, variable: str) -> None:
    """Before anything is sent."""
    with pytest.raises(MissingKey) as caught:
        check_models([model])
    assert caught.value.variable == variable
    assert caught.value.model == model


def test_the_embedded_author_needs_nothing(no_network: Network) -> None:
    """No key, no network."""
    check_models(["embedded", "embedded/other"])


def test_a_server_of_ones_own_needs_no_key(fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its address is enough."""
    monkeypatch.delenv("OPENAI_API_KEY")
    check_models(["openai/iris", "openai/damian"])
    assert fake_model.stats.requests == 0, "no paid call"


def test_an_address_where_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused at once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("OPENAI_API_BASE", f"http://127.0.0.1:{port}/v1")
    with pytest.raises(ModelUnreachable) as caught:
        check_models(["openai/iris"])
    assert f"127.0.0.1:{port}" in caught.value.cause


def test_a_key_without_a_network(no_network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Noticed by the name that cannot be looked up."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-prueba-123456")
    with pytest.raises(ModelUnreachable) as caught:
        check_models(["openai/gpt-4o"])
    assert "api.openai.com" in caught.value.cause
    check_models(["openai/gpt-4o"], probe=False)


@pytest.mark.parametrize("base", ["http://[::1", "nonsense", "http://127.0.0.1:99999999/v1"])
def test_a_senseless_address_is_left_to_the_first_call(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No traceback."""
    monkeypatch.setenv("OPENAI_API_BASE", base)
    check_models(["openai/iris"])


def test_an_unknown_provider_is_left_to_the_first_call() -> None:
    """Nothing is known about its key."""
    check_models(["nobody_knows/it", "nobody-knows-it"])


def test_it_is_quick_and_does_not_load_litellm() -> None:
    """In a process of its own, as the command line does it."""
    code = (
        "import sys\n"
        "from concilio.gateway import check_models, MissingKey\n"
        "try:\n    check_models(['openai/gpt-4o'])\n"
        "except MissingKey as error:\n    print(error.variable)\n"
        "assert 'litellm' not in sys.modules and 'langgraph' not in sys.modules\n"
    )
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout.strip() == "OPENAI_API_KEY", done.stderr
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("openai/gpt-4o", "openai", "openai/gpt-4o"),
        ("gpt-4o-mini", "openai", "gpt-4o-mini"),
        ("embedded", "embedded", "embedded/embedded"),
        ("embedded/v2", "embedded", "embedded/v2"),
        ("openrouter/a/b", "openrouter", "openrouter/a/b"),
    ],
)
def test_names(model: str, provider: str, name: str) -> None:
    """The provider is before the first slash; our own get litellm's form."""
    assert provider_name(model) == provider
    assert litellm_name(model, {"embedded"}) == name
    assert provider_of(model).name == provider


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("told", ["", "example.org"])
def test_this_machine_is_never_reached_through_a_proxy(
    fake_model: FakeModel, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    """Whatever the environment says; what it says of others stays."""
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.setenv(variable, told)
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    check_models(["openai/iris"])
    assert "127.0.0.1" in os.environ["NO_PROXY"]
    assert told in os.environ["no_proxy"]


def test_nothing_is_set_where_there_is_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is left alone."""
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    spare_this_machine()
    assert "NO_PROXY" not in os.environ


def test_an_unreachable_proxy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the variable that sets it, and without its password."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("https_proxy", f"http://ana:clave@127.0.0.1:{port}")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-prueba-123456")
    with pytest.raises(ModelUnreachable) as caught:
        check_models(["openai/gpt-4o"])
    cause = caught.value.cause
    assert f"127.0.0.1:{port}" in cause
    assert "https_proxy" in cause
    assert "clave" not in cause
