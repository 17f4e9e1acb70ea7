"""What each page shows: values for the templates, read from the files of the runs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from concilio.batch.runs import RunRow, run_row
from concilio.catalogue import say
from concilio.chapterfile.errors import ChapterFileError
from concilio.domain.chapter import AgentUse, Chapter, SceneProse
from concilio.domain.debate import Objection
from concilio.domain.plan import Mechanic, ScenePlan
from concilio.store.errors import StoreError
from concilio.view.changes import Turn, turns
from concilio.view.exporting import forms_here, markdown_of
from concilio.view.found import (
    Found,
    NotFoundError,
    chapter_fault,
    chapter_file,
    chapters_there,
    has_chapter,
    list_found,
)
from concilio.view.marking import Placed, marked, place, to_html
from concilio.view.outline import outline_of
from concilio.view.playing import Odds, asked_in, odds_of_chapter, opens_aloud
from concilio.view.reading import (
    ChapterState,
    Progress,
    live_debate,
    read_chapter_file,
    read_progress,
)
from concilio.view.titles import chapter_titles
from rules.ruleset import RulesetError

PER_PAGE = 50
"""Runs on one page."""
MOST_NAMED = 4
"""Chapters of a run that the list of runs names."""
AGENTS = ("iris", "damian", "ruben", "prose", "reader", "engine", "designer")
SEVERITIES = ("blocker", "major", "minor")


class UnreadableError(Exception):
    """A chapter's file cannot be read; `problem` says why, in words for people."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn of the debate with its words as HTML."""

    turn: Turn
    html: Markup


@dataclass(frozen=True, slots=True)
class ShownMechanic:
    """A roll or figure of a scene, with its odds where it is a check."""

    mechanic: Mechanic
    chances: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownScene:
    """A written scene."""

    scene: SceneProse
    html: Markup
    findings: tuple[Placed, ...]
    mechanics: tuple[ShownMechanic, ...]
    odds: tuple[Any, ...]
    minutes: int | None = None
    """Each time that it is played; None where the plan was not."""


@dataclass(frozen=True, slots=True)
class Card:
    """A run in the list."""

    run: Found
    row: RunRow
    named: tuple[tuple[int, str, str], ...]
    """Number, title and ending of its first chapters; the ending is empty where they are not written."""
    others: tuple[tuple[str, int], ...]
    """Endings of the chapters that are not named, and how many have each."""
    chapters: int


