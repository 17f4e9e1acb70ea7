"""The application: routes, templates, and the guard before them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from concilio.catalogue import LANGUAGES, say, speaking
from concilio.printable import shell_word
from concilio.store.errors import StoreError
from concilio.view.bodies import CLOSING, read_body
from concilio.view.desk import desk_page
from concilio.view.exporting import CannotGiveError, Given, given, markdown_of
from concilio.view.found import Found, NotFoundError, chapter_file, find
from concilio.view.guard import FILE_POLICY, FORM_TOKEN, PICTURE_POLICY, Door, Guard
from concilio.view.live import Streams
from concilio.view.pages import (
    UnreadableError,
    chapter_page,
    is_over,
    open_chapter,
    plan_rows,
    run_page,
    runs_page,
)
from concilio.view.playing import picture
from concilio.view.reviewing import Desk, Shown, Taken
from concilio.view.words import COOKIE, Words, language_of

HERE = Path(__file__).parent
_FILE_HEADERS = {"content-security-policy": FILE_POLICY}
MOST_FIELDS = 3000
"""Fields of a form."""


@dataclass
class Site:
    """What the pages are made of."""

    out: Path
    door: Door
    desk: Desk | None = None
    streams: Streams = field(default_factory=Streams)
    templates: Environment = field(default_factory=lambda: _templates())

    def html(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        """Return a page from a template."""
        language = language_of(request)
        words = Words(language)
        shared = {"t": words, "lang": language, "languages": LANGUAGES, "plan_rows": plan_rows}
        shared |= {
            "path": values.pop("path", request.url.path),
            "field": partial(words.named, "debate.field"),
        }
        page = self.templates.get_template(name).render({**shared, **values})
        # A folder's name may hold bytes that are no text.
        answer = HTMLResponse(page.encode("utf-8", "replace"), status)
        answer.headers["content-language"] = language
        answer.headers["vary"] = "Accept-Language, Cookie"
        if request.query_params.get("lang") in LANGUAGES:
            answer.set_cookie(COOKIE, language, httponly=True, samesite="strict", path="/")
        return answer


def _templates() -> Environment:
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["path"] = lambda text: quote(str(text), safe="~")
    found.filters["shell"] = shell_word
    return found


def make_app(out: Path, door: Door | None = None, desk: Desk | None = None) -> ASGIApp:
    """Return the page of a folder of runs as an ASGI application.

    Args:
        out: folder of the runs; nothing outside it is shown.
        door: who may come in; by default who is on this machine.
        desk: where a designer's decisions go; None: the page is for reading alone.
    """
    return make_site(Site(out, door or Door(), desk))


class ChapterConvertor(IntegerConvertor):
    """A chapter's number in an address; one of more digits is no page of ours."""

    regex = "[0-9]{1,6}"


def make_site(site: Site) -> ASGIApp:
    """Return the application of a site."""
    register_url_convertor("chapter", ChapterConvertor())
    chapter = "/runs/{run}/chapters/{number:chapter}"
    routes = [
        Route("/", partial(_runs, site)),
        Route("/runs/{run}", partial(_run, site)),
        Route("/runs/{run}/news", partial(_news, site)),
        Route(chapter, partial(_chapter, site)),
        Route(f"{chapter}/playtest.svg", partial(_picture, site)),
        Route(f"{chapter}/markdown", partial(_markdown, site)),
        Route(f"{chapter}/export/{{form}}", partial(_export, site)),
        Mount("/static", StaticFiles(directory=HERE / "static")),
    ]
    if site.desk is not None:
        routes.append(Route(f"{chapter}/review", partial(_review, site), methods=["GET", "POST"]))
        routes.append(Route(f"{chapter}/resume", partial(_resume, site), methods=["POST"]))
    handlers: Mapping[Any, Any] = {
        NotFoundError: partial(_not_found, site),
        HTTPException: partial(_refused, site),
        UnreadableError: partial(_unreadable, site),
        CannotGiveError: partial(_unreadable, site),
        StoreError: partial(_unreadable, site),
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), site.door)


def _page_number(request: Request) -> int:
    text = request.query_params.get("page", "1")
    return int(text) if text.isdecimal() and len(text) < 7 else 1


async def _runs(site: Site, request: Request) -> Response:
    values = await run_in_threadpool(runs_page, site.out, _page_number(request))
    return site.html(request, "runs.html", **values)


def _found(site: Site, request: Request) -> Found:
    return find(site.out, request.path_params["run"])


async def _run(site: Site, request: Request) -> Response:
    def read() -> dict[str, Any]:
        run, desk = _found(site, request), site.desk
        values = run_page(site.out, run)
        values["problems"] = (*values["problems"], *(desk.faults(run) if desk else ()))
        return values | {"waits": desk.waits(run) if desk else None}

    return site.html(request, "run.html", **await run_in_threadpool(read))


