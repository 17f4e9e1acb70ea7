"""What is said of a file of a run that is not right names the command that goes on with that run."""

import errno
from pathlib import Path

import pytest

from concilio.store.errors import StoreError, from_os_error


def told(path: Path, problem: str) -> str:
    if problem == "full":
        return from_os_error(OSError(errno.ENOSPC, "No space left"), path).explain("en")
    return StoreError(problem, path, cause="it is cut").explain("en")


FILES = [
    ("full", "capitulo_01.es.md"),
    ("full", "store.sqlite"),
    ("damaged", "checkpoints.sqlite"),
    ("damaged", "store.sqlite"),
    ("damaged", "reviews/ab.pause.json"),
    ("damaged_decision", "reviews/ab.decision.json"),
    ("refused", "reviews/ab.decision.json"),
]


@pytest.mark.parametrize(("problem", "name"), FILES)
@pytest.mark.parametrize("record", ["run.json", "batch.json"])
def test_the_run_is_named_as_a_shell_takes_it(tmp_path: Path, problem: str, name: str, record: str) -> None:
    run = tmp_path / "my runs" / "20261105-120000-faro"
    run.mkdir(parents=True)
    (run / record).write_text("{}", encoding="utf-8")
    assert f"concilio resume '{run}'`" in told(run / name, problem)


@pytest.mark.parametrize(("problem", "name"), FILES)
def test_outside_of_a_run_none_is_named(tmp_path: Path, problem: str, name: str) -> None:
    assert "concilio resume`" in told(tmp_path / name, problem)
