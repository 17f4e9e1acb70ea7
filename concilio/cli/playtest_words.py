"""Words and figures of a played chapter, for the terminal and for pictures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from concilio.catalogue import say
from concilio.chapterfile.escape import unescape
from concilio.figures import decimal
from concilio.shares import Shown, rounded

if TYPE_CHECKING:
    from rules.playtest.model import Playtest, SceneOdds, Throw, ThrowOdds, WayOdds

LONGEST = 60
"""Characters of a designer's text in one line."""


def clean(text: str, most: int = LONGEST) -> str:
    """Return a designer's text as one short line without anything that a terminal would obey."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def title_of(written: str, most: int = LONGEST) -> str:
    """Return a title as it is meant: as it stands in a chapter's Markdown, without the escapes of that."""
    return clean(unescape(written), most)


def number(value: float, digits: int = 1) -> str:
    """Return a number with the language's decimal mark."""
    return decimal(value, digits)


def percent(share: float) -> str:
    """Return a probability as people read it: `87.8 %`, `<0.1 %`."""
    mark = "<" if 0 < share < 0.001 else ">" if 0.999 < share < 1 - 1e-9 else ""
    shown = min(max(share, 0.001), 0.999) if mark else rounded(share)
    return mark + say("playtest.percent", share=number(100 * shown))


def figures_of(result: "Playtest") -> Shown:
    """Return the figures in which a played chapter's chances are told: of its ends, then of each scene."""
    ends = [*(end.chance for end in result.ends), result.endless]
    return Shown([ends, *([way.chance for way in scene.ways] for scene in result.scenes)])


def roll_of(scene: "SceneOdds") -> str:
    """Return what is rolled in a scene, by whom, and the chance."""
    if scene.basis == "equal":
        return say("playtest.roll_none") if len(scene.ways) > 1 else ""
    return say("playtest.and").join(_throw(throw) for throw in scene.throws)


def _throw(odds: "ThrowOdds") -> str:
    chance = percent(odds.chance)
    if odds.throw.kind == "fight":
        return say("playtest.roll_fight", chance=chance)
    text = clean(odds.throw.text)
    how = say("playtest.and_how").join(_how(odds.throw))
    text = say("playtest.roll_how", text=text, how=how) if how else text
    if not odds.who:
        return say("playtest.roll_all", text=text, chance=chance)
    return say("playtest.roll_who", text=text, who=clean(odds.who), bonus=f"{odds.bonus:+d}", chance=chance)


def _how(throw: "Throw") -> Iterator[str]:
    """Give what changes a roll: who makes it together, how often, against whom, with what."""
    if throw.kind == "group":
        yield say("playtest.how.group")
    if throw.series is not None:
        yield say("playtest.how.series", wins=throw.series[0], losses=throw.series[1])
    if throw.kind == "contest":
        yield say("playtest.how.contest", bonus=f"{throw.dc:+d}")
    if throw.mode != "normal":
        yield say(f"playtest.how.{throw.mode}")


def place_of(target: str) -> str:
    """Return where an outcome leads, in words."""
    return say("playtest.end") if target == "end" else clean(target)


def label_of(way: "WayOdds") -> str:
    """Return an outcome's label, or what stands for it."""
    return clean(way.label) or "—"
