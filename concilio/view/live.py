"""Telling a page that its run went on: Server-Sent Events that carry no text, only that there is news."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from concilio.store.run import EVENTS_NAME, INFO_NAME
from concilio.view.reading import stamp

EVERY_S = 0.7
"""Seconds between looks at the files."""
LONGEST_S = 600
"""Seconds after which a stream ends; the browser asks again by itself."""
ALIVE_S = 15
"""Seconds of silence after which a comment shows that the stream lives."""
MOST_STREAMS = 40
NEWS = b"event: news\ndata: 1\n\n"


class Streams:
    """The open streams of a page: bounded, and all ended with it."""

    def __init__(self) -> None:
        self._open = 0
        self.closing = False

    @property
    def full(self) -> bool:
        """Tell whether no more may be opened."""
        return self._open >= MOST_STREAMS

    async def news(
        self, folder: Path, over: Callable[[], bool], every_s: float = EVERY_S
    ) -> AsyncIterator[bytes]:
        """Yield an event at once and whenever the run's files change, and a last one when the run is over."""
        self._open += 1
        try:
            async for line in self._lines(folder, over, every_s):
                yield line
        finally:
            self._open -= 1

    async def _lines(self, folder: Path, over: Callable[[], bool], every_s: float) -> AsyncIterator[bytes]:
        seen, silent, began = _state(folder), 0.0, asyncio.get_running_loop().time()
        yield b"retry: 3000\n\n"
        yield NEWS  # of what came between the page and its stream, or between two streams
        while not self.closing and asyncio.get_running_loop().time() - began < LONGEST_S:
            ended = await asyncio.to_thread(over)
            now = await asyncio.to_thread(_state, folder)
            if now != seen or ended:
                seen, silent = now, 0.0
                yield b"event: over\ndata: 1\n\n" if ended else NEWS
            if ended:
                return
            if silent >= ALIVE_S:
                silent = 0.0
                yield b": alive\n\n"
            await asyncio.sleep(every_s)
            silent += every_s


def _state(folder: Path) -> tuple[tuple[int, int], ...]:
    return tuple(stamp(folder / name) for name in (EVENTS_NAME, INFO_NAME))
