"""Extreme results of a die that are told in plain words (`rolling a 1 on the Stealth check`)."""

from collections.abc import Iterator

from rules.checks import denials
from rules.checks.context import Context, Mark, Unit
from rules.claims.model import Check, Critical, Save

_NAME = 3
"""Words of the longest skill's name."""


def plain(ctx: Context, unit: Unit) -> Iterator[tuple[int, int]]:
    """Give the places where a 1 or a 20 on an ability check's die is given an effect of its own."""
    last = -1
    for mark in ctx.marked(unit.passage, "plain_extreme"):
        if mark.sentence.start == last or not _is_whole(ctx, mark) or not _is_on_check(ctx, unit, mark):
            continue
        if denials.is_denied(ctx, unit, mark.start):
            continue
        last = mark.sentence.start
        yield mark.start, mark.end


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
    return ctx.phrases("surely_check").any(sentence.words) or _names_a_skill(ctx, mark)


def _names_a_skill(ctx: Context, mark: Mark) -> bool:
    texts = [w.text for w in mark.sentence.words]
    if not ctx.phrases("check_nouns").any(mark.sentence.words):
        return False
    names = (" ".join(texts[i : i + n]) for i in range(len(texts)) for n in range(1, _NAME + 1))
    return any(ctx.ruleset.find("skill", name, ctx.language) for name in names)
