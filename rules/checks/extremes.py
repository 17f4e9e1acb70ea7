"""Extreme results of a die that are told in plain words (`rolling a 1 on the Stealth check`)."""

from collections.abc import Iterator, Sequence

from rules.checks import denials
from rules.checks.context import Context, Mark, Unit
from rules.checks.text import Sentence, Word
from rules.claims.model import Attack, Check, Critical, Damage, Roll, Save

_LEAD = 6
"""Words on either side of a figure by which it is a die's result."""
_TAKEN_WITHIN = 9
"""Words before a result in which it is said that a roll is taken for it."""
_SHOWN = 5
"""Words before it in which the die is named."""
_LEAST_TOLD = 2
"""Words beside the roll in which an effect can be told."""
_MINUS = ("-", "−", "–")
_NAME = 3
"""Words of the longest skill's name."""


def plain(ctx: Context, unit: Unit) -> Iterator[tuple[int, int]]:
    """Give the places where a 1 or a 20 on an ability check's die is given an effect of its own."""
    last = -1
    for mark in _told(ctx, unit):
        if mark.sentence.start <= last or not _is_whole(ctx, mark) or not _is_on_check(ctx, unit, mark):
            continue
        if is_taken_as(ctx, mark.sentence, mark.end):
            continue
        if denials.is_denied(ctx, unit, mark.start) or _has_no_effect(ctx, mark):
            continue
        last = mark.sentence.start
        yield mark.start, mark.end


def _told(ctx: Context, unit: Unit) -> Iterator[Mark]:
    """Give the words by which a 1 or a 20 may be told, in order."""
    found = [m for name in ("plain_extreme", "crit_nouns") for m in ctx.marked(unit.passage, name)]
    words = ctx.words(unit.passage)
    figures = ctx.word_list("extreme_figures")
    for index, word in enumerate(words):
        negative = ctx.source[word.start - 1 : word.start] in _MINUS  # `a penalty`
        if word.text in figures and not negative and not ctx.is_spoken(unit.passage, word.start):
            start = _shape(
                ctx, words[max(0, index - _LEAD) : index], word, words[index + 1 : index + 1 + _LEAD]
            )
            sentence = ctx.sentence_at(unit.passage, word.start)
            if start is not None:
                found.append(Mark(max(start, sentence.start), word.end, sentence))
    return iter(sorted(found, key=_start))


def _has_no_effect(ctx: Context, mark: Mark) -> bool:
    """Tell whether a sentence only reports a roll, or says what the result does not do."""
    others = len(mark.sentence.words) - len(
        [w for w in mark.sentence.words if mark.start <= w.start < mark.end]
    )
    if others < _LEAST_TOLD:
        return True  # `Saqué un 1.`
    return is_denied_after(ctx, mark.sentence, mark.end)


def is_denied_after(ctx: Context, sentence: Sentence, end: int) -> bool:
    """Tell whether what follows a result says that it does nothing (`a 1 does not fail by itself`)."""
    return ctx.phrases("does_not").any(sentence.after(end)[:_LEAD])


def is_taken_as(ctx: Context, sentence: Sentence, end: int) -> bool:
    """Tell whether a roll is put in another's place (`treat the d20 roll as a 20`): no effect of its own."""
    before = sentence.before(end)
    return ctx.phrases("taken_as").any(before[-_TAKEN_WITHIN:])


def _start(mark: Mark) -> int:
    return mark.start


def _shape(ctx: Context, before: Sequence[Word], word: Word, after: Sequence[Word]) -> int | None:
    """Return where the words begin that make a figure a die's result; None where they do not."""
    article = bool(before) and before[-1].text in ctx.word_list("extreme_articles")
    if not article and not word.text.isdigit():
        return None  # `one of them`
    if after and after[0].text in ctx.word_list("extreme_units"):
        return None
    if ctx.phrases("extreme_totals").any(before[-3:]):
        return None
    head = before[:-1] if article else before
    shown = ctx.phrases("extreme_shown").first(before[-_SHOWN:])
    if shown is not None:
        return before[-_SHOWN:][shown[0]].start  # `the die comes up 20`
    if not article:
        return None
    if ctx.phrases("extreme_after").any(after[:3]):
        return before[-1].start  # `a 20 always succeeds`
    lead = ctx.phrases("extreme_before").first(head[-2:])
    if lead is not None:
        return head[-2:][lead[0]].start  # `whoever gets a 1`
    low = word.text in ctx.word_list("extreme_low") and head and head[-1].text in ctx.word_list("extreme_on")
    return head[-1].start if low else None  # `fails on a 1`


def _is_whole(ctx: Context, mark: Mark) -> bool:
    """Tell a result of 1 from `1 to 5`, `1-5` and `20 or more`."""
    after = mark.sentence.after(mark.end)[:1]
    runs_on = ctx.source[mark.end : mark.end + 2].strip()[:1] in ("-", "–", "+", "/")
    return not runs_on and not (after and after[0].text in ctx.word_list("range_words"))


def _is_on_check(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether the die is an ability check's: no attack, save or other die is rolled there."""
    sentence = mark.sentence
    if ctx.source[sentence.start : sentence.end].rstrip(' *_\n\r\t"»”').endswith("?"):
        return False
    span = (unit.passage, Critical, sentence.start, sentence.end)
    if ctx.told_between(*span) or ctx.told_between(unit.passage, Save, sentence.start, sentence.end):
        return False
    if any(ctx.phrases(name).any(sentence.words) for name in ("attack_words", "attack_rolls", "other_dice")):
        return False
    if ctx.told_between(unit.passage, Check, sentence.start, sentence.end):
        return True
    if ctx.phrases("surely_check").any(sentence.words) or names_a_skill(ctx, sentence):
        return True
    if ctx.phrases("named_d20").any(sentence.words) and ctx.phrases("check_scenes").any(sentence.words):
        return True  # `a 1 on the d20 while picking the lock`
    return _follows_a_check(ctx, unit, sentence)


def _follows_a_check(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    """Tell whether the sentence before asks for a check, and for nothing else."""
    if sentence.start <= unit.passage.start:
        return False
    last = ctx.sentence_at(unit.passage, sentence.start - 1)
    span = (last.start, last.end)
    others = any(ctx.told_between(unit.passage, kind, *span) for kind in (Save, Attack, Roll, Damage))
    return bool(ctx.told_between(unit.passage, Check, *span)) and not others


def names_a_skill(ctx: Context, sentence: Sentence, near: Sequence[Word] = ()) -> bool:
    """Tell whether a sentence, or the part of it, names a skill as one rolls it: capital, or by a check."""
    words = near or sentence.words
    rolled = ctx.phrases("check_nouns").any(words)
    for index, word in enumerate(words):
        if not rolled and (word is sentence.words[0] or not ctx.source[word.start].isupper()):
            continue
        names = (" ".join(w.text for w in words[index : index + n]) for n in range(1, _NAME + 1))
        if any(ctx.ruleset.find("skill", name, ctx.language) for name in names):
            return True
    return False
