"""Exact replacements: the right text for a word or figure, or None where it is not certain."""

import re
from collections.abc import Sequence

from rules.checks.context import Context
from rules.checks.hit import Replacement
from rules.checks.text import fold, words_of
from rules.claims.model import Check, Claim, Damage, Distance, Named, Save
from rules.document import Passage

DICE = re.compile(r"(?<![\w.,])\d{1,3}[dD]\d{1,4}(?:[ ]?[+-][ ]?\d{1,4})?(?!\w)")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w]|[.,]\d)")
_PLURAL = "s"
_SENTENCE_END = re.compile(r"[.!?…]\s|\n[ \t\r]*\n")
_LONG_SENTENCE = 400
"""Characters between two words that are read as of one sentence, at most."""
_JOINED = re.compile(r"[ ]?[,/(][ ]?|[ ][^\W\d_]{1,3}[ ]")
_LONG_JOINT = 5
"""Characters of `_JOINED` at most."""


def word(ctx: Context, named: Named, right: str) -> Replacement | None:
    """Return the right word in the place of one, with a capital where that one has it.

    None where the two are not alike in number: the words around would have to bend too.
    """
    written = ctx.source[named.start : named.end]
    if not right or not written or fold(written) == fold(right):
        return None
    if written[-1:].lower() == _PLURAL != right[-1:].lower():
        return None
    return Replacement(named.start, named.end, cased(written, right))


def cased(written: str, right: str) -> str:
    """Return the right text in the capitals of what is written: all of them, each word's first, the first."""
    if written.isupper() and len(written) > 1:
        return right.upper()
    old, new = written.split(), right.split(" ")
    if len(old) != len(new):
        return _capital(right) if written[:1].isupper() else right
    return " ".join(_capital(n) if o[:1].isupper() else n for o, n in zip(old, new, strict=True))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def damage_type(ctx: Context, damage: Damage, named: Named) -> Replacement | None:
    """Return the right type of damage as it is printed, joints such as `por` taken along."""
    if named.id is None:
        return None
    right = ctx.ruleset.printed("damage_type", named.id, ctx.language)
    before = list(words_of(Passage(ctx.source[damage.start : named.start], damage.start)))
    start = named.start
    if before and before[-1].text in ctx.word_list("type_joints"):
        start = before.pop().start
    bends = any(w.endswith(_PLURAL) for w in (*(b.text for b in before[-1:]), fold(named.text)))
    if bends and " " not in right and ctx.source[named.start : named.end].lower() != right:
        return None
    return Replacement(start, named.end, cased(ctx.source[start : named.end], right))


def number(ctx: Context, claim: Claim, right: int) -> Replacement | None:
    """Return a number in the place of the only one that a claim is written with."""
    return _only(ctx, claim, _NUMBER, str(right))


def dice(ctx: Context, claim: Claim, right: str) -> Replacement | None:
    """Return dice in the place of the only ones that a claim is written with; None where a mean stands by."""
    if isinstance(claim, Damage) and claim.amount is not None:
        return None
    return _only(ctx, claim, DICE, right)


def _only(ctx: Context, claim: Claim, pattern: re.Pattern[str], right: str) -> Replacement | None:
    found = list(pattern.finditer(ctx.source, claim.start, claim.end))
    if len(found) != 1:
        return None
    return Replacement(found[0].start(), found[0].end(), right)


def difficulty(ctx: Context, claim: Check | Save, planned: Sequence[int]) -> Replacement | None:
    """Return the plan's only DC in the place of the only one that a check or save is written with."""
    values = set(planned)
    if len(values) != 1 or len(claim.dcs) != 1:
        return None
    dc, right = claim.dcs[0], str(values.pop())
    start = ctx.source.rfind(str(dc.value), dc.start, dc.end)
    if start < 0 or not claim.start <= start < claim.end:
        return None
    return Replacement(start, start + len(str(dc.value)), right)


def length(ctx: Context, told: Distance, right: str) -> Replacement | None:
    """Return another length in the place of a plain one (`10 pies`); None for areas, ranges and words."""
    plain = told.shape == "distance" and told.low is None
    figures = re.fullmatch(r"\d+(?:[.,]\d+)?[  ]\w+", told.quote)
    return Replacement(told.start, told.end, right) if plain and figures else None


def without_repeats(source: str, found: Sequence[Replacement]) -> tuple[Replacement, ...]:
    """Return the replacements without those that make one word of two in a sentence.

    `Spot or Listen` would become `Perception or Perception`: what then is meant a person must say. The same
    fault made twice (`2d6 aplastante y 1d6 aplastante`) is put right twice.
    """
    left: set[int] = set()
    last: dict[str, int] = {}
    for at, one in enumerate(found):
        before = last.get(fold(one.text))
        if before is not None and _makes_one_of_two(source, found[before], one):
            left |= {before, at}
        if _stands_beside(source, one):
            left.add(at)
        last[fold(one.text)] = at
    return tuple(one for at, one in enumerate(found) if at not in left)


def _makes_one_of_two(source: str, first: Replacement, second: Replacement) -> bool:
    if any(c.isdigit() for c in first.text):
        return False
    alike = fold(source[first.start : first.end]) == fold(source[second.start : second.end])
    near = second.start - first.end <= _LONG_SENTENCE
    return not alike and near and not _SENTENCE_END.search(source, first.end, second.start)


def _stands_beside(source: str, one: Replacement) -> bool:
    """Tell whether the right word stands beside the wrong one already, with a small word between them."""
    if any(c.isdigit() for c in one.text):
        return False
    right = fold(one.text)
    after = _JOINED.match(source, one.end)
    if after and _is_word_at(source, after.end(), right):
        return True
    width = len(one.text)
    for gap in range(1, _LONG_JOINT + 1):
        start = one.start - gap - width
        if start < 0:
            return False
        joint = _JOINED.fullmatch(source, one.start - gap, one.start)
        opens = start == 0 or not source[start - 1].isalnum()
        if joint and opens and fold(source[start : start + width]) == right:
            return True
    return False


def _is_word_at(source: str, start: int, right: str) -> bool:
    end = start + len(right)
    return fold(source[start:end]) == right and not source[end : end + 1].isalnum()
