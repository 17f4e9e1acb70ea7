"""What changed in a scene from one round to the next, word by word."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from concilio.chapterfile.plan_reader import read_plan
from concilio.domain.debate import Message
from rules.document import PlanScene

Kind = Literal["same", "added", "removed"]
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
MOST_STEPS = 4_000_000
"""Words of one text times words of the other up to which they are compared: more is shown as replaced."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stayed, came or went."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a plan's scene beside what it was before."""

    label: str
    pieces: tuple[Piece, ...]

    @property
    def changed(self) -> bool:
        """Tell whether anything came or went."""
        return any(piece.kind != "same" for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class SceneChange:
    """A scene as a turn states it, beside the last round in which it was stated."""

    id: str
    title: str
    fields: tuple[FieldChange, ...]
    since: int
    """Round of the text before; 0 where the scene is new."""

    @property
    def words(self) -> tuple[int, int]:
        """Return how many words came, and how many went."""
        return self._count("added"), self._count("removed")

    def _count(self, kind: Kind) -> int:
        texts = (p.text for f in self.fields for p in f.pieces if p.kind == kind)
        return sum(len(re.findall(r"\w+", text)) for text in texts)


@dataclass(frozen=True, slots=True)
class Turn:
    """A message with its scenes taken apart."""

    message: Message
    talk: str
    """What is said beside the scenes, as Markdown."""
    scenes: tuple[SceneChange, ...] = ()


def word_changes(before: str, after: str) -> tuple[Piece, ...]:
    """Return a text as the pieces that stayed, came and went."""
    if before == after:
        return (Piece("same", after),) if after else ()
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    if len(old) * len(new) > MOST_STEPS:
        return tuple(piece for piece in (Piece("removed", before), Piece("added", after)) if piece.text)
    return tuple(_joined(_pieces(old, new)))


def _pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Piece("same", "".join(new[c:d]))
            continue
        if b > a:
            yield Piece("removed", "".join(old[a:b]))
        if d > c:
            yield Piece("added", "".join(new[c:d]))


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Put changes together that only white space parts: people read phrases, not confetti."""
    removed = added = ""
    for piece in pieces:
        blank = piece.kind == "same" and piece.text.isspace() and (removed or added)
        if piece.kind == "removed" or blank:
            removed += piece.text
        if piece.kind == "added" or blank:
            added += piece.text
        if piece.kind == "same" and not blank:
            yield from _flushed(removed, added)
            removed = added = ""
            yield piece
    yield from _flushed(removed, added)


def _flushed(removed: str, added: str) -> Iterator[Piece]:
    tail = ""
    while removed and added and removed[-1] == added[-1] and removed[-1].isspace():
        removed, added, tail = removed[:-1], added[:-1], removed[-1] + tail
    if removed:
        yield Piece("removed", removed)
    if added:
        yield Piece("added", added)
    if tail:
        yield Piece("same", tail)


def turns(debate: Sequence[Message], chapter: int) -> tuple[Turn, ...]:
    """Return a debate with each scene of the proposer beside what it was in the round before."""
    last: dict[str, tuple[int, dict[str, str]]] = {}
    found: list[Turn] = []
    for message in debate:
        plan = read_plan(message.text, 0, chapter) if message.agent in ("iris", "designer") else None
        if plan is None or not plan.scenes:
            found.append(Turn(message, message.text))
            continue
        scenes = tuple(_scene(scene, last) for scene in plan.scenes)
        for scene in plan.scenes:
            last[scene.id] = (message.round, _texts(scene))
        talk = message.text[: plan.scenes[0].passage.start].strip()
        found.append(Turn(message, talk, scenes))
    return tuple(found)


def _texts(scene: PlanScene) -> dict[str, str]:
    """Return each field's text by its label as written; lines of outcomes stay lines."""
    return {f.label.text.strip(" *-:"): f.text.text.strip() for f in scene.fields}


def _scene(scene: PlanScene, last: Mapping[str, tuple[int, dict[str, str]]]) -> SceneChange:
    since, before = last.get(scene.id, (0, {}))
    fields = tuple(
        FieldChange(label, word_changes(before.get(label, ""), text) if since else (Piece("same", text),))
        for label, text in _texts(scene).items()
    )
    return SceneChange(scene.id, scene.title.text.strip(), fields, since)
