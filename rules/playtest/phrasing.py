"""Phrases and numbers by which a plan is read, in its language."""

from functools import cache

from rules.checks.context import Context
from rules.checks.text import Phrases
from rules.claims.vocabulary import vocabulary
from rules.wording import texts

BOOK = "playtest"


def phrases(ctx: Context, name: str) -> Phrases:
    """Return a list of phrases of the document's language."""
    return _phrases(ctx.language, name)


@cache
def _phrases(language: str, name: str) -> Phrases:
    return Phrases(texts(language, BOOK)[name])


def number(ctx: Context, text: str) -> int | None:
    """Return the number of at most two figures that a folded word is, in figures or letters."""
    if text.isdigit() and len(text) <= 2:
        return int(text)
    return vocabulary(ctx.language).numbers.get(text)
