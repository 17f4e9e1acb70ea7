"""Before a run: is there a key, does anybody listen? In seconds, without litellm, without a paid call."""

import socket
import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from concilio.catalogue import say
from concilio.gateway.errors import MissingKey, ModelUnreachable
from concilio.gateway.proxies import host_and_port, proxy_before, spare_this_machine
from concilio.gateway.routing import Provider, is_own, provider_of

PROBE_S = 3.0
"""Seconds that a name or a connection may take."""


@dataclass(frozen=True)
class Address:
    """Where a model is reached: its provider's, or the proxy's before it."""

    host: str
    port: int
    proxy_variable: str = ""
    """Name of the variable that sets the proxy; empty where there is none."""


def check_models(models: Iterable[str], own: Collection[str] = ("embedded",), *, probe: bool = True) -> None:
    """Check that every model has its key and that its address takes connections.

    Args:
        models: as the settings name them.
        own: providers that are programs of ours, and always there.
        probe: whether to knock at the addresses; without, only keys are looked for.

    Raises:
        MissingKey: no variable holds a key; says which to set.
        ModelUnreachable: no such host, connection refused, or no answer in time.
    """
    needed = [model for model in dict.fromkeys(models) if not is_own(model, own)]
    for model in needed:
        _check_key(model, provider_of(model))
    spare_this_machine()
    knocked: set[Address] = set()
    for model in needed if probe else ():
        address = _address(provider_of(model))
        if address and address not in knocked:
            knocked.add(address)
            _knock(model, address)


def _check_key(model: str, provider: Provider) -> None:
    if provider.has_key() or (provider.key_free_with_base and provider.base()):
        return
    raise MissingKey(variable=provider.keys[0], model=model)


def _address(provider: Provider) -> Address | None:
    """Return where to knock: at the provider's, or at the proxy that stands before it."""
    url = provider.base() or provider.address
    at = host_and_port(url)
    if at is None:
        return None
    proxy = proxy_before(url)
    return Address(proxy.host, proxy.port, proxy.variable) if proxy else Address(*at)


def _knock(model: str, address: Address) -> None:
    """Open and close a connection.

    In a thread: without a network, looking up a name can outlast any time limit.
    """
    outcome: list[OSError | None] = []

    def connect() -> None:
        try:
            socket.create_connection((address.host, address.port), timeout=PROBE_S).close()
            outcome.append(None)
        except OSError as error:
            outcome.append(error)

    thread = threading.Thread(target=connect, name="concilio-probe", daemon=True)
    thread.start()
    thread.join(PROBE_S + 0.5)
    if not outcome:
        timeout = say("gateway.cause.timeout", seconds=f"{PROBE_S:g}")
        named = _cause(OSError(), address) if address.proxy_variable else ""
        raise ModelUnreachable(model=model, cause=f"{named}: {timeout}" if named else timeout)
    if outcome[0] is not None:
        raise ModelUnreachable(model=model, cause=_cause(outcome[0], address))


def _cause(error: OSError, address: Address) -> str:
    key = "no_host" if isinstance(error, socket.gaierror) else "no_connection"
    if address.proxy_variable:
        key = "no_proxy_host" if key == "no_host" else "no_proxy"
    return say(f"gateway.cause.{key}", host=address.host, port=address.port, variable=address.proxy_variable)
