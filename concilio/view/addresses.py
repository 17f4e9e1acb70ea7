"""Where a page is reached: by this machine's browser, and from others where it is served to them."""

import ipaddress
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

_ELSEWHERE = {
    socket.AF_INET: ("203.0.113.1", "10.255.255.1", "172.31.255.1", "192.168.255.1"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
"""Addresses of nobody's on the networks that there may be: which of ours leads there is ours there."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Under which hosts a page is reached, as they stand in an address (`[::1]`)."""

    here: str
    """By this machine's own browser."""
    outside: tuple[str, ...] = ()
    """From other machines, where that is not the same."""


def addresses_of(listening: socket.socket, host: str) -> Addresses:
    """Return where a socket is reached.

    Args:
        listening: bound to its address.
        host: the address as the user gave it.
    """
    bound = ipaddress.ip_address(listening.getsockname()[0].partition("%")[0])
    if not bound.is_unspecified:
        return Addresses(_in_address(host.strip("[]")))
    here = "127.0.0.1" if socket.AF_INET in _families(listening) else "::1"
    found = dict.fromkeys(each for family in _families(listening) for each in _own(family))
    outside = tuple(found) or (socket.gethostname(),)
    return Addresses(_in_address(here), tuple(_in_address(each) for each in outside))


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _families(listening: socket.socket) -> tuple[socket.AddressFamily, ...]:
    """Return the families whose addresses reach a socket: one of IPv6 mostly takes both."""
    if listening.family == socket.AF_INET:
        return (socket.AF_INET,)
    if listening.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        return (socket.AF_INET6,)
    return (socket.AF_INET, socket.AF_INET6)


def _own(family: socket.AddressFamily) -> Iterator[str]:
    """Yield this machine's addresses that others can use."""
    for text in (*_routed(family), *_named(family)):
        address = ipaddress.ip_address(text.partition("%")[0])
        if not (address.is_loopback or address.is_link_local or address.is_unspecified):
            yield str(address)


def _routed(family: socket.AddressFamily) -> Iterator[str]:
    """Yield the addresses from which this machine would send elsewhere; nothing is sent."""
    for elsewhere in _ELSEWHERE[family]:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.connect((elsewhere, 9))
            yield trial.getsockname()[0]


def _named(family: socket.AddressFamily) -> Iterator[str]:
    """Yield the addresses of this machine's own name."""
    with suppress(OSError):
        for found in socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM):
            yield str(found[4][0])
