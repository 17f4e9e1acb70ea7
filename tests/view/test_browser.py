"""The page in a real browser: Debian's chromium, driven by Playwright."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from concilio.view.app import make_app
from tests.view.browsing import CHROMIUM, WITHOUT, launched, served
from tests.view.runs import HOSTILE, RUN, make_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WITHOUT)
HOSTILE_RUN = "20261202-150505-hostile"
CORNER = """() => {
  const image = document.querySelector(".picture img"), canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(2, 2, 1, 1).data].slice(0, 3);
}"""
"""Colour of the picture's upper left corner."""
LEFT = "node => node.getBoundingClientRect().left"
OUTSIDE = """() => {
  const within = document.documentElement.getBoundingClientRect();
  return [...document.querySelectorAll("text")].filter(text => {
    const box = text.getBoundingClientRect();
    return box.right > within.right || box.left < within.left;
  }).map(text => text.textContent);
}"""
"""Texts of a picture that it cuts off."""
CHAPTER = f"/runs/{RUN}/chapters/1"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shown")
    make_run(out)
    make_run(out, run=HOSTILE_RUN, hostile=HOSTILE)
    return out


@pytest.fixture(scope="module")
def address(shown: Path) -> Iterator[str]:
    with served(make_app(shown)) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with launched() as browser:
        yield browser


@pytest.fixture
def page(browser: "Browser", address: str) -> "Iterator[Page]":
    context = browser.new_context(base_url=address, viewport={"width": 390, "height": 844}, locale="en-GB")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", ["/", f"/runs/{RUN}", CHAPTER, f"/runs/{HOSTILE_RUN}/chapters/1"])
def test_nothing_is_wider_than_a_phone(page: "Page", path: str) -> None:
    page.goto(path)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


@pytest.mark.parametrize("path", ["/", f"/runs/{HOSTILE_RUN}", f"/runs/{HOSTILE_RUN}/chapters/1"])
def test_a_hostile_run_runs_nothing(page: "Page", path: str, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path, wait_until="load")
    assert page.evaluate("window.ran") is None
    for link in page.locator("a").all():
        assert not (link.get_attribute("href") or "").lower().startswith("javascript")
    assert [url for url in asked if not url.startswith(address)] == []


def test_a_run_is_read_with_the_keyboard_alone(page: "Page") -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    links = page.locator(f'a[href="/runs/{RUN}"]')
    for _ in range(8):
        page.keyboard.press("Tab")
        if links.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/runs/{RUN}")
    page.locator(f'a[href="{CHAPTER}"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{CHAPTER}")
    assert page.locator("h1").inner_text() == "The Toll"


def test_a_finding_is_explained_on_focus_and_on_hover(page: "Page") -> None:
    page.goto(CHAPTER)
    mark, tip = page.locator("mark[tabindex]").first, page.locator(".tip").first
    assert not tip.is_visible()
    mark.focus()
    assert tip.is_visible()
    assert "The plan says DC 15." in tip.inner_text()
    described = mark.get_attribute("aria-describedby") or ""
    assert "The plan says DC 15." in page.locator(f"#{described}").inner_text()
    page.locator("h1").click()
    assert not tip.is_visible()
    page.locator("mark").first.hover()
    assert tip.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_the_picture_is_as_light_or_dark_as_its_page_and_fits(
    browser: "Browser", address: str, scheme: Any, width: int
) -> None:
    context = browser.new_context(
        base_url=address, viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(CHAPTER)
    picture = page.locator(".picture img")
    picture.scroll_into_view_if_needed()
    picture.evaluate("image => image.decode()")
    shown = page.locator(".picture").evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert shown[0] <= shown[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    red, green, blue = page.evaluate(CORNER)
    card = page.locator(".picture").evaluate("box => getComputedStyle(box).backgroundColor")
    assert card == f"rgb({red}, {green}, {blue})"
    page.goto(f"{CHAPTER}/playtest.svg")
    outside = page.evaluate(OUTSIDE)
    assert outside == []
    context.close()


def test_no_label_breaks_in_the_middle_of_its_word(page: "Page", shown: Path) -> None:
    """However little a long title leaves of its line on a phone."""
    run = "20261202-160000-long"
    folder = make_run(shown, run=run)
    file = folder / "chapter_01.en.json"
    text = file.read_text(encoding="utf-8").replace('"The Toll"', '"The Sorting Room of Brack"')
    file.write_text(text, encoding="utf-8")
    page.goto(f"/runs/{run}")
    assert "Sorting Room" in page.locator(".chapters").inner_text()
    heights = page.locator(".chip").evaluate_all("chips => chips.map(chip => chip.offsetHeight)")
    assert heights
    assert max(heights) < 2 * min(heights)


@pytest.mark.parametrize("path", ["/", f"/runs/{RUN}", CHAPTER])
@pytest.mark.parametrize("width", [390, 1440, 2200])
def test_head_text_and_foot_begin_at_one_line_and_the_foot_is_below(
    browser: "Browser", address: str, path: str, width: int
) -> None:
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(path)
    lefts = [page.locator(name).first.evaluate(LEFT) for name in (".brand", "h1", ".foot p")]
    assert max(lefts) - min(lefts) < 1
    assert page.locator(".foot").evaluate("foot => foot.getBoundingClientRect().bottom + scrollY") >= 900
    context.close()


def test_everything_is_read_without_javascript(browser: "Browser", address: str) -> None:
    context = browser.new_context(base_url=address, java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(CHAPTER)
    assert "The ropes" in page.locator(".prose").inner_text()
    plan = page.locator("section[aria-labelledby=plan]")
    plan.locator("summary").click()
    assert plan.get_by_text("The bridge has one rope less.").is_visible()
    context.close()


def test_a_run_is_followed_live(page: "Page", shown: Path) -> None:
    from concilio.store.lease import Lease

    folder = make_run(shown, (), run="20261202-170000-live", status="running")
    lease = Lease(folder)
    lease.take()
    try:
        page.goto("/runs/20261202-170000-live")
        assert "follows" in page.locator(".live-text").inner_text()
        began = time.monotonic()
        with (folder / "events.jsonl").open("a", encoding="utf-8") as file:
            file.write('{"at": "2026-12-02T17:00:01.000+00:00", "kind": "round", "chapter": 3, "round": 1}\n')
        page.get_by_text("Chapter 3: round 1 begins").wait_for(timeout=8000)
        assert time.monotonic() - began < 8
    finally:
        lease.release()
