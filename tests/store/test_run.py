"""A run's folder: its id, its one writer, its files, and what is said of a broken one."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from concilio.store.errors import RunLocked, StoreError
from concilio.store.run import INFO_NAME, RunStore, latest_run, list_runs, new_run_id, read_info, slug


def now() -> datetime:
    """Return the moment of the tests."""
    return datetime(2026, 11, 5, 9, 8, 7, tzinfo=UTC)


RUN_ID = "20261105-090807-faro"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("El banquete de Xylanth", "el-banquete-de-xylanth"),
        ("¡Ñandú & Señal!", "nandu-senal"),
        ("../../etc/passwd", "etc-passwd"),
        ("  ", "run"),
        ("漢字", "run"),
        ("{{ 7*7 }} </system>", "7-7-system"),
        ("x" * 500, "x" * 40),
        ("a\x00b\n/c\\d", "a-b-c-d"),
    ],
)
def test_a_slug_is_safe_in_a_path(title: str, expected: str) -> None:
    """No title chooses a path."""
    assert slug(title) == expected
    assert new_run_id(title, now()) == f"20261105-090807-{expected}"


def test_runs_of_the_same_second_do_not_collide(tmp_path: Path) -> None:
    """The second gets a number."""
    ids: list[str] = []
    for _ in range(3):
        with RunStore.create(tmp_path, RUN_ID, {}, now=now) as store:
            ids.append(store.info.id)
    assert ids == [RUN_ID, f"{RUN_ID}-2", f"{RUN_ID}-3"]
    assert [p.name for p in list_runs(tmp_path)] == ids
    assert latest_run(tmp_path) == tmp_path / ids[-1]


@pytest.mark.parametrize(
    "run_id", ["../x", "x", "20261105-090807-", "20261105-090807-a/b", "20261105-090807-A"]
)
def test_only_ids_of_the_form_are_taken(tmp_path: Path, run_id: str) -> None:
    """Whoever calls."""
    with pytest.raises(StoreError):
        RunStore.create(tmp_path / "out", run_id, {}, now=now)
    assert not (tmp_path / "out").exists()


def test_run_json_says_what_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs, versions, status and result; never a key."""
    monkeypatch.setenv("OPENAI_API_KEY", "la-clave-secreta")
    inputs: dict[str, Any] = {
        "file": "a.md",
        "seed": 7,
        "models": {"iris": "openai/x"},
        "slip": "la-clave-secreta",
    }
    with RunStore.create(tmp_path, RUN_ID, inputs, versions={"concilio": "0.1"}, now=now) as store:
        store.update(ending="accepted")
        store.update(status="done", cost_usd=None)
        folder = store.folder
    data = json.loads((folder / INFO_NAME).read_text(encoding="utf-8"))
    assert data == {
        "format": 1,
        "id": RUN_ID,
        "created": "2026-11-05T09:08:07Z",
        "status": "done",
        "inputs": {**inputs, "slip": "***"},
        "versions": {"concilio": "0.1"},
        "result": {"ending": "accepted", "cost_usd": None},
    }
    assert read_info(folder).inputs["seed"] == 7


async def test_a_run_is_opened_again_with_all_that_it_holds(tmp_path: Path) -> None:
    """Texts, events, journal."""
    with RunStore.create(tmp_path, RUN_ID, {}, now=now) as store:
        ref = store.put_text("el plan")
        store.events.emit("round", number=1)
        store.write("capitulo_05.es.md", "# Uno")
        folder = store.folder
    with RunStore.open(folder) as again:
        assert again.get_text(ref) == "el plan"
        assert await again.journal.get("nothing") is None
        again.events.emit("round", number=2)
    assert len((folder / "events.jsonl").read_text().splitlines()) == 2
    assert (folder / "capitulo_05.es.md").read_text() == "# Uno"


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "/etc/x",
        "a/../../x",
        "",
        ".",
        "..",
        "a/",
        ".hidden",
        "a\\b",
        "a\x00",
        "ñ.md",
        "run.json",
        "events.jsonl",
        "lock",
    ],
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    """Nor onto the run's own files."""
    with RunStore.create(tmp_path, RUN_ID, {}, now=now) as store, pytest.raises(StoreError) as caught:
        store.write(name, "x")
    assert caught.value.problem == "bad_name"


def test_no_link_leads_out_of_the_folder(tmp_path: Path) -> None:
    """A folder that is a link elsewhere is not written through."""
    with RunStore.create(tmp_path / "out", RUN_ID, {}, now=now) as store:
        (store.folder / "sub").symlink_to(tmp_path)
        with pytest.raises(StoreError):
            store.write("sub/x.md", "x")
        store.write("real/x.md", "x")
    assert not (tmp_path / "x.md").exists()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """The second says so, with the first one's number; afterwards the run is free."""
    with RunStore.create(tmp_path, RUN_ID, {}, now=now) as store:
        code = (
            "import sys\nfrom pathlib import Path\nfrom concilio.store.run import RunStore\n"
            "from concilio.store.errors import RunLocked\n"
            "try:\n    RunStore.open(Path(sys.argv[1]))\nexcept RunLocked as error:\n    print(error.pid)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(store.folder)], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == str(os.getpid())
        with pytest.raises(RunLocked):
            RunStore.open(store.folder)
    RunStore.open(store.folder).close()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "no_run"),
        ("", "damaged"),
        ("{", "damaged"),
        ("[]", "damaged"),
        ('{"format": 1}', "damaged"),
        ('{"format": 99, "id": "x"}', "newer"),
        ("[" * 100_000, "damaged"),
        ("\udcff", "damaged"),
    ],
)
@pytest.mark.parametrize("language", ["es", "en"])
def test_a_broken_run_is_one_clear_line(
    tmp_path: Path, content: str | None, problem: str, language: str
) -> None:
    """What is wrong, and where."""
    if content is not None:
        (tmp_path / INFO_NAME).write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(StoreError) as caught:
        RunStore.open(tmp_path)
    assert caught.value.problem == problem
    assert str(tmp_path) in caught.value.explain(language)
    assert "\n" not in caught.value.explain(language)


def test_a_run_whose_database_is_damaged_leaves_no_lock(tmp_path: Path) -> None:
    """The error is told, and the lease is given back."""
    with RunStore.create(tmp_path, RUN_ID, {}, now=now) as store:
        folder = store.folder
    for file in folder.glob("store.sqlite*"):
        file.unlink()
    (folder / "store.sqlite").write_bytes(b"basura" * 1000)
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            RunStore.open(folder)
        assert caught.value.problem == "damaged"


def test_no_runs_is_no_fault(tmp_path: Path) -> None:
    """A folder that is not there, is empty, or holds something else."""
    (tmp_path / "algo").mkdir()
    (tmp_path / "file").write_text("")
    assert list_runs(tmp_path) == list_runs(tmp_path / "no") == list_runs(tmp_path / "file") == ()
    assert latest_run(tmp_path) is None


def test_an_out_that_is_a_file_is_said(tmp_path: Path) -> None:
    """One clear line."""
    (tmp_path / "out").write_text("")
    with pytest.raises(StoreError):
        RunStore.create(tmp_path / "out", RUN_ID, {}, now=now)
