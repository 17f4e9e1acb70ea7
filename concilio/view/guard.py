"""Who may ask, and what a browser may do with the answer: it stands before every page.

Against DNS rebinding the `Host` is checked; another address than the machine's own needs a token, which
becomes a cookie; what changes anything needs our own origin and a token of the form; bodies are bounded.
"""

import asyncio
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from concilio.catalogue import say

COOKIE = "concilio_view"
FORM_TOKEN = "form_token"  # noqa: S105 - a field's name
LARGEST_BODY = 1_048_576
"""Bytes of a request's body."""
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For a picture of ours, which has a style of its own and is shown as an image."""
FILE_POLICY = "default-src 'none'; sandbox"
"""For a file that is given out: should a browser open it after all, nothing in it acts."""
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With `no-referrer` browsers send no origin with a form, and the origin is what we check.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
_SAFE_METHODS = frozenset({"GET", "HEAD"})


def is_loopback(host: str) -> bool:
    """Tell whether an address is the machine's own."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Door:
    """What is asked of those who come in."""

    host: str = "127.0.0.1"
    """Address on which the page is served."""
    token: str = ""
    """What who comes from another machine must know; empty where the page is served to this machine alone."""
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """Value of the cookie."""
    form: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """Value that every form of ours carries."""

    def knows_host(self, header: str) -> bool:
        """Tell whether a `Host` header names us; where a token is asked for, any name will do."""
        try:
            name = urlsplit(f"//{header}").hostname or ""
        except ValueError:
            return False
        return bool(name) and (bool(self.token) or is_loopback(name) or name == self.host.lower())


def open_door(host: str) -> Door:
    """Return the door of a page on an address, with a token where others than this machine reach it."""
    return Door(host, "" if is_loopback(host) else secrets.token_urlsafe(24))


class Guard:
    """The ASGI middleware that holds all of it."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        sender = _Sender(send)
        try:
            await self._app(scope, _bounded(receive), _with_headers(sender))
        except asyncio.CancelledError:  # the server ends and waits for nobody: that is no fault of the page's
            if not sender.begun:
                await _told(503, "closing")(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that goes no further, or None."""
        if not self._door.knows_host(headers.get("host", "")):
            return _told(421, "wrong_host")
        if self._door.token and (answer := self._unknown(scope, headers)):
            return answer
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return _told(413, "too_large")
        if scope["method"] not in _SAFE_METHODS and not _is_ours(headers):
            return _told(403, "wrong_origin")
        return None

    def _unknown(self, scope: Scope, headers: Headers) -> Response | None:
        if secrets.compare_digest(_cookie(headers).encode(), self._door.session.encode()):
            return None
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        given = query.pop("token", "")
        if not secrets.compare_digest(given.encode(), self._door.token.encode()):
            return _told(401, "no_token")
        # Two slashes at the front would be another host.
        path = "/" + scope["path"].lstrip("/\\")
        answer = RedirectResponse(path + (f"?{urlencode(query)}" if query else ""), 303)
        answer.set_cookie(COOKIE, self._door.session, httponly=True, samesite="strict", path="/")
        return answer


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _is_ours(headers: Headers) -> bool:
    """Tell whether a request comes from a page of ours: browsers state the origin of every form."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    try:
        origin = urlsplit(headers.get("origin", ""))
    except ValueError:
        return False
    return origin.scheme in ("http", "https") and origin.netloc == headers.get("host")


def _bounded(receive: Receive) -> Receive:
    """Count what comes: a body may be longer than it says, or not say. Whoever reads on gets a 413."""
    taken = 0

    async def next_message() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST_BODY:
            raise HTTPException(413)
        return message

    return next_message


class _Sender:
    """Sends on, and knows whether an answer has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        self.begun = True
        await self._send(message)


def _with_headers(send: Send) -> Send:
    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_on


def _told(status: int, key: str) -> Response:
    return PlainTextResponse(say(f"view.refused.{key}") + "\n", status)
