"""A reviewer whose model can call tools asks the rules engine before it judges; the run goes on as ever."""

from pathlib import Path
from typing import Any

from concilio.batch.job import job_from_file
from concilio.settings import load_settings
from tests.fake_model import FakeModel
from tests.graphs.test_going_on import begin_run, run
from tests.table_scripts import ACCEPT, ADVENTURE, table_script

ASKS = {
    "message": {
        "content": None,
        "tool_calls": [
            {
                "id": "1",
                "type": "function",
                "function": {"name": "odds_check", "arguments": '{"bonus": 7, "dc": 15}'},
            }
        ],
    },
    "finish_reason": "tool_calls",
}


async def test_a_reviewer_asks_for_odds_and_gets_them(
    tmp_path: Path, fake_model: FakeModel, litellm_loaded: Any
) -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    fake_model.load(table_script(damian=[ASKS, ACCEPT]))
    path = tmp_path / "a.md"
    path.write_text(ADVENTURE, encoding="utf-8")
    seats = {seat: f"openai/{seat}" for seat in ("iris", "damian", "ruben", "prose")}
    settings = load_settings({"agents": seats, "out": tmp_path, "tools": "on"}, cwd=tmp_path)
    job = job_from_file(path, (), settings)
    with begin_run(job) as store:
        done = await run(job, store, InMemorySaver())
    assert done.chapter is not None
    assert done.chapter.ending == "accepted"
    first, second = fake_model.of("damian")
    assert first.params["tools"][0]["function"]["name"] == "odds_check"
    assert '"p": 0.65' in second.messages[-1]["content"]
    assert all("tools" not in request.params for seat in ("iris", "prose") for request in fake_model.of(seat))
