"""A run whose files are damaged, odd, or no files at all: the page shows what it can, and names the rest."""

import copy
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from concilio.chapterfile.json_file import dump_chapter
from concilio.chapterfile.names import chapter_file_stem
from concilio.review import ReviewFolder
from concilio.view.app import make_app
from concilio.view.guard import FORM_TOKEN, Door
from concilio.view.reviewing import Desk
from tests.view.conftest import ADDRESS
from tests.view.runs import RUN, chapter_of, events, make_run, pause_of

CHAPTER = f"/runs/{RUN}/chapters/1"
PAGES = ("/", f"/runs/{RUN}", CHAPTER, f"/runs/{RUN}/chapters/2")
"""Of the chapters the first is written and the second is asked for."""
LONG_S = 20
"""Seconds in which an answer is there on the slowest machine."""

TOKENS = {
    "@huge": "1" + "0" * 400, "@longest": "9" * 4000, "@infinite": "1e400", "@nan": "NaN",
    "@minus": "-Infinity", "@half": '"\\ud800"', "@deep": "[" * 400 + "]" * 400,
}  # fmt: skip
"""Values that only JSON's text can say, by what stands for them until it is written."""
ODD: tuple[Any, ...] = (
    *TOKENS, None, True, False, -1, 0, 10**6, 2**63, 1.5, "", "x", "9" * 5000, "\x00\x1b[31m", [], [[]],
    {}, {"number": None}, [None, "a", 1e30], {"chapters": "x", "endings": [1]}, ["x", {"number": "1"}],
)  # fmt: skip


def written(value: Any) -> str:
    """Return a value as JSON, with the tokens that stand for what Python would not write."""
    text = json.dumps(value)
    for mark, token in TOKENS.items():
        text = text.replace(f'"{mark}"', token)
    return text


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all that is within a value, itself first."""
    yield path
    keys: Any = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    for key in keys:
        yield from places(value[key], (*path, key))


def changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """Return a value with another one at a path in it."""
    if not path:
        return other
    made = copy.deepcopy(value)
    at = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = other
    return made


@st.composite
def mutated(draw: st.DrawFn, source: Any) -> Any:
    """Return a JSON value of ours with one to three odd values in it."""
    value = source
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(value))))
        value = changed(value, path, draw(st.sampled_from(ODD)))
    return value


def info_of(out: Path) -> Any:
    return json.loads((out / RUN / "run.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two chapters, the second unwritten."""
    out = tmp_path_factory.mktemp("source")
    folder = make_run(out, (1, 2), title="The Bridge", status="waiting")
    (folder / f"{chapter_file_stem(2, 'en')}.json").unlink()
    ReviewFolder(folder)(pause_of())
    return out


@pytest.fixture
def damaged(out: Path, source: Path) -> Path:
    """The folder of such a run, to be damaged."""
    shutil.copytree(source, out, dirs_exist_ok=True)
    return out / RUN


def asking(out: Path) -> TestClient:
    """Who asks of a page with a desk; whatever the page raises reaches the test."""
    app = make_app(out, Door(), Desk())
    return TestClient(app, base_url=ADDRESS, headers={"accept-language": "en"}, follow_redirects=False)


@pytest.fixture
def desk(out: Path) -> TestClient:
    return asking(out)


def in_a_copy(source: Path, name: str, text: str, pages: tuple[str, ...] = PAGES) -> list[tuple[int, str]]:
    """Return status and text of each page of a run in which one file says something else."""
    with TemporaryDirectory() as place:
        out = Path(place) / "outputs"
        shutil.copytree(source, out)
        (out / RUN / name).write_text(text, encoding="utf-8")
        answers = [asking(out).get(page) for page in pages]
        return [(answer.status_code, answer.text) for answer in answers]


PROPERTY = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@PROPERTY
@given(data=st.data())
def test_no_run_json_breaks_a_page(source: Path, data: st.DataObject) -> None:
    info = data.draw(mutated(info_of(source)))
    answers = in_a_copy(source, "run.json", written(info))
    assert [status for status, _ in answers] == [200] * len(PAGES)


@PROPERTY
@given(data=st.data())
def test_no_events_break_a_page(source: Path, data: st.DataObject) -> None:
    lines = [json.loads(line) for line in events((1, 2))]
    lines = [data.draw(mutated(line)) if data.draw(st.booleans()) else line for line in lines]
    answers = in_a_copy(source, "events.jsonl", "".join(f"{written(line)}\n" for line in lines))
    assert [status for status, _ in answers] == [200] * len(PAGES)


@PROPERTY
@given(data=st.data())
def test_no_chapter_breaks_a_page(source: Path, data: st.DataObject) -> None:
    """It is shown, or the page says that it cannot be read and why."""
    chapter = data.draw(mutated(json.loads(dump_chapter(chapter_of(1)))))
    name = f"{chapter_file_stem(1, 'en')}.json"
    for (status, text), page in zip(in_a_copy(source, name, written(chapter)), PAGES, strict=True):
        assert status == 200 or (page == CHAPTER and "cannot be read" in text)


