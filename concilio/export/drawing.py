"""The picture of the scenes as a page shows it: without its own title and the room that it leaves empty."""

import re
from dataclasses import dataclass
from html import unescape

_SIZE = re.compile(r'width="\d+" height="(\d+)" viewBox="[\d ]+"')
_TEXT = re.compile(r'<text x="(\d+)" y="(\d+)"[^>]*>([^<]*)')
_BEND = re.compile(r" H(\d+) V")
TITLE = 44
"""Height of the title, which whoever shows the picture gives it."""
BELOW = 48
"""Height that is left empty below the last box."""
BOXES = 60
"""Where the scenes' boxes begin, from the left."""
MARGIN = 4


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG document without its size, for only a typesetter knows how wide its texts are.

    Lengths are in its own units.
    """

    start: str = ""
    """What stands before `width`, `height` and `viewBox`; empty where there is no picture."""
    rest: str = ""
    left: int = 0
    top: int = 0
    height: int = 0
    texts: tuple[tuple[int, str], ...] = ()
    """Where each text begins, and what it says, in letters that are 14 high."""


def drawing_of(picture: str, font: str) -> Drawing:
    """Return a picture of `playtest_svg` to be set in a font."""
    found = _SIZE.search(picture)
    if found is None:
        return Drawing()
    left = min([BOXES, *(int(bend[1]) for bend in _BEND.finditer(picture))]) - MARGIN
    texts = ((int(x), int(y), unescape(text)) for x, y, text in _TEXT.findall(picture))
    return Drawing(
        start=picture[: found.start()],
        rest=picture[found.end() :].replace("sans-serif", font),
        left=max(0, left),
        top=TITLE,
        height=int(found[1]) - TITLE - BELOW,
        texts=tuple((x, text) for x, y, text in texts if y >= TITLE),
    )
