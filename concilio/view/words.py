"""The page's words: in the language that the reader asks for, by `?lang=`, a cookie, or the browser."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import PurePath

from markupsafe import Markup
from starlette.requests import Request

from concilio.batch.runs import RunRow
from concilio.catalogue import LANGUAGES, has_text, say, user_language
from concilio.chapterfile.words import folded, read_words
from concilio.figures import decimal, money
from concilio.shares import STEP, rounded
from concilio.view.telling import Told

COOKIE = "concilio_lang"
LONGEST_NAME = 120
"""Characters of a run's name."""
_COUNTS = ("chapter", "round", "open", "faults", "objections", "findings", "scenes", "characters")
_TOLD = frozenset({"round", "lint", "reviewed", "judged", "scene", "chapter", "call"})


def language_of(request: Request) -> str:
    """Return the language in which to speak to who asks."""
    asked = (request.query_params.get("lang", ""), request.cookies.get(COOKIE, ""))
    for language in asked:
        if language in LANGUAGES:
            return language
    return _accepted(request.headers.get("accept-language", "")) or user_language()


def _accepted(header: str) -> str:
    """Return the first of our languages in a browser's list, by its weights; empty where none is."""
    found: list[tuple[float, int, str]] = []
    for place, part in enumerate(header[:500].split(",")):
        name, _, weight = part.strip().partition(";q=")
        try:
            weighs = float(weight or 1)
        except ValueError:
            continue
        if name[:2].lower() in LANGUAGES and 0 < weighs <= 1:
            found.append((-weighs, place, name[:2].lower()))
    return min(found)[2] if found else ""


class Words:
    """What templates say."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """Return a text of the page's catalogue."""
        return say(f"view.{key}", self.language, **values)

    def of(self, language: str) -> str:
        """Return a language's name in that language."""
        return say("view.language", language)

    def name_of(self, row: RunRow) -> str:
        """Return what a run is called: its adventure's title, else its file in words, else its id."""
        if title := " ".join(row.title.split())[:LONGEST_NAME]:
            return title
        stem = PurePath(row.adventure.replace("\\", "/")).stem.replace("_", " ").strip()[:80]
        return stem[:1].upper() + stem[1:] if stem else row.id

    def clock(self, event: Told) -> str:
        """Return the time of an event by this machine's clock, or a dash."""
        try:
            at = datetime.fromisoformat(event.at[:40])
            return f"{_local(at):%H:%M:%S}"
        except (ValueError, OverflowError):
            return "–"

    def named(self, area: str, value: object) -> str:
        """Return the word for a value of a known set, or the value itself: it may come from a file."""
        key = f"{area}.{value}"
        known = str(value).isidentifier() and has_text(key, self.language)
        return say(key, self.language) if known else str(value)[:60]

    def field(self, value: str) -> str:
        """Return the word for a field of a plan by its key or by any word for it; empty where it is none."""
        key = read_words().labels.get(folded(value), "") or _field_keys().get(folded(value), "")
        return say(f"debate.field.{key}", self.language) if key else ""

    def decimal(self, value: float) -> str:
        """Return a number with one decimal."""
        return decimal(value, 1, self.language)

    def number(self, value: int | None) -> str:
        """Return a number with its thousands apart; a dash where it is not known."""
        return "–" if value is None else f"{value:,}".replace(",", " ")

    def percent(self, share: float) -> str:
        """Return a probability as people read it: `65 %`, `59.4 %`, `<0.1 %`; the same everywhere."""
        mark = "<" if 0 < share < 1 / STEP else ">" if 1 - 1 / STEP < share < 1 else ""
        shown = min(max(share, 1 / STEP), 1 - 1 / STEP) if mark else rounded(share)
        tenths = round(STEP * shown)
        figure = decimal(tenths / 10, 0 if tenths % 10 == 0 else 1, self.language)
        return mark + say("view.percent", self.language, share=figure)

    def tokens(self, count: int | None) -> str:
        """Return a number of tokens, or that nobody told it."""
        return say("figures.unknown", self.language) if count is None else self.number(count)

    def cost(self, usd: float | None) -> str:
        """Return US dollars as the reader writes them, or that the price is unknown."""
        return say("figures.unknown", self.language) if usd is None else money(usd, self.language)

    def when(self, at: datetime | None) -> Markup:
        """Return a time by this machine's clock, with its zone, as an element that machines read, too."""
        if at is None:
            return Markup("–")
        shown = f"{_local(at):%Y-%m-%d %H:%M %Z}"
        return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), shown)

    def event(self, event: Told) -> str:
        """Return what happened, in a line."""
        if event.kind not in _TOLD:
            return event.kind[:60]
        return say(f"view.event.{_variant(event)}", self.language, **self._values(event))

    def _values(self, event: Told) -> Mapping[str, object]:
        return {
            **{key: getattr(event, key) or 0 for key in _COUNTS},
            "seconds": round(event.seconds),
            "scene": event.scene[:40],
            "agent": self.named("debate.agent", event.agent),
            "ending": self.named("run.ending", event.ending or "–"),
            "verdict": self.named("view.verdict", event.verdict or "none"),
        }


def _local(at: datetime) -> datetime:
    """Return a time in this machine's zone, where whoever reads the page mostly sits; ours are UTC."""
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone()
    except (OverflowError, OSError, ValueError):  # years that no zone is known of
        return at


@cache
def _field_keys() -> dict[str, str]:
    """Return the fields of a plan: their keys, and how the debate calls them in all languages."""
    keys = ("title", "place", "present", "situation", "player_action", "outcomes", "state_change")
    called = {folded(say(f"debate.field.{key}", language)): key for key in keys for language in LANGUAGES}
    return called | {folded(key): key for key in keys}


def _variant(event: Told) -> str:
    if event.kind == "judged" and not event.ending:
        return "goes_on"
    if event.kind == "scene" and not event.done:
        return "scene_again"
    return event.kind
