"""A damaged file of a run is named, in the user's language, with the cheapest advice; the advice works."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from concilio.catalogue import say
from concilio.cli import main
from concilio.store.database import Database
from concilio.store.errors import StoreError
from tests.table_scripts import ADVENTURE

DATABASES = ("checkpoints.sqlite", "store.sqlite")
BEGINNINGS_OF_ENGLISH = ("file is not", "database disk", "malformed", "codec", "Expecting", "Field required")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run that ended, by the author that needs no model."""
    folder = tmp_path_factory.mktemp("damage")
    (folder / "torre.md").write_text(ADVENTURE, encoding="utf-8")
    out = folder / "out"
    main.run_command_line(["run", str(folder / "torre.md"), "--out", str(out), "--model", "embedded"])
    (run,) = out.iterdir()
    return run


@pytest.fixture
def resume(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Return a run of which a file is changed before it goes on: status, and what is said."""
    monkeypatch.setenv("CONCILIO_LANG", "es")
    shutil.copytree(whole, tmp_path / "run")

    def _resume(change: Callable[[Path], object] | None = None) -> tuple[int, str]:
        if change is not None:
            change(tmp_path / "run")
        capsys.readouterr()
        status = main.run_command_line(["resume", str(tmp_path / "run")])
        told = capsys.readouterr()
        assert "Traceback" not in told.out + told.err
        return status, told.err

    return _resume


def advised(advice: str, run: Path) -> str:
    """What the message says to do, with the command that goes on with this run."""
    resume = say("gateway.store.resume", "es", run=str(run))
    return say(f"gateway.store_advice.{advice}", "es", resume=resume)


def damaged(content: bytes, how: str, rng: random.Random) -> bytes:
    data, at = bytearray(content), rng.randrange(len(content))
    part = slice(at, at + rng.choice([10, 500, 5000]))
    if how == "cut":
        return content[:at]
    if how == "flipped":
        for _ in range(rng.choice([1, 10, 300])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif how == "zeros":
        data[part] = bytes(len(data[part]))
    elif how == "noise":
        data[part] = rng.randbytes(len(data[part]))
    return bytes(data) if how != "empty" else b""


@pytest.mark.parametrize("how", ["cut", "flipped", "zeros", "noise", "empty", "no database"])
@pytest.mark.parametrize("name", DATABASES)
@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_database_is_named_and_its_advice_works(
    resume: Callable[..., Any], tmp_path: Path, name: str, how: str, seed: int
) -> None:
    """Where the damage hurts at all: what SQLite does not read, or what reads as something else."""
    file = tmp_path / "run" / name

    def change(run: Path) -> None:
        for other in run.glob(f"{name}-*"):
            other.unlink()
        content = b"no database" * 1000 if how == "no database" else file.read_bytes()
        file.write_bytes(damaged(content, how, random.Random(seed)) if how != "no database" else content)

    before = (tmp_path / "run" / "capitulo_01.es.md").read_bytes()
    status, told = resume(change)
    if status == 0:
        return
    line = told.strip().splitlines()[-1]
    assert status == 2
    assert str(file) in line
    assert not any(english in told for english in BEGINNINGS_OF_ENGLISH)
    advice = "checkpoints" if name == DATABASES[0] else "journal"
    assert advised(advice, tmp_path / "run") in line
    for each in DATABASES if advice == "journal" else (name,):
        (tmp_path / "run" / each).unlink()
    assert resume()[0] == 0
    assert (tmp_path / "run" / "capitulo_01.es.md").read_bytes() == before


@pytest.mark.parametrize("content", [None, b"", b"{", b"\xcc\xff", b"{}", b'{"title": 3}'])
@pytest.mark.parametrize(("name", "advice"), [("run.json", "info"), ("adventure.snapshot", "snapshot")])
def test_a_damaged_file_of_what_was_asked_is_named(
    resume: Callable[..., Any], tmp_path: Path, name: str, advice: str, content: bytes | None
) -> None:
    file = tmp_path / "run" / name
    if content is None and name == "run.json":
        return  # no run at all
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    status, told = resume()
    assert status == 2
    assert str(file) in told
    assert advised(advice, tmp_path / "run") in told
    assert not any(english in told for english in BEGINNINGS_OF_ENGLISH)
    assert len(told.strip().splitlines()) == 1


async def test_a_text_that_is_not_as_it_was_put_is_damage(tmp_path: Path) -> None:
    """Its reference is its digest."""
    database = Database(tmp_path / "store.sqlite")
    ref = database.put_text("the plan")
    await database.flush()
    execute = database._connection.execute  # pyright: ignore[reportPrivateUsage]
    database._thread.submit(execute, "UPDATE texts SET text='another plan'").result()  # pyright: ignore[reportPrivateUsage]
    database.close()
    again = Database(tmp_path / "store.sqlite")
    with pytest.raises(StoreError) as caught:
        again.get_text(ref)
    assert caught.value.problem == "damaged"
    again.close()
