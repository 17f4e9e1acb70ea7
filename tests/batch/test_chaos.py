"""A provider's bad day: busy, failing, dropping, cutting. All chapters end, and none of them differs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.batch.json_table import json_script
from tests.batch.test_batch import adventures, batch, summary
from tests.fake_model import FakeModel
from tests.table_scripts import TABLE_FLAGS, table_script

__all__ = ["batch"]
KINDS = ("busy", "error", "unavailable", "drop", "midway", "garbled", "cut", "broken")


def texts_of(out: str) -> list[Any]:
    """Return plan and prose of each chapter, in the order of the adventures."""
    told: list[Any] = []
    for item in summary(out)["items"]:
        (path,) = [Path(f) for c in item["chapters"] for f in c["files"] if f.endswith(".json")]
        chapter = json.loads(path.read_text(encoding="utf-8"))
        told.append((chapter["ending"], chapter["plan"], [scene["prose"] for scene in chapter["scenes"]]))
    return told


@pytest.mark.parametrize("table", [table_script, json_script])
@pytest.mark.parametrize(
    ("seed", "kinds"),
    [
        (8, KINDS),
        (2, KINDS),
        (3, ("cut",)),
        (4, ("drop", "midway")),
        (5, ("busy", "error")),
        (6, ("garbled",)),
        (7, ("broken",)),
    ],
)
def test_faults_change_no_chapter(
    batch: Callable[..., Any],
    fake_model: FakeModel,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    table: Callable[..., Any],
    seed: int,
    kinds: tuple[str, ...],
) -> None:
    """Two of ten requests go wrong."""
    monkeypatch.setenv("CONCILIO_LONGEST_WAIT_S", "0.02")
    paths = adventures(tmp_path, 4)
    fake_model.load(table())
    assert batch("batch", *paths, "--out", "calm", *TABLE_FLAGS)[0] == 0
    calm = fake_model.stats.requests
    fake_model.load({**table(), "chaos": {"rate": 0.2, "seed": seed, "kinds": kinds}})
    status, _, err = batch("batch", *paths, "--out", "storm", *TABLE_FLAGS)
    assert status == 0, err[-2000:]
    assert fake_model.stats.requests > calm
    assert texts_of("storm") == texts_of("calm")
