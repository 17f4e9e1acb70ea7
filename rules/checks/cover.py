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
_AFTER_COVER = 8
"""Words after a cover in which it is said to be of no use."""
_WHO_HAS = 6
"""Words before total cover in which its owner is named."""
_DENIED_WITHIN = 5
"""Words before an attack in which it is denied (`nobody at the door can attack`)."""
_OBJECT_WITHIN = 6
"""Words after an attack in which its object is named."""
_AFTER = 12
"""Words in which a target is named."""
_SUBJECT_WITHIN = 6
"""Words before what strikes in which it is told what it is."""
_LEFT_WITHIN = 7
"""Words before total cover in which it is said that it is lost, or left."""


def total_cover_targeted(ctx: Context) -> Iterator[Hit]:
    """What has total cover is targeted all the same."""
    safe = {key for key, entry in ctx.ruleset.cover.items() if not entry.targetable}
    for unit in ctx.units:
        for cover in ctx.told(unit.passage, Cover):
            if cover.degree.id not in safe or _is_left(ctx, unit, cover):
                continue
            after = ctx.words_from(unit.passage, cover.end, _WORDS_OF_AIM)
            less = _counts_as_less(ctx, unit, cover)
            targeted = _targeted(ctx, unit, after) or _shot_anyway(ctx, unit, cover)
            if less or targeted is not None or _aimed_at(ctx, unit, cover):
                message = ctx.say("total-cover-targeted.message")
                near = targeted is not None and targeted - cover.end <= _NEAR_COVER
                span = less or (cover.start, targeted if near and targeted else cover.end)
                source = ctx.say("cover-degree.source")
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)


def _is_left(ctx: Context, unit: Unit, cover: Cover) -> bool:
    """Tell whether somebody is said to lose the cover, or to leave it (`once she loses total cover`)."""
    before = ctx.sentence_at(unit.passage, cover.start).just_before(cover.start, _LEFT_WITHIN)
    left = next(reversed(list(ctx.phrases("cover_left").find(before))), None)
    between = before[left[1] :] if left else ()
    if left is None or len(between) > 1 or any(w.text not in _articles(ctx) for w in between):
        return False
    return not ctx.phrases("denied").any(before[: left[0]])


def _articles(ctx: Context) -> tuple[str, ...]:
    return ctx.word_list("subject_articles")


def _is_gone(ctx: Context, unit: Unit, start: int) -> bool:
    """Tell whether a sentence says, before an offset, that what gave the cover does so no more."""
    before = ctx.sentence_at(unit.passage, start).before(start)
    return any(ctx.phrases(name).any(before) for name in ("cover_left", "cover_gone"))


def _shot_anyway(ctx: Context, unit: Unit, cover: Cover) -> int | None:
    """Return where who has the cover is shot at, or can be, as if there were none; None where nobody is."""
    sentence = ctx.sentence_at(unit.passage, cover.start)
    before, after = sentence.before(cover.start), sentence.after(cover.end)
    if ctx.phrases("denied").any(before[-_DENIED_WITHIN:]):
        return None
    yielding = ctx.phrases("despite_cover").any(before[-_WHO_HAS:])
    if yielding and not ctx.phrases("exposed").any(sentence.words):
        struck = _undenied(ctx, sentence.words, "aims") or _undenied(ctx, sentence.words, "is_shot")
        if struck is not None:
            return max(struck[1], cover.end)
    passive = _undenied(ctx, after, "can_be_target")
    if passive is not None and not ctx.phrases("leaves_cover").any(after[: passive[2]]):
        return None if _names_others(ctx, after[: passive[2]]) else passive[1]
    useless = ctx.phrases("cover_is_no_help").first(after[:_AFTER_COVER])
    if useless is not None and ctx.phrases("as_target").any(after[useless[1] : useless[1] + _AFTER_COVER]):
        return after[useless[1] - 1].end  # `total cover, though it keeps no one from being targeted`
    following = ctx.sentence_at(unit.passage, sentence.end)
    apart = "\n" in ctx.source[sentence.end - 1 : following.words[0].start] if following.words else True
    if apart or ctx.told_between(unit.passage, Cover, following.start, following.end):
        return _hits_them(ctx, after)
    return _hits_them(ctx, after) or _hits_them(ctx, following.words)


def _undenied(ctx: Context, words: Sequence[Word], name: str) -> tuple[int, int, int] | None:
    """Return the offsets and the index of the first phrase of a list that nothing denies."""
    for first, last in ctx.phrases(name).find(words):
        if not ctx.phrases("denied").any(words[max(0, first - _DENIED_WITHIN) : first]):
            return words[first].start, words[last - 1].end, first
    return None


def _names_others(ctx: Context, words: Sequence[Word]) -> bool:
    """Tell whether somebody else is named than who has the cover (`those outside`)."""
    return ctx.phrases("outside").any(words) or ctx.phrases("not_covered").any(words)


