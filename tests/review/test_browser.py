"""The desk in a real browser, over runs that pause at a table of fake models."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from concilio.review import ReviewFolder, last_asked, pending
from concilio.view.app import make_app
from concilio.view.reviewing import Desk
from tests.review.conftest import Seat
from tests.table_scripts import ACCEPT, PLAN, REFINE, SCENE_2, table_script
from tests.view.browsing import CHROMIUM, WITHOUT, launched, served
from tests.view.runs import HOSTILE, make_run, pause_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=WITHOUT)
BLOCKING = REFINE.replace("| grave |", "| bloqueante |")


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    with launched() as browser:
        yield browser


@pytest.fixture
def address(seat: Seat) -> Iterator[str]:
    """Where the runs of the seat are shown."""
    out = seat.folder / "out"
    out.mkdir()
    with served(make_app(out, None, Desk())) as address:
        yield address


@pytest.fixture
def context(browser: "Browser", address: str) -> "Iterator[BrowserContext]":
    """A phone without JavaScript: the desk needs none."""
    made = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 844}, locale="en-GB", java_script_enabled=False
    )
    made.set_default_timeout(8000)
    yield made
    made.close()


@pytest.fixture
def page(context: "BrowserContext") -> "Page":
    return context.new_page()


def aside(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do something in another thread: Playwright keeps this one's event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *arguments).result()


def begin(seat: Seat, script: Any, *flags: str) -> str:
    """Begin a run that pauses; return the path of its chapter's page."""
    aside(seat.begin, script, *(flags or ("--review",)))
    return f"/runs/{seat.run.name}/chapters/1"


def unfold(page: "Page") -> None:
    page.bring_to_front()
    folded = page.locator("details.edit:not([open]) > summary")
    while folded.count():
        folded.first.click()


def press(page: "Page", action: str) -> int:
    """Press a button of the form; return the status of the answer."""
    page.bring_to_front()
    with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
        page.locator(f'button[value="{action}"]').click()
    page.wait_for_load_state()
    return answered.value.status


def test_what_is_wrong_in_an_edit_is_told_before_it_is_sent(seat: Seat, page: "Page") -> None:
    """The engine reads the plan as it stands in the form, by the adventure's own rules."""
    page.goto(begin(seat, table_script()))
    unfold(page)
    field = page.get_by_label("Player action").first
    field.fill(field.input_value().replace("Sigilo", "Sigilio"))
    assert press(page, "check") == 200
    told = page.locator("#checked").inner_text()
    assert "The rules engine finds in it: 1" in told
    assert "Sigilio" in told
    assert "Sigilio" in page.get_by_label("Player action").first.input_value()
    unfold(page)
    page.get_by_label("Player action").first.fill("Subir con una prueba de Fuerza (Atletismo) CD 12.")
    assert press(page, "check") == 200
    assert "rules engine" not in page.locator("#checked").inner_text()


def test_an_edit_an_objection_and_a_waiver_change_the_next_round(seat: Seat, page: "Page") -> None:
    """From the list of runs to the reviewers' prompts, and on to the chapter, in the page alone."""
    answer = f"{SCENE_2}\n\nRESPUESTA O2 | corregida | ya\n"
    begin(seat, table_script(iris=[PLAN, answer], ruben=[REFINE, ACCEPT]), "--review", "--rounds", "1")
    page.goto("/")
    page.get_by_role("heading").get_by_role("link", name="La torre sin puerta").click()
    page.get_by_role("link", name="Decide").click()
    unfold(page)
    page.get_by_label("Place").nth(1).fill("La sala del pozo.")
    page.get_by_label("Waive O1").check()
    own = page.locator("details.edit", has_text="Objection of yours, 1")
    own.get_by_label("About").select_option("1.1")
    own.get_by_label("Kind").select_option("minor")
    own.get_by_label("What is wrong").fill("Mirel no ve nada")
    assert press(page, "check") == 200
    told = page.locator("#checked").inner_text()
    assert "Edits 1.2. Waives O1. Objects to 1.1." in told
    assert "rules engine" not in told
    assert pending(seat.run) is not None
    assert press(page, "round") == 303
    assert "Asks for another round." in page.locator(".review").inner_text()
    aside(seat.resume)
    assert "Mirel no ve nada" in seat.model.of("iris")[-1].messages[-1]["content"]
    for reviewer in ("damian", "ruben"):
        asked = seat.model.of(reviewer)[-1].messages[-1]["content"]
        assert "La sala del pozo." in asked
        assert "El diseñador ha escrito esta escena" in asked
    page.reload()
    assert "after the debate, 2 rounds" in page.locator(".review").inner_text()
    assert [o.state for o in seat.pause.ledger.objections] == ["waived", "open"]
    assert press(page, "accept") == 303
    assert aside(seat.resume) == 0
    page.reload()
    assert page.locator("h1").inner_text() == "La torre sin puerta"
    assert page.locator("#scenes").count()
    assert not page.locator(".review").count()


