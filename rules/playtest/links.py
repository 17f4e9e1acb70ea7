"""Where outcomes lead, and what an outcome of one scene changes in the rolls of another."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.checks.context import Context
from rules.checks.text import Sentence, Word, sentences_of, words_of
from rules.claims.model import Advantage, Check, DCChange
from rules.document import Passage, PlanScene
from rules.playtest.model import BAD, END, GOOD, Degree, Link, Way
from rules.playtest.phrasing import phrases

MOST_LINKS = 8
"""Changes from scene to scene that are played; each doubles what there is to remember."""
_NUMBER = re.compile(r"(?<![\d.,])(\d{1,3})\.(\d{1,3})(?![\d]|[.,]\d)")
_REACH = 40
"""Characters after the words for going on in which a scene must be named."""
_GRADES: Mapping[str, frozenset[Degree]] = {
    "critical_success": frozenset({"critical_success"}),
    "critical_failure": frozenset({"critical_failure"}),
    "partial": frozenset({"partial"}),
    "failure": BAD,
    "success": GOOD,
}


class Chapter(NamedTuple):
    """A chapter's scenes as written, and their outcomes with the degrees that they are played with."""

    scenes: Sequence[PlanScene]
    degrees: Sequence[Sequence[Degree]]

    @property
    def places(self) -> dict[str, int]:
        """Indexes of the scenes by id."""
        return {scene.id: index for index, scene in reversed(list(enumerate(self.scenes)))}


def target_of(ctx: Context, way: Way, number: str) -> str | None:
    """Return where an outcome leads as its plan says: a scene's id, `end`, other text, or None.

    An arrow at its end says so; else words such as `go to scene 5.4`. Another chapter is the end of this one.
    """
    return way.leads_to if way.leads_to is not None else told_target(ctx, way.text, number)


def told_target(ctx: Context, text: str, number: str) -> str | None:
    """Return where a text says that play goes on: a scene's id, `end`, or None. `number`: of this chapter."""
    for sentence in sentences_of(Passage(text, 0)):
        if phrases(ctx, "end").any(sentence.words):
            return END
        for _, after in phrases(ctx, "goes").find(sentence.words):
            start = sentence.words[after - 1].end
            rest = text[start : min(sentence.end, start + _REACH)]
            named = _NUMBER.search(rest)
            if named:
                return f"{int(named[1])}.{int(named[2])}"
            if other_chapter(ctx, rest, number):
                return END
    return None


def other_chapter(ctx: Context, text: str, number: str) -> bool:
    """Tell whether a text names a chapter other than that number's."""
    words = words_of(Passage(text, 0))
    after = [end for _, end in phrases(ctx, "chapter").find(words) if end < len(words)]
    return any(words[end].text.isdigit() and words[end].text != number for end in after)


def links(ctx: Context, chapter: Chapter) -> tuple[tuple[Link, ...], bool]:
    """Return what earlier outcomes change in later rolls, and whether some had to be left out."""
    found = list(dict.fromkeys([*_asked(ctx, chapter), *_given(ctx, chapter)]))
    return tuple(found[:MOST_LINKS]), len(found) > MOST_LINKS


def _asked(ctx: Context, chapter: Chapter) -> Iterator[Link]:
    """Give what a scene's roll says of scenes before: `CD 15, o CD 12 si hubo éxito en la escena 4.2`."""
    for target, scene in enumerate(chapter.scenes):
        field = scene.field("player_action")
        if field is None:
            continue
        for claim in ctx.told(field.text, Check):
            for dc in claim.dcs:
                for source, outcomes in _condition(ctx, chapter, dc.condition, target):
                    yield Link(source, outcomes, target, dc=dc.value)
        for sentence in ctx.sentences(field.text):
            text = ctx.source[sentence.start : sentence.end]
            for change in _changes(ctx, field.text, sentence, stated_only=True):
                for source, outcomes in _condition(ctx, chapter, text, target):
                    yield change.link(source, outcomes, target)


class _Change(NamedTuple):
    dc: int | None = None
    by: int = 0
    advantage: bool | None = None

    def link(self, source: int, outcomes: frozenset[int], target: int) -> Link:
        mode = "normal" if self.advantage is None else "advantage" if self.advantage else "disadvantage"
        return Link(source, outcomes, target, self.dc, self.by, mode)


def _changes(ctx: Context, passage: Passage, sentence: Sentence, stated_only: bool) -> Iterator[_Change]:
    if stated_only and not phrases(ctx, "if_words").any(sentence.words):
        return
    for claim in ctx.told_between(passage, DCChange, sentence.start, sentence.end):
        if claim.by is not None:
            yield _Change(by=claim.by)
        elif len(claim.to) == 1:
            yield _Change(dc=claim.to[0])
    for claim in ctx.told_between(passage, Advantage, sentence.start, sentence.end):
        if claim.applies != "attacks":
            yield _Change(advantage=claim.mode == "advantage")


def _condition(
    ctx: Context, chapter: Chapter, text: str, target: int
) -> Iterator[tuple[int, frozenset[int]]]:
    """Give the scene before and its outcomes that a condition names; nothing where it names none."""
    told = words_of(Passage(text, 0))
    source = _scene_named(chapter, text)
    if source is None and phrases(ctx, "previous_scene").any(told):
        source = target - 1
    degree = _degree_named(ctx, told)
    if source is None or source < 0 or source == target or degree is None:
        return
    wanted = _GRADES[degree]
    if phrases(ctx, "negation").any(told):
        wanted = frozenset(d for d in chapter.degrees[source]) - wanted
    outcomes = frozenset(i for i, d in enumerate(chapter.degrees[source]) if d in wanted)
    if outcomes:
        yield source, outcomes


def _degree_named(ctx: Context, words: Sequence[Word]) -> str | None:
    return next((name for name in _GRADES if ctx.phrases(f"degree_{name}").any(words)), None)


def _scene_named(chapter: Chapter, text: str) -> int | None:
    places = chapter.places
    named = (f"{int(m[1])}.{int(m[2])}" for m in _NUMBER.finditer(text))
    return next((places[name] for name in named if name in places), None)


def _given(ctx: Context, chapter: Chapter) -> Iterator[Link]:
    """Give what an outcome promises to another scene: `Ventaja en la tirada de la siguiente escena`."""
    for source, scene in enumerate(chapter.scenes):
        for index, outcome in enumerate(scene.outcomes):
            for sentence in ctx.sentences(outcome.text):
                text = ctx.source[sentence.start : sentence.end]
                target = _scene_named(chapter, text)
                if target is None and phrases(ctx, "next_scene").any(sentence.words):
                    target = source + 1
                if target is None or target == source or target >= len(chapter.scenes):
                    continue
                for change in _changes(ctx, outcome.text, sentence, stated_only=False):
                    yield change.link(source, frozenset({index}), target)


def asked_for(found: Iterable[Link]) -> set[tuple[int, int]]:
    """Return the outcomes, by scene and index, that something later depends on."""
    return {(link.source, outcome) for link in found for outcome in link.outcomes}
