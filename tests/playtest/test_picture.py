"""The picture of a played chapter: narrow, its arrows apart, readable by day and by night."""

import re
import xml.etree.ElementTree as Tree
from itertools import combinations
from pathlib import Path

import pytest

from concilio.chapterfile.render import render_chapter
from concilio.cli.main import run_command_line
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from concilio.export.drawing import drawing_of
from tests.view.runs import chapter_of, plan_of

SVG = "{http://www.w3.org/2000/svg}"
JUMP = re.compile(r"M(\d+),(\d+) H(\d+) V(\d+) H(\d+)")
COLOURS = re.compile(r"text\{fill:(#\w+)\}\.p\{fill:(#\w+)\}\.b\{fill:(#\w+)")
PHONE = 480
"""Widest picture: on a phone of 390 pixels its letters, of 14, are 10 high."""
JUMPS = {
    "straight": ("1.2", "1.3", "1.4", "end"),
    "back": ("1.2", "1.1", "1.1", "1.2"),
    "over": ("1.3", "1.4", "1.1", "1.2"),
}


def drawn(folder: Path, scenes: tuple[ScenePlan, ...], title: str = "The Toll") -> str:
    """Return the picture of a chapter of these scenes."""
    chapter = chapter_of().model_copy(update={"plan": Proposal(scenes=scenes), "scenes": (), "title": title})
    file, picture = folder / "c.md", folder / "c.svg"
    file.write_text(render_chapter(chapter), encoding="utf-8")
    assert run_command_line(["--lang", "en", "playtest", str(file), "--svg", str(picture)]) == 0
    return picture.read_text(encoding="utf-8")


def scene(number: int, to: str, title: str = "The Bridge", label: str = "Success") -> ScenePlan:
    after = f"1.{number + 1}" if number < len(JUMPS) + 1 else "end"
    ways = (
        Outcome(label=label, degree="success", text="They are across.", leads_to=to),
        Outcome(label="Failure", degree="failure", text="They hang from the rope.", leads_to=after),
    )
    return plan_of(1).model_copy(update={"id": f"1.{number}", "title": title, "outcomes": ways})


@pytest.mark.parametrize("jumps", JUMPS.values(), ids=JUMPS)
@pytest.mark.parametrize(
    "text", ["Short", "A name of many words that goes on and on, and on", "W" * 90, "三" * 50]
)
def test_no_text_makes_it_wider_than_a_phone_can_show(
    tmp_path: Path, jumps: tuple[str, ...], text: str
) -> None:
    scenes = tuple(scene(n, to, text, text) for n, to in enumerate(jumps, 1))
    root = Tree.fromstring(drawn(tmp_path, scenes, text))
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    assert width <= PHONE
    for rect in root.iter(f"{SVG}rect"):
        x, y, breadth, tall = (float(rect.get(key, "0")) for key in ("x", "y", "width", "height"))
        assert 0 <= x <= x + breadth <= width
        assert 0 <= y <= y + tall <= height


@pytest.mark.parametrize("jumps", JUMPS.values(), ids=JUMPS)
def test_arrows_to_different_scenes_never_lie_on_each_other(tmp_path: Path, jumps: tuple[str, ...]) -> None:
    picture = drawn(tmp_path, tuple(scene(n, to) for n, to in enumerate(jumps, 1)))
    arrows = [tuple(map(int, found)) for found in JUMP.findall(picture)]
    jumping = sum(to not in ("end", f"1.{n + 1}") for n, to in enumerate(jumps, 1))
    assert len(arrows) == jumping
    for (_, start, lane, end, _), (_, other_start, other_lane, other_end, _) in combinations(arrows, 2):
        if lane == other_lane and end != other_end:
            assert max(start, end) < min(other_start, other_end) or max(other_start, other_end) < min(
                start, end
            )


def test_its_words_can_be_read_by_day_and_by_night(tmp_path: Path) -> None:
    """On the paper that it brings along, and in the boxes: WCAG asks for 4.5."""
    picture = drawn(tmp_path, (scene(4, "end"),))
    day, night = COLOURS.findall(picture)
    assert "@media (prefers-color-scheme:dark)" in picture
    for ink, paper, box in (day, night):
        assert contrast(ink, paper) > 7
        assert contrast(ink, box) > 7
    assert luminance(night[1]) < 0.1 < 0.8 < luminance(day[1])


def test_on_paper_it_has_no_paper_and_no_night(tmp_path: Path) -> None:
    """A typesetter knows neither: what it is set on is white."""
    rest = drawing_of(drawn(tmp_path, (scene(4, "end"),)), "Libertinus").rest
    assert 'class="p"' not in rest
    assert "@media" not in rest
    assert rest.count("{") == rest.count("}")


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb`. Source: WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
