"""What every rule is given: the document, the ruleset, and its texts already read into claims and words."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import TypeVar, cast

from rules.checks import lexicon
from rules.checks.hit import Hit
from rules.checks.text import Phrases, Sentence, Word, clause_around, sentences_of, stem
from rules.claims.extract import extract
from rules.claims.model import Claim
from rules.claims.speech import Stretch, is_inside, speech
from rules.claims.voice import narrated
from rules.document import Document, FieldKey, Passage, PlanScene
from rules.facts import Facts
from rules.findings import FindingSeverity, Part
from rules.ruleset import Ruleset
from rules.wording import say, texts

C = TypeVar("C", bound=Claim)
T = TypeVar("T")


_REMEMBERED = 5
"""Scenes back to which a distance is still the same distance."""
_MOST_COMPARED = 250
"""Different wordings of one kind of claim in a scene that are held against others, each with each: a scene
has a dozen, and noise must not cost quadratic time."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of text that states rules: a plan's field or outcome, or prose."""

    scene: str
    part: Part
    passage: Passage


@dataclass(frozen=True, slots=True)
class Pair:
    """A scene's prose beside the plan that it must respect."""

    scene: str
    plan: PlanScene
    prose: Passage
    before: tuple[PlanScene, ...]
    """Plans of the scenes just before it."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A phrase found in a text."""

    start: int
    end: int
    sentence: Sentence


class Readings:
    """What passages were read into. Documents that share passages, in the same places, may share it.

    One belongs to one language and one ruleset.
    """

    def __init__(self) -> None:
        self.claims: dict[Passage, tuple[Claim, ...]] = {}
        self.told: dict[Passage, dict[type[Claim], tuple[Claim, ...]]] = {}
        self.sentences: dict[Passage, tuple[Sentence, ...]] = {}
        self.words: dict[Passage, tuple[Word, ...]] = {}
        self.marks: dict[tuple[str, Passage], Mapping[str, Sequence[tuple[int, int]]]] = {}
        self.speech: dict[Passage, list[Stretch]] = {}


