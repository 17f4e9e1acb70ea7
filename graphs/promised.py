"""What chapters promise of later ones, and whether the chapter where it falls due takes it up.

A promise is a sentence of an outline, an outcome or a change of state that names a later chapter. It is kept
where one passage of that chapter's plan or prose speaks of the same matter, not kept where none of its matter
occurs there at all, and else undecidable: nothing is guessed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from concilio.adventure.words import fold, numbers
from concilio.catalogue import LANGUAGES, say
from concilio.domain.adventure import Adventure, OutlineField
from concilio.domain.chapter import Chapter
from concilio.domain.plan import Proposal
from rules.checks.lexicon import words_of_list
from rules.checks.text import sentences_of, stem, words_of
from rules.document import Passage

State = Literal["kept", "not_kept", "undecidable", "pending"]
"""`pending`: the chapter where it falls due is not written."""
Made = Literal["outline", "outcome", "state_change"]
HIGHEST_CHAPTER = 999
_ENOUGH = 2
"""Words of a promise's matter that one passage must share."""
_LONGEST = 20_000
"""Characters of one passage that are read."""
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise."""

    chapter: int
    """Where it is made."""
    scene: str
    """Id of the scene; empty where the outline makes it."""
    made: Made
    label: str
    """Of the outcome or the outline's line; empty for a change of state."""
    due: int
    """Chapter where it falls due."""
    text: str
    """The words that make it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A promise, and what came of it."""

    promise: Promise
    state: State
    scene: str = ""
    """Where it is taken up, or most nearly so."""
    quote: str = ""
    """What is said there."""


@dataclass(frozen=True, slots=True)
class _Passage:
    scene: str
    text: str


def promises_of_outline(chapter: int, fields: Iterable[OutlineField]) -> tuple[Promise, ...]:
    """Return the promises that a chapter's outline makes of later ones."""
    found = (
        Promise(chapter, "", "outline", field.label, due, text)
        for field in fields
        for line in field.text.split("\n")
        for due, text in _later(chapter, line)
    )
    return tuple(dict.fromkeys(found))


def promises_of_plan(chapter: int, plan: Proposal) -> tuple[Promise, ...]:
    """Return the promises that a plan's outcomes and changes of state make of later chapters."""
    return tuple(dict.fromkeys(_of_plan(chapter, plan)))


def _of_plan(chapter: int, plan: Proposal) -> Iterator[Promise]:
    for scene in plan.scenes:
        for outcome in scene.outcomes:
            for due, text in _later(chapter, outcome.text):
                yield Promise(chapter, scene.id, "outcome", outcome.label, due, text)
        for due, text in _later(chapter, scene.state_change):
            yield Promise(chapter, scene.id, "state_change", "", due, text)


def _later(chapter: int, text: str) -> Iterator[tuple[int, str]]:
    """Give the later chapters that a text names, each with the sentence that does."""
    text = text[:_LONGEST]
    for said in _sentences(text):
        for due in dict.fromkeys(_chapters_named(chapter, said)):
            if chapter < due <= HIGHEST_CHAPTER:
                yield due, said if len(_matter(said, frozenset())) >= _ENOUGH else text.strip()


def _sentences(text: str) -> Iterator[str]:
    """Give the sentences of a text; the full stop of `cap. 6` ends none."""
    start = 0
    for sentence in sentences_of(Passage(text, 0)):
        if not sentence.words or sentence.words[-1].text not in _words("chapter"):
            yield text[start : sentence.end].strip()
            start = sentence.end
    if text[start:].strip():
        yield text[start:].strip()


def _chapters_named(chapter: int, text: str) -> Iterator[int]:
    folded = fold(text)
    for named in _named_pattern().finditer(folded):
        for word in named[1].split():
            number = _number(word)
            if number is not None:
                yield number
    if _next_pattern().search(folded):
        yield chapter + 1


def _number(word: str) -> int | None:
    if word.isascii() and word.isdecimal():
        return int(word)
    if word in numbers():
        return numbers()[word]
    values = [_ROMAN.get(letter, 0) for letter in word]
    if not all(values):
        return None
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)


@cache
def _words(name: str) -> tuple[str, ...]:
    """Return the words of a list, of all languages, folded; longer ones first."""
    found = {
        fold(word) for language in LANGUAGES for word in say(f"promises.words.{name}", language).split("|")
    }
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


