"""A run's page: chapters by name and ending, and what of them can be taken along."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concilio.chapterfile.render import render_chapter
from concilio.store.lease import Lease
from concilio.view.exporting import FORMS
from tests.view.runs import HOSTILE, RUN, chapter_of, make_run
from tests.view.test_safety import live_markup

PAGE = f"/runs/{RUN}"
CHAPTER = f"{PAGE}/chapters/1"


def write_markdown(folder: Path, number: int = 1, hostile: str = "") -> str:
    text = render_chapter(chapter_of(number, "en", hostile))
    (folder / f"chapter_{number:02}.en.md").write_text(text, encoding="utf-8")
    return text


def test_a_run_lists_its_chapters_by_title_and_ending(client: TestClient, out: Path) -> None:
    make_run(out, (1, 2))
    text = client.get(PAGE).text
    assert re.search(r'Chapter 2 · The Toll</span>\s*<span class="chip ending-accepted">accepted', text)
    assert f'href="{CHAPTER}"' in text


def test_costs_come_before_a_log_that_is_folded_once_the_run_is_over(client: TestClient, out: Path) -> None:
    folder = make_run(out)
    text = client.get(PAGE).text
    assert text.index('id="cost"') < text.index('id="latest"')
    assert re.search(r'<details class="change">\s*<summary>8 lines', text)
    lease = Lease(folder)
    lease.take()
    try:
        assert '<details class="change" open>' in client.get(PAGE).text
    finally:
        lease.release()


def test_the_markdown_is_given_as_the_text_that_it_is(client: TestClient, out: Path) -> None:
    text = write_markdown(make_run(out, hostile=HOSTILE), hostile=HOSTILE)
    answer = client.get(f"{CHAPTER}/markdown")
    assert answer.text == text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(("form", "begins"), [("html", b"<!doctype"), ("homebrewery", b""), ("pdf", b"%PDF")])
def test_an_export_is_saved_and_written_nowhere(
    client: TestClient, out: Path, form: str, begins: bytes
) -> None:
    if form == "pdf":
        pytest.importorskip("typst")
    folder = make_run(out, hostile=HOSTILE)
    before = sorted(path.name for path in folder.iterdir())
    assert f'href="{CHAPTER}/export/{form}" download' in client.get(PAGE).text
    answer = client.get(f"{CHAPTER}/export/{form}")
    assert answer.status_code == 200
    assert answer.content.lower().startswith(begins.lower())
    name = f"chapter_01.en{FORMS[form].ending}"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "sandbox" in answer.headers["content-security-policy"]
    if form == "html":
        assert "The Toll" in answer.text
        assert [found for found in live_markup(answer.text) if found not in ("style", "svg")] == []
    assert sorted(path.name for path in folder.iterdir()) == before


def test_what_cannot_be_made_here_is_not_offered(
    client: TestClient, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_missing(name: str) -> None:
        """Find no package of that name."""

    monkeypatch.setattr("concilio.view.exporting.find_spec", is_missing)
    make_run(out)
    text = client.get(PAGE).text
    assert "export/html" in text
    assert "export/pdf" not in text
    assert "/markdown" not in text, "the run has no such file"
    assert client.get(f"{CHAPTER}/export/pdf").status_code == 404


@pytest.mark.parametrize(
    "what",
    ["markdown", "export/foundry", "export/%2e%2e%2frun.json", "export/html%2f..", "export/"],
)
def test_nothing_else_is_given(client: TestClient, out: Path, what: str) -> None:
    make_run(out)
    assert client.get(f"{CHAPTER}/{what}").status_code == 404
    assert client.get(f"{PAGE}/chapters/7/{what}").status_code == 404


@pytest.mark.parametrize("name", ["chapter_01.en.md", "chapter_01.en.json", "adventure.snapshot"])
def test_a_file_that_is_a_link_to_elsewhere_is_not_given(client: TestClient, out: Path, name: str) -> None:
    folder = make_run(out)
    write_markdown(folder)
    outside = out.parent / "moved"
    outside.write_text('{"title": "Elsewhere"}' if name.endswith("t") else (folder / name).read_text())
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    for what in ("markdown", "export/html", "export/homebrewery"):
        answer = client.get(f"{CHAPTER}/{what}")
        assert answer.status_code in (200, 404)
        assert "Elsewhere" not in answer.text
    assert client.get(f"{CHAPTER}/markdown").status_code == (200 if name.endswith("t") else 404)


def test_a_damaged_chapter_is_told_where_it_is_taken(client: TestClient, out: Path) -> None:
    folder = make_run(out)
    (folder / "chapter_01.en.json").write_text('{"number": "x"', encoding="utf-8")
    answer = client.get(f"{CHAPTER}/export/html")
    assert answer.status_code == 500
    assert "cannot be read" in answer.text
