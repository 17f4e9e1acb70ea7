"""What is of a run is a regular file in its folder; nothing else is read or written."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from concilio.review import ReviewFolder, decide
from concilio.review.model import Decision
from concilio.review.unsent import keep_unsent
from concilio.store.errors import StoreError
from concilio.store.events import utc_now
from concilio.store.lease import Lease, is_held
from concilio.store.own import make_own, read_own, require_own, write_own
from concilio.store.run import RunStore, new_run_id, read_info
from tests.view.runs import pause_of


@pytest.fixture
def run(tmp_path: Path) -> Path:
    store = RunStore.create(tmp_path / "outputs", new_run_id("The Bridge", utc_now()), {})
    store.events.emit("round", chapter=1)
    store.close()
    return store.folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def moved(path: Path, outside: Path) -> Path:
    """Put a file or a folder elsewhere, and a link in its place; return where it is."""
    place = outside / path.name
    if path.exists():
        path.rename(place)
    path.symlink_to(place)
    return place


NAMES = ("run.json", "events.jsonl", "lock", "store.sqlite", "store.sqlite-wal", "checkpoints.sqlite",
         "checkpoints.sqlite-journal", "review")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_run_of_which_a_part_lies_elsewhere_is_not_opened(run: Path, outside: Path, name: str) -> None:
    """Whether it exists there or not; nothing is written, and the message names the link."""
    if name == "review":
        ReviewFolder(run)(pause_of())
    place = moved(run / name, outside)
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    with pytest.raises(StoreError, match=name) as raised:
        RunStore.open(run)
    assert raised.value.problem == "led_out"
    assert {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()} == before
    assert place.exists() == bool(before)


@pytest.mark.parametrize("name", NAMES[:-1])
def test_a_run_of_which_a_part_is_no_file_is_not_opened(run: Path, name: str) -> None:
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    with pytest.raises(StoreError, match=name):
        RunStore.open(run)


def test_a_link_to_a_file_of_the_same_run_is_followed(run: Path) -> None:
    (run / "run.json").rename(run / "kept.json")
    (run / "run.json").symlink_to("kept.json")
    assert read_info(run).id == run.name


WAIVED = Decision(version=pause_of().version, action="round", waived=("O1",))
WRITES: dict[str, Callable[[Path], Any]] = {
    "pause": lambda run: ReviewFolder(run)(pause_of()),
    "withdrawal": lambda run: ReviewFolder(run).withdraw(),
    "decision": lambda run: decide(run, Decision(version=pause_of().version, action="accept")),
    "unsent": lambda run: keep_unsent(run, WAIVED),
    "sent": lambda run: keep_unsent(run, Decision(version=pause_of().version, action="round")),
    "chapter": lambda run: RunStore.open(run).write("review/chapter.json", "{}"),
    "log": lambda run: make_own(run / "review" / "resume.log", run),
    "any": lambda run: write_own(run / "review" / "a.json", run, "{}"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRITES)
def test_nothing_is_written_or_deleted_through_a_link(run: Path, outside: Path, what: str) -> None:
    """The folder of the reviews was moved while the run went on."""
    ReviewFolder(run)(pause_of())
    keep_unsent(run, WAIVED)
    place = moved(run / "review", outside)
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    if what == "withdrawal":
        WRITES[what](run)
    else:
        with pytest.raises(StoreError):
            WRITES[what](run)
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def test_a_lease_is_written_into_no_other_file(run: Path, outside: Path) -> None:
    place = moved(run / "lock", outside)
    place.write_text("mine")
    with pytest.raises(StoreError):
        Lease(run).take()
    assert place.read_text() == "mine"
    assert not is_held(run)


def test_a_file_is_read_up_to_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 2_000_001)
    with pytest.raises(StoreError, match="2 MB"):
        read_own(path, tmp_path, 2_000_000)
    assert len(read_own(path, tmp_path, 2_000_001) or b"") == 2_000_001
    assert read_own(tmp_path / "none", tmp_path, 9) is None
    assert read_own(path / "under_a_file", tmp_path, 9) is None
    assert not require_own(tmp_path / "none", tmp_path)
