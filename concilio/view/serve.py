"""Serving the page: a socket of ours, uvicorn on it, a browser on the address, and an end at Ctrl-C."""

import contextlib
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from concilio.view.addresses import addresses_of
from concilio.view.app import Site, make_site
from concilio.view.guard import open_door
from concilio.view.resuming import Resumer
from concilio.view.reviewing import Desk

USUAL_PORT = 8422
"""Where the page is served where no port is asked for and nobody else is there; else on any free one."""
PATIENCE_S = 2
"""Seconds that open answers have at the end."""


class _Server(uvicorn.Server):
    """A server that tells the open streams of its end, and its starter that it has begun."""

    def __init__(self, config: uvicorn.Config, site: Site, begun: Callable[[], None]) -> None:
        super().__init__(config)
        self._site = site
        self._begun = begun

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and say so."""
        await super().startup(sockets)
        self._begun()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the streams with the server."""
        self._site.streams.closing = True
        super().handle_exit(sig, frame)


def bind(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on an address.

    Args:
        host: a name or an address of this machine.
        port: 0 for any free one; None for the usual one, else any free one.

    Raises:
        OSError: the address is none of this machine's, or the port is taken.
    """
    if port is None:
        with contextlib.suppress(OSError):
            return _bound(host, USUAL_PORT)
    return _bound(host, port or 0)


def _bound(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made


def serve(
    out: Path,
    listening: socket.socket,
    host: str,
    path: str,
    *,
    told: Callable[[str, Sequence[str]], None],
    browse: bool,
    resumes: bool = False,
) -> None:
    """Serve a folder's page until the user ends it.

    Args:
        out: folder of the runs.
        listening: from `bind`; closed at the end.
        host: address as the user gave it: others than this machine's own get a token.
        path: page to open first, from `/`.
        told: is called once the page is there: with its address, and with those for other machines where
            these are others.
        browse: open the user's browser on it.
        resumes: whether runs go on, in processes of their own, once their designer has decided in the page.
    """
    door = open_door(host)
    desk = Desk(Resumer() if resumes else None)
    site = Site(out, door, desk)
    token = f"?token={door.token}" if door.token else ""
    rest = f":{listening.getsockname()[1]}{path}{token}"
    reached = addresses_of(listening, host)
    address = f"http://{reached.here}{rest}"

    def begun() -> None:
        told(address, [f"http://{each}{rest}" for each in reached.outside])
        if browse:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    config = uvicorn.Config(
        make_site(site),
        log_level="error",
        access_log=False,
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=PATIENCE_S,
    )
    server = _Server(config, site, begun)
    with listening, contextlib.closing(desk), contextlib.suppress(KeyboardInterrupt), _quiet_at_the_end():
        server.run(sockets=[listening])


@contextlib.contextmanager
def _quiet_at_the_end() -> Generator[None]:
    """Uvicorn raises the signals that it caught once more at its end: to be asked to end is no fault here."""
    before = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
