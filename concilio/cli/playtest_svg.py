"""A played chapter as a picture: its scenes below each other, their outcomes as arrows, as SVG."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from concilio.catalogue import say
from concilio.cli.playtest_words import clean, label_of, percent, place_of, title_of

if TYPE_CHECKING:
    from concilio.cli.playtest import Played
    from rules.playtest.model import Playtest, SceneOdds, WayOdds

WIDTH = 900
BOX = 300
"""Width of a scene's box."""
LEFT = 60
TOP = 60
LINE = 22
LEAST = 54
"""Height of the box of a scene with one way out or none: its two lines and room below them."""
GAP = 30
BENDS = 14
"""Pixels between arrows that pass beside each other."""
_STYLE = (
    "text{font:14px sans-serif;fill:#222}.t{font-weight:bold}.b{fill:#eef2f7;stroke:#46607f}"
    ".r{fill:#46607f}.e{fill:none;stroke:#46607f;stroke-width:1.5}.u{stroke-dasharray:4 3}.w{fill:#b03030}"
)


def to_svg(played: "Played") -> str:
    """Return the picture as an SVG document; every text of a designer is escaped in it."""
    result = played.result
    tops = _tops(result)
    height = tops[-1] + GAP
    title = title_of(played.document.title.text.strip(' «»"*#')) if played.document.title else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{_text(title)}</title><style>{_STYLE}</style>",
        '<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" class="r"/></marker></defs>',
        f'<text x="{LEFT}" y="30" class="t">{_text(title)}</text>',
        *(part for i, scene in enumerate(result.scenes) for part in _scene(result, i, scene, tops)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _tops(result: "Playtest") -> list[int]:
    """Return where each scene's box begins, and the end of the last one."""
    tops = [TOP]
    for scene in result.scenes:
        ways = len(scene.ways)
        height = LINE * (1 + ways) if ways > 1 else LEAST
        tops.append(tops[-1] + height + GAP)
    return tops


def _scene(result: "Playtest", place: int, scene: "SceneOdds", tops: Sequence[int]) -> Iterator[str]:
    top = tops[place]
    height = tops[place + 1] - top - GAP
    yield f'<rect x="{LEFT}" y="{top}" width="{BOX}" height="{height}" rx="6" class="b"/>'
    yield f'<rect x="{LEFT}" y="{top}" width="{BOX * min(1.0, scene.reach):.1f}" height="4" class="r"/>'
    name = f"{clean(scene.id)} {title_of(scene.title, 28)}"
    yield f'<text x="{LEFT + 8}" y="{top + 20}" class="t">{_text(name)}</text>'
    played = say("playtest.played", chance=percent(scene.reach))
    yield f'<text x="{LEFT + 8}" y="{top + 20 + LINE}">{_text(played)}</text>'
    for index, way in enumerate(scene.ways):
        y = top + 20 + LINE * index
        yield from _way(result, place, way, y, tops)


def _way(result: "Playtest", place: int, way: "WayOdds", y: int, tops: Sequence[int]) -> Iterator[str]:
    told = f"{percent(way.chance)} {clean(way.label, 36) or label_of(way)} → {place_of(way.to)}"
    start = LEFT + BOX
    yield f'<text x="{start + 20}" y="{y + 5}">{_text(told)}</text>'
    yield f'<path d="M{start},{y} h14" class="e"/>'
    target = next((i for i, scene in enumerate(result.scenes) if scene.id == way.to), None)
    if target is None:
        return
    line = "e" if way.stated else "e u"
    if target == place + 1:
        x = LEFT + 30 + BENDS * (y % 7)
        yield f'<path d="M{x},{tops[place + 1] - GAP} V{tops[target]}" class="{line}" marker-end="url(#a)"/>'
        return
    x = max(4, LEFT - BENDS * (1 + abs(target - place) % 4))
    yield (f'<path d="M{LEFT},{y} H{x} V{tops[target] + 20} H{LEFT}" class="{line}" marker-end="url(#a)"/>')


def _text(text: str) -> str:
    """Return a text as it may stand in XML: escaped, and without characters that XML has not."""
    return escape("".join(c for c in text if c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF))
