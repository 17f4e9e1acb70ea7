"""The README's pictures: small, whole, asking nobody for anything, and a recording line by line."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools import make_pictures as made

ROOT = Path(__file__).parents[2]
COMMANDS = [
    ("concilio run a.md \\\n    --seed 7", ["Ronda 1", "x" * 150, "<script> & más"]),
    ("concilio runs", ["a"]),
]


def pictures() -> list[Path]:
    return sorted((ROOT / "docs" / "pictures").iterdir())


@pytest.mark.parametrize("picture", pictures(), ids=lambda file: file.name)
def test_a_picture_is_small_and_asks_nobody(picture: Path) -> None:
    data = picture.read_bytes()
    assert len(data) <= made.LARGEST
    if picture.suffix == ".svg":
        ElementTree.fromstring(data)
        assert b"url(http" not in data
        assert b"<script" not in data
    else:
        assert data.startswith(b"\x89PNG")


@pytest.mark.parametrize("language", made.LANGUAGES)
def test_each_language_has_the_same_pictures(language: str) -> None:
    stems = {picture.name.split(".")[0] for picture in pictures()}
    assert {f"{stem}.{language}" for stem in stems} <= {picture.stem for picture in pictures()}


def test_the_recording_is_the_same_each_time_and_shows_each_line_in_its_turn() -> None:
    film = made.recording(COMMANDS)
    assert film == made.recording(COMMANDS)
    ElementTree.fromstring(film)
    drawn = {int(n) for n in re.findall(r"animation-name: a(\d+)", film)}
    assert drawn == set(range(8))
    hidden = [float(p) for p in re.findall(r"@keyframes a\d+ \{ 0%, ([\d.]+)%", film)]
    assert hidden == sorted(hidden)
    assert hidden[-1] < 100
    assert "&lt;script&gt;" in film
    assert "prefers-reduced-motion" in film
