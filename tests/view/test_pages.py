"""What the pages show, in both languages, and how large and fast they are."""

import json
import re
import shlex
import sqlite3
import time
from html import unescape
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from concilio.batch.plan import BATCH_NAME
from concilio.batch.runs import find_run
from concilio.domain.debate import Message
from concilio.review import Decision, ReviewFolder, decide
from concilio.view.app import make_app
from concilio.view.found import list_found
from concilio.view.live import Streams
from concilio.view.reviewing import Desk
from tests.view.conftest import ADDRESS
from tests.view.runs import RUN, chapter_of, make_run, pause_of


def test_an_empty_folder_says_how_to_begin(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    assert "There is no run here yet" in answer.text
    assert "concilio run" in answer.text


def test_the_list_shows_how_each_run_stands(client: TestClient, out: Path) -> None:
    make_run(out)
    (out / "20261202-160000-broken").mkdir()
    (out / "20261202-160000-broken" / "run.json").write_text("{", encoding="utf-8")
    text = client.get("/").text
    assert "The bridge" in text
    assert "1/1" in text
    assert "cannot be read" in text
    assert text.index("20261202-160000-broken") < text.index(RUN), "the newest comes first"


@pytest.mark.parametrize(
    ("title", "name"),
    [("El puente de\n sal", "El puente de sal"), ("", "The bridge"), ("x" * 300, "x" * 120)],
)
def test_a_run_is_called_by_its_adventures_title(
    client: TestClient, out: Path, title: str, name: str
) -> None:
    """A run of an earlier version kept none: its file's name stands for it."""
    make_run(out, title=title)
    for path in ("/", f"/runs/{RUN}", f"/runs/{RUN}/chapters/1"):
        assert f">{name}</" in client.get(path).text


@pytest.mark.parametrize(
    "place",
    ["outputs", "elsewhere/runs", "mi carpeta", "it's $HOME; ls", "-x", "<i>&amp;", "outputs/batch-1"],
)
def test_the_command_that_goes_on_with_a_run_can_be_typed_where_the_page_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Whatever the folder of its runs is, on the run's page and at its desk."""
    monkeypatch.chdir(tmp_path)
    folder, out = make_run(Path(place), status="waiting"), Path(place)
    (folder / "chapter_01.en.json").unlink()
    ReviewFolder(folder)(pause_of())
    decide(folder, Decision(version=pause_of().version, action="accept"), "en")
    if out.name.startswith("batch-"):
        (out / BATCH_NAME).write_text("{}", encoding="utf-8")
        out = out.parent
    address = f"/runs/{quote(list_found(out)[0].id)}"
    pages = (make_app(out), address), (make_app(out, desk=Desk()), f"{address}/chapters/1")
    for app, path in pages:
        page = TestClient(app, base_url=ADDRESS, headers={"accept-language": "en"}).get(path).text
        (told,) = re.findall(r"<code>concilio resume (.*?)</code>", page)
        (word,) = shlex.split(unescape(told))
        assert find_run(word, Path("outputs")).resolve() == folder.resolve()


def test_a_run_that_waits_leads_to_its_desk(client: TestClient, out: Path) -> None:
    folder = make_run(out, (1, 2), status="waiting")
    (folder / "chapter_01.en.json").unlink()
    ReviewFolder(folder)(pause_of())
    desk = TestClient(make_app(out, desk=Desk()), base_url=ADDRESS, headers={"accept-language": "en"})
    assert f'href="/runs/{RUN}/chapters/1#review"' in desk.get(f"/runs/{RUN}").text
    assert "Your decision" in desk.get(f"/runs/{RUN}/chapters/1").text
    assert "Your decision" not in desk.get(f"/runs/{RUN}/chapters/2").text
    assert "#review" not in client.get(f"/runs/{RUN}").text, "a page for reading alone has none"
    (folder / "review" / "now.json").write_text("{", encoding="utf-8")
    assert "now.json is damaged" in desk.get(f"/runs/{RUN}/chapters/1").text


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("kind", ["round", "plan", "prose"])
def test_the_desk_has_all_its_words(out: Path, language: str, kind: str) -> None:
    folder = make_run(out, status="waiting")
    prose = {"1.1": "The ropes creak."} if kind == "prose" else {}
    ReviewFolder(folder)(pause_of(kind=kind, prose=prose, unfinished={"1.2": "### Scene 1.2 — Half"}))
    headers = {"accept-language": language}
    desk = TestClient(make_app(out, desk=Desk()), base_url=ADDRESS, headers=headers)
    assert desk.get(f"/runs/{RUN}/chapters/1").status_code == 200


def test_a_run_tells_its_chapters_its_events_and_its_use(client: TestClient, out: Path) -> None:
    make_run(out, (1, 2))
    text = client.get(f"/runs/{RUN}").text
    assert f"/runs/{RUN}/chapters/2" in text
    assert "Rubén Veinte asks for changes, 1 objection" in text
    assert "price unknown" in text.lower() or "unknown" in text


def test_a_chapter_shows_debate_changes_ledger_plan_prose_findings_odds_and_cost(
    client: TestClient, out: Path
) -> None:
    make_run(out)
    text = client.get(f"/runs/{RUN}/chapters/1").text
    assert "<del>25</del><ins>15</ins>" in text, "word by word"
    assert "<strong>Lower it.</strong>" in text
    assert "DC 25 is out of bounds." in text
    assert "The bridge has one rope less." in text
    assert re.search(r'<meter[^>]*value="0\.\d', text), "the odds beside the check"
    assert "1 200" in text
    assert "playtest.svg" in text
    assert "about 27 minutes" in text
    assert "The best end has a chance of 62" in text
    assert 'lang="en"' in text


def test_a_finding_is_underlined_at_its_place_and_explained(client: TestClient, out: Path) -> None:
    make_run(out)
    text = client.get(f"/runs/{RUN}/chapters/1").text
    marks = re.findall(
        r'<mark class="error"( tabindex="0")? aria-describedby="finding-1">([^<]*)</mark>', text
    )
    assert [said for _, said in marks] == ["a DC ", "18", " Dexterity check"], "markup inside it stays whole"
    assert [bool(stop) for stop, _ in marks] == [True, False, False], "the keyboard stops once"
    assert 'id="finding-1"' in text
    assert 'id="finding-2"' in text, "what has no place is in the list"
    assert text.count("<mark") == 3


def test_headings_go_down_one_step_at_a_time(client: TestClient, out: Path) -> None:
    make_run(out)
    for path in ("/", f"/runs/{RUN}", f"/runs/{RUN}/chapters/1"):
        levels = [int(n) for n in re.findall(r"<h([1-6])", client.get(path).text)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(levels)), (path, levels)


@pytest.mark.parametrize(
    ("query", "accept", "language", "word"),
    [
        ("", "en-GB,en;q=0.9", "en", "Objections"),
        ("", "es-ES,es;q=0.9,en;q=0.8", "es", "Objeciones"),
        ("", "fr,en;q=0.2,es;q=0.7", "es", "Objeciones"),
        ("?lang=es", "en", "es", "Objeciones"),
        ("?lang=en", "es", "en", "Objections"),
        ("?lang=xx", "en", "en", "Objections"),
        ("?lang=../../en", "es;q=broken,en", "en", "Objections"),
    ],
)
def test_the_page_speaks_the_readers_language(
    client: TestClient, out: Path, query: str, accept: str, language: str, word: str
) -> None:
    make_run(out, language="es")
    answer = client.get(f"/runs/{RUN}/chapters/1{query}", headers={"accept-language": accept})
    assert f'<html lang="{language}">' in answer.text
    assert f">{word}</h2>" in answer.text
    assert 'class="prose" lang="es"' in answer.text, "the text keeps its own"


def test_the_language_is_remembered(client: TestClient, out: Path) -> None:
    client.get("/?lang=es")
    assert '<html lang="es">' in client.get("/").text


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_page_has_all_its_words(client: TestClient, out: Path, language: str) -> None:
    make_run(out, (1, 2), status="running")
    for path in ("/", f"/runs/{RUN}", f"/runs/{RUN}/chapters/1", "/nothing"):
        assert client.get(path, headers={"accept-language": language}).status_code in (200, 404)


def test_fifty_chapters_come_fast_and_small(client: TestClient, out: Path) -> None:
    make_run(out, tuple(range(1, 51)))
    client.get("/")
    for path in (f"/runs/{RUN}", "/"):
        began = time.perf_counter()
        answer = client.get(path)
        assert time.perf_counter() - began < 0.3, path
        assert len(answer.content) < 200_000
    assert client.get(f"/runs/{RUN}").text.count('<span class="chapter-n">') == 50


def test_many_runs_come_in_pages(client: TestClient, out: Path) -> None:
    for number in range(60):
        make_run(out, (), run=f"20261202-1500{number:02}-run-{number}")
    first, second = client.get("/").text, client.get("/?page=2").text
    assert first.count('class="card"') == 50
    assert second.count('class="card"') == 10
    assert client.get("/?page=-3").status_code == client.get("/?page=999999").status_code == 200


def test_a_debate_is_read_while_it_goes_on(client: TestClient, out: Path) -> None:
    folder = make_run(out, (1, 2))
    (folder / "chapter_02.en.json").unlink()
    write_log(folder, list(chapter_of(2).debate[:2]))
    text = client.get(f"/runs/{RUN}/chapters/2").text
    assert "Rubén Veinte" in text
    assert "<strong>Lower it.</strong>" in text
    assert "<b>2.1</b> The Bridge" in text


def write_log(folder: Path, messages: list[Message]) -> None:
    """As a run keeps its debate: entries that are linked backwards, among other texts."""
    with sqlite3.connect(folder / "store.sqlite") as store:
        store.execute("CREATE TABLE texts (ref TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID")
        store.execute("INSERT INTO texts VALUES ('0', 'prose')")
        previous = ""
        for number, message in enumerate(messages, 1):
            entry = json.dumps({"previous": previous, "message": message.model_dump()}, separators=(",", ":"))
            previous = f"r{number}"
            store.execute("INSERT INTO texts VALUES (?, ?)", (previous, entry))
    store.close()


def test_a_damaged_chapter_is_told_in_words(client: TestClient, out: Path) -> None:
    folder = make_run(out)
    (folder / "chapter_01.en.json").write_text('{"number": "x"', encoding="utf-8")
    answer = client.get(f"/runs/{RUN}/chapters/1")
    assert answer.status_code == 500
    assert "cannot be read" in answer.text


def test_the_picture_is_an_image_of_ours(client: TestClient, out: Path) -> None:
    make_run(out)
    answer = client.get(f"/runs/{RUN}/chapters/1/playtest.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "The Bridge" in answer.text


async def test_news_is_told_and_ends_with_the_run(out: Path) -> None:
    folder = make_run(out)
    over = False
    streams = Streams()
    lines = streams.news(folder, lambda: over, every_s=0.001)
    assert b"retry" in await anext(lines)
    assert b"event: news" in await anext(lines)  # at once: the page may be older than its stream
    with (folder / "events.jsonl").open("a") as file:
        file.write('{"kind": "round"}\n')
    assert b"event: news" in await anext(lines)
    over = True
    assert b"event: over" in await anext(lines)
    assert [line async for line in lines] == []
    assert not streams.full
