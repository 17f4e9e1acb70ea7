"""Proxies of the environment: this machine is reached without one, and a proxy that fails is named."""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

THIS_MACHINE = ("127.0.0.1", "localhost", "::1")
_VARIABLES = ("http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True)
class Proxy:
    """A proxy that stands before an address. Its user and password are left out."""

    host: str
    port: int
    variable: str
    """Name of the variable that sets it."""


def spare_this_machine() -> None:
    """Add this machine to `NO_PROXY` where a proxy is set: no proxy knows what listens here."""
    if not any(os.environ.get(name) or os.environ.get(name.upper()) for name in _VARIABLES):
        return
    told = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    if told.strip() == "*":
        return
    names = [name.strip() for name in told.split(",") if name.strip()]
    joined = ",".join(dict.fromkeys([*names, *THIS_MACHINE]))
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = joined


def host_and_port(url: str) -> tuple[str, int] | None:
    """Return where an address listens, None for one that is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.hostname, port or (443 if parts.scheme == "https" else 80)


def proxy_before(url: str) -> Proxy | None:
    """Return the proxy through which an address is reached, None where there is none."""
    at = host_and_port(url)
    if at is None or at[0] in THIS_MACHINE or proxy_bypass(at[0]):
        return None
    proxies = getproxies()
    for kind in (urlsplit(url).scheme, "all"):
        proxy = proxies.get(kind)
        place = host_and_port(proxy if "//" in proxy else f"//{proxy}") if proxy else None
        if place:
            name = f"{kind}_proxy"
            return Proxy(*place, variable=name if name in os.environ else name.upper())
    return None
