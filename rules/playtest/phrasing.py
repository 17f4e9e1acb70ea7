"""Phrases and numbers by which a plan is read, in its language."""

import re
from functools import cache

from rules.checks.context import Context
from rules.checks.text import Phrases
from rules.claims.model import TermUse
from rules.claims.vocabulary import vocabulary
from rules.document import Passage
from rules.wording import texts

BOOK = "playtest"
_FIGURE = re.compile(r"[\s:=]{0,3}[-−–+]?\d")


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


def has_figure(ctx: Context, passage: Passage, *terms: str) -> bool:
    """Tell whether one of some terms stands before a figure that is none of it: `DC 999`, `AC 9999`.

    A figure that the term may have is a claim of its own, in which no mere use of the term is read.
    """
    used = (c for c in ctx.claims(passage) if isinstance(c, TermUse) and c.term.id in terms)
    return any(_FIGURE.match(ctx.source, term.end) for term in used)
