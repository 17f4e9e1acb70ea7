"""The seam to the review: where a run waits for the designer, its chapter's page has a form for the answer.

A page that is made without a desk has no form and no way to post anything.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from markupsafe import Markup


class ReviewDesk(Protocol):
    """Where a designer's decisions go. `concilio.view.app.make_app` takes one."""

    def form(self, folder: Path, chapter: int, language: str) -> Markup | None:
        """Return the fields of the form where that chapter waits for the designer, else None.

        The page puts them into a form that posts to itself with its own token.
        """
        ...

    def take(self, folder: Path, chapter: int, fields: Mapping[str, str], language: str) -> str:
        """Take what the designer sent; return an empty text, or what is wrong with it, for people."""
        ...