def test_accepting_over_a_blocker_is_warned_of_and_marked(seat: Seat, page: "Page") -> None:
    path = begin(seat, table_script(ruben=BLOCKING), "--review", "--rounds", "1")
    page.goto(path)
    assert "Blockers are open: O1." in page.locator(".ways").inner_text()
    assert press(page, "accept") == 303
    assert aside(seat.resume) == 1
    (file,) = seat.run.glob("capitulo*.md")
    assert "Por palabra del diseñador; sigue sin resolver 1 objeción" in file.read_text(encoding="utf-8")
    page.reload()
    assert "By the designer's word; 1 blocker is still open" in page.locator(".chapter-head").inner_text()


def test_a_form_that_is_refused_keeps_what_was_typed_and_says_what_is_wrong_where(
    seat: Seat, page: "Page"
) -> None:
    """And to stop, one has to be sure."""
    page.goto(begin(seat, table_script()))
    unfold(page)
    page.get_by_label("Place").first.fill("")
    page.get_by_label("State change").first.fill("Todo arde.")
    page.get_by_label("What would be better").first.fill("Una lámpara")
    assert press(page, "stop") == 422
    wrong = page.locator("[aria-invalid]")
    assert [field.get_attribute("name") for field in wrong.all()] == [
        "scene.1.1.place",
        "objection.0.text",
        "sure",
    ]
    for field in wrong.all():
        assert page.locator(f'[id="{field.get_attribute("aria-describedby")}"]').is_visible()
    assert page.get_by_label("State change").first.input_value() == "Todo arde."
    assert page.get_by_label("What would be better").first.input_value() == "Una lámpara"
    page.get_by_label("Place").first.fill("El muro de la torre.")
    page.get_by_label("What would be better").first.fill("")
    page.get_by_label("Yes, end the chapter here").check()
    assert press(page, "stop") == 303
    assert aside(seat.resume) == 1
    assert seat.chapter.ending == "stopped"
    assert seat.chapter.plan.scenes[0].state_change == "Todo arde."


def test_of_two_pages_the_later_sees_what_changed_and_keeps_its_own_text(
    seat: Seat, context: "BrowserContext"
) -> None:
    path = begin(seat, table_script(iris=[PLAN, f"{SCENE_2}\nRESPUESTA O1 | corregida | ya\n"]))
    first, second, third = (context.new_page() for _ in range(3))
    for page in (first, second, third):
        page.goto(path)
        unfold(page)
    first.get_by_label("Place").first.fill("El muro helado.")
    assert press(first, "round") == 303
    second.get_by_label("Situation").first.fill("Nieva.")
    assert press(second, "accept") == 409
    assert "Somebody has decided it already" in second.locator("#news").inner_text()
    assert second.get_by_label("Scene 1.1 · initial situation").input_value() == "Nieva."
    aside(seat.resume)
    third.get_by_label("State change").nth(1).fill("La llave arde.")
    third.get_by_label("Place").first.fill("El muro tibio.")
    assert press(third, "round") == 409
    assert "Changed: scene 1.1" in third.locator("#news").inner_text()
    assert "El muro helado." in third.locator(".newer").inner_text(), "beside one's own"
    assert third.get_by_label("Place").first.input_value() == "El muro tibio."
    assert third.get_by_label("State change").nth(1).input_value() == "La llave arde."
    assert seat.pause.plan.scenes[0].place == "El muro helado.", "nothing was overwritten"
    third.get_by_label("Place").first.fill("El muro helado.")
    assert press(third, "round") == 303
    aside(seat.resume)
    places = [(scene.place, scene.state_change) for scene in seat.pause.plan.scenes]
    assert places[0][0] == "El muro helado."
    assert places[1][1] == "La llave arde."


