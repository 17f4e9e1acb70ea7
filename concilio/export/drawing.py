"""The picture of the scenes as a page shows it: without its own title and the room that it leaves empty."""

import re
from dataclasses import dataclass
from html import unescape

_SIZE = re.compile(r'width="\d+" height="(\d+)" viewBox="[\d ]+"')
_TEXT = re.compile(r'<text x="(\d+)" y="(\d+)"[^>]*>([^<]*)')
_BEND = re.compile(r" H(\d+) V")
CAPITAL, LETTER, SPACE = 10.0, 6.4, 4.0
"""About how wide the picture's characters are at most, in its own units."""
TITLE = 44
"""Height of the title, which whoever shows the picture gives it."""
BOXES = 60
"""Where the scenes' boxes begin, and about where what they lead to does."""
MARGIN = 4
LEAST_WIDTH = 420
BELOW = 48
"""Height that is left empty below the last box."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG document with its size in its own units, in which letters are 14 high."""

    svg: str
    width: int
    height: int


def drawing_of(picture: str, font: str) -> Drawing:
    """Return a picture of `playtest_svg` cut to what is drawn, set in a font; empty where there is none."""
    found = _SIZE.search(picture)
    if found is None:
        return Drawing("", 0, 0)
    left = min([BOXES, *(int(bend[1]) for bend in _BEND.finditer(picture))]) - MARGIN
    ends = (int(t[1]) + _width(unescape(t[3])) for t in _TEXT.finditer(picture) if int(t[2]) >= TITLE)
    right = round(max([left + LEAST_WIDTH, *ends])) + MARGIN
    width, height = right - left, int(found[1]) - TITLE - BELOW
    size = f'width="{width}" height="{height}" viewBox="{left} {TITLE} {width} {height}"'
    svg = picture.replace(found[0], size, 1).replace("sans-serif", font)
    return Drawing(svg, width, height)


def _width(text: str) -> float:
    wide = sum(1 for char in text if char.isupper() or not (char.isalnum() or char.isascii()))
    spaces = text.count(" ")
    return wide * CAPITAL + spaces * SPACE + (len(text) - wide - spaces) * LETTER
