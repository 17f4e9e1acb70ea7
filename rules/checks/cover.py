"""Mechanics of the ruleset: what total cover keeps off."""

from collections.abc import Iterator, Sequence

from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.text import Sentence, Word
from rules.claims.model import Advantage, ArmorBonus, Cover

_NEAR_COVER = 90
"""Characters between total cover and what is said to follow from it."""
_WORDS_OF_AIM = 80
"""Words after total cover in which somebody may be targeted all the same."""
_WHO_HAS = 6
"""Words before total cover in which its owner is named."""
_DENIED_WITHIN = 5
"""Words before an attack in which it is denied (`nobody at the door can attack`)."""
_AFTER = 12
"""Words in which a target is named."""


def total_cover_targeted(ctx: Context) -> Iterator[Hit]:
    """What has total cover is targeted all the same."""
    safe = {key for key, entry in ctx.ruleset.cover.items() if not entry.targetable}
    for unit in ctx.units:
        for cover in ctx.told(unit.passage, Cover):
            if cover.degree.id not in safe:
                continue
            after = ctx.words_from(unit.passage, cover.end, _WORDS_OF_AIM)
            less = _counts_as_less(ctx, unit, cover)
            targeted = _targeted(ctx, after)
            if less or targeted is not None or _aimed_at(ctx, unit, cover):
                message = ctx.say("total-cover-targeted.message")
                near = targeted is not None and targeted - cover.end <= _NEAR_COVER
                span = less or (cover.start, targeted if near and targeted else cover.end)
                source = ctx.say("cover-degree.source")
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)


def _counts_as_less(ctx: Context, unit: Unit, cover: Cover) -> tuple[int, int] | None:
    """Return where total cover is given what lesser cover gives: a bonus, or disadvantage on attacks."""
    sentence = ctx.sentence_at(unit.passage, cover.start)
    low, high = max(sentence.start, cover.start - _NEAR_COVER), min(sentence.end, cover.end + _NEAR_COVER)
    if ctx.phrases("exposed").any(sentence.words):
        return None
    others = [c for c in ctx.told_between(unit.passage, Cover, sentence.start, sentence.end) if c != cover]
    if others or ctx.phrases("denied").any(sentence.words):
        return None
    attacked = ctx.phrases("aims").any(sentence.words) or ctx.phrases("attack_rolls").any(sentence.words)
    odds = ctx.told_between(unit.passage, Advantage, low, high) if attacked else ()
    worse = [a for a in odds if a.mode == "disadvantage"]
    gains = [(c.start, c.end) for c in (*worse, *ctx.told_between(unit.passage, ArmorBonus, low, high))]
    gains = gains or _struck_all_the_same(ctx, sentence, cover, attacked)
    if not gains:
        return None if cover.bonus is None else (cover.start, cover.end)
    return min(cover.start, gains[0][0]), max(cover.end, gains[0][1])


def _struck_all_the_same(
    ctx: Context, sentence: Sentence, cover: Cover, attacked: bool
) -> list[tuple[int, int]]:
    """Return where who has the cover is shot at with a penalty, needs a 20 to be hit, or is hit."""
    words = [w for w in sentence.words if cover.start <= w.start]
    lists = ("shot_with_penalty", "is_struck") if attacked else ("is_struck",)
    found = [span for name in lists for span in ctx.phrases(name).find(words)]
    return [(words[a].start, words[b - 1].end) for a, b in found[:1]]


def _aimed_at(ctx: Context, unit: Unit, cover: Cover) -> bool:
    """Tell whether somebody is shot at who is said to have total cover (`aims at a target with …`)."""
    sentence = ctx.sentence_at(unit.passage, cover.start)
    words = sentence.before(cover.start)
    aims = next(iter(ctx.phrases("aims").find(words)), None)
    if aims is None or ctx.phrases("denied").any(sentence.words):
        return False
    between = words[aims[1] :]
    told = ctx.phrases("who_enjoys").any(between[-_WHO_HAS:]) and not ctx.phrases("exposed").any(
        sentence.words
    )
    aimed = told and any(w.text in ctx.word_list("aimed_with") for w in between)
    return aimed or ctx.phrases("who_has").any(between[-_WHO_HAS:])


def _targeted(ctx: Context, words: Sequence[Word]) -> int | None:
    """Return where it is said that somebody inside can be struck; None where it is not."""
    for start, end in ctx.phrases("can_target").find(words):
        after = words[end : end + _AFTER]
        before = words[max(0, start - _DENIED_WITHIN) : start]
        clitic = any(
            words[end - 1].text.endswith(one) for one in ctx.word_list("clitics")
        ) and not ctx.phrases("outside").any(after)
        denied = ctx.phrases("denied").any(before) or ctx.phrases("leaves_cover").any(before)
        inside = ctx.phrases("those_inside").any(after) and not ctx.phrases("outside").any(after)
        if not denied and (inside or clitic):
            return words[end - 1].end
    return None
