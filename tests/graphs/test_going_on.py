"""A chapter goes on from every checkpoint that a killed process may leave, and ends the same."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from concilio.batch.job import begin_run, job_from_file
from concilio.batch.perform import gateway_for, is_final, table_for
from concilio.settings import load_settings
from concilio.store.run import RunStore
from graphs.adventure import ChapterRun, run_chapter
from tests.fake_model import FakeModel
from tests.table_scripts import ADVENTURE, table_script


async def run(job: Any, store: RunStore, saver: Any) -> ChapterRun:
    """Run the chapter, or go on with it."""
    gateway = gateway_for(job, store)
    await gateway.recall()
    async with gateway:
        return await run_chapter(table_for(job, gateway, store), 1, saver, goes_on_from=is_final)


def job_of(folder: Path) -> Any:
    """Return the run of one chapter, each seat with a model of its own."""
    path = folder / "a.md"
    path.write_text(ADVENTURE, encoding="utf-8")
    seats = ("iris", "damian", "ruben", "prose")
    settings = load_settings({"agents": {s: f"openai/{s}" for s in seats}, "out": folder}, cwd=folder)
    return job_from_file(path, (), settings)


def forget_after(saver: InMemorySaver, count: int) -> None:
    """Leave only the first checkpoints of the chapter's own graph, and all that its steps wrote."""
    for spaces in saver.storage.values():
        for checkpoint in sorted(spaces[""])[count:]:
            del spaces[""][checkpoint]


async def test_a_step_that_was_done_and_not_yet_followed_by_a_checkpoint_is_not_the_end(
    tmp_path: Path, fake_model: FakeModel, litellm_loaded: Any
) -> None:
    """The process dies between what a step wrote and the checkpoint after it."""
    fake_model.load(table_script())
    job = job_of(tmp_path)
    with begin_run(job) as store:
        whole = InMemorySaver()
        first = await run(job, store, whole)
        asked = len(fake_model.requests)
        total = len(next(iter(whole.storage.values()))[""])
        assert total > 3
        for count in range(1, total):
            saver = InMemorySaver()
            await run(job, store, saver)
            forget_after(saver, count)
            again = await run(job, store, saver)
            assert again.chapter == first.chapter, f"after {count} checkpoints"
        assert len(fake_model.requests) == asked


@pytest.mark.parametrize("silent", ["iris", "ruben", "prose"])
async def test_what_nobody_answered_is_asked_again_from_wherever_the_process_died(
    tmp_path: Path, fake_model: FakeModel, litellm_loaded: Any, silent: str
) -> None:
    """Checkpoints after a refusal lead to no chapter that is refused once more."""
    job = job_of(tmp_path)
    good = table_script()
    bad = {**good, "models": {**good["models"], silent: {"status": 401, "repeat": True}}}
    fake_model.load(good)
    with begin_run(job) as store:
        whole = (await run(job, store, InMemorySaver())).chapter
    count, total = 1, 2
    while count < total:
        with begin_run(job) as store:
            saver = InMemorySaver()
            fake_model.load(bad)
            assert not is_final(await run(job, store, saver))
            total = len(next(iter(saver.storage.values()))[""])
            forget_after(saver, count)
            fake_model.load(good)
            again = (await run(job, store, saver)).chapter
            assert (again.ending, again.plan, again.scenes) == (whole.ending, whole.plan, whole.scenes), count
        count += 1
    assert count > 2
