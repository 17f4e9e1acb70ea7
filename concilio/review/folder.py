"""Where a pause and its decision are kept: files of the run's folder that are whole or not there at all.

Each pause has a version; its decision's file has the version as its name and is made where there is none.
So of two who decide, one wins, whoever they are: pages, terminals, other processes. Nobody needs the lease.
"""

import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from concilio.catalogue import say
from concilio.domain.base import Frozen
from concilio.review.checks import changes, problems, told
from concilio.review.model import VERSION, Decision, Pending
from concilio.store.errors import StoreError, from_os_error
from concilio.store.files import sync_folder
from concilio.store.own import is_own, read_own, require_own, write_own
from concilio.store.run import REVIEW_NAME

F = TypeVar("F", bound=Frozen)
FOLDER_NAME = REVIEW_NAME
NOW_NAME = "now.json"
MOST_TOLD = 5
"""Reasons for which a decision is refused that one line names."""
LARGEST = 20_000_000
"""Bytes of a file of ours."""
_VERSION = re.compile(rf"{VERSION}\Z")


class DecisionError(Exception):
    """A decision that cannot be taken; the message is for people."""

    exit_code = 2


class WrongDecisionError(DecisionError):
    """It says what cannot be."""


class StaleDecisionError(DecisionError):
    """It answers what is not asked any more; the message says what changed."""


def pending(run_folder: Path) -> Pending | None:
    """Return what a run waits for, or None where it waits for nothing, or where it has been decided.

    Raises:
        StoreError: what is kept is damaged.
    """
    asked = last_asked(run_folder)
    return asked[0] if asked is not None and asked[1] is None else None


def last_asked(run_folder: Path) -> tuple[Pending, Decision | None] | None:
    """Return what a run asked last, and what was decided on it; None where it asks nothing, or not any more.

    Raises:
        StoreError: what is kept is damaged.
    """
    now = asked_now(run_folder)
    return None if now is None else (now, decision_on(run_folder, now.version))


def asked_now(run_folder: Path) -> Pending | None:
    """Return what a run asked last, decided or not; None where it asks nothing, or not any more.

    Raises:
        StoreError: what is kept is damaged.
    """
    return _read(Pending, run_folder / FOLDER_NAME / NOW_NAME)


def pending_of(run_folder: Path, version: str) -> Pending | None:
    """Return a pause by its version, decided or not; None where there was none of that version.

    Raises:
        StoreError: what is kept is damaged.
    """
    if not _VERSION.match(version):
        return None
    return _read_version(Pending, run_folder / FOLDER_NAME / f"{version}.pause.json", version)


def decision_on(run_folder: Path, version: str) -> Decision | None:
    """Return what was decided on a version, or None.

    Raises:
        StoreError: what is kept is damaged.
    """
    if not _VERSION.match(version):
        return None
    return _read_version(Decision, run_folder / FOLDER_NAME / f"{version}.decision.json", version)


def decide(run_folder: Path, decision: Decision, language: str | None = None) -> None:
    """Keep a decision; the run goes on from it. The same decision twice is one.

    Args:
        run_folder: the run's.
        decision: it names the version that it answers.
        language: of what is said where it is refused; None for the user's.

    Raises:
        WrongDecisionError: it names a scene or an objection that is not there, or accepts half a plan.
        StaleDecisionError: something else is asked now, or somebody else has decided.
        StoreError: it cannot be written.
    """
    asked = pending_of(run_folder, decision.version)
    if asked is None:
        raise StaleDecisionError(say("review.stale.unknown", language))
    _refuse_other(run_folder, asked, decision, language)
    if wrong := problems(asked, decision, language):
        raise WrongDecisionError("\n".join(wrong))
    path = run_folder / FOLDER_NAME / f"{decision.version}.decision.json"
    require_own(path, run_folder)
    if not _made(path, decision.model_dump_json(indent=1) + "\n"):
        _refuse_other(run_folder, asked, decision, language)


