"""Lines and trimmed passages, with their offsets. Only CR, LF and CRLF end a line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rules.document import Passage

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")
FENCE = re.compile(r"[ \t>]{0,12}(`{3,}|~{3,})[ \t]{0,4}([\w+.#-]{0,40})[ \t]{0,8}\Z")
RULE = re.compile(r"[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\Z")


class TextLine(NamedTuple):
    """A line without its end. A tuple, since a chapter has hundreds and each is made several times."""

    text: str
    start: int
    """Offset of its first character."""

    @property
    def end(self) -> int:
        """Offset after its last character."""
        return self.start + len(self.text)

    @property
    def blank(self) -> bool:
        """Whether it holds nothing but white space."""
        return not self.text.strip()

    @property
    def indent(self) -> int:
        """Columns before its first character; a tab counts four."""
        lead = self.text[: len(self.text) - len(self.text.lstrip(" \t"))]
        return len(lead.expandtabs(4))


def lines_of(text: str, start: int = 0) -> Iterator[TextLine]:
    """Yield the lines of a text whose first character has the offset `start`."""
    for match in _LINE.finditer(text):
        yield TextLine(match[1], start + match.start())


def passage(text: str, base: int, start: int, end: int) -> Passage:
    """Return the trimmed stretch [start, end) of a text whose first character has the offset `base`."""
    end = max(start, end)
    piece = text[start - base : end - base]
    bare = piece.lstrip()
    lead = len(piece) - len(bare)
    return Passage(bare.rstrip(), start + lead if bare else start)
