"""By how much a roll must succeed or may fail, as texts state it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rules.checks.context import Context
from rules.checks.text import Sentence, Word
from rules.document import Passage, PlanOutcome
from rules.odds.checks import FACES
from rules.playtest.phrasing import number, phrases

_LONGEST_MARGIN = 6
"""Words in which a margin is stated after the word that announces it."""
_OPENING = 8
"""Words of an outcome's text in which it says for which margins it stands."""
_AT_ONCE = 3
"""Words of it that must speak of failing or beating."""
_BEGINS = 3
"""Words of an outcome's text before the figure of a margin that it opens with (`Up to four below …`)."""
_LONGEST_BARE = 5
"""Words of a label that states a margin by nothing else: `Fallo (5 o más)`."""
NO_LIMIT = 10_000
"""A margin beyond all rolls."""


class Band(NamedTuple):
    """Margins that a text states, both included: a roll is beaten, or (negative) fails, by these."""

    low: int
    high: int


class Margin(NamedTuple):
    """By how much rolls may fail or must succeed, as a text states it; None: it does not."""

    near: int | None
    far: int | None


def margins(ctx: Context, passages: Sequence[Passage]) -> Margin:
    """Return the margins that texts state: `si faltan cuatro o menos`, `fails by 5 or more`."""
    near = far = None
    for passage in passages:
        for sentence in ctx.sentences(passage):
            for band in _stated(ctx, sentence):
                if band.low >= 0:
                    far = far or (band.low if band.high == NO_LIMIT else band.high + 1)
                else:
                    near = near or (-band.low if band.high == -1 else -band.high - 1)
    return Margin(near, far)


def band_of(ctx: Context, outcome: PlanOutcome) -> Band | None:
    """Return the margins for which an outcome stands, by its label or the words that its text begins with.

    `Failure by 5 or more: …`; `Failure: They fail by 4 or less, and …`. A margin further on in the text is
    told of something else: `Failure: They are seen; by 5 or more they fall, too`.
    """
    for passage, begins in ((outcome.label, _OPENING), (outcome.text, _AT_ONCE)):
        for sentence in ctx.sentences(passage)[:1]:
            opening = Sentence(sentence.start, sentence.end, sentence.words[:_OPENING])
            first = opening.words[:begins]
            if any(phrases(ctx, name).any(first) for name in ("fails", "beats")):
                found = next(_stated(ctx, opening), None) or _bare(ctx, opening)
            else:
                found = next(_short_of_it(ctx, opening.words, _BEGINS), None)
            if found is not None:
                return found
    return None


def _bare(ctx: Context, sentence: Sentence) -> Band | None:
    """Return the margin of `Fallo (5 o más)`, which no word announces: of a label of few words."""
    words = sentence.words
    told = phrases(ctx, "fails").any(words[:1]), phrases(ctx, "beats").any(words[:1])
    return _limit(ctx, words[1:], told[1]) if any(told) and len(words) <= _LONGEST_BARE else None


def _stated(ctx: Context, sentence: Sentence) -> Iterator[Band]:
    """Give each margin of a sentence."""
    words = sentence.words
    fails, beats = phrases(ctx, "fails"), phrases(ctx, "beats")
    if not fails.any(words) and not beats.any(words):
        return
    meant = {start for start, _ in phrases(ctx, "below").find(words)}
    by = [(start, after) for start, after in phrases(ctx, "by").find(words) if start not in meant]
    starts = sorted(after for _, after in (*by, *_with(ctx, words)))
    if not starts:
        yield from _short_of_it(ctx, words, len(words))
    for start, following in pairwise([*starts, len(words) + 1]):
        told = words[max(0, start - _LONGEST_MARGIN) : start]
        won = beats.any(told) and not fails.any(told)
        band = _limit(ctx, words[start : min(following - 1, start + _LONGEST_MARGIN)], won)
        if band is not None:
            yield band


def _short_of_it(ctx: Context, words: Sequence[Word], most: int) -> Iterator[Band]:
    """Give the margins that are told before how they are meant: `up to four below`, `hasta 4 por debajo`.

    Such a margin begins among the first words, at most so many.
    """
    for start, end in phrases(ctx, "below").find(words):
        told = words[max(0, start - _LONGEST_MARGIN) : end]
        begins = next((i for i, word in enumerate(words[:start]) if number(ctx, word.text)), start)
        if begins > most or begins >= start:
            continue
        up_to = any(after == begins for _, after in phrases(ctx, "up_to").find(words[:begins]))
        band = Band(-(number(ctx, words[begins].text) or 0), -1) if up_to else _limit(ctx, told, won=False)
        if band is not None:
            yield band


def _with(ctx: Context, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Give the places of `con cuatro o menos por debajo`: a plain word, and soon after it how it is meant."""
    for start, after in phrases(ctx, "with").find(words):
        if phrases(ctx, "below").any(words[after : after + _LONGEST_MARGIN]):
            yield start, after


def _limit(ctx: Context, words: Sequence[Word], won: bool) -> Band | None:
    numbers = [n for n in (number(ctx, word.text) for word in words) if n is not None and 0 < n < FACES]
    if not numbers:
        return None
    least, most = (0, NO_LIMIT) if won else (1, NO_LIMIT)
    if phrases(ctx, "or_more").any(words) or phrases(ctx, "more_than").any(words):
        least = numbers[0] + phrases(ctx, "more_than").any(words)
    elif len(numbers) == 1 and phrases(ctx, "or_less").any(words):
        most = numbers[0]  # before the next: `tres o menos de la CD` is no `menos de la CD`
    elif phrases(ctx, "less_than").any(words):
        most = numbers[0] - 1
    elif len(numbers) > 1:
        least, most = min(numbers[:2]), max(numbers[:2])
    else:
        return None
    band = Band(least, most) if won else Band(-most, -least)
    return band if band.low <= band.high else None
