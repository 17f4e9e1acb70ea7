"""The designer's desk: where a run waits, its chapter's page has a form, and what is sent is decided here.

A page that is made without a desk has no form and no way to post anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from concilio.catalogue import say
from concilio.review.checks import told, told_beside
from concilio.review.folder import (
    StaleDecisionError,
    WrongDecisionError,
    asked_now,
    decide,
    decision_on,
    last_asked,
    news_since,
    pending_of,
)
from concilio.review.model import Action, Decision, Pending
from concilio.review.sheet import (
    Edits,
    Faults,
    carried,
    cleaned,
    fields_of,
    filled,
    is_text_field,
    own_changes,
    read_edits,
)
from concilio.store.errors import StoreError
from concilio.view.found import Found
from concilio.view.rechecking import findings_of
from concilio.view.resuming import Resumer
from rules.findings import Finding

ACTIONS: Mapping[str, Action] = {"accept": "accept", "round": "round", "stop": "stop"}
CHECK = "check"
"""What the button says that shows and decides nothing."""


@dataclass(frozen=True)
class Shown:
    """What a chapter's page shows of its review."""

    pause: Pending | None = None
    """What is asked; None where nothing is, and there is no form."""
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """The form's fields as they stand."""
    newer: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the pause says now in fields that were changed on both sides."""
    faults: Mapping[str, str] = field(default_factory=dict[str, str])
    """What is wrong, in words, by the field's name; what concerns no field by an empty one."""
    news: tuple[str, ...] = ()
    """What happened since the form was made."""
    problem: StoreError | None = None
    """Why what was sent could not be kept."""
    kept: tuple[tuple[str, str], ...] = ()
    """Fields and texts of a form that has no place any more."""
    checked: str | None = None
    """What a decision would say beside its action, where that was asked."""
    findings: tuple[Finding, ...] = ()
    """What the engine finds in the scenes as they stand in the form, where that was asked."""
    said: str = ""
    """What was decided, while the run has not gone on."""
    going: bool = False
    """Whether somebody is at work on it, or will be at once."""
    failed: tuple[str, ...] = ()
    """What the process said that was to go on with it and could not."""
    resumes: bool = False
    """Whether the page can go on with the run."""

    @property
    def blockers(self) -> tuple[str, ...]:
        """Return the ids of the blockers over which an acceptance would go as the form stands."""
        found = self.pause.ledger.blockers() if self.pause else ()
        own = (o.id for o in found if o.author != "designer" and not self.values.get(f"waive.{o.id}"))
        return tuple(own)


@dataclass(frozen=True)
class Taken:
    """What came of a form: a status, and a page to show unless it is 303."""

    status: int
    shown: Shown = field(default_factory=Shown)