@pytest.mark.parametrize(
    ("field", "odd"),
    [
        ("inputs.chapters", [None, "a", 1e30, 1]), ("inputs.chapters", "x"), ("inputs.title", {"a": 1}),
        ("inputs.adventure", 7), ("result.chapters", "x"), ("result.chapters", [3, {"number": "@huge"}]),
        ("result.exit", "@infinite"), ("inputs", []), ("result", None), ("created", "@nan"), ("id", None),
    ],
)  # fmt: skip
def test_an_odd_run_json_is_named_with_the_field_and_hides_nothing_else(
    desk: TestClient, damaged: Path, field: str, odd: Any
) -> None:
    info = changed(info_of(damaged.parent), tuple(field.split(".")), odd)
    (damaged / "run.json").write_text(written(info), encoding="utf-8")
    for page in PAGES[1:]:
        answer = desk.get(page)
        assert answer.status_code == 200
        assert "run.json" in answer.text
        assert field in answer.text
    run = desk.get(f"/runs/{RUN}").text
    assert "The Toll" in run, "the chapter is listed"
    assert "round 1 begins" in run, "what happened is told"
    assert "The ropes" in desk.get(CHAPTER).text


@pytest.mark.parametrize(
    "line",
    [
        '{"at": "x", "kind": "round", "chapter": 1, "round": 1e400}',
        '{"kind": "call", "agent": [], "tokens_in": NaN}',
        '{"kind": null}',
        "[1]",
        "no JSON at all",
        '{"at": "x", "kind": "scene", "chapter": 1, "scene": {}, "findings": -1}',
    ],
)
def test_an_odd_line_of_the_events_is_named_and_the_others_are_told(
    desk: TestClient, damaged: Path, line: str
) -> None:
    path = damaged / "events.jsonl"
    path.write_text(f"{line}\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    for page in (f"/runs/{RUN}", f"/runs/{RUN}/chapters/2"):
        answer = desk.get(page)
        assert answer.status_code == 200
        assert "events.jsonl has 1 line" in answer.text
    assert "Chapter 1: round 2" not in answer.text
    assert "Chapter 1 is done" in desk.get(f"/runs/{RUN}").text


@pytest.mark.parametrize("end", ['{"at": "2026-12-02T15:05', "{", ""])
def test_a_line_that_a_killed_process_left_is_no_damage(desk: TestClient, damaged: Path, end: str) -> None:
    with (damaged / "events.jsonl").open("a", encoding="utf-8") as file:
        file.write(
            f'{end}\n{{"at": "2026-12-02T15:05:15+00:00", "kind": "round", "chapter": 9, "round": 1}}\n'
        )
    page = desk.get(f"/runs/{RUN}").text
    assert "events.jsonl" not in page
    assert "Chapter 9: round 1 begins" in page


# --- what is no file of the run's ---------------------------------------------------------------------


def names_in(folder: Path) -> list[str]:
    """Return the names of all files of a run that waits, and those that others of its kind have."""
    there = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    more = [
        "lock", "store.sqlite", "store.sqlite-wal", "checkpoints.sqlite", "adventure.snapshot",
        "review/resume.log", f"review/{pause_of().version}.decision.json",
        f"{chapter_file_stem(1, 'en')}.md", f"{chapter_file_stem(2, 'en')}.json",
    ]  # fmt: skip
    return sorted({*there, *more})


def as_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    (path / "inner").mkdir(parents=True)


def as_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def as_circle(path: Path) -> None:
    path.symlink_to(path)


def answered(client: TestClient, page: str) -> int:
    """Return the status of a page; where none comes in time, fail instead of waiting for ever."""
    found: list[int] = []
    asked = threading.Thread(target=lambda: found.append(client.get(page).status_code), daemon=True)
    asked.start()
    asked.join(LONG_S)
    assert found, f"{page} hangs"
    return found[0]


@pytest.mark.parametrize("make", [as_pipe, as_folder, as_device, as_circle])
def test_nothing_but_a_file_is_ever_opened(
    source: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    """Each file of a run in turn is something else: every page answers, and the run's page names it."""
    unseen = ("resume.log", ".md", ".pause.json", "checkpoints.sqlite", "lock", "adventure.snapshot")
    silent: list[str] = []
    for number, name in enumerate(names_in(source / RUN)):
        out = tmp_path / str(number)
        shutil.copytree(source, out)
        path = out / RUN / name
        path.unlink(missing_ok=True)
        make(path)
        client = asking(out)
        pages = (*PAGES, f"{CHAPTER}/playtest.svg", f"{CHAPTER}/markdown", f"{CHAPTER}/export/html")
        for page in pages:
            assert answered(client, page) < 500 or page == f"{CHAPTER}/export/html", (name, page)
        if path.name not in client.get(f"/runs/{RUN}").text and not name.endswith(unseen):
            silent.append(name)
    assert silent == []


NAMED = ("run.json", "events.jsonl", "store.sqlite", "review/now.json", "chapter_01.en.json")


@pytest.mark.parametrize("name", [*NAMED, "chapter_01.en.md", "adventure.snapshot"])
def test_no_link_leads_out_of_the_runs(desk: TestClient, damaged: Path, tmp_path: Path, name: str) -> None:
    """A file that lies elsewhere is not read, whatever links to it; the page says that it is a link."""
    secret = tmp_path / "secret"
    path = damaged / name
    text = path.read_text(encoding="utf-8") if path.is_file() else "{}"
    said = text.replace("The", "TOPSECRET").replace("round", "TOPSECRET").replace(RUN, "TOPSECRET")
    secret.write_text(said, encoding="utf-8")
    path.unlink(missing_ok=True)
    path.symlink_to(secret)
    for page in (*PAGES, f"{CHAPTER}/markdown", f"{CHAPTER}/export/html"):
        assert "TOPSECRET" not in desk.get(page).text, page
    if name in NAMED:
        page = desk.get(f"/runs/{RUN}").text
        assert f"{path.name} is a link that leads out" in page


# --- the review ---------------------------------------------------------------------------------------

NOW = "review/now.json"
DECISION = f"review/{pause_of().version}.decision.json"
PAUSE = f"review/{pause_of().version}.pause.json"
DAMAGES = {
    "empty": b"", "half": b'{"version": "', "no text": b"\xff\xfe\x00", "a list": b"[]", "null": b"null",
    "another's": b'{"version": "0", "action": "accept"}', "too large": b" " * 20_000_001,
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(("name", "advice"), [(NOW, "concilio resume"), (DECISION, "Delete it")])
def test_a_damaged_review_hides_nothing_else_and_says_what_to_do(
    desk: TestClient, damaged: Path, name: str, advice: str, damage: str
) -> None:
    (damaged / name).write_bytes(DAMAGES[damage])
    for page in (f"/runs/{RUN}", CHAPTER):
        answer = desk.get(page)
        assert answer.status_code == 200
        assert str(damaged / name) in answer.text
        assert ("20 MB" if damage == "too large" else advice) in answer.text
        assert "<form" not in answer.text
    assert "The ropes" in desk.get(CHAPTER).text
    other = desk.get(f"/runs/{RUN}/chapters/2").text
    assert (name in other) == (name == NOW), "it is told where it may belong"


@pytest.mark.parametrize("name", [NOW, DECISION])
def test_the_advice_works(desk: TestClient, damaged: Path, name: str) -> None:
    """The run, going on, writes the pause again; without its file a decision is asked for again."""
    (damaged / name).write_text("{")
    if name == DECISION:
        (damaged / name).unlink()
    assert ReviewFolder(damaged)(pause_of()) is None
    page = desk.get(CHAPTER).text
    assert "<form" in page
    assert name not in page


def sent(door: Door, **more: str) -> dict[str, str]:
    values = {FORM_TOKEN: door.form, "version": pause_of().version, "do": "accept"}
    return values | {"scene.1.1.place": "My own cellar"} | more


@pytest.mark.parametrize("name", [NOW, DECISION, PAUSE])
@pytest.mark.parametrize("make", [as_pipe, as_folder, as_device, "damaged"])
def test_nothing_that_was_written_is_lost_where_it_cannot_be_kept(
    out: Path, damaged: Path, make: Callable[[Path], None] | str, name: str
) -> None:
    path = damaged / name
    path.unlink(missing_ok=True)
    if isinstance(make, str):
        path.write_text("{")
    else:
        make(path)
    door = Door()
    client = TestClient(make_app(out, door, Desk()), base_url=ADDRESS, headers={"accept-language": "en"})
    answer = client.post(f"{CHAPTER}/review", data=sent(door), headers={"origin": ADDRESS})
    assert answer.status_code == 503
    assert "My own cellar" in answer.text
    assert "could not be kept" in answer.text
    assert path.name in answer.text


def test_a_chapter_that_is_too_large_says_so_and_the_limit(desk: TestClient, damaged: Path) -> None:
    path = damaged / f"{chapter_file_stem(1, 'en')}.json"
    path.write_bytes(path.read_bytes() + b" " * 20_000_000)
    for page in (CHAPTER, f"{CHAPTER}/export/html", f"{CHAPTER}/playtest.svg"):
        text = desk.get(page).text
        assert f"{path.name} is too large" in text, page
        assert "20 MB" in text


def test_a_chapter_that_cannot_be_read_is_named(desk: TestClient, damaged: Path) -> None:
    path = damaged / f"{chapter_file_stem(1, 'en')}.json"
    path.write_text('{"schema_version": 1,')
    assert path.name in desk.get(CHAPTER).text
    assert path.name in desk.get(f"{CHAPTER}/export/html").text
