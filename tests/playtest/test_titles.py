"""Titles of a played chapter are plain text in every form: no escapes, nothing that a terminal obeys."""

import json
import xml.etree.ElementTree as Tree
from pathlib import Path

import pytest

from concilio.chapterfile.render import render_chapter
from concilio.cli.main import run_command_line
from tests.export import samples

TITLES = (
    "A * B _c_ <d> [f](g)",
    "a\\*b\\_c",
    "`x` ~~y~~ [[z]]",
    "&amp; &lt;b&gt;",
    "<script>x</script>",
    "\x1b[31mred",
    "left\u202eright",
    "\\u{1b}",
    "# 1. - x",
    "El portón",
)
ESCAPES = ("\\<", "\\[", "\\]", "\\&", "\\`", "\\u{")


@pytest.mark.parametrize("title", TITLES)
def test_titles_are_plain(tmp_path: Path, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    file, picture = tmp_path / "c.md", tmp_path / "map.svg"
    file.write_text(render_chapter(samples.chapter(text=title)), encoding="utf-8")
    shown = " ".join("".join(c if c.isprintable() else " " for c in title).split())
    assert run_command_line(["--lang", "es", "playtest", str(file), "--svg", str(picture)]) == 0
    out = capsys.readouterr().out
    drawn = list(Tree.parse(picture).getroot().itertext())
    for told in (out, *drawn):
        assert all(escape not in told for escape in ESCAPES if escape not in title), told
    assert f"2.1 {shown}" in out
    assert any(f"2.1 {shown[:20]}" in text for text in drawn)
    assert run_command_line(["playtest", str(file), "--format", "json"]) == 0
    scenes = json.loads(capsys.readouterr().out)["scenes"]
    assert [scene["title"] for scene in scenes] == [title, title]
