"""A chapter's odds and its picture for the page, by the adventure as the run read it."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from concilio.adventure.facts import facts_of
from concilio.catalogue import follow, speaking
from concilio.chapterfile.reader import read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.adventure import Adventure
from concilio.domain.chapter import Chapter
from concilio.view.found import Found
from concilio.view.reading import Cache, stamp
from concilio.view.titles import adventure_of
from rules.claims.extract import extract
from rules.claims.model import Check
from rules.document import Passage
from rules.ruleset import RulesetError, load_ruleset

if TYPE_CHECKING:
    from agents.types import CheckOdds
    from concilio.cli.playtest import Table
    from rules.checks.context import Context


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a chapter's checks, and who plays them."""

    rows: tuple["CheckOdds", ...] = ()
    own_party: bool = False
    """Whether the adventure names its party; otherwise a default one plays."""


_odds: Cache[Odds] = Cache()
_pictures: Cache[str] = Cache()


def odds_of_chapter(out: Path, run: Found, file: Path, chapter: Chapter) -> Odds:
    """Return the odds of each check of the plan; none where its rules cannot be loaded."""
    if (kept := _odds.get(file)) is not None:
        return kept
    seen = stamp(file)
    try:
        context, table = _context(out, run, chapter)
    except RulesetError:
        return Odds()
    from graphs.linting import odds_of

    own = table.adventure is not None and bool(table.adventure.party)
    return _odds.put(file, seen, Odds(odds_of(context), own))


def asked_in(text: str, chapter: Chapter) -> frozenset[tuple[str, int]]:
    """Return the checks that a text asks for: skill or ability by id, and DC."""
    ruleset = load_ruleset(chapter.provenance.ruleset or "srd5e")
    claims = extract(Passage(text, 0), chapter.language, ruleset)
    checks = (claim for claim in claims if isinstance(claim, Check) and claim.dc is not None)
    named = ((option.skill or option.ability, check.dc) for check in checks for option in check.options)
    return frozenset((name.id, dc) for name, dc in named if name and name.id and dc is not None)


def opens_aloud(text: str, chapter: Chapter) -> bool:
    """Tell whether a scene's first paragraph is read to the players: it tells what is seen, in no figures."""
    from concilio.export.prose import read_blocks

    first = text.strip().partition("\n\n")[0]
    blocks = read_blocks(first, chapter.language, load_ruleset(chapter.provenance.ruleset or "srd5e"))
    return bool(blocks) and blocks[0].aloud


def picture(out: Path, run: Found, file: Path, chapter: Chapter) -> str | None:
    """Return the played plan as an SVG document, or None where it cannot be played."""
    if (kept := _pictures.get(file)) is not None:
        return kept or None
    seen = stamp(file)
    with speaking(chapter.language):
        follow(chapter.language)
        return _pictures.put(file, seen, _drawn(out, run, chapter)) or None


def _drawn(out: Path, run: Found, chapter: Chapter) -> str:
    from concilio.cli.playtest import Played, planned
    from concilio.cli.playtest_svg import to_svg
    from graphs.playing import read_way
    from rules.playtest.model import PlaytestError
    from rules.playtest.play import playtest

    try:
        context, table = _context(out, run, chapter)
        outlines = table.adventure.chapters if table.adventure else ()
        consequences = next((o.consequences for o in outlines if o.number == chapter.number), ())
        way = partial(read_way, chapter.language)
        result = playtest(context, planned(context.document), way, consequences)
    except (PlaytestError, RulesetError):
        return ""
    return to_svg(Played("", context.document, table, result))


def _context(out: Path, run: Found, chapter: Chapter) -> "tuple[Context, Table]":
    from concilio.cli.playtest import Table
    from rules.checks.context import Context

    adventure = adventure_of(out, run)
    ruleset = load_ruleset(chapter.provenance.ruleset or "srd5e")
    known = adventure or Adventure(title=chapter.adventure or "-", language=chapter.language)
    table = Table(ruleset, facts_of(known, ruleset), adventure)
    document = read_document(render_chapter(chapter), "", chapter.language)
    return Context(document, table.ruleset, table.facts), table
