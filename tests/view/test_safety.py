"""Nobody reaches what is not shown, and nothing that a model wrote does anything."""

import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concilio.review import ReviewFolder, pending
from concilio.review.folder import decision_on
from concilio.review.sheet import fields_of
from concilio.view.app import MOST_FIELDS, make_app
from concilio.view.guard import FORM_TOKEN, LARGEST_BODY, Door, open_door
from concilio.view.marking import marked, place, to_html
from concilio.view.reviewing import Desk
from tests.view.conftest import ADDRESS
from tests.view.runs import HOSTILE, RUN, finding, make_run, pause_of

CHAPTER = f"/runs/{RUN}/chapters/1"


class Live(HTMLParser):
    """Collects what a browser would obey."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in ("iframe", "object", "embed", "base", "svg", "style", "form"):
            self.found.append(tag)
        if tag == "script" and not (values.get("src") or "").startswith("/static/"):
            self.found.append("script")
        for name, value in attrs:
            outside = name == "src" and not (value or "").startswith("/")
            obeyed = (
                name.startswith("on") or name == "style" or (value or "").lower().startswith("javascript:")
            )
            if outside or obeyed:
                self.found.append(f"{tag} {name}={value}")


def live_markup(text: str) -> list[str]:
    reader = Live()
    reader.feed(text)
    return reader.found


def test_the_reader_of_these_tests_sees_live_markup() -> None:
    assert len(live_markup(HOSTILE)) >= 4


@pytest.mark.parametrize("path", ["/", f"/runs/{RUN}", CHAPTER])
def test_a_hostile_run_has_no_live_markup(client: TestClient, out: Path, path: str) -> None:
    make_run(out, hostile=HOSTILE)
    answer = client.get(path)
    assert answer.status_code == 200
    assert live_markup(answer.text) == []
    shown = re.sub(r"[0-9a-f-]{20,}", "", answer.text.replace(str(out), ""))  # the folder's name has figures
    assert "49" not in shown, "no text is a template"


def test_a_hostile_picture_has_none_either(client: TestClient, out: Path) -> None:
    make_run(out, hostile=HOSTILE)
    text = client.get(f"{CHAPTER}/playtest.svg").text
    assert "<script" not in text
    assert "<img" not in text


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        "<javascript:alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "`<script>` and\n\n```\n</pre><script>1</script>\n```",
        '[x](http://a.invalid/ "\ue000\\"onclick=alert(1)")',
        "\ue000<b onclick=1>\ue001",
        "| a |\n|---|\n| <img src=x onerror=1> |",
    ],
)
def test_no_markdown_becomes_live(text: str) -> None:
    spots = place([finding(text[:9]), finding(text[-5:]), finding(text)], text, 1)
    for html in (to_html(text), marked(text, spots)):
        assert live_markup(html) == []
        assert not re.search("[\ue000-\uf8ff]", html)


def test_marks_are_well_nested_wherever_quotes_begin_and_end() -> None:
    text = "One *two three* four `five six` seven.\n\n- eight **nine\n  ten** eleven\n"
    for start in range(0, len(text), 3):
        for end in range(start + 1, len(text), 5):
            html = marked(text, place([finding(text[start:end]), finding("three* four")], text, 1))
            assert well_nested(html), (text[start:end], html)


def well_nested(html: str) -> bool:
    stack: list[str] = []
    for end, name in re.findall(r"<(/?)([a-z0-9]+)[^>]*>", html):
        if not end:
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    return not stack


@pytest.mark.parametrize(
    "path",
    [
        "/runs/../secret", "/runs/..%2fsecret", "/runs/%2e%2e/chapters/1", "/runs/.../chapters/1",
        "/runs/linked", "/runs/linked/chapters/1", f"/runs/{RUN}~{RUN}", f"/runs/{RUN}/chapters/-1",
        f"/runs/{RUN}/chapters/99999", f"/runs/{RUN}/chapters/7", f"/runs/{RUN}/chapters/1/../../run.json",
        f"/runs/{RUN}/chapters/" + "9" * 5000,
        f"/runs/{RUN}/run.json", "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%5capp.py",
        "/etc/passwd", "/runs/%00", f"/runs/{RUN}%0a", "/runs/" + "a" * 5000, "/docs",
    ],
)  # fmt: skip
def test_no_path_reaches_another_file(client: TestClient, out: Path, path: str) -> None:
    make_run(out)
    make_run(out.parent / "elsewhere", run="secret")
    (out / "linked").symlink_to(out.parent / "elsewhere" / "secret")
    answer = client.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text
    assert "/somewhere" not in answer.text


def test_a_folder_whose_name_is_no_text_hides_no_other_run(client: TestClient, out: Path) -> None:
    shutil.copytree(make_run(out), out / os.fsdecode(b"bad\xff"))
    answer = client.get("/")
    assert answer.status_code == 200
    assert f"/runs/{RUN}" in answer.text


def test_a_chapter_that_is_a_link_to_elsewhere_is_not_read(client: TestClient, out: Path) -> None:
    folder = make_run(out)
    own = folder / "chapter_01.en.json"
    own.rename(out.parent / "moved.json")
    own.symlink_to(out.parent / "moved.json")
    assert "Lower it" not in client.get(CHAPTER).text


def test_every_answer_carries_the_headers(client: TestClient, out: Path) -> None:
    make_run(out)
    given = [f"{CHAPTER}/playtest.svg", f"{CHAPTER}/export/html"]
    for path in ("/", CHAPTER, "/nothing", "/static/view.css", *given):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe-inline" not in headers["content-security-policy"] or path.endswith("svg")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    assert "unsafe" not in client.get("/").headers["content-security-policy"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8422", 200), ("localhost:8422", 200), ("[::1]:8422", 200), ("127.0.0.1", 200),
        ("evil.invalid", 421), ("127.0.0.1.evil.invalid:8422", 421), ("", 421), ("localhost.evil", 421),
        ("[::1", 421), ("192.168.1.7", 421),
    ],
)  # fmt: skip
def test_only_our_own_name_is_answered_to(client: TestClient, host: str, status: int) -> None:
    assert client.get("/", headers={"host": host}).status_code == status


def test_another_address_asks_for_a_token_that_becomes_a_cookie(out: Path) -> None:
    make_run(out)
    door = open_door("0.0.0.0")
    client = TestClient(make_app(out, door), base_url="http://192.168.1.7:8422", follow_redirects=False)
    assert client.get("/").status_code == 401
    assert client.get("/?token=wrong").status_code == 401
    assert client.get("/", headers={"cookie": "concilio_view=wrong"}).status_code == 401
    assert client.get("/static/view.css").status_code == 401
    answer = client.get(f"{CHAPTER}?token={door.token}&lang=es")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{CHAPTER}?lang=es", "the token leaves the address"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert door.token.lower() not in cookie
    assert client.get("/").status_code == 200


def test_the_token_leads_to_no_other_site(out: Path) -> None:
    door = open_door("0.0.0.0")
    client = TestClient(make_app(out, door), base_url="http://192.168.1.7", follow_redirects=False)
    answer = client.get(f"http://192.168.1.7//evil.invalid/?token={door.token}")
    assert answer.headers["location"].startswith("/evil")


@pytest.mark.parametrize(("host", "asks"), [("127.0.0.1", False), ("::1", False), ("localhost", False),
                                            ("0.0.0.0", True), ("::", True), ("10.0.0.2", True)])  # fmt: skip
def test_who_must_know_the_token(host: str, asks: bool) -> None:
    assert bool(open_door(host).token) is asks


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def folder(out: Path) -> Path:
    return make_run(out, status="waiting")


@pytest.fixture
def reviewed(out: Path, folder: Path, door: Door) -> TestClient:
    """Who asks of a page where a run waits for its designer."""
    ReviewFolder(folder)(pause_of())
    return TestClient(make_app(out, door, Desk()), base_url=ADDRESS, follow_redirects=False)


OURS = {"origin": ADDRESS}


def test_a_decision_is_taken_from_the_pages_own_form(reviewed: TestClient, folder: Path) -> None:
    page = reviewed.get(CHAPTER).text
    token = re.search(f'name="{FORM_TOKEN}" value="([^"]+)"', page)
    assert token
    sent = {FORM_TOKEN: token[1], "version": pause_of().version, "do": "accept"}
    answer = reviewed.post(f"{CHAPTER}/review", data=sent, headers=OURS)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{CHAPTER}#review")
    decided = decision_on(folder, pause_of().version)
    assert decided is not None
    assert decided.action == "accept"


@pytest.mark.parametrize(
    ("headers", "right_token", "status"),
    [
        (OURS, False, 403),
        ({}, True, 403),
        ({"origin": "null"}, True, 403),
        ({"origin": "https://evil.invalid"}, True, 403),
        ({"origin": "http://127.0.0.1:9999"}, True, 403),
        ({"origin": "http://[broken"}, True, 403),
        (OURS | {"sec-fetch-site": "cross-site"}, True, 403),
        (OURS, True, 303),
    ],
)
def test_nobody_else_can_send_it(
    reviewed: TestClient, folder: Path, door: Door, headers: dict[str, str], right_token: bool, status: int
) -> None:
    token = door.form if right_token else "wrong"
    sent = {FORM_TOKEN: token, "version": pause_of().version, "do": "accept"}
    assert reviewed.post(f"{CHAPTER}/review", data=sent, headers=headers).status_code == status
    assert (pending(folder) is None) == (status == 303)
    assert reviewed.post(f"{CHAPTER}/resume", data=sent, headers=headers).status_code == status


def test_a_body_is_bounded_whatever_it_says_of_itself(reviewed: TestClient, folder: Path) -> None:
    large = b"a=" + b"x" * LARGEST_BODY
    assert reviewed.post(f"{CHAPTER}/review", content=large, headers=OURS).status_code == 413
    pieces = (large[i : i + 1000] for i in range(0, len(large), 1000))
    assert reviewed.post(f"{CHAPTER}/review", content=pieces, headers=OURS).status_code == 413
    many = "&".join(f"a{i}=1" for i in range(MOST_FIELDS + 1))
    assert reviewed.post(f"{CHAPTER}/review", content=many, headers=OURS).status_code == 400
    assert pending(folder) is not None


def test_a_review_that_lies_elsewhere_is_not_shown(reviewed: TestClient, folder: Path, door: Door) -> None:
    """Neither the folder of the reviews nor a file in it may be a link out of the runs' folder."""
    outside = folder.parent.parent / "moved"
    kept = folder / "review" / "now.json"
    kept.rename(outside)
    kept.symlink_to(outside)
    assert "<form" not in reviewed.get(CHAPTER).text
    kept.unlink()
    outside.rename(kept)
    assert "<form" in reviewed.get(CHAPTER).text
    (folder / "review").rename(outside)
    (folder / "review").symlink_to(outside)
    assert "<form" not in reviewed.get(CHAPTER).text
    sent = {FORM_TOKEN: door.form, "version": pause_of().version, "do": "accept"}
    assert reviewed.post(f"{CHAPTER}/review", data=sent, headers=OURS).status_code == 503
    assert not list(outside.glob("*.decision.json"))


