"""Whose a chapter is: the right to ask and to write for it, which may be lost without a word.

A worker that freezes is taken for dead, and its chapters go to others. When it wakes up it must neither pay
nor write. So every call and every write asks the queue first, and what was lost waits for its end.
"""

import asyncio
from typing import Any

from concilio.fleet.errors import JobLostError


class Tenure:
    """One attempt of one worker at one chapter."""

    def __init__(self, job: int, worker: int | None, attempts: int) -> None:
        self.values: dict[str, Any] = {"job": job, "worker": worker, "attempts": attempts}
        """What `concilio_mine` (in `schema.sql`) needs."""
        self.lost = asyncio.Event()
        self._over = asyncio.Event()

    async def lose(self) -> None:
        """Wait, since the chapter is another's, until whoever runs the attempt has ended it.

        Raises:
            JobLostError: then; nobody is left to hear it.
        """
        self.lost.set()
        await self._over.wait()
        raise JobLostError

    def end(self) -> None:
        """Let go of all who wait in `lose`."""
        self._over.set()