def runs_page(out: Path, page: int) -> dict[str, Any]:
    """Return a page of runs, the newest first."""
    found = list_found(out)
    pages = max(1, -(-len(found) // PER_PAGE))
    page = min(max(1, page), pages)
    shown = found[(page - 1) * PER_PAGE : page * PER_PAGE]
    rows = [_card(out, run) for run in shown]
    return {"rows": rows, "page": page, "pages": pages, "count": len(found), "out": str(out)}


def _card(out: Path, run: Found) -> Card:
    """Return a run as the list shows it: its first chapters by name, of the others how they ended."""
    row = run_row(run.folder)
    endings = dict(row.endings)
    numbers = _numbers(run, row)
    titles = chapter_titles(out, run, numbers[:MOST_NAMED])
    named = tuple((number, title, endings.get(number, "")) for number, title in titles.items())
    others = Counter(endings.get(number, "") for number in numbers[MOST_NAMED:])
    return Card(run, row, named, tuple(others.items()), len(numbers))


@dataclass(frozen=True, slots=True)
class Listed:
    """A chapter of a run's page."""

    number: int
    title: str
    """Empty where it is not known."""
    state: ChapterState
    ending: str
    """Empty where it is not written."""
    text: bool
    """Whether its Markdown is there to be read."""
    forms: tuple[str, ...]
    """What it can be exported to."""


def run_page(out: Path, run: Found) -> dict[str, Any]:
    """Return how a run stands: its chapters, what happened last, what its agents used."""
    row = run_row(run.folder)
    progress = read_progress(run.folder)
    endings = dict(row.endings)
    numbers = sorted({*_numbers(run, row), *progress.chapters})
    chapters = list(_listed(out, run, numbers, progress, endings))
    uses = sorted(progress.uses.values(), key=lambda use: _order(use.agent))
    done = sum(1 for each in chapters if each.ending)
    latest = list(reversed(progress.latest))
    return {
        "run": run,
        "row": row,
        "chapters": chapters,
        "done": done,
        "latest": latest,
        "uses": uses,
        "sum": totals(uses),
        "problems": (*row.problems, *progress.problems, *_chapter_faults(out, run, numbers)),
    }


def _numbers(run: Found, row: RunRow) -> list[int]:
    """Return a run's chapters; where it does not say well which they are, those that lie there, too."""
    there = chapters_there(run) if row.problems else ()
    return sorted({*row.chapters, *(number for number, _ in row.endings), *there})


def _chapter_faults(out: Path, run: Found, numbers: Sequence[int]) -> list[StoreError]:
    """Return why what has the names of chapters' files are none."""
    found = (chapter_fault(out, run, number) for number in numbers)
    return [fault for fault in found if fault is not None]


def _listed(
    out: Path, run: Found, numbers: Sequence[int], progress: Progress, endings: Mapping[int, str]
) -> Iterator[Listed]:
    titles, forms = chapter_titles(out, run, numbers), forms_here()
    for number in numbers:
        state = progress.chapters.get(number, ChapterState(number))
        ending = endings.get(number, "") or (state.ending if state.finished else "")
        there = has_chapter(out, run, number)
        text = there and markdown_of(out, run, number) is not None
        yield Listed(number, titles[number], state, ending, text, forms if there else ())


def _order(agent: str) -> int:
    return AGENTS.index(agent) if agent in AGENTS else len(AGENTS)


def is_over(run: Found) -> bool:
    """Tell whether nobody works on a run any more."""
    return run_row(run.folder).state != "running"


def chapter_page(out: Path, run: Found, number: int) -> dict[str, Any]:
    """Return a chapter: as it was written, or as far as its debate has come.

    Raises:
        NotFoundError: the run has no such chapter.
        UnreadableError: its file holds no chapter.
        StoreError: its file is too large, or cannot be read.
    """
    row = run_row(run.folder)
    near = _neighbours(_numbers(run, row), number)
    titles = chapter_titles(out, run, [n for n in (*near, number) if n is not None])
    shared: dict[str, Any] = {"run": run, "row": row, "number": number, "neighbours": near, "titles": titles}
    found = chapter_file(out, run, number)
    if found is None:
        unwritten = _unwritten(run, row, number, _chapter_faults(out, run, [number]))
        return shared | unwritten | {"title": titles[number]}
    path, _ = found
    chapter = open_chapter(path)
    odds = odds_of_chapter(out, run, path, chapter)
    plan, scenes = _scenes(chapter, odds)
    return shared | {
        "problems": row.problems,
        "chapter": chapter,
        "language": chapter.language,
        "title": chapter.title,
        "outline": outline_of(chapter),
        "played": chapter.playtest,
        "text": markdown_of(out, run, number) is not None,
        "forms": forms_here(),
        "turns": _turns(chapter.debate, number),
        "ledger": _ledger(chapter.ledger.objections),
        "plan_findings": plan,
        "scenes": scenes,
        "unwritten": [s for s in chapter.plan.scenes if s.id not in {w.plan.id for w in chapter.scenes}],
        "planned": _planned(chapter),
        "odds": odds,
        "uses": sorted(chapter.provenance.agents, key=lambda use: _order(use.agent)),
        "totals": totals(chapter.provenance.agents),
        "faults": sum(len(scene.findings) for scene in scenes) + len(plan),
        "scores": _scores(chapter),
    }


def open_chapter(path: Path) -> Chapter:
    """Return the chapter of a file.

    Raises:
        UnreadableError: it holds no chapter.
        StoreError: it cannot be read, or is too large.
    """
    try:
        return read_chapter_file(path)
    except ChapterFileError as error:
        raise UnreadableError(f"{path.name}: {error}") from error


def _unwritten(run: Found, row: RunRow, number: int, faults: Sequence[StoreError]) -> dict[str, Any]:
    """Return what is known of a chapter that is not written, or whose file is none."""
    progress = read_progress(run.folder)
    if not faults and number not in row.chapters and number not in progress.chapters:
        raise NotFoundError(str(number))
    debate = live_debate(run.folder, number)
    state = progress.chapters.get(number, ChapterState(number))
    problems = (*row.problems, *progress.problems, *faults)
    return {
        "chapter": None,
        "language": None,
        "state": state,
        "turns": _turns(debate, number),
        "problems": problems,
    }


def _neighbours(numbers: Sequence[int], number: int) -> tuple[int | None, int | None]:
    """Return the chapters before and after one, in the run's order."""
    before = [n for n in numbers if n < number]
    after = [n for n in numbers if n > number]
    return (before[-1] if before else None, after[0] if after else None)


def _turns(debate: Sequence[Any], number: int) -> list[tuple[int, list[ShownTurn]]]:
    """Return the debate by rounds."""
    rounds: dict[int, list[ShownTurn]] = {}
    for turn in turns(debate, number):
        html = to_html(turn.talk, 5)
        rounds.setdefault(turn.message.round, []).append(ShownTurn(turn, html))
    return sorted(rounds.items())


def _ledger(objections: Sequence[Objection]) -> list[Objection]:
    """Return the objections, the open and the heavy first."""
    return sorted(objections, key=lambda o: (o.state != "open", SEVERITIES.index(o.severity), o.raised_in))


def _scenes(chapter: Chapter, odds: Odds) -> tuple[tuple[Placed, ...], list[ShownScene]]:
    """Return the plan's findings and the scenes; findings are numbered through the page."""
    plan = place(chapter.plan_findings, "", 1)
    first = len(plan) + 1
    shown: list[ShownScene] = []
    aloud = say("export.aloud", chapter.language)
    minutes = {scene.id: scene.minutes for scene in chapter.playtest.scenes} if chapter.playtest else {}
    for scene in chapter.scenes:
        placed = place(scene.findings, scene.prose, first)
        first += len(placed)
        own = tuple(row for row in odds.rows if row.scene == scene.plan.id)
        html = marked(scene.prose, placed, aloud=aloud, opens=_opens(scene.prose, chapter))
        rolls = tuple(_mechanics(chapter, scene, own))
        shown.append(ShownScene(scene, html, placed, rolls, own, minutes.get(scene.plan.id)))
    return plan, shown


def _planned(chapter: Chapter) -> list[ScenePlan]:
    """Return the plan's scenes as they were written from, in order."""
    written = {scene.plan.id: scene.plan for scene in chapter.scenes}
    return list({**{scene.id: scene for scene in chapter.plan.scenes}, **written}.values())


def _opens(prose: str, chapter: Chapter) -> bool:
    try:
        return opens_aloud(prose, chapter)
    except RulesetError:
        return False


def _mechanics(chapter: Chapter, scene: SceneProse, rows: Sequence[Any]) -> list[ShownMechanic]:
    """Put beside each check its odds; where the rules cannot be loaded there are none."""
    if not rows:
        return [ShownMechanic(m) for m in scene.mechanics]
    return [
        ShownMechanic(m, tuple(r for r in rows if (r.trait, r.dc) in asked_in(m.text, chapter)))
        for m in scene.mechanics
    ]


def totals(uses: Sequence[AgentUse]) -> AgentUse:
    """Return what all agents used together; what one does not know, the sum does not know."""
    return AgentUse(
        agent="",
        model="",
        calls=sum(use.calls for use in uses),
        tokens_in=_sum([use.tokens_in for use in uses]),
        tokens_out=_sum([use.tokens_out for use in uses]),
        cost_usd=_costs([use.cost_usd for use in uses]),
    )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _costs(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _scores(chapter: Chapter) -> list[tuple[str, int]]:
    """Return how many open and closed objections there are."""
    still = len(chapter.ledger.open())
    return [("open", still), ("closed", len(chapter.ledger.objections) - still)]


def plan_rows(scene: ScenePlan) -> list[tuple[str, str]]:
    """Return a plan's fields but its outcomes, by their keys, in the order in which they are written."""
    keys = ("place", "present", "situation", "player_action", "state_change")
    return [(key, str(getattr(scene, key))) for key in keys]