@pytest.mark.parametrize("version", ["", "../../run", "0" * 32, "%2e%2e", "/etc/passwd", "\x00"])
def test_no_version_reaches_another_file(
    reviewed: TestClient, folder: Path, door: Door, version: str
) -> None:
    sent = {FORM_TOKEN: door.form, "version": version, "do": "accept", "scene.1.1.place": "My cellar"}
    answer = reviewed.post(f"{CHAPTER}/review", data=sent, headers=OURS)
    assert answer.status_code == 409
    assert "My cellar" in answer.text, "nothing that was typed is lost"
    assert pending(folder) is not None


def test_a_hostile_review_has_no_live_markup(out: Path, folder: Path, door: Door) -> None:
    """In all that a run may show, and in all that comes back from a form that is refused."""
    pause = pause_of(HOSTILE)
    ReviewFolder(folder)(pause)
    client = TestClient(make_app(out, door, Desk()), base_url=ADDRESS, follow_redirects=False)
    pages = [client.get(CHAPTER)]
    sent = {FORM_TOKEN: door.form, "version": pause.version, "do": HOSTILE}
    sent |= dict.fromkeys(fields_of(pause), HOSTILE)
    sent |= {
        f"objection.{i}.{k}": HOSTILE for i in range(3) for k in ("scene", "severity", "text", "proposal")
    }
    pages.append(client.post(f"{CHAPTER}/review", data=sent, headers=OURS))
    pages.append(client.post(f"{CHAPTER}/review", data=sent | {"version": HOSTILE}, headers=OURS))
    assert [page.status_code for page in pages] == [200, 422, 409]
    for page in pages:
        assert [found for found in live_markup(page.text) if found != "form"] == []
        assert "javascript" in page.text, "it is shown, as text"


def test_a_page_without_a_desk_takes_nothing(client: TestClient, out: Path) -> None:
    make_run(out)
    ReviewFolder(out / RUN)(pause_of())
    assert client.post(f"{CHAPTER}/review", data={}, headers=OURS).status_code == 404
    assert client.post("/", data={}, headers=OURS).status_code == 405
    assert "<form" not in client.get(CHAPTER).text