async def _news(site: Site, request: Request) -> Response:
    run = await run_in_threadpool(_found, site, request)
    if site.streams.full:
        raise HTTPException(503)
    lines = site.streams.news(run.folder, partial(_is_over, site, run))
    return StreamingResponse(lines, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def _is_over(site: Site, run: Found) -> bool:
    """Tell whether nobody works on a run any more, nor is about to."""
    return is_over(run) and not (site.desk and site.desk.is_at_work(run))


async def _chapter(site: Site, request: Request) -> Response:
    return await _chapter_answer(site, request)


def _chapter_path(request: Request) -> str:
    run, number = request.path_params["run"], request.path_params["number"]
    return f"/runs/{quote(run, safe='~')}/chapters/{number}"


async def _chapter_answer(
    site: Site, request: Request, given: Shown | None = None, status: int = 200
) -> Response:
    number, language = request.path_params["number"], language_of(request)

    def read() -> tuple[dict[str, Any], Shown | None]:
        with speaking(language):
            run = _found(site, request)
            review = given or (site.desk.shown(run, number, language) if site.desk else None)
            values = chapter_page(site.out, run, number)
            faults = site.desk.faults(run, number) if site.desk else ()
            return values | {"problems": (*values["problems"], *faults)}, review

    values, review = await run_in_threadpool(read)
    desk = desk_page(review, number, language) if review else None
    own = {"path": _chapter_path(request), "token": site.door.form, "token_name": FORM_TOKEN}
    return site.html(request, "chapter.html", status, **values, **own, desk=desk)


async def _picture(site: Site, request: Request) -> Response:
    def draw() -> str | None:
        run = _found(site, request)
        found = chapter_file(site.out, run, request.path_params["number"])
        return picture(site.out, run, found[0], open_chapter(found[0])) if found else None

    svg = await run_in_threadpool(draw)
    if svg is None:
        raise HTTPException(404)
    headers = {"content-security-policy": PICTURE_POLICY}
    return Response(svg, media_type="image/svg+xml", headers=headers)


async def _markdown(site: Site, request: Request) -> Response:
    """Show a chapter's file as the text that it is."""

    def read() -> bytes:
        path = markdown_of(site.out, _found(site, request), request.path_params["number"])
        if path is None:
            raise NotFoundError
        return path.read_bytes()

    text = await run_in_threadpool(read)
    return Response(text, media_type="text/plain; charset=utf-8", headers=_FILE_HEADERS)


async def _export(site: Site, request: Request) -> Response:
    """Give a chapter in another form, to be saved: nothing of it is opened as a page of ours."""

    def make() -> Given:
        return given(
            site.out, _found(site, request), request.path_params["number"], request.path_params["form"]
        )

    made = await run_in_threadpool(make)
    headers = {**_FILE_HEADERS, "content-disposition": f'attachment; filename="{made.name}"'}
    return Response(made.content, media_type=made.media_type, headers=headers)


async def _form(site: Site, request: Request) -> dict[str, str]:
    """Return the fields of a form of ours; the guard has looked at the origin and at the length.

    Raises:
        HTTPException: it cannot be read, or does not carry the page's token.
    """
    body = (await read_body(request, lambda: site.streams.closing)).decode("utf-8", "replace")
    try:
        fields = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise HTTPException(400) from None
    if not _same(fields.pop(FORM_TOKEN, ""), site.door.form):
        raise HTTPException(403)
    return fields


async def _review(site: Site, request: Request) -> Response:
    """Give the desk what a designer sent, and go back to the chapter where it was taken."""
    if request.method != "POST" or site.desk is None:
        return RedirectResponse(_chapter_path(request), 303)
    fields, desk, language = await _form(site, request), site.desk, language_of(request)

    def take() -> Taken:
        return desk.take(_found(site, request), request.path_params["number"], fields, language)

    taken = await run_in_threadpool(take)
    if taken.status != 303:
        return await _chapter_answer(site, request, taken.shown, taken.status)
    return RedirectResponse(f"{_chapter_path(request)}#review", 303)


async def _resume(site: Site, request: Request) -> Response:
    """Go on with a run that was decided about."""
    await _form(site, request)
    if site.desk is not None:
        await run_in_threadpool(lambda: site.desk and site.desk.go_on(_found(site, request)))
    return RedirectResponse(f"{_chapter_path(request)}#review", 303)


def _same(given: str, right: str) -> bool:
    from secrets import compare_digest

    return compare_digest(given.encode(), right.encode())


async def _not_found(site: Site, request: Request, error: Exception) -> Response:
    return _error(site, request, 404)


async def _refused(site: Site, request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return _error(site, request, 500)
    answer = _error(site, request, error.status_code, CLOSING if error.detail == CLOSING else "")
    answer.headers.update(error.headers or {})
    return answer


def _error(site: Site, request: Request, status: int, why: str = "") -> Response:
    known = status if status in (400, 403, 404, 405, 408, 413, 503) else 500
    text = say(f"view.error.{why or known}", language_of(request))
    return site.html(request, "error.html", status, code=status, message=text)


async def _unreadable(site: Site, request: Request, error: Exception) -> Response:
    language = language_of(request)
    if isinstance(error, StoreError):
        text = error.explain(language)
    else:
        problem = error.problem if isinstance(error, UnreadableError | CannotGiveError) else str(error)
        text = say("view.error.unreadable", language, problem=problem)
    return site.html(request, "error.html", 500, code=500, message=text)
