"""What a chapter needs of wherever it is kept: a run's folder on one machine, a database in a fleet."""

from pathlib import Path
from typing import Any, Protocol

from concilio.store.journal import Journal


class Identified(Protocol):
    """What is known of a run."""

    @property
    def id(self) -> str:
        """Return the run's name."""
        ...


class Told(Protocol):
    """Where a run tells what it does."""

    def emit(self, kind: str, **fields: Any) -> None:
        """Tell one thing."""
        ...


class ChapterStore(Protocol):
    """Long texts by reference, files, and events; `RunStore` is the one of a single machine.

    Every method may raise StoreError.
    """

    @property
    def info(self) -> Identified:
        """Return what is known of the run."""
        ...

    @property
    def events(self) -> Told:
        """Return where the run tells what it does."""
        ...

    @property
    def journal(self) -> Journal:
        """Return the journal of replies."""
        ...

    def put_text(self, text: str) -> str:
        """Keep a long text by its content and return its reference; durable after `flush`."""
        ...

    async def flush(self) -> None:
        """Return when every text that was put is durable."""
        ...

    def get_text(self, ref: str) -> str:
        """Return the text of a reference."""
        ...

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the run, whole or not at all, and return its path."""
        ...
