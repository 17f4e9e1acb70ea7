"""What the player characters are said to want and feel: who, and a verb or a word of feeling."""

from collections.abc import Iterator, Sequence
from functools import cache

from rules.checks import lexicon
from rules.checks.context import Context, Mark, Unit
from rules.checks.text import Phrases, Sentence, Word, contains

_ANCHORS = ("players", "you_subject", "feelings", "your_body", "will_you")
_VERB_WITHIN = 3
"""Words after who is told of in which their verb stands."""
_MOOD_WITHIN = 7
"""Words on either side of them in which a feeling is ascribed to them."""
_GRIPS_WITHIN = 5
"""Words after a feeling in which it is said whom it takes."""
_BODY_WITHIN = 5
"""Words after a part of the body in which it is said what it does."""


def willed(ctx: Context, unit: Unit, names: list[list[str]]) -> Iterator[Mark]:
    """Give the sentences that say what the player characters feel, want or do on their own, each once."""
    for sentence in _spoken_of(ctx, unit, names):
        words = sentence.words
        found = _acts(ctx, sentence, names) or _grips(ctx, words) or _body(ctx, words) or _second(ctx, words)
        if found is not None and not ctx.is_spoken(unit.passage, words[found[0]].start):
            yield Mark(words[found[0]].start, words[found[1] - 1].end, sentence)


def is_offered(ctx: Context, between: Sequence[Word]) -> bool:
    """Tell whether the words between the player characters and a deed leave it to them (`may`, `can`)."""
    return ctx.phrases("offered_to").any(between) and not ctx.phrases("no_choice").any(between)


@cache
def _anchors(language: str) -> Phrases:
    """Return the words without which nothing is said of player characters: found in one pass."""
    return Phrases(phrase for name in _ANCHORS for phrase in lexicon.word_list(name, language))


def _spoken_of(ctx: Context, unit: Unit, names: list[list[str]]) -> Iterator[Sentence]:
    """Give the sentences that may say something of the player characters, in order."""
    words = ctx.words(unit.passage)
    at = {words[first].start for first, _ in _anchors(ctx.language).find(words)}
    firsts = {name[0] for name in names}
    at |= {word.start for word in words if word.text in firsts} if firsts else set()
    last = -1
    for start in sorted(at):
        if start >= last:
            sentence = ctx.sentence_at(unit.passage, start)
            last = sentence.end
            yield sentence


def _subjects(ctx: Context, words: Sequence[Word], names: list[list[str]]) -> Iterator[tuple[int, int]]:
    """Give where the player characters are named, and not as somebody's object."""
    spans = list(ctx.phrases("players").find(words))
    you = [(i, i + 1) for i, w in enumerate(words) if w.text in ctx.word_list("you_subject")]
    texts = [w.text for w in words]
    named = [(i, i + len(n)) for n in names if contains(n, texts) for i in [texts.index(n[0])]]
    for first, after in sorted((*spans, *you, *named)):
        if not first or words[first - 1].text not in ctx.word_list("object_marks"):
            yield first, after


def _acts(ctx: Context, sentence: Sentence, names: list[list[str]]) -> tuple[int, int] | None:
    words = sentence.words
    for first, after in _subjects(ctx, words, names):
        verb = ctx.phrases("will_verbs").first(words[after : after + _VERB_WITHIN])
        if verb is not None and not is_offered(ctx, words[after : after + verb[0]]):
            return first, after + verb[1]
        head = max(0, first - 2) if first <= 2 else first
        mood = ctx.phrases("moods").first(words[head : after + _MOOD_WITHIN])
        if mood is not None and ctx.phrases("own_deeds").any(words[after : after + _MOOD_WITHIN]):
            return head, max(after, head + mood[1])
    return None


def _grips(ctx: Context, words: Sequence[Word]) -> tuple[int, int] | None:
    """Find a feeling that takes hold of `you` (`a wave of pity washes over you`)."""
    for first, last in ctx.phrases("feelings").find(words):
        after = words[last : last + _GRIPS_WITHIN]
        at = next((i for i, w in enumerate(after) if w.text in ctx.word_list("you_object")), None)
        if at is not None and ctx.phrases("grips").any(after):
            return first, last + at + 1
    return None


def _body(ctx: Context, words: Sequence[Word]) -> tuple[int, int] | None:
    """Find what `your` heart or eyes do (`your eyes fill with tears`)."""
    for first, last in ctx.phrases("your_body").find(words):
        after = words[last : last + _BODY_WITHIN]
        does = ctx.phrases("body_does").first(after)
        if does is not None:
            return first, last + does[1]
    return None


def _second(ctx: Context, words: Sequence[Word]) -> tuple[int, int] | None:
    """Find a verb of will whose ending says `you` (`perdonáis`)."""
    return ctx.phrases("will_you").first(words)