def _refuse_other(run_folder: Path, asked: Pending, decision: Decision, language: str | None) -> None:
    """Refuse a decision where another was taken, or where something newer is asked."""
    taken = decision_on(run_folder, decision.version)
    if taken is not None and taken.same_as(decision):
        return
    if lines := news_since(run_folder, asked, language):
        raise StaleDecisionError("\n".join(lines))


def news_since(run_folder: Path, asked: Pending, language: str | None = None) -> tuple[str, ...]:
    """Return what has happened since a pause was shown, a line each; nothing where it is still open.

    Raises:
        StoreError: what is kept is damaged.
    """
    taken = decision_on(run_folder, asked.version)
    now = asked_now(run_folder)
    lines: list[str] = []
    if taken is not None:
        lines.append(say("review.stale.taken", language, said=told(asked, taken, language)))
    if now is None or now.version != asked.version:
        lines.append(say("review.stale.gone_on", language))
        lines += changes(asked, now, language) if now is not None else ()
    return tuple(lines)


class UnusableDecisionError(StoreError):
    """A decision's file that cannot be read, or says what cannot be: the run stops, the pause stays open."""


class ReviewFolder:
    """The seat as the run sees it: it asks here, and finds the answer or leaves the question."""

    def __init__(self, run_folder: Path) -> None:
        self._run = run_folder

    def __call__(self, pause: Pending) -> Decision | None:
        """Return what was decided on a pause; where nothing was, keep the pause for whoever decides.

        Whoever wrote the decision, by a page, a terminal or a program: it is held against what can be said.

        Raises:
            UnusableDecisionError: what was decided cannot be read, or cannot be.
            StoreError: the pause cannot be written.
        """
        folder, text = self._run / FOLDER_NAME, pause.model_dump_json()
        write_own(folder / f"{pause.version}.pause.json", self._run, text)
        write_own(folder / NOW_NAME, self._run, text)
        try:
            decided = decision_on(self._run, pause.version)
        except StoreError as error:
            raise UnusableDecisionError(error.problem, error.path, **error.values) from error
        if decided is not None and (wrong := problems(pause, decided)):
            path = folder / f"{pause.version}.decision.json"
            raise UnusableDecisionError("refused", path, cause=_few(wrong))
        return decided

    @property
    def has_asked(self) -> bool:
        """Tell whether this run has asked its designer before, in whatever process."""
        return any((self._run / FOLDER_NAME).glob("*.pause.json"))

    def withdraw(self) -> None:
        """Ask nothing any more: the run has gone on without."""
        now = self._run / FOLDER_NAME / NOW_NAME
        with suppress(OSError):
            if is_own(now, self._run):
                now.unlink(missing_ok=True)


def _few(lines: tuple[str, ...]) -> str:
    """Return the first of some lines as one."""
    distinct = tuple(dict.fromkeys(lines))
    return " ".join(distinct[:MOST_TOLD]) + (f" (+{n})" if (n := len(distinct) - MOST_TOLD) > 0 else "")


def _read_version(kind: type[F], path: Path, version: str) -> F | None:
    """Read a file that is of one version by its name and by what it says: another's answers nothing."""
    found = _read(kind, path)
    if found is not None and getattr(found, "version", version) != version:
        raise _damaged(kind, path)
    return found


def _read(kind: type[F], path: Path) -> F | None:
    """Read a file of a run's review; None where there is none."""
    content = read_own(path, path.parent.parent, LARGEST)
    try:
        return None if content is None else kind.model_validate_json(content)
    except ValidationError as error:
        raise _damaged(kind, path) from error


def _damaged(kind: type[Frozen], path: Path) -> StoreError:
    """Return what to say of a damaged file: what costs least, since the run writes its pauses itself."""
    if kind is Decision:
        return StoreError("damaged_decision", path)
    return StoreError("damaged_pause", path, run=path.parent.parent)


def _made(path: Path, text: str) -> bool:
    """Write a file that does not exist yet, whole; tell whether it was this call that made it."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".decision.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
                file.flush()
                os.fsync(file.fileno())
            os.link(name, path)
        except FileExistsError:
            return False
        finally:
            with suppress(OSError):
                Path(name).unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise from_os_error(error, path) from error
    return True
