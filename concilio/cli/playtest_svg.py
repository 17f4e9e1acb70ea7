"""A played chapter as a picture in SVG: scenes below each other with their outcomes, arrows for jumps.

It is as narrow as its texts allow, for phones and columns, and brings its own paper, by day and by night.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from concilio.catalogue import say
from concilio.cli.playtest_words import clean, figures_of, label_of, percent, place_of, title_of
from concilio.shares import Shown

if TYPE_CHECKING:
    from concilio.cli.playtest import Played
    from rules.playtest.model import Playtest, SceneOdds, WayOdds

NARROWEST, WIDEST = 300, 400
"""Width of a scene's box, in pixels as all lengths here: on a phone the widest can still be read."""
MARGIN = 12
INSET = 12
"""Between a box and its texts."""
TOP = 60
"""Where the first box begins: below the title."""
LINE = 22
HEAD = 66
"""Height of a box without outcomes: its two lines, and the bar of how likely it is played."""
GAP = 30
BENDS = 14
"""Between arrows that pass beside each other."""
SIGN = 36
"""Width of a sign in the key."""
LANES = 4
"""Arrows that pass beside each other; where there are more, some lie on each other."""
_DAY = {"paper": "#fffdf9", "ink": "#2a2521", "box": "#f3eee4", "line": "#46607f", "soft": "#d5dbe2"}
_NIGHT = {"paper": "#211e1b", "ink": "#ece5da", "box": "#2e2924", "line": "#8fb0d6", "soft": "#454b55"}
_COLOURS = (
    "text{{fill:{ink}}}.p{{fill:{paper}}}.b{{fill:{box};stroke:{line}}}.s{{fill:{soft}}}.r{{fill:{line}}}"
    ".e{{stroke:{line}}}"
)
_STYLE = (
    "text{font:14px sans-serif}.t{font-weight:bold}.e{fill:none;stroke-width:1.5}.u{stroke-dasharray:4 3}"
    + _COLOURS.format(**_DAY)
    + f"@media (prefers-color-scheme:dark){{{_COLOURS.format(**_NIGHT)}}}"
)
_NARROW, _WIDE = frozenset(" .,:;'!|()[]ijltfrI1·"), frozenset("mwMW@%→—…")


Jump = tuple[int, int]
"""Indexes of a scene and of one that follows it, though it is not the next."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where everything stands."""

    result: "Playtest"
    left: int
    """Where the boxes begin: right of the arrows."""
    width: int
    """Of a box."""
    tops: tuple[int, ...]
    """Where each scene's box begins, and the end of the last one with the gap below it."""
    lanes: Mapping[Jump, int]
    """How far from the boxes each jump's arrow passes, from 1."""
    shown: Shown
    """The figures of chances."""


def to_svg(played: "Played") -> str:
    """Return the picture as an SVG document; every text of a designer is escaped in it."""
    at = _layout(played.result)
    key = tuple(_key(at))
    width, height = at.left + at.width + MARGIN, at.tops[-1] - GAP + LINE * len(key) + 2 * MARGIN
    title = title_of(played.document.title.text.strip(' «»"*#')) if played.document.title else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{_text(title)}</title><style>{_STYLE}</style>",
        '<defs><marker id="a" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" class="r"/></marker></defs>',
        f'<rect width="{width}" height="{height}" class="p"/>',
        f'<text x="{at.left}" y="30" class="t">{_text(_cut(title, at.width, bold=True))}</text>',
        *(part for i, scene in enumerate(played.result.scenes) for part in _scene(at, i, scene)),
        *(part for part in key),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _layout(result: "Playtest") -> _Layout:
    """Return boxes as wide as their longest text, with room for the arrows that pass on their left."""
    tops, widest, jumps = [TOP], NARROWEST, list[Jump]()
    shown = figures_of(result)
    for place, scene in enumerate(result.scenes):
        tops.append(tops[-1] + HEAD + LINE * len(scene.ways) + GAP)
        texts = [_breadth(_name(scene), bold=True), *(_breadth(_told(way, shown)) for way in scene.ways)]
        widest = max(widest, *(breadth + 2 * INSET for breadth in texts))
        targets = (_target(result, way) for way in scene.ways)
        jumps += [(place, to) for to in targets if to is not None and to != place + 1]
    lanes = _lanes(jumps)
    left = MARGIN + BENDS * max(lanes.values(), default=0)
    return _Layout(result, left, min(widest, WIDEST), tuple(tops), lanes, shown)


def _lanes(jumps: Sequence[Jump]) -> dict[Jump, int]:
    """Return for each arrow the nearest lane on which none to another scene passes, the short ones first."""
    found: dict[Jump, int] = {}
    for jump in sorted(jumps, key=lambda jump: (abs(jump[1] - jump[0]), jump)):
        taken = {lane for other, lane in found.items() if other[1] != jump[1] and _meet(jump, other)}
        free = (lane for lane in range(1, LANES + 1) if lane not in taken)
        found[jump] = next(free, LANES)
    return found


