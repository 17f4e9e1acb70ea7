"""Replacements that leave the markup of a text as it is: emphasis balanced, cells and lines apart."""

import re
from dataclasses import replace

from rules.checks.hit import Replacement

_EMPHASIS = frozenset("*_~")
_BREAKERS = frozenset("|<>[]`\\#&=")
"""What stands between two parts of a text that a replacement would run together, or steers how it is read."""
_NEW_BLOCK = re.compile(r"\n[ \t]*(?:[-+]|\d+[.)]|\r?\n)")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_GLUED = re.compile(r"[a-zß-öø-ÿ][A-ZÀ-ÖØ-Þ]")


def keeping_markup(source: str, one: Replacement) -> Replacement | None:
    """Return a replacement so written that the marks in its stretch stay (`*Slight* of Hand`).

    None where it has other words than the stretch and marks stand between them, where it would run cells,
    lines of a quotation or blocks together, and where the next word is glued to the last (`HandsThey`).
    """
    written = source[one.start : one.end]
    marks = set(written)
    if marks & _BREAKERS - set(one.text) or _NEW_BLOCK.search(written):
        return None
    if _GLUED.search(written) and not _GLUED.search(one.text):
        return None
    if not marks & _EMPHASIS:
        return one
    old, new = list(_WORD.finditer(written)), list(_WORD.finditer(one.text))
    if len(old) != len(new) or _gaps(one.text) != [" "] * (len(new) - 1):
        return None
    if any(gap.strip("*_~").strip() for gap in _gaps(written)):
        return None
    text, at = "", 0
    for was, now in zip(old, new, strict=True):
        word = now.group()
        text += written[at : was.start()] + (
            word[:1].upper() + word[1:] if was.group()[0].isupper() else word
        )
        at = was.end()
    return replace(one, text=text + written[at:])


def _gaps(text: str) -> list[str]:
    """Return what stands between the words of a text."""
    return _WORD.split(text)[1:-1]
