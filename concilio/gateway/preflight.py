"""Before a run: is there a key, does anybody listen? In seconds, without litellm, without a paid call."""

import socket
import threading
from collections.abc import Collection, Iterable
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from concilio.catalogue import say
from concilio.gateway.errors import MissingKey, ModelUnreachable
from concilio.gateway.routing import Provider, is_own, provider_of

PROBE_S = 3.0
"""Seconds that a name or a connection may take."""


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
    knocked: set[tuple[str, int]] = set()
    for model in needed if probe else ():
        address = _address(provider_of(model))
        if address and address not in knocked:
            knocked.add(address)
            _knock(model, *address)


def _check_key(model: str, provider: Provider) -> None:
    if provider.has_key() or (provider.key_free_with_base and provider.base()):
        return
    raise MissingKey(variable=provider.keys[0], model=model)


def _address(provider: Provider) -> tuple[str, int] | None:
    """Return host and port to knock at: the provider's, or the proxy's that stands before it."""
    url = provider.base() or provider.address
    host = _host(url)
    if not host:
        return None
    proxy = getproxies().get(urlsplit(url).scheme)
    if proxy and not proxy_bypass(host[0]):
        return _host(proxy if "//" in proxy else f"//{proxy}")
    return host


def _host(url: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)


def _knock(model: str, host: str, port: int) -> None:
    """Open and close a connection.

    In a thread: without a network, looking up a name can outlast any time limit.
    """
    outcome: list[OSError | None] = []

    def connect() -> None:
        try:
            socket.create_connection((host, port), timeout=PROBE_S).close()
            outcome.append(None)
        except OSError as error:
            outcome.append(error)

    thread = threading.Thread(target=connect, name="concilio-probe", daemon=True)
    thread.start()
    thread.join(PROBE_S + 0.5)
    if not outcome:
        raise ModelUnreachable(model=model, cause=say("gateway.cause.timeout", seconds=f"{PROBE_S:g}"))
    if outcome[0] is not None:
        raise ModelUnreachable(model=model, cause=_cause(outcome[0], host, port))


def _cause(error: OSError, host: str, port: int) -> str:
    if isinstance(error, socket.gaierror):
        return say("gateway.cause.no_host", host=host)
    return say("gateway.cause.no_connection", host=host, port=port)