class Context:
    """A document as the rules see it. Everything is read once and kept."""

    def __init__(
        self,
        document: Document,
        ruleset: Ruleset,
        facts: Facts,
        readings: Readings | None = None,
        language: str | None = None,
    ) -> None:
        self.document = document
        self.speaks = language or document.language
        """Language of the messages."""
        self.ruleset = ruleset
        self.facts = facts
        self.level = facts.level if facts.party or facts.level > 1 else None
        """Level of the party; None where the text is checked without an adventure."""
        self._read = readings or Readings()
        self._kept: dict[tuple[str, str], object] = {}
        self._twins: dict[Passage, PlanScene] = {}

    @property
    def source(self) -> str:
        """The whole text."""
        return self.document.source

    @property
    def language(self) -> str:
        """Language of the document."""
        return self.document.language

    @property
    def chapter(self) -> str:
        """Chapter number as findings print it; empty in free prose."""
        return "" if self.document.chapter is None else str(self.document.chapter)

    def claims(self, passage: Passage) -> tuple[Claim, ...]:
        """Return all claims of a passage in order, those in speech too."""
        claims = self._read.claims.get(passage)
        if claims is None:
            claims = tuple(extract(passage, self.document.language, self.ruleset))
            self._read.claims[passage] = claims
        return claims

    def told(self, passage: Passage, kind: type[C]) -> tuple[C, ...]:
        """Return the claims of one kind that the text itself makes, outside of speech."""
        told = self._read.told.get(passage)
        if told is None:
            told = _by_kind(c for c in self.claims(passage) if not c.in_speech)
            self._read.told[passage] = told
        return cast(tuple[C, ...], told.get(kind, ()))

    def told_between(self, passage: Passage, kind: type[C], start: int, end: int) -> tuple[C, ...]:
        """Return what `told` does, of the claims that begin between two offsets."""
        claims = self.told(passage, kind)
        low = bisect_left(claims, start, key=_start)
        return claims[low : bisect_left(claims, end, lo=low, key=_start)]

    def sentences(self, passage: Passage) -> tuple[Sentence, ...]:
        """Return the sentences of a passage."""
        sentences = self._read.sentences.get(passage)
        if sentences is None:
            sentences = self._read.sentences[passage] = sentences_of(passage)
        return sentences

    def words(self, passage: Passage) -> tuple[Word, ...]:
        """Return the words of a passage."""
        words = self._read.words.get(passage)
        if words is None:
            words = self._read.words[passage] = tuple(w for s in self.sentences(passage) for w in s.words)
        return words

    def words_from(self, passage: Passage, start: int, most: int) -> tuple[Word, ...]:
        """Return the first words of a passage from an offset on, at most so many."""
        words = self.words(passage)
        low = bisect_left(words, start, key=_word_start)
        return words[low : low + most]

    def words_between(self, passage: Passage, start: int, end: int) -> tuple[Word, ...]:
        """Return the words of a passage between two offsets."""
        words = self.words(passage)
        low = bisect_left(words, start, key=_word_start)
        return words[low : bisect_left(words, end, lo=low, key=_word_start)]

    def keep(self, name: str, scene: str, make: Callable[[], T]) -> T:
        """Return what was made under that name for a scene, making it the first time."""
        key = (name, scene)
        if key not in self._kept:
            self._kept[key] = make()
        return cast(T, self._kept[key])

    def sentence_at(self, passage: Passage, offset: int) -> Sentence:
        """Return the sentence of a passage in which an offset lies."""
        sentences = self.sentences(passage)
        index = bisect_right(sentences, offset, key=lambda s: s.end)
        return sentences[index] if index < len(sentences) else Sentence(passage.start, passage.end, ())

    def marks(self, passage: Passage, book: str = "marks") -> Mapping[str, Sequence[tuple[int, int]]]:
        """Return where the phrases of a book stand: ranges of `words(passage)` by the list's name."""
        key = (book, passage)
        marks = self._read.marks.get(key)
        if marks is None:
            marks = lexicon.marks(book, self.language).find(self.words(passage))
            self._read.marks[key] = marks
        return marks

    def marked(self, passage: Passage, name: str, book: str = "marks") -> Iterable[Mark]:
        """Return the places of one list of a book, each with its sentence; not those in speech."""
        spans = self.marks(passage, book).get(name)
        return [] if spans is None else self._marked(passage, spans)

    def _marked(self, passage: Passage, spans: Sequence[tuple[int, int]]) -> Iterator[Mark]:
        words = self.words(passage)
        for first, after in spans:
            start, end = words[first].start, words[after - 1].end
            if not self.is_spoken(passage, start):
                yield Mark(start, end, self.sentence_at(passage, start))

    def is_spoken(self, passage: Passage, offset: int) -> bool:
        """Tell whether somebody says in the story what stands at an offset of a passage."""
        spoken = self._read.speech.get(passage)
        if spoken is None:
            spoken = self._read.speech[passage] = speech(passage.text)
        if not is_inside(spoken, offset - passage.start):
            return False
        return not is_inside(self._narrated(passage, spoken), offset - passage.start)

    def _narrated(self, passage: Passage, spoken: list[Stretch]) -> list[Stretch]:
        """Return what the narrator says inside a dialogue's paragraphs."""
        return self.keep(
            "narrated",
            f"{passage.start}-{passage.end}",
            lambda: narrated(passage.text, passage.start, spoken, self.claims(passage)),
        )

    def phrases(self, name: str) -> Phrases:
        """Return a list of phrases of the document's language."""
        return lexicon.phrases(name, self.language)

    def word_list(self, name: str) -> tuple[str, ...]:
        """Return a list of words of the document's language."""
        return lexicon.word_list(name, self.language)

    @cached_property
    def small_words(self) -> frozenset[str]:
        """Words that carry no matter of their own."""
        return lexicon.words_of_list("small_words", self.language)

    def stems(self, sentence: Sentence | Sequence[Sentence]) -> frozenset[str]:
        """Return the stems of the words that carry matter."""
        group = (sentence,) if isinstance(sentence, Sentence) else sentence
        return self.stems_of(word for s in group for word in s.words)

    def stems_of(self, words: Iterable[Word]) -> frozenset[str]:
        """Return the stems of those of some words that carry matter."""
        texts = set(map(_word_text, words))
        return frozenset(stem(w) for w in texts - self.small_words if len(w) > 2 and not w.isdigit())

    def say(self, key: str, /, **values: object) -> str:
        """Return a text of a rule in the language of the messages (`dc-drift.message`)."""
        return say(key, self.speaks, values)

    def phrase(self, key: str, /, **values: object) -> str:
        """Return a text of a rule in the document's language: what may stand in the document itself."""
        return say(key, self.language, values)

    def cite(self, source: str) -> str:
        """Return where the rules say something, in the language of the messages."""
        return str(texts(self.speaks, "sources").get(source, source))

    def ending(self, ending: str) -> str:
        """Return how a debate ended (`max_rounds`) in words."""
        return str(texts(self.speaks, "rules")["outcome-mislabelled"]["endings"].get(ending, ending))

    @property
    def decimal_mark(self) -> str:
        """What the document's language writes before the tenths of a figure."""
        return str(texts(self.language, "rules")["common"]["decimal_mark"])

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return bisect_right(self.line_starts, offset)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which the lines begin."""
        return (0, *(m.end() for m in re.finditer("\n", self.source)))

    def plan_source(self, plan: PlanScene, offset: int) -> str:
        """Say where in the plan something stands."""
        return self.say("common.plan_source", scene=plan.id, line=self.line(offset))

    def clause_hit(
        self,
        scene: str,
        part: Part,
        passage: Passage,
        span: tuple[int, int],
        message: str,
        expected: str = "",
        source: str = "",
        severity: FindingSeverity | None = None,
    ) -> Hit:
        """Make a hit whose quote is the clause around a span."""
        start, end = clause_around(self.source, passage.start, passage.end, *span)
        return Hit(scene, part, start, end, message, expected, source, severity)

    @cached_property
    def plan_scenes(self) -> tuple[PlanScene, ...]:
        """The planned scenes: those of the plan, then agreed plans that say something else."""
        section = self.document.plan.scenes if self.document.plan else ()
        seen = {_bare(s) for s in section}
        agreed = (w.plan for w in self.document.scenes if w.plan is not None)
        return (*section, *(p for p in agreed if _bare(p) not in seen))

    @cached_property
    def _by_text(self) -> dict[tuple[str, ...], PlanScene]:
        return {_bare(scene): scene for scene in reversed(self.plan_scenes)}

    def twin(self, scene: PlanScene) -> PlanScene:
        """Return the first scene asked for that says the same: what is written twice is read once.

        Where only some of its texts were there before, it has those from there.
        """
        known = self._twins.get(scene.passage)
        if known is None:
            bare = _bare(scene)
            known = self._by_text.get(bare) or self._with_known_texts(scene)
            self._by_text[bare] = self._twins[scene.passage] = known
        return known

    def _with_known_texts(self, scene: PlanScene) -> PlanScene:
        fields = tuple(replace(f, text=self._first(f.text)) for f in scene.fields)
        outcomes = tuple(replace(o, text=self._first(o.text)) for o in scene.outcomes)
        return replace(scene, fields=fields, outcomes=outcomes)

    def _first(self, passage: Passage) -> Passage:
        """Return the first passage asked for with that text."""
        return self._texts.setdefault(passage.text, passage)

    @cached_property
    def _texts(self) -> dict[str, Passage]:
        return {p.text: p for scene in reversed(self.plan_scenes) for p in _all_texts(scene)}

    @cached_property
    def plans_by_id(self) -> Mapping[str, tuple[PlanScene, ...]]:
        """The planned scenes by their id."""
        found: dict[str, list[PlanScene]] = {}
        for scene in self.plan_scenes:
            found.setdefault(scene.id, []).append(scene)
        return {key: tuple(scenes) for key, scenes in found.items()}

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The written scenes that have a plan."""
        section = {s.id: s for s in self.document.plan.scenes} if self.document.plan else {}
        found: list[Pair] = []
        before: tuple[PlanScene, ...] = ()
        for written in self.document.scenes:
            plan = self.twin(written.plan) if written.plan else section.get(written.id)
            if plan is None:
                continue
            if written.prose is not None and written.prose.text.strip():
                found.append(Pair(written.id, plan, written.prose, before))
            before = (*before, plan)[-_REMEMBERED:]
        return tuple(found)

    @cached_property
    def plan_units(self) -> tuple[Unit, ...]:
        """Every text of the plans, field by field and outcome by outcome."""
        return tuple(Unit(s.id, "plan", p) for s in self.plan_scenes for p in passages_of(s))

    @cached_property
    def prose_units(self) -> tuple[Unit, ...]:
        """Every prose: of the written scenes, and free prose."""
        written = (Unit(s.id, "prose", s.prose) for s in self.document.scenes if s.prose is not None)
        free = (Unit(self.chapter, "prose", p) for p in self.document.free)
        return (*written, *free)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Every text that states rules, plans first."""
        return (*self.plan_units, *self.prose_units)

    @cached_property
    def judged_units(self) -> tuple[Unit, ...]:
        """Every text that decides for itself: plans, and prose that has no plan to answer to."""
        bound = {pair.prose.start for pair in self.pairs}
        return (*self.plan_units, *(u for u in self.prose_units if u.passage.start not in bound))

    def plan_claims(self, plan: PlanScene, kind: type[C]) -> tuple[C, ...]:
        """Return the claims of one kind in a plan, in order."""
        groups = self.keep(
            "plan claims",
            f"{plan.passage.start}-{plan.passage.end}",
            lambda: _by_kind(c for p in passages_of(plan) for c in self.claims(p)),
        )
        return cast(tuple[C, ...], groups.get(kind, ()))

    def planned(self, plan: PlanScene, kind: type[C]) -> tuple[C, ...]:
        """Return the claims of one kind in a plan, each wording once."""
        return self.keep(
            f"planned {kind.kind}", str(plan.passage.start), lambda: distinct(self.plan_claims(plan, kind))
        )

    def told_once(self, passage: Passage, kind: type[C]) -> tuple[C, ...]:
        """Return what `told` does, each wording once."""
        return self.keep(
            f"told {kind.kind}", f"{passage.start}-{passage.end}", lambda: distinct(self.told(passage, kind))
        )

    def plan_sentence(self, plan: PlanScene, offset: int) -> Sentence:
        """Return the sentence of a plan in which an offset lies."""
        for passage in passages_of(plan):
            if passage.start <= offset < passage.end:
                return self.sentence_at(passage, offset)
        return Sentence(offset, offset, ())


_start: Callable[[Claim], int] = attrgetter("start")
_word_start: Callable[[Word], int] = itemgetter(1)
_word_text: Callable[[Word], str] = itemgetter(0)


def _by_kind(claims: Iterable[Claim]) -> dict[type[Claim], tuple[Claim, ...]]:
    groups: dict[type[Claim], list[Claim]] = {}
    for claim in claims:
        groups.setdefault(type(claim), []).append(claim)
    return {kind: tuple(group) for kind, group in groups.items()}


def distinct(claims: Sequence[C]) -> tuple[C, ...]:
    """Return the claims whose wording has not been there before: a text that repeats itself costs no more.

    There is an end to them: what is held against each other is held each against each.
    """
    return tuple({c.quote: c for c in reversed(claims)}.values())[: -_MOST_COMPARED - 1 : -1]


def passages_of(scene: PlanScene) -> Iterator[Passage]:
    """Give the texts of a planned scene, each once."""
    yield from (passage for _, passage in texts_of(scene))


def texts_of(scene: PlanScene) -> Iterator[tuple[FieldKey, Passage]]:
    """Give the texts of a planned scene, each once, with their field; all outcomes with the first block."""
    told = False
    for field in scene.fields:
        if field.key != "outcomes" or not scene.outcomes:
            yield field.key, field.text
        elif not told:
            told = True
            for outcome in scene.outcomes:
                yield field.key, outcome.text


def _all_texts(scene: PlanScene) -> Iterator[Passage]:
    yield from (field.text for field in scene.fields)
    yield from (outcome.text for outcome in scene.outcomes)


def _bare(scene: PlanScene) -> tuple[str, ...]:
    return (scene.id, *(" ".join(f.text.text.split()) for f in scene.fields))
