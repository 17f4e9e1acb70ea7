"""Words by which a text says that something is not in its game, or names it as what not to write."""

from rules.checks.context import Context, Unit
from rules.checks.text import Sentence
from rules.claims.speech import is_inside, quotations

_DISOWNED_WITHIN = 8
"""Words before a term in which it is denied."""
_ALONE_WITHIN = 6
"""Words between a negation and `by itself`."""


def is_disowned(ctx: Context, unit: Unit, start: int) -> bool:
    """Tell whether what begins at an offset is said not to be there (`no hay cobertura parcial`)."""
    sentence = ctx.sentence_at(unit.passage, start)
    before = [w for w in sentence.words if w.end <= start][-_DISOWNED_WITHIN:]
    return ctx.phrases("disowned").any(before)


def is_mentioned(ctx: Context, unit: Unit, start: int) -> bool:
    """Tell whether an offset lies in a quotation, where words are named and not used."""
    quoted = ctx.keep("quotations", f"{unit.passage.start}", lambda: quotations(unit.passage.text))
    return is_inside(quoted, start - unit.passage.start)


def is_of_no_effect(ctx: Context, unit: Unit, start: int) -> bool:
    """Tell whether the text says, here or in the next sentence, that something does nothing."""
    sentence = ctx.sentence_at(unit.passage, start)
    following = ctx.sentence_at(unit.passage, sentence.end)
    return any(ctx.phrases("no_effect").any(s.words) or _is_not_enough(ctx, s) for s in (sentence, following))


def _is_not_enough(ctx: Context, sentence: Sentence) -> bool:
    """Tell whether a sentence says that something does not come of it alone (`does not … by itself`)."""
    alone = ctx.phrases("by_itself").first(sentence.words)
    if alone is None:
        return False
    return ctx.phrases("not_so_by_itself").any(sentence.words[max(0, alone[0] - _ALONE_WITHIN) : alone[0]])


def is_denied(ctx: Context, unit: Unit, start: int) -> bool:
    """Tell whether something is said not to be there, or to do nothing."""
    return is_disowned(ctx, unit, start) or is_of_no_effect(ctx, unit, start)
