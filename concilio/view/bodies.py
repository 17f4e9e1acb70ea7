"""What a browser sends, read to its end: unless it is too slow, goes away, or the page is being closed."""

import asyncio
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

LONGEST_S = 60.0
"""Seconds that a form of ours may take to come, on the worst of connections."""
LOOK_EVERY_S = 0.25
"""Seconds between looks at whether the page is being closed."""
CLOSING = "closing"
"""Why a request is refused at the page's end, as the detail of its exception."""


async def read_body(request: Request, closing: Callable[[], bool], longest_s: float = LONGEST_S) -> bytes:
    """Return the body of a request.

    Args:
        request: of which nothing has been read yet.
        closing: tells whether the page is being closed: nobody is waited for any more.
        longest_s: seconds that it may take.

    Raises:
        HTTPException: it did not come whole: 400 sender gone, 408 too slow, 413 too large, 503 closing.
    """
    reading = asyncio.ensure_future(request.body())
    until = asyncio.get_running_loop().time() + longest_s
    try:
        while not reading.done():
            if closing():
                raise HTTPException(503, CLOSING, {"connection": "close"})
            left = until - asyncio.get_running_loop().time()
            if left <= 0:
                raise HTTPException(408, headers={"connection": "close"})
            await asyncio.wait({reading}, timeout=min(left, LOOK_EVERY_S))
        return reading.result()
    except ClientDisconnect:  # the answer reaches nobody, and that is no fault of ours
        raise HTTPException(400) from None
    finally:
        reading.cancel()