def test_with_the_keyboard_alone(seat: Seat, browser: "Browser", address: str) -> None:
    """A line that ends with Enter decides nothing; what is decided is reached by Tab."""
    path = begin(seat, table_script())
    context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.goto(path)

    def tab_to(selector: str) -> None:
        for _ in range(90):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.activeElement.matches({selector!r})"):
                return
        raise AssertionError(selector)

    tab_to("details.edit > summary")
    page.keyboard.press("Enter")
    tab_to("input[name='scene.1.1.title']")
    page.keyboard.press("End")
    page.keyboard.type(" alto")
    page.keyboard.press("Enter")
    page.locator("#checked:focus").wait_for()  # what is told has the focus
    assert page.locator("input[name='scene.1.1.title']").input_value() == "El muro alto"
    assert pending(seat.run) is not None
    tab_to("button[value='round']")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{path}#review")
    context.close()
    asked = last_asked(seat.run)
    assert asked is not None
    assert asked[1] is not None
    assert (asked[1].action, asked[1].scenes[0].title) == ("round", "El muro alto")


def test_hostile_text_in_every_field_runs_nothing(seat: Seat, browser: "Browser", address: str) -> None:
    """What the run shows, what comes back from a refused form, and what is kept of one that is too late."""
    folder = make_run(seat.folder / "out", hostile=HOSTILE, status="waiting")
    ReviewFolder(folder)(pause_of(HOSTILE))
    context = browser.new_context(base_url=address, viewport={"width": 390, "height": 844}, locale="en-GB")
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/runs/{folder.name}/chapters/1")
    for late in (False, True):
        unfold(page)
        for field in page.locator(".review textarea, .review input[autocomplete]").all():
            field.fill(HOSTILE)
        if late:
            ReviewFolder(folder)(pause_of(round=4))
        assert press(page, "check") == (409 if late else 200)
        assert page.evaluate("window.ran") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for link in page.locator("a").all():
            assert not (link.get_attribute("href") or "").lower().startswith("javascript")
    assert press(page, "round") == 303
    assert page.evaluate("window.ran") is None
    assert [url for url in asked if not url.startswith(address)] == []
    context.close()


def test_prose_is_edited_and_written_anew(seat: Seat, page: "Page") -> None:
    mended = {"when": "Falta niebla", "reply": "[1]\nLa niebla sube por el muro.\n", "repeat": True}
    script = table_script()
    script["models"]["prose"].insert(0, mended)
    path = begin(seat, script, "--review", "prose")
    page.goto(path)
    press(page, "accept")
    aside(seat.resume)
    page.reload()
    unfold(page)
    text = page.get_by_label("prose").nth(1).input_value()
    page.get_by_label("prose").nth(1).fill(text.replace("El gancho", "El garfio"))
    assert press(page, "round") == 422, "there is nothing to write anew without an objection"
    page.get_by_label("What is wrong").first.fill("Falta niebla")
    assert press(page, "round") == 303
    aside(seat.resume)
    page.reload()
    assert press(page, "accept") == 303
    assert aside(seat.resume) == 0
    assert "La niebla sube" in seat.chapter.scenes[0].prose
    assert "El garfio" in seat.chapter.scenes[1].prose


def test_view_resume_goes_on_with_the_run_by_itself(seat: Seat, browser: "Browser") -> None:
    """From the decision to the chapter without a command, followed live; the processes end with the page."""
    begin(
        seat, table_script(ruben=[REFINE, ACCEPT], iris=[PLAN, f"{SCENE_2}\nRESPUESTA O1 | corregida | ya"])
    )
    command = [
        sys.executable,
        "-m",
        "concilio",
        "view",
        str(seat.run),
        "--resume",
        "--no-open",
        "--port",
        "0",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(f"{found[0]}/chapters/1")
        assert press(page, "accept") == 303
        assert "The run goes on" in page.locator(".review").inner_text()
        assert page.locator("h1").inner_text() == "La torre sin puerta"
        page.locator("#scenes").wait_for(timeout=30_000)
        context.close()
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 0, told
    assert "Traceback" not in told
    assert seat.chapter.ending == "accepted"
