"""Going on with a run from the page: once, by whoever is free to, and never against who works on it."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concilio.review import Decision, ReviewFolder, decide
from concilio.store.lease import Lease
from concilio.view.app import make_app
from concilio.view.guard import FORM_TOKEN, Door
from concilio.view.resuming import LOG_NAME, Resumer
from concilio.view.reviewing import Desk
from tests.view.runs import RUN, make_run, pause_of

ADDRESS = "http://127.0.0.1:8422"
CHAPTER = f"/runs/{RUN}/chapters/1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run that stands at a pause on which somebody decides; it cannot be gone on with: it has no store."""
    made = make_run(tmp_path / "outputs", status="waiting")
    (made / "chapter_01.en.json").unlink()
    ReviewFolder(made)(pause_of())
    return made


def until(there: Callable[[], bool]) -> None:
    wait = threading.Event()
    for _ in range(1500):
        if there():
            return
        wait.wait(0.01)
    raise AssertionError("it did not come to be")


def accepted(folder: Path) -> str:
    decide(folder, Decision(version=pause_of().version, action="accept"), "en")
    return pause_of().version


def has_begun(folder: Path) -> bool:
    return (folder / "review" / LOG_NAME).exists()


def test_who_works_on_a_run_is_waited_for(folder: Path) -> None:
    """A `concilio run` at its terminal lets go of a run that stands: then it is gone on with."""
    resumer, lease = Resumer(), Lease(folder)
    lease.take()
    resumer.go_on_after(folder, accepted(folder))
    resumer.start(folder)
    assert resumer.is_at_work(folder), "it will be"
    assert not has_begun(folder)
    lease.release()
    until(lambda: has_begun(folder))
    until(lambda: not resumer.is_at_work(folder))
    resumer.close()


def test_a_decision_that_comes_while_ones_own_process_is_ending_is_gone_on_from(folder: Path) -> None:
    """It has let go of the run, and lives still: a quick designer decides in that moment."""
    resumer, version = Resumer(), accepted(folder)
    resumer.start(folder)
    (folder / "review" / LOG_NAME).unlink()
    resumer.go_on_after(folder, version)
    until(lambda: has_begun(folder))
    resumer.close()


@pytest.mark.parametrize("change", ["asks_anew", "asks_nothing", "was_interrupted"])
def test_a_run_that_has_gone_on_by_itself_is_left_alone(folder: Path, change: str) -> None:
    resumer, lease, version = Resumer(), Lease(folder), accepted(folder)
    lease.take()
    resumer.go_on_after(folder, version)
    if change == "asks_anew":
        ReviewFolder(folder)(pause_of(round=4))
    elif change == "asks_nothing":
        ReviewFolder(folder).withdraw()
    else:
        info = folder / "run.json"
        info.write_text(info.read_text().replace('"waiting"', '"interrupted"'))
    lease.release()
    until(lambda: not resumer.is_at_work(folder))
    assert not has_begun(folder)


def test_a_closed_page_begins_nothing_more(folder: Path) -> None:
    resumer, lease = Resumer(), Lease(folder)
    lease.take()
    resumer.go_on_after(folder, accepted(folder))
    resumer.close()
    lease.release()
    until(lambda: not resumer.is_at_work(folder))
    resumer.start(folder)
    assert not has_begun(folder)


def test_a_run_that_cannot_go_on_says_why_and_can_be_tried_again(folder: Path) -> None:
    """As after a page that died between the decision and the run."""
    accepted(folder)
    resumer, door = Resumer(), Door()
    app = make_app(folder.parent, door, Desk(resumer))
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False, headers={"accept-language": "en"})
    page = client.get(CHAPTER).text
    assert "concilio resume" in page
    assert "Go on now" in page
    sent = client.post(f"{CHAPTER}/resume", data={FORM_TOKEN: door.form}, headers={"origin": ADDRESS})
    assert sent.headers["location"] == f"{CHAPTER}#review"
    assert has_begun(folder)
    until(lambda: not resumer.is_at_work(folder))
    page = client.get(CHAPTER).text
    assert "The run could not go on" in page
    assert "adventure.snapshot" in page or "run.json" in page, page
    assert "Go on now" in page
    resumer.close()