def _hits_them(ctx: Context, words: Sequence[Word]) -> int | None:
    """Return where somebody shoots at `them`: who was just said to have total cover."""
    too = [("aims_too", span) for span in ctx.phrases("aims_too").find(words)]
    both = [*(("aims", span) for span in _aims(ctx, words)), *too]
    for name, (first, last) in both:
        before, after = words[max(0, first - _DENIED_WITHIN) : first], words[last : last + _OBJECT_WITHIN]
        open_air = any(_names_others(ctx, part) for part in (words[:first], after))
        open_air = open_air or any(ctx.phrases(n).any(words[:first]) for n in ("cover_lost", "cover_gone"))
        if open_air or ctx.phrases("denied").any(before) or ctx.phrases("leaves_cover").any(words[:first]):
            continue
        if ctx.phrases("spreads").any(words[max(0, first - _SUBJECT_WITHIN) : last]):
            continue  # `the fireball that bursts behind it reaches them`: nobody is aimed at
        clitic = before and before[-1].text in ctx.word_list("clitics_before")
        clitic = clitic and not ctx.phrases("aims_nouns").any(words[first:last])  # `los disparos no pasan`
        object_told = name == "aims" and (clitic or _ends_with_them(ctx, after))
        if object_told or ctx.phrases("covered_object").any(after):
            return words[last - 1].end
    return None


def _aims(ctx: Context, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Give where somebody aims, or what is shot flies; not in `the arrow slit`, which is a place."""
    places = tuple(ctx.phrases("no_aim").find(words))
    for first, last in ctx.phrases("aims").find(words):
        if not any(start <= first < end for start, end in places):
            yield first, last


def _ends_with_them(ctx: Context, words: Sequence[Word]) -> bool:
    """Tell whether a pronoun is the object, and owns nothing (`shoot her`, not `shoot her bow`)."""
    for index, word in enumerate(words[:3]):
        if word.text in ctx.word_list("them_all"):
            return True
        if word.text in ctx.word_list("them_or_theirs"):
            following = words[index + 1 : index + 2]
            ends = ctx.source[word.end : word.end + 1] in ".,;:!" or not following
            return ends or following[0].text in ctx.small_words
    return False


def _counts_as_less(ctx: Context, unit: Unit, cover: Cover) -> tuple[int, int] | None:
    """Return where total cover is given what lesser cover gives: a bonus, or disadvantage on attacks."""
    sentence = ctx.sentence_at(unit.passage, cover.start)
    low, high = max(sentence.start, cover.start - _NEAR_COVER), min(sentence.end, cover.end + _NEAR_COVER)
    if seen := _seen_through(ctx, unit, sentence):
        return cover.start, seen[0][1]
    if ctx.phrases("exposed").any(sentence.words):
        return None
    others = [c for c in ctx.told_between(unit.passage, Cover, sentence.start, sentence.end) if c != cover]
    if others or ctx.phrases("denied").any(sentence.words):
        return None
    lists = ("aims", "attack_rolls", "is_shot")
    attacked = any(ctx.phrases(name).any(sentence.words) for name in lists)
    odds = ctx.told_between(unit.passage, Advantage, low, high) if attacked else ()
    worse = [a for a in odds if a.mode == "disadvantage"]
    gains = [(c.start, c.end) for c in (*worse, *ctx.told_between(unit.passage, ArmorBonus, low, high))]
    gains = gains or _struck_all_the_same(ctx, sentence, cover, attacked)
    if not gains:
        return None if cover.bonus is None else (cover.start, cover.end)
    return min(cover.start, gains[0][0]), max(cover.end, gains[0][1])


def _seen_through(ctx: Context, unit: Unit, sentence: Sentence) -> list[tuple[int, int]]:
    """Return the disadvantage on attacks of who sees through the cover, in the next sentence."""
    following = ctx.sentence_at(unit.passage, sentence.end)
    if following.start < sentence.end or not ctx.phrases("sees_through").any(following.words):
        return []
    odds = ctx.told_between(unit.passage, Advantage, following.start, following.end)
    near = [a for a in odds if a.mode == "disadvantage" and a.applies == "attacks"]
    return [(a.start, a.end) for a in near[:1]]


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
    aims = next(_aims(ctx, words), None)
    if aims is None or ctx.phrases("denied").any(sentence.words):
        return False
    between = words[aims[1] :]
    told = ctx.phrases("who_enjoys").any(between[-_WHO_HAS:]) and not ctx.phrases("exposed").any(
        sentence.words
    )
    aimed = told and any(w.text in ctx.word_list("aimed_with") for w in between)
    return aimed or ctx.phrases("who_has").any(between[-_WHO_HAS:])


def _targeted(ctx: Context, unit: Unit, words: Sequence[Word]) -> int | None:
    """Return where it is said that somebody inside can be struck; None where it is not."""
    for start, end in ctx.phrases("can_target").find(words):
        after = words[end : end + _AFTER]
        before = words[max(0, start - _DENIED_WITHIN) : start]
        clitic = any(
            words[end - 1].text.endswith(one) for one in ctx.word_list("clitics")
        ) and not ctx.phrases("outside").any(after)
        denied = ctx.phrases("denied").any(before) or ctx.phrases("leaves_cover").any(before)
        inside = ctx.phrases("those_inside").any(after) and not ctx.phrases("outside").any(after)
        if not denied and (inside or clitic) and not _is_gone(ctx, unit, words[start].start):
            return words[end - 1].end
    return None
