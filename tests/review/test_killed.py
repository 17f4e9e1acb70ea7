"""A page that is killed around the write of a decision: it is whole or not there, and can be sent again."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from concilio.chapterfile.json_file import load_chapter
from tests.review.conftest import Seat
from tests.table_scripts import table_script

STEPS = ("2", "3", "4", "5", "99")
"""Steps of the write: opening, linking, unlinking, flushing; and (99) the moment before the run goes on."""


def test_a_decision_is_whole_or_not_there_at_whatever_step_the_page_dies(seat: Seat, tmp_path: Path) -> None:
    seat.begin(table_script(), "--review")
    copies = tmp_path / "copies"
    for step in STEPS:
        shutil.copytree(seat.folder / "out", copies / step)
    command = [sys.executable, "-m", "tests.review.kill_harness", str(copies), *STEPS]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    points = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [point["died"] for point in points] == [-9] * len(STEPS)
    decided = [point["decided"] for point in points]
    assert decided == sorted(decided), "once it is there, it stays"
    assert (decided[0], decided[-1]) == (False, True), "there are points on both sides of the write"
    assert {(point["again"], point["other"]) for point in points} == {(303, 409)}
    for step in (STEPS[0], STEPS[-1]):
        (folder,) = (copies / step).iterdir()
        assert seat.command("resume", str(folder)) == 0
        (path,) = folder.glob("capitulo*.json")
        assert load_chapter(path.read_text(encoding="utf-8")).plan.scenes[1].place == "La sala del pozo."
