"""The picture of the scenes as a page shows it: without its own title and the room that it leaves empty."""

import re
from dataclasses import dataclass
from html import unescape

_SIZE = re.compile(r'width="(\d+)" height="(\d+)" viewBox="[\d ]+"')
_TEXT = re.compile(r'<text x="(\d+)" y="(\d+)"[^>]*>([^<]*)')
_PAPER = re.compile(r'<rect [^>]*class="p"/>\n?')
_NIGHT = re.compile(r"@media \(prefers-color-scheme:dark\)\{(?:[^{}]*\{[^{}]*\})*\}")
TITLE = 44
"""Height of the title, which whoever shows the picture gives it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG document without its size, for only a typesetter knows how wide its texts are.

    Lengths are in its own units. It has no paper of its own, and no colours for the night.
    """

    start: str = ""
    """What stands before `width`, `height` and `viewBox`; empty where there is no picture."""
    rest: str = ""
    top: int = 0
    width: int = 0
    """As it was drawn, for letters that are as wide as most; it is no narrower."""
    height: int = 0
    texts: tuple[tuple[int, str], ...] = ()
    """Where each text begins, and what it says, in letters that are 14 high."""


def drawing_of(picture: str, font: str) -> Drawing:
    """Return a picture of `playtest_svg` to be set in a font."""
    found = _SIZE.search(picture)
    if found is None:
        return Drawing()
    texts = ((int(x), int(y), unescape(text)) for x, y, text in _TEXT.findall(picture))
    rest = _NIGHT.sub("", _PAPER.sub("", picture[found.end() :]))
    return Drawing(
        start=picture[: found.start()],
        rest=rest.replace("sans-serif", font),
        top=TITLE,
        width=int(found[1]),
        height=int(found[2]) - TITLE,
        texts=tuple((x, text) for x, y, text in texts if y >= TITLE),
    )
