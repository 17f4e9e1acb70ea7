"""A decision is held against what can be said, whoever wrote its file: page, terminal, program, editor."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from concilio.batch.runs import run_row
from concilio.catalogue import say
from concilio.review import Decision
from concilio.review.checks import LONGEST_FIELD, MOST_OBJECTIONS
from tests.review.conftest import Seat
from tests.table_scripts import table_script


def objection(**changes: Any) -> dict[str, Any]:
    return {"scene": "1.1", "text": "No.", **changes}


def put(seat: Seat, content: bytes) -> Path:
    """Write the file of a decision as a program would that knows nothing of ours."""
    path = seat.run / "review" / f"{seat.pause.version}.decision.json"
    path.write_bytes(content)
    return path


CANNOT_BE: tuple[tuple[str, Mapping[str, Any], str], ...] = (
    ("accept", {"scenes": ["7.7"]}, "7.7"),
    ("accept", {"waived": ["O99"]}, "O99"),
    ("accept", {"prose": {"9.9": "Text."}}, "9.9"),
    ("accept", {"prose": {"1.1": "Text."}}, say("review.wrong.no_prose_yet", "en")),
    ("round", {"objections": [objection(scene="3.9")]}, "3.9"),
    ("round", {"objections": [objection()] * (MOST_OBJECTIONS + 1)}, str(MOST_OBJECTIONS)),
    ("round", {"objections": [objection(text="x" * (LONGEST_FIELD + 1))]}, str(LONGEST_FIELD)),
    ("round", {"objections": [objection(proposal="x" * 3_000_000)]}, str(LONGEST_FIELD)),
    ("round", {"objections": [objection(text=" ")]}, say("review.wrong.empty_objection", "en")),
    ("round", {"scenes": ["1.1"], "situation": "x" * (LONGEST_FIELD + 1)}, str(LONGEST_FIELD)),
    ("round", {"scenes": ["1.1", "1.1"]}, say("review.wrong.twice", "en")),
)


def file_of(seat: Seat, action: str, said: Mapping[str, Any]) -> bytes:
    scene = seat.pause.plan.scenes[0].model_dump(mode="json")
    wording = {"situation": said["situation"]} if "situation" in said else {}
    scenes = [{**scene, **wording, "id": scene_id} for scene_id in said.get("scenes", ())]
    rest = {key: value for key, value in said.items() if key not in ("scenes", "situation")}
    whole = {"version": seat.pause.version, "action": action, "scenes": scenes, **rest}
    return json.dumps(whole).encode()


@pytest.mark.parametrize(("action", "said", "reason"), CANNOT_BE)
def test_what_cannot_be_decided_stops_the_run_in_a_line_and_loses_nothing(
    seat: Seat, action: str, said: Mapping[str, Any], reason: str
) -> None:
    """The line names file and reason; the pause is open: without the file it is asked as ever."""
    seat.begin(table_script(), "--review")
    path = put(seat, file_of(seat, action, said))
    for _ in range(2):
        assert seat.command("--lang", "en", "resume", str(seat.run)) == 2
        told = seat.err.strip().splitlines()[-1]
        assert str(path) in told
        assert reason in told
        assert run_row(seat.run).state == "waiting"
        assert not list(seat.run.glob("capitulo*"))
    path.unlink()
    assert seat.resume() == 1
    seat.decide("accept")
    assert seat.resume() == 0
    assert seat.chapter.ending == "accepted"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b"{}", b'{"version": 3}', b"x" * 20_000_001, b'"' + b"[" * 9999],
)
def test_a_damaged_decision_is_deleted_and_asked_again(seat: Seat, content: bytes) -> None:
    seat.begin(table_script(), "--review")
    path = put(seat, content)
    assert seat.command("--lang", "es", "resume", str(seat.run)) == 2
    told = seat.err.strip().splitlines()[-1]
    assert str(path) in told
    resume = say("gateway.store.resume", "es", run=str(seat.run))
    assert say("gateway.store_advice.decision", "es", resume=resume) in told
    assert "Traceback" not in seat.err
    assert run_row(seat.run).state == "waiting"
    path.unlink()
    assert seat.resume() == 1
    seat.decide("accept")
    assert seat.resume() == 0


def test_what_can_be_decided_may_be_written_by_any_program(seat: Seat) -> None:
    seat.begin(table_script(), "--review")
    put(seat, Decision(version=seat.pause.version, action="accept").model_dump_json().encode())
    assert seat.resume() == 0