def _meet(one: Jump, other: Jump) -> bool:
    """Tell whether two arrows pass by the same scene."""
    return max(min(one), min(other)) <= min(max(one), max(other))


def _target(result: "Playtest", way: "WayOdds") -> int | None:
    """Return the index of the scene that follows; None: the end of the chapter."""
    return next((i for i, scene in enumerate(result.scenes) if scene.id == way.to), None)


def _name(scene: "SceneOdds") -> str:
    return _cut(f"{clean(scene.id)} {title_of(scene.title, 28)}", WIDEST - 2 * INSET, bold=True)


def _told(way: "WayOdds", shown: Shown) -> str:
    before, after = f"{percent(shown(way.chance))} ", f" → {clean(place_of(way.to), 12)}"
    room = WIDEST - 2 * INSET - _breadth(before + after)
    return before + _cut(clean(way.label, 36) or label_of(way), room) + after


def _breadth(text: str, *, bold: bool = False) -> int:
    """Return about how wide a text is; rather too much, for the reader's font is not known."""
    letters = sum(4.6 if c in _NARROW else 13.5 if c in _WIDE or ord(c) > 0x2E7F else 8.4 for c in text)
    return round(letters * 1.08) if bold else round(letters)


def _cut(text: str, room: int, *, bold: bool = False) -> str:
    """Return a text as far as it fits."""
    while len(text) > 1 and _breadth(text, bold=bold) > room:
        text = text[:-2].rstrip() + "…"
    return text


def _scene(at: _Layout, place: int, scene: "SceneOdds") -> Iterator[str]:
    top, x, room = at.tops[place], at.left + INSET, at.width - 2 * INSET
    height = at.tops[place + 1] - top - GAP
    yield f'<rect x="{at.left}" y="{top}" width="{at.width}" height="{height}" rx="6" class="b"/>'
    yield f'<text x="{x}" y="{top + 22}" class="t">{_text(_name(scene))}</text>'
    played = say("playtest.played", chance=percent(scene.reach))
    yield f'<text x="{x}" y="{top + 22 + LINE}">{_text(played)}</text>'
    yield f'<rect x="{x}" y="{top + 51}" width="{room}" height="4" class="s"/>'
    yield f'<rect x="{x}" y="{top + 51}" width="{room * min(1.0, scene.reach):.1f}" height="4" class="r"/>'
    on: dict[str, None] = {}
    for index, way in enumerate(scene.ways):
        y = top + HEAD + 9 + LINE * index
        yield f'<text x="{x}" y="{y}">{_text(_told(way, at.shown))}</text>'
        target, line = _target(at.result, way), "e" if way.stated else "e u"
        if target == place + 1:
            on[line] = None
        elif target is not None:
            yield _jump(at, y - 5, place, target, line)
    for index, line in enumerate(on):
        x = at.left + 30 + BENDS * index
        yield f'<path d="M{x},{top + height} V{top + height + GAP}" class="{line}" marker-end="url(#a)"/>'


def _key(at: _Layout) -> Iterator[str]:
    """Give what the bar and the arrows mean, a line each, below the last box: of those that there are."""
    ways = [way for scene in at.result.scenes for way in scene.ways if _target(at.result, way) is not None]
    named = {"key_bar": True, "key_stated": any(w.stated for w in ways)}
    named["key_unstated"] = any(not w.stated for w in ways)
    x, y = at.left, at.tops[-1] - GAP + MARGIN
    for index, name in enumerate(key for key, used in named.items() if used):
        middle = y + LINE * index + LINE // 2
        if name == "key_bar":
            sign = (
                f'<rect x="{x}" y="{middle - 2}" width="{SIGN}" height="4" class="s"/>'
                f'<rect x="{x}" y="{middle - 2}" width="{SIGN // 2}" height="4" class="r"/>'
            )
        else:
            line = "e" if name == "key_stated" else "e u"
            sign = f'<path d="M{x},{middle} H{x + SIGN}" class="{line}" marker-end="url(#a)"/>'
        yield f'{sign}<text x="{x + SIGN + INSET}" y="{middle + 5}">{_text(say(f"playtest.{name}"))}</text>'


def _jump(at: _Layout, y: int, place: int, target: int, line: str) -> str:
    """Return the arrow from an outcome to a scene that is not the next one: past the boxes."""
    x = at.left - BENDS * at.lanes[place, target]
    way = f"M{at.left},{y} H{x} V{at.tops[target] + 18} H{at.left}"
    return f'<path d="{way}" class="{line}" marker-end="url(#a)"/>'


def _text(text: str) -> str:
    """Return a text as it may stand in XML: escaped, and without characters that XML has not."""
    return escape("".join(c for c in text if c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF))
