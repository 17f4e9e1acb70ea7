"""How a fight is said to begin: a word for fighting beside a verb of beginning or turning."""

from collections.abc import Iterator, Sequence

from rules.checks.context import Context, Mark, Unit
from rules.checks.text import Word

_BOOK = "house"
_VERB_WITHIN = 5
"""Words on either side of a fight in which it is said that it begins."""
_DENIED_WITHIN = 2
"""Words before it in which it is denied (`does not start a fight`)."""
_SUPPOSED_WITHIN = 3
"""Words before it in which it is only supposed (`if combat begins`)."""


def openings(ctx: Context, unit: Unit) -> Iterator[Mark]:
    """Give the places where a fight begins, each sentence once; not where that is only supposed."""
    found = list(ctx.marked(unit.passage, "opens_combat", _BOOK))
    for mark in ctx.marked(unit.passage, "fight_nouns", _BOOK):
        clause = _clause(ctx, mark)
        at = next(i for i, w in enumerate(clause) if w.start >= mark.start)
        before, after = clause[max(0, at - _VERB_WITHIN) : at], clause[at + 1 : at + 1 + _VERB_WITHIN]
        rolled = _is_roll(ctx, mark)
        if rolled and ctx.phrases("tie_break").any(mark.sentence.words):
            continue
        lead = ctx.phrases("initiative_led" if rolled else "leads_to_fight").first(before)
        tail = ctx.phrases("initiative_called" if rolled else "fight_begins").first(after)
        if lead is not None or tail is not None:
            start = before[lead[0]].start if lead else mark.start
            end = after[tail[1] - 1].end if tail else mark.end
            found.append(Mark(start, end, mark.sentence))
    last = -1
    for mark in sorted(found, key=_start):
        if mark.sentence.start > last and not _is_supposed(ctx, mark):
            last = mark.sentence.start
            yield mark


def _is_roll(ctx: Context, mark: Mark) -> bool:
    """Tell whether it is initiative that is named, which is rolled where a fight begins."""
    return ctx.phrases("initiative_nouns").any(mark.sentence.after(mark.start)[:1])


def _start(mark: Mark) -> int:
    return mark.start


def _clause(ctx: Context, mark: Mark) -> Sequence[Word]:
    """Return the words between the commas around a mark."""
    words = mark.sentence.words
    cuts = [i for i in range(1, len(words)) if _parts(ctx, words[i - 1].end, words[i].start)]
    at = next(i for i, w in enumerate(words) if w.start >= mark.start)
    low = max((c for c in cuts if c <= at), default=0)
    return words[low : min((c for c in cuts if c > at), default=len(words))]


def _parts(ctx: Context, start: int, end: int) -> bool:
    return any(sign in ctx.source[start:end] for sign in ",;:")


def _is_supposed(ctx: Context, mark: Mark) -> bool:
    """Tell whether a fight is only spoken of as what may begin, has begun before, or does not begin."""
    clause = _clause(ctx, mark)
    before = [w for w in clause if w.start < mark.start]
    inside = [w for w in clause if mark.start <= w.start <= mark.end]
    denied = ctx.phrases("denies").any((*before[-_DENIED_WITHIN:], *inside))
    return denied or ctx.phrases("fight_supposed").any(before[-_SUPPOSED_WITHIN:])


def has_cause(ctx: Context, words: Sequence[Word]) -> bool:
    """Tell whether something is told upon which a fight begins."""
    return any(ctx.phrases(name).any(words) for name in ("tense_only", "fight_causes", "turns_to_fight"))
