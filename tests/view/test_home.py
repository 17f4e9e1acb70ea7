"""The list of runs as a designer reads it: which chapters, how they ended, when, for how much."""

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concilio.batch.job import SNAPSHOT_NAME
from concilio.domain.adventure import Adventure, ChapterOutline
from tests.view.runs import RUN, make_run


def end_with(folder: Path, *endings: str) -> None:
    """Let a run's chapters have ended so, by its own account."""
    info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    info["result"]["chapters"] = [{"number": n, "ending": e} for n, e in enumerate(endings, 1) if e]
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")


def spend(folder: Path, *replies: tuple[int | None, int | None, float | None]) -> None:
    """Keep replies in a run's journal: tokens in, tokens out, US dollars."""
    with sqlite3.connect(folder / "store.sqlite") as store:
        store.execute("CREATE TABLE replies (tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL)")
        store.executemany("INSERT INTO replies VALUES (?, ?, ?)", replies)
    store.close()


def named(text: str) -> list[tuple[str, str, str]]:
    """Return number, title and ending of the chapters that cards name."""
    rows = re.findall(r'<li value="(\d+)"><a[^>]*>([^<]*)</a> <span class="[^"]*">([^<]*)</span>', text)
    return [(number, title, ending) for number, title, ending in rows]


def test_two_runs_of_one_adventure_are_told_apart(client: TestClient, out: Path) -> None:
    make_run(out, (1,), title="The Bridge")
    folder = make_run(out, (1, 2), run="20261202-150505-the-bridge", title="The Bridge")
    end_with(folder, "max_rounds", "accepted")
    text = client.get("/").text
    assert named(text) == [
        ("1", "The Toll", "rounds used up"),
        ("2", "The Toll", "accepted"),
        ("1", "The Toll", "accepted"),
    ]
    assert f'href="/runs/{RUN}/chapters/1"' in text
    es = client.get("/", headers={"accept-language": "es"}).text
    assert ("1", "The Toll", "rondas agotadas") in named(es)


def test_a_chapter_that_is_not_written_is_called_as_in_its_outline(client: TestClient, out: Path) -> None:
    folder = make_run(out, (1, 2))
    (folder / "chapter_02.en.json").unlink()
    end_with(folder, "accepted")
    assert ("2", "Chapter 2", "not written yet") in named(client.get("/").text)
    outline = ChapterOutline(number=2, title="The Far Bank")
    adventure = Adventure(title="The Bridge", language="en", chapters=(outline,))
    (folder / SNAPSHOT_NAME).write_text(adventure.model_dump_json(), encoding="utf-8")
    assert ("2", "The Far Bank", "not written yet") in named(client.get("/").text)


def test_of_many_chapters_the_others_are_counted(client: TestClient, out: Path) -> None:
    folder = make_run(out, tuple(range(1, 10)))
    end_with(folder, *["accepted"] * 6, "stalled", "accepted", "")
    text = client.get("/").text
    assert len(named(text)) == 4
    assert re.search(r"5 more:\s*3 accepted,\s*1 stalled,\s*1 not written yet", re.sub(r"<[^>]*>", "", text))


@pytest.fixture
def in_bogota(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock is five hours behind."""
    monkeypatch.setenv("TZ", "XBO+5")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_bogota")
def test_times_are_those_of_the_readers_machine(client: TestClient, out: Path) -> None:
    make_run(out)
    assert "2026-12-02 10:05 XBO</time>" in client.get("/").text
    page = client.get(f"/runs/{RUN}").text
    assert 'datetime="2026-12-02T15:05:04+00:00"' in page
    assert ">10:05:15</span>" in page


@pytest.mark.parametrize("at", ["", "yesterday", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00"])
def test_a_time_that_is_none_breaks_no_page(client: TestClient, out: Path, at: str) -> None:
    folder = make_run(out)
    (folder / "events.jsonl").write_text(json.dumps({"at": at, "kind": "round", "chapter": 1}) + "\n")
    assert client.get(f"/runs/{RUN}").status_code == 200


@pytest.mark.parametrize(
    ("replies", "es", "en"),
    [
        ([], ("–", "–"), ("–", "–")),
        ([(0, 0, 0.0)], ("0", "0,00 $"), ("0", "$0.00")),
        ([(1000, 200, 1.5), (10, 2, 0.25)], ("1 212", "1,75 $"), ("1 212", "$1.75")),
        ([(10, 2, 0.25), (None, None, None)], ("desconocido",) * 2, ("unknown",) * 2),
    ],
)
def test_what_was_used_is_told_alike_on_every_page(
    client: TestClient,
    out: Path,
    replies: list[tuple[int | None, int | None, float | None]],
    es: tuple[str, str],
    en: tuple[str, str],
) -> None:
    spend(make_run(out), *replies)
    for language, wanted in (("es", es), ("en", en)):
        for path in ("/", f"/runs/{RUN}"):
            text = client.get(path, headers={"accept-language": language}).text
            facts = re.findall(r"<dt>(?:Tokens|Coste|Cost)</dt><dd>([^<]*)</dd>", text)
            assert tuple(facts) == wanted, path


def test_fifty_full_cards_come_fast_and_small(client: TestClient, out: Path) -> None:
    for number in range(50):
        make_run(out, (1, 2, 3, 4, 5), run=f"20261202-1500{number:02}-run-{number}")
    client.get("/static/view.css")
    began = time.perf_counter()
    answer = client.get("/")
    assert time.perf_counter() - began < 1
    assert len(answer.content) < 200_000
