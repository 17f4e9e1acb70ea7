"""The graphs for LangGraph's own tools (`langgraph.json`): whole, at the table of one adventure.

`CONCILIO_ADVENTURE` names it (else the example's), `CONCILIO_*` settings hold as everywhere; without a model
the embedded author answers. A process has one run's folder, so that all its threads share one journal.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

from concilio.batch.job import Job, begin_run, job_from_file
from concilio.batch.perform import gateway_for, table_for
from concilio.settings import load_settings
from graphs.chapter import build_chapter
from graphs.debate import build_debate
from graphs.table import Table

VARIABLE = "CONCILIO_ADVENTURE"
EXAMPLE = Path(__file__).parents[2] / "examples" / "the_winter_post"


def chapter() -> Any:
    """Return a chapter's workflow, compiled; its input is `{"chapter": 1}`.

    Raises:
        AdventureErrors, JobError, RulesetError, StoreError: the adventure cannot be run.
    """
    return build_chapter(studio_table()).compile(name="chapter")


def debate() -> Any:
    """Return a chapter's debate alone, compiled; its input is `{"chapter": 1}`.

    Raises:
        AdventureErrors, JobError, RulesetError, StoreError: the adventure cannot be run.
    """
    return build_debate(studio_table()).compile(name="debate")


def studio_table() -> Table:
    """Return the table of this process, at the adventure that the environment names.

    Raises:
        AdventureErrors, JobError, RulesetError, StoreError: it cannot be run.
    """
    return _table(Path(os.environ.get(VARIABLE) or EXAMPLE))


@cache
def _table(file: Path) -> Table:
    job: Job = job_from_file(file, (), load_settings({}, beside=file))
    store = begin_run(job)  # held as long as the process lives
    return table_for(job, gateway_for(job, store), store)