@cache
def _named_pattern() -> re.Pattern[str]:
    chapter, between = "|".join(_words("chapter")), "|".join(_words("between"))
    number = rf"(?:\d{{1,3}}|{'|'.join(sorted(numbers(), key=len, reverse=True))}|[ivxl]{{1,6}})"
    return re.compile(rf"\b(?:{chapter}) ({number}(?: (?:(?:{between}) )?{number}){{0,6}})\b")


@cache
def _next_pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_words('next'))})\b")


def judge(promise: Promise, due: Chapter | None, adventure: Adventure) -> Judged:
    """Return what came of a promise.

    Args:
        promise: the promise.
        due: the chapter where it falls due; None while it is not written.
        adventure: whose party is in every chapter, and whose cast a promise may be about.
    """
    if due is None:
        return Judged(promise, "pending")
    party = _stems(" ".join(member.name for member in adventure.party))
    cast = _stems(" ".join(member.name for member in adventure.cast)) - party
    wanted = _matter(promise.text, party)
    matter, people = wanted - cast, wanted & cast
    best = max(_passages(due), key=lambda one: _weight(one.text, matter, people), default=None)
    if best is None or not matter:
        return Judged(promise, "undecidable")
    shared = matter & _stems(best.text)
    quote = _nearest_sentence(best.text, wanted)
    if len(shared) >= min(_ENOUGH, len(matter)) or (shared and people & _stems(best.text)):
        return Judged(promise, "kept", best.scene, quote)
    return Judged(promise, "undecidable", best.scene, quote) if shared else Judged(promise, "not_kept")


def _passages(chapter: Chapter) -> Iterator[_Passage]:
    """Give the passages of a chapter's plan and prose: a field or a paragraph each."""
    for scene in chapter.plan.scenes:
        whole = (scene.situation, scene.player_action, scene.state_change)
        for text in (*whole, *(f"{outcome.label}: {outcome.text}" for outcome in scene.outcomes)):
            yield _Passage(scene.id, text[:_LONGEST])
    for written in chapter.scenes:
        for paragraph in written.prose.split("\n\n"):
            yield _Passage(written.plan.id, paragraph[:_LONGEST])


def _weight(text: str, matter: frozenset[str], people: frozenset[str]) -> tuple[int, int]:
    stems = _stems(text)
    return len(matter & stems), len(people & stems)


def _nearest_sentence(text: str, wanted: frozenset[str]) -> str:
    sentences = sentences_of(Passage(text, 0))
    best = max(sentences, key=lambda s: len(wanted & _stems(text[s.start : s.end])))
    return text[best.start : best.end].strip()


def _matter(text: str, party: frozenset[str]) -> frozenset[str]:
    """Return the stems of what a promise is about: no names of the party, no words for chapters."""
    return _stems(text) - party - _stems(" ".join((*_words("chapter"), *_words("next"), *_words("common"))))


def _stems(text: str) -> frozenset[str]:
    words = {word.text for word in words_of(Passage(text, 0))}
    figures = numbers()
    return frozenset(
        stem(w) for w in words - _small() if len(w) > 2 and not w.isdecimal() and w not in figures
    )


@cache
def _small() -> frozenset[str]:
    """Return the words of all languages that carry no matter: a text may quote the other one."""
    return frozenset(word for language in LANGUAGES for word in words_of_list("small_words", language))


def _carries(planned: Promise, stated: Promise) -> bool:
    """Tell whether a plan's promise is that of its outline, word for word."""
    same = (planned.chapter, planned.due) == (stated.chapter, stated.due)
    return same and fold(planned.text) in fold(stated.text)


def judged(adventure: Adventure, chapters: Sequence[Chapter]) -> tuple[Judged, ...]:
    """Return all promises of an adventure, by the chapter where they fall due.

    Args:
        adventure: its outlines make promises, too.
        chapters: those that are written, one of each number.
    """
    written = {chapter.number: chapter for chapter in chapters}
    planned = [one for number, chapter in written.items() for one in promises_of_plan(number, chapter.plan)]
    stated = (one for o in adventure.chapters for one in promises_of_outline(o.number, o.fields))
    found = [*planned, *(one for one in stated if not any(_carries(plan, one) for plan in planned))]
    ordered = sorted(dict.fromkeys(found), key=lambda one: (one.due, one.chapter, one.scene))
    return tuple(judge(promise, written.get(promise.due), adventure) for promise in ordered)