class Desk:
    """Where a designer's decisions go, by the same door as the terminal's."""

    def __init__(self, resumer: Resumer | None = None) -> None:
        self._resumer = resumer

    def shown(self, run: Found, chapter: int, language: str) -> Shown | None:
        """Return what a chapter's page shows of its review; None where there is none that can be read."""
        asked = _asked(run)
        if asked.pause is None or asked.pause.chapter != chapter or asked.fault is not None:
            return None
        if asked.decision is None:
            return Shown(asked.pause, fields_of(asked.pause))
        return Shown(said=told(asked.pause, asked.decision, language), **self._going(run))

    def waits(self, run: Found) -> int | None:
        """Return the chapter that waits for the designer; None where none does."""
        asked = _asked(run)
        is_open = asked.pause is not None and asked.decision is None and asked.fault is None
        return asked.pause.chapter if asked.pause is not None and is_open else None

    def faults(self, run: Found, chapter: int | None = None) -> tuple[StoreError, ...]:
        """Return what of a run's review cannot be read; of a chapter, where it can be told whose it is."""
        asked = _asked(run)
        other = chapter is not None and asked.pause is not None and asked.pause.chapter != chapter
        return () if asked.fault is None or other else (asked.fault,)

    def take(self, run: Found, chapter: int, sent: Mapping[str, str], language: str) -> Taken:
        """Take what a designer sent; the run goes on from it. No text that is sent is ever lost."""
        sent = cleaned(sent)
        try:
            asked = pending_of(run.folder, sent.get("version", ""))
        except StoreError as error:
            return Taken(503, Shown(problem=error, kept=_texts(sent)))
        if asked is None or asked.chapter != chapter:
            return self._unknown(run, chapter, sent, language)
        values = filled(asked, sent)
        try:
            return self._decided(run, asked, sent, values, language)
        except StoreError as error:
            return Taken(503, Shown(asked, values, problem=error))

    def _decided(
        self, run: Found, asked: Pending, sent: Mapping[str, str], values: Mapping[str, str], language: str
    ) -> Taken:
        """Decide as a form says, unless something is wrong with it or a look is all that is asked for.

        Raises:
            StoreError: it cannot be kept, or what is kept is damaged.
        """
        faults = Faults()
        edits = read_edits(asked, values, faults)
        action = _action(sent, faults)
        try:
            if action and not faults.by_field:
                decide(run.folder, _decision(asked, action, edits), language)
                return self._done(run, asked)
            news, problem = news_since(run.folder, asked, language), ""
        except StaleDecisionError as error:
            news, problem = tuple(str(error).splitlines()), ""
        except WrongDecisionError as error:
            news, problem = (), str(error)
        if news:
            return self._later(run, asked, values, news, language)
        wrong = {name: say(f"review.{k}", language, **v) for name, (k, v) in faults.by_field.items()}
        wrong |= {"": problem} if problem else {}
        if wrong:
            return Taken(422, Shown(asked, values, faults=wrong))
        checked = told_beside(_decision(asked, "round", edits), language)
        found = findings_of(run.folder, asked, edits.scenes)
        return Taken(200, Shown(asked, values, checked=checked, findings=found))

    def go_on(self, run: Found) -> None:
        """Go on with a run that was decided about and has stopped since."""
        if self._resumer:
            self._resumer.start(run.folder)

    def is_at_work(self, run: Found) -> bool:
        """Tell whether a process of the page's own is going on with a run."""
        return self._resumer is not None and self._resumer.is_at_work(run.folder)

    def close(self) -> None:
        """End the processes that the page has begun; their runs can be resumed."""
        if self._resumer:
            self._resumer.close()

    # --- parts ---------------------------------------------------------------------------------------

    def _going(self, run: Found) -> dict[str, Any]:
        if self._resumer is None:
            return {}
        return {
            "going": self.is_at_work(run),
            "failed": self._resumer.last_words(run.folder),
            "resumes": True,
        }

    def _done(self, run: Found, asked: Pending) -> Taken:
        if self._resumer:
            self._resumer.go_on_after(run.folder, asked.version)
        return Taken(303)

    def _later(
        self, run: Found, asked: Pending, values: Mapping[str, str], news: tuple[str, ...], language: str
    ) -> Taken:
        """Return the page of who comes later: what is asked now, with what was written carried over."""
        now = last_asked(run.folder)
        if now is not None and now[1] is None and now[0].chapter == asked.chapter:
            merged = carried(asked, values, now[0])
            return Taken(409, Shown(now[0], merged.values, newer=merged.newer, news=news))
        kept = tuple(own_changes(asked, values).items())
        said = told(now[0], now[1], language) if now is not None and now[1] is not None else ""
        return Taken(409, Shown(news=news, kept=kept, said=said, **self._going(run)))

    def _unknown(self, run: Found, chapter: int, sent: Mapping[str, str], language: str) -> Taken:
        """Return the page for a form of which nothing is known: its texts are shown as they came."""
        news = (say("review.stale.unknown", language),)
        now = self.shown(run, chapter, language) or Shown()
        return Taken(409, Shown(now.pause, now.values, news=news, kept=_texts(sent), said=now.said))


@dataclass(frozen=True)
class _Asked:
    """What a run asks, what was decided, and what of it cannot be read."""

    pause: Pending | None = None
    decision: Decision | None = None
    fault: StoreError | None = None


def _asked(run: Found) -> _Asked:
    pause: Pending | None = None
    try:
        pause = asked_now(run.folder)
        return _Asked(pause, decision_on(run.folder, pause.version) if pause else None)
    except StoreError as error:
        return _Asked(pause, fault=error)


def _texts(sent: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the texts of a form, as they came."""
    return tuple((name, text) for name, text in sent.items() if is_text_field(name) and text.strip())


def _action(sent: Mapping[str, str], faults: Faults) -> Action | None:
    """Return what is to happen; None where only a look is asked for, or where it is not said."""
    action = ACTIONS.get(sent.get("do", ""))
    if action is None and sent.get("do") != CHECK:
        faults.add("", "wrong.no_action")
    if action == "stop" and not sent.get("sure"):
        faults.add("sure", "wrong.not_sure")
    return action


def _decision(pause: Pending, action: Action, edits: Edits) -> Decision:
    return Decision(
        version=pause.version,
        action=action,
        scenes=edits.scenes,
        objections=edits.objections,
        waived=edits.waived,
        prose=edits.prose,
    )
