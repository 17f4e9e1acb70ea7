"""The event log: a line an event, whole lines only, no secrets."""

import errno
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from concilio.store.errors import StoreError
from concilio.store.events import EventLog, read_events


def fixed_now() -> datetime:
    """Return the moment of the tests."""
    return datetime(2026, 11, 5, 12, 0, 0, 250_000, tzinfo=UTC)


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    """A log of its own."""
    return EventLog(tmp_path / "events.jsonl", now=fixed_now)


def test_each_event_is_on_the_file_without_closing_it(log: EventLog) -> None:
    """A reader beside us sees it while the log goes on."""
    log.emit("round", number=1, text="dos\nlíneas")
    log.flush()
    (line,) = log.path.read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "at": "2026-11-05T12:00:00.250+00:00",
        "kind": "round",
        "number": 1,
        "text": "dos\nlíneas",
    }
    log.close()


def test_subscribers_hear_until_they_leave(log: EventLog) -> None:
    """In order, and the same that is written."""
    heard: list[Any] = []
    leave = log.subscribe(lambda event: heard.append(event["kind"]))
    log.emit("a")
    log.emit("b")
    leave()
    leave()
    log.emit("c")
    log.flush()
    assert heard == ["a", "b"]
    assert [e["kind"] for e in read_events(log.path)] == ["a", "b", "c"]
    log.close()


def test_a_line_that_a_killed_process_left_is_passed_over(log: EventLog) -> None:
    """The next event begins a line of its own."""
    log.emit("a")
    log.close()
    with log.path.open("a") as file:
        file.write('{"at": "x", "kind": "half')
    log.emit("b")
    log.close()
    assert [e["kind"] for e in read_events(log.path)] == ["a", "b"]


def test_no_secret_is_written(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to the file nor to the subscribers."""
    monkeypatch.setenv("OPENAI_API_KEY", "la-clave-secreta")
    heard: list[Any] = []
    log.subscribe(heard.append)
    log.emit("call", cause="bad key la-clave-secreta", detail={"x": ["sk-abcdefgh"]})
    log.close()
    seen = log.path.read_text() + str(heard)
    assert "la-clave-secreta" not in seen
    assert "sk-abcdefgh" not in seen


def test_lone_surrogates_and_odd_values_are_written(log: EventLog) -> None:
    """Whatever a model sent."""
    log.emit("x", text="\ud800 ñ", path=Path("a"))
    log.close()
    (event,) = read_events(log.path)
    assert event["path"] == "a"


def test_a_full_disk_is_one_clear_line(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """As everywhere in the store; and when there is room again, nothing is missing."""

    def full(*_: Any, **__: Any) -> Callable[..., Any]:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        log.emit("a")
        with pytest.raises(StoreError) as caught:
            log.flush()
    assert caught.value.problem == "full"
    log.emit("b")
    log.close()
    assert [e["kind"] for e in read_events(log.path)] == ["a", "b"]


def test_many_events_are_written_in_their_order(log: EventLog) -> None:
    """However the writing thread keeps up."""
    for number in range(2000):
        log.emit("x", number=number)
    log.close()
    assert [e["number"] for e in read_events(log.path)] == list(range(2000))


def test_no_file_is_said(tmp_path: Path) -> None:
    """Reading what is not there."""
    with pytest.raises(StoreError):
        list(read_events(tmp_path / "none"))
