"""What the server's tools are and what they answer: plain values in and out, nothing of the protocol.

The odds and the rules are those of the reviewers' tools (`agents/tools.py`); checking and playtesting take
whole texts. A call reads no file that it names and writes none.
"""

import json
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import Field

from agents.prompting import PromptBook
from agents.tools import TOOLS, Arguments, Engine, EngineTools, Whole, parameters
from concilio.adventure.detect import ruleset_names
from concilio.adventure.facts import facts_of
from concilio.adventure.loader import load_adventure
from concilio.adventure.problems import AdventureErrors
from concilio.catalogue import Language, say, speaking
from concilio.chapterfile.reader import read_document
from concilio.cli.playtest import CannotPlayError, play_text
from concilio.cli.playtest_json import to_object
from concilio.domain.adventure import Adventure
from concilio.gateway.errors import ReplyInvalid
from concilio.gateway.structured import read_model
from concilio.report.checked import Checked
from rules.engine import check
from rules.facts import Facts
from rules.ruleset import load_ruleset

LONGEST_TEXT = 200_000
"""Characters of a chapter or an adventure: a hundred pages, five seconds where each clause is a finding."""
MOST_FINDINGS = 200
"""Findings that are told; the summary counts them all."""
BORROWED = ("odds_check", "odds_attack", "odds_save", "odds_duel", "odds_roll")
"""Tools that are the reviewers' own, by the same names."""


class CannotAnswerError(Exception):
    """A call cannot be answered; the message says why and what would do."""


class CheckCall(Arguments):
    """What `check` is given."""

    text: str = Field(max_length=LONGEST_TEXT)
    language: Literal["es", "en"] | None = None
    ruleset: str | None = Field(default=None, max_length=60)
    adventure: str = Field(default="", max_length=LONGEST_TEXT)


class PlaytestCall(Arguments):
    """What `playtest` is given."""

    chapter: str = Field(max_length=LONGEST_TEXT)
    adventure: str = Field(default="", max_length=LONGEST_TEXT)
    level: Whole = Field(default=1, ge=1, le=20)


class ExplainCall(Arguments):
    """What `explain` is given."""

    rule: str = Field(max_length=60)


@dataclass(frozen=True, slots=True)
class Told:
    """A tool as a client lists it."""

    name: str
    description: str
    parameters: Mapping[str, Any]


def check_call(given: CheckCall) -> Mapping[str, Any]:
    """Return what is found in a text, as `concilio check --format json` prints it.

    Raises:
        CannotAnswerError: no such ruleset, or an adventure that cannot be used.
    """
    adventure, facts = _facts(given.adventure, given.ruleset)
    rules = load_ruleset(_ruleset(given.ruleset or (adventure.ruleset if adventure else "srd5e")))
    document = read_document(given.text, "text", given.language)
    found = check(document, rules, facts)
    checked = Checked("text", rules.id, found)
    return {
        "ruleset": rules.id,
        "language": document.language,
        "findings": [finding.model_dump() for finding in found[:MOST_FINDINGS]],
        "summary": {
            "errors": checked.count("error"),
            "warnings": checked.count("warning"),
            "notes": checked.count("note"),
            "left_out": max(0, len(found) - MOST_FINDINGS),
        },
    }


def _ruleset(name: str) -> str:
    known = ruleset_names()
    if name not in known:
        raise CannotAnswerError(say("mcp.no_ruleset", known=", ".join(known)))
    return name


def _facts(text: str, ruleset: str | None) -> tuple[Adventure | None, Facts | None]:
    if not text.strip():
        return None, None
    with _as_file(text) as file:
        try:
            loaded = load_adventure(file)
        except AdventureErrors as error:
            raise CannotAnswerError(_problems(error)) from None
    return loaded, facts_of(loaded, load_ruleset(_ruleset(ruleset or loaded.ruleset)))


def _problems(error: AdventureErrors) -> str:
    return "\n".join(
        f"adventure:{p.line}:{p.column}: {p.message}" if p.line else f"adventure: {p.message}"
        for p in error.problems
    )


@contextmanager
def _as_file(text: str) -> Generator[Path]:
    """Give a text a place for the loader, which reads files, in a folder where nothing else lies."""
    with tempfile.TemporaryDirectory(prefix="concilio-mcp-") as folder:
        file = Path(folder) / "adventure.md"
        file.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        yield file


def playtest_call(given: PlaytestCall) -> Mapping[str, Any]:
    """Return a chapter played, as `concilio playtest --format json` prints it.

    Raises:
        CannotAnswerError: there is no plan in it, or one that is too large, the adventure cannot be used, or
            a level is given besides.
    """
    if not given.adventure.strip():
        return _played(given.chapter, None, given.level)
    if "level" in given.model_fields_set:
        raise CannotAnswerError(say("mcp.level_and_adventure"))
    _facts(given.adventure, None)
    with _as_file(given.adventure) as file:
        return _played(given.chapter, file, 1)


def _played(chapter: str, adventure: Path | None, level: int) -> Mapping[str, Any]:
    try:
        return to_object(play_text(chapter, "chapter", adventure, level))
    except CannotPlayError as error:
        raise CannotAnswerError(str(error)) from None


_OWN: Mapping[str, tuple[type[Arguments], Callable[[Any], Mapping[str, Any]]]] = {
    "check": (CheckCall, check_call),
    "playtest": (PlaytestCall, playtest_call),
}
NAMES = ("check", *BORROWED, "playtest", "explain")
"""The tools in the order in which they are listed."""


def tools(language: Language) -> tuple[Told, ...]:
    """Return the tools, described in a language."""
    book = PromptBook(language)
    own = {**{name: arguments for name, (arguments, _) in _OWN.items()}, "explain": ExplainCall}
    borrowed = {name: TOOLS[name].arguments for name in BORROWED}
    about = {
        **{name: say(f"mcp.tool.{name}", language) for name in own},
        **{name: book.message(f"tool.{name}").content for name in BORROWED},
    }
    return tuple(Told(name, about[name].strip(), parameters((own | borrowed)[name])) for name in NAMES)


def answer(name: str, arguments: Mapping[str, Any], language: Language) -> Mapping[str, Any]:
    """Return what a call comes to.

    Args:
        name: one of `NAMES`.
        arguments: as the client sent them.
        language: of messages that are about no text.

    Raises:
        CannotAnswerError: there is no such tool, or it cannot answer.
    """
    with speaking(language):
        if name in _OWN:
            return _own(name, arguments)
        if name in NAMES:
            return _borrowed("explain_rule" if name == "explain" else name, arguments, language)
        raise CannotAnswerError(say("tools.unknown", names=", ".join(NAMES)))


def _own(name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    model, run = _OWN[name]
    try:
        given = read_model(json.dumps(dict(arguments)), model)
    except ReplyInvalid as error:
        raise CannotAnswerError(say("tools.wrong", problem=error.problem)) from None
    return run(given)


def _borrowed(name: str, arguments: Mapping[str, Any], language: Language) -> Mapping[str, Any]:
    engine = Engine(load_ruleset(), Facts(), language)
    told = EngineTools(engine, PromptBook(language)).answer(name, json.dumps(dict(arguments)))
    found = cast("Mapping[str, Any]", json.loads(told))
    if set(found) == {"error"}:
        raise CannotAnswerError(str(found["error"]))
    return found
