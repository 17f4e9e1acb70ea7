"""A run's folder held by a task that shares its event loop with others: none of them waits for its disk."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress

from concilio.store.errors import StoreError
from concilio.store.run import RunStore


@asynccontextmanager
async def held(make: Callable[[], RunStore]) -> AsyncGenerator[RunStore]:
    """Open a run's folder in a thread, and close it in one.

    Args:
        make: opens it, or makes it.

    Raises:
        StoreError: it cannot be opened, or what waits cannot be written.
    """
    store = await _opened(make)
    try:
        yield store
    except BaseException:
        with suppress(StoreError):  # what ended the run is the better explanation
            store.close()
        raise
    await asyncio.to_thread(store.close)


async def _opened(make: Callable[[], RunStore]) -> RunStore:
    """Return what is opened in a thread; whoever is cancelled meanwhile leaves nothing open."""
    left = threading.Event()
    made: list[RunStore] = []

    def work() -> RunStore:
        made.append(make())
        if left.is_set():
            made[0].close()
        return made[0]

    try:
        return await asyncio.to_thread(work)
    except asyncio.CancelledError:
        left.set()
        for store in made:
            store.close()
        raise
