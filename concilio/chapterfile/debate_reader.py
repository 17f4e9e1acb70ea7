"""The debate of a chapter file: who spoke in which round and role, with which plans, and how it ended."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from concilio.catalogue import LANGUAGES
from concilio.chapterfile.headings import scene_heading
from concilio.chapterfile.lines import passage
from concilio.chapterfile.plan_scan import read_plan
from concilio.chapterfile.words import folded, read_words, value_of
from concilio.domain.debate import Ending
from rules.document import DebateMessage, Passage, PlanScene, Role

_SPEAKER = re.compile(r"(?<![^\r\n])[ ]{0,3}#{3}[ \t]+([^\r\n]*)")
_ROUND = re.compile(r"(?P<word>[^\W\d_]{2,20})[ \t]+(?P<round>-?\d{1,40})[ \t]*·[ \t]*(?P<rest>.*)\Z")
_NAME_WORDS = 4
_OUTCOME = re.compile(
    r"(?<![^\r\n])[ \t]{0,3}(?P<open>[_*]{0,2})(?P<label>[^\W\d_]{2,20}(?:[ ][^\W\d_]{1,20}){0,3})"
    r"[ \t]{0,4}[:：][ \t]{0,4}(?P<value>\w(?:[\w -]{0,40}?\w)??)(?P<close>[_*]{0,2})[ \t]{0,8}(?=[\r\n]|\Z)"
)
ROLE_OF_AGENT: dict[str, Role] = {
    "iris": "proposer",
    "damian": "checker",
    "ruben": "critic",
    "designer": "designer",
}
_AFTER_PROPOSER: tuple[Role, Role] = ("checker", "critic")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, before its role is known."""

    name: Passage
    agent: str | None
    """Agent id where the heading says it."""
    round: int | None
    body_start: int
    body_end: int


def find_outcome(source: str, start: int, end: int) -> tuple[Passage, str] | None:
    """Return the last outcome line in [start, end) and its ending, or None."""
    found: tuple[Passage, str] | None = None
    for match in _OUTCOME.finditer(source, start, end):
        if folded(match["label"]) not in read_words().outcome:
            continue
        ending = ending_of(match["value"])
        if match["open"] or ending in get_args(Ending):
            found = passage(source, 0, match.start(), match.end()), ending
    return found


def is_outcome_line(line: str) -> bool:
    """Tell whether a line would be read as the debate's outcome."""
    return find_outcome(line, 0, len(line)) is not None


def ending_of(value: str) -> str:
    """Return the ending that a word names; the word itself, folded, where it is none of ours."""
    plain = value.strip().lower()
    if plain in get_args(Ending):
        return plain
    return read_words().endings.get(folded(value), plain)


def turns_of(source: str, start: int, end: int) -> tuple[Turn, ...]:
    """Return the messages under a debate's heading.

    Headings of ours (`### Ronda 1 · Iris Vela (propone)`) count alone where there is one; else level 3
    headings that look like a name.
    """
    headings = [m for m in _SPEAKER.finditer(source, start, end) if not scene_heading("# " + m.group(1))]
    ours = [m for m in headings if _round_of(m.group(1))]
    opening = ours or [m for m in headings if _is_name(m.group(1))]
    bounds = [m.start() for m in opening[1:]] + [end]
    return tuple(_turn(m, bound) for m, bound in zip(opening, bounds[: len(opening)], strict=True))


def _round_of(title: str) -> re.Match[str] | None:
    match = _ROUND.match(title)
    return match if match and folded(match["word"]) in read_words().round else None


def _turn(match: re.Match[str], end: int) -> Turn:
    title, at = match.group(1), match.start(1)
    ours = _round_of(title)
    if ours is None:
        name = title.strip().strip("*_ ")
        return Turn(Passage(name, at + title.index(name)), None, None, match.end(), end)
    name, agent = _name_and_agent(ours["rest"])
    return Turn(Passage(name, at + ours.start("rest")), agent, int(ours["round"]), match.end(), end)


def _name_and_agent(rest: str) -> tuple[str, str | None]:
    """Split `Iris Vela (propone)` into the name and the agent's id."""
    rest = rest.rstrip()
    name, opening, word = rest.rpartition("(")
    agent = agent_by_word(word[:-1]) if opening and word.endswith(")") else None
    return (name.rstrip(), agent) if agent else (rest, None)


def agent_by_word(word: str) -> str | None:
    """Return the agent id behind the word that a heading of ours carries (`propone` -> `iris`)."""
    found = (value_of(language, "agent", word[:60]) for language in LANGUAGES)
    return next((agent for agent in found if agent), None)


def _is_name(title: str) -> bool:
    words = title.strip().strip("*_ ").split()
    if (
        not 0 < len(words) <= _NAME_WORDS
        or any(c in title for c in ":.?!")
        or any(c.isdigit() for c in title)
    ):
        return False
    return words[0][:1].isupper() and folded(words[0]) not in read_words().not_a_speaker


def messages_of(
    source: str, turns: tuple[Turn, ...], end: int, chapter: int | None
) -> tuple[DebateMessage, ...]:
    """Return the messages with roles, rounds and the proposer's plans; the last one stops before `end`."""
    bodies = [passage(source, 0, t.body_start, min(t.body_end, end)) for t in turns]
    plans = [_Plans(b, chapter) for b in bodies]
    roles = _roles(turns, plans)
    messages: list[DebateMessage] = []
    count = 0
    for turn, body, read in zip(turns, bodies, plans, strict=True):
        role = roles.get(turn.name.text)
        count += role == "proposer"
        number = turn.round if turn.round is not None else max(count, 1)
        kept = read.scenes if role == "proposer" else ()
        messages.append(DebateMessage(turn.name.text, role, number, body, kept))
    return tuple(messages)


class _Plans:
    """The plans in a message, read when somebody asks: only a proposer's are wanted where all are known."""

    def __init__(self, body: Passage, chapter: int | None) -> None:
        self._body, self._chapter = body, chapter

    @cached_property
    def scenes(self) -> tuple[PlanScene, ...]:
        return read_plan(self._body.text, self._body.start, self._chapter).scenes


def _roles(turns: tuple[Turn, ...], plans: Sequence[_Plans]) -> dict[str, Role]:
    """Return each speaker's role: by heading, by name, else by who holds plans and the order of speaking."""
    roles: dict[str, Role] = {}
    for turn in turns:
        role = ROLE_OF_AGENT.get(turn.agent or "") or (None if turn.agent else _role_by_name(turn.name.text))
        if role:
            roles[turn.name.text] = role
    nameless = [n for n in dict.fromkeys(t.name.text for t in turns) if n not in roles]
    if any(turn.agent for turn in turns) or not nameless:
        return roles
    weight = dict.fromkeys(nameless, 0)
    for turn, read in zip(turns, plans, strict=True):
        if turn.name.text in weight:
            weight[turn.name.text] += sum(len(scene.fields) for scene in read.scenes)
    if "proposer" not in roles.values() and max(weight.values()):
        roles[max(nameless, key=lambda n: weight[n])] = "proposer"
    for name in nameless:
        free: list[Role] = [r for r in _AFTER_PROPOSER if r not in roles.values()]
        if name not in roles and free:
            roles[name] = free[0]
    return roles


def _role_by_name(name: str) -> Role | None:
    words = folded(name).split()
    found = read_words().roles.get(words[0]) if words else None
    return next((role for role in ROLE_OF_AGENT.values() if role == found), None)
