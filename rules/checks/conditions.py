"""Words of the ruleset: conditions that it does not have."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from rules.checks.context import Context, Mark, Unit
from rules.checks.hit import Hit
from rules.checks.text import Phrases, Word
from rules.claims.model import BareDC, Check, Damage, Duration, Roll, Save
from rules.wording import texts

_BOOKS = ("marks", "variants")
"""The files of words that name conditions of other games."""

_VERB_WITHIN = 4
"""Words before a label in which somebody gains the condition."""
_LEFT_WITHIN = 8
"""Words between what leaves somebody in a condition and the condition."""
_LINK_WITHIN = 4
_LASTS_WITHIN = 25
"""Characters between a word and the time that it lasts."""
_ENDED_WITHIN = 4
"""Characters between a word and the DC that ends it (`dazed (DC 13)`)."""
_ITEMS = re.compile(r"[\s:*_]*([^\n.;]{1,300})")
_ITEM = re.compile(r"[^,]+")
_ALIKE = 2
"""Letters in which a misspelt condition may differ from the right one."""
_SHORTEST = 6


def unknown_condition(ctx: Context) -> Iterator[Hit]:
    """A word stands where a condition must stand, and the ruleset has no such condition."""
    for unit in ctx.units if ctx.ruleset.conditions else ():
        yield from _labelled(ctx, unit)
        yield from _bracketed(ctx, unit)
        yield from _listed(ctx, unit)
        yield from _stated(ctx, unit)
        yield from _rolled(ctx, unit)


def _labelled(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find `gains the dazed condition`, `sufre la condición de mareado`."""
    for mark in ctx.marked(unit.passage, "condition_label"):
        after = mark.sentence.after(mark.end)[:1]
        yield from _judge(ctx, unit, mark, after, mark.start)
    for mark in ctx.marked(unit.passage, "state_label"):
        after = mark.sentence.after(mark.end)[:1]
        # `sufre el estado de sitio` is a siege
        shaped = [
            w for w in after if w.text.endswith(ctx.word_list("condition_shapes")) or _is_marked(ctx, w)
        ]
        yield from _judge(ctx, unit, mark, shaped, mark.start)
    for mark in ctx.marked(unit.passage, "condition_label_after"):
        before = mark.sentence.before(mark.start)[-1:]
        yield from _judge(ctx, unit, mark, before, before[0].start if before else mark.start)


def _bracketed(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find `(condición: congelado)` and `dazed (condition)`."""
    for mark in ctx.marked(unit.passage, "condition_bracket"):
        before, after = ctx.source[mark.start - 1 : mark.start], ctx.source[mark.end : mark.end + 1]
        words = mark.sentence.words
        found: Sequence[Word] = []
        if after == ":":
            found = [w for w in words if w.start >= mark.end and w.text not in ctx.small_words][:1]
        elif before == "(" and after == ")":
            found = [w for w in words if w.end <= mark.start][-1:]
        if before == "(" and found and not _is_known(ctx, found[0]):
            yield _hit(ctx, unit, found[0])


def _judge(ctx: Context, unit: Unit, mark: Mark, found: Sequence[Word], start: int) -> Iterator[Hit]:
    before = mark.sentence.before(start)[-_VERB_WITHIN:]
    for word in found:
        gained = ctx.phrases("condition_verbs").any(before)
        beside = ctx.source[min(word.end, mark.end) : max(word.start, mark.start)].strip(" *_\"«“'’”»") == ""
        shown = _is_marked(ctx, word) or _has_roll(ctx, unit, mark) or _is_borrowed(ctx, word)
        if gained and beside and shown and not _is_known(ctx, word):
            yield _hit(ctx, unit, word)


def _is_borrowed(ctx: Context, word: Word) -> bool:
    """Tell whether a word is a condition of other games."""
    return any(phrases.any((word,)) for phrases in _borrowed(ctx.language))


@cache
def _borrowed(language: str) -> tuple[Phrases, ...]:
    return tuple(Phrases(texts(language, book)["no_condition"]) for book in _BOOKS)


def _is_marked(ctx: Context, word: Word) -> bool:
    """Tell whether a word is set apart as a term: in capitals, quotes or emphasis."""
    around = ctx.source[word.start - 1 : word.start] + ctx.source[word.end : word.end + 1]
    return ctx.source[word.start].isupper() or bool(around.strip(" .,;:)(\n\r\t"))


def _has_roll(ctx: Context, unit: Unit, mark: Mark) -> bool:
    low, high = mark.sentence.start, mark.sentence.end
    kinds = (Check, Save, BareDC, Duration)
    return any(ctx.told_between(unit.passage, kind, low, high) for kind in kinds)


def _is_known(ctx: Context, word: Word) -> bool:
    text = ctx.source[word.start : word.end]
    plain = (
        not text.isalpha() or word.text in ctx.small_words or word.text in ctx.word_list("no_condition_name")
    )
    return plain or any(
        ctx.ruleset.lookup(kind, text, ctx.language)[0] is not None for kind in ("condition", "term")
    )


def _listed(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find what is none in the list of conditions to which a creature is immune."""
    for mark in ctx.marked(unit.passage, "condition_immunity"):
        tail = _ITEMS.match(ctx.source, mark.end, unit.passage.end)
        for item in _ITEM.finditer(ctx.source, tail.start(1), tail.end(1)) if tail else ():
            words = [
                w for w in ctx.words_between(unit.passage, *item.span()) if w.text not in ctx.small_words
            ]
            if len(words) == 1 and not _is_known(ctx, words[0]):
                yield _hit(ctx, unit, words[0])


def _stated(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find `or is dazed until the end of its turn`, where the text does not say itself what that means."""
    for mark in (m for book in _BOOKS for m in ctx.marked(unit.passage, "no_condition", book)):
        before = mark.sentence.before(mark.start)[-_LINK_WITHIN:]
        imposed = _lasts(ctx, unit, mark) or _is_failed(ctx, unit, mark) or _harms(ctx, unit, mark)
        imposed = imposed or _follows_a_failed_save(ctx, unit, mark)
        left = ctx.phrases("leaves_somebody").any(mark.sentence.just_before(mark.start, _LEFT_WITHIN))
        for word in ctx.words_between(unit.passage, mark.start, mark.end)[-1:] if imposed else ():
            explained = word.text[:_SHORTEST] in _defined(ctx)
            if (left or ctx.phrases("becomes").any(before)) and not explained and not _is_known(ctx, word):
                yield _hit(ctx, unit, Word(word.text, mark.start, mark.end))  # `flat-footed` is one


def _rolled(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find plain words that are given as conditions: only where a failed save gives them (`becomes sick`)."""
    for mark in ctx.marked(unit.passage, "no_condition_rolled", _BOOKS[1]):
        before = mark.sentence.before(mark.start)[-_LINK_WITHIN:]
        failed = _is_failed(ctx, unit, mark) or _follows_a_failed_save(ctx, unit, mark)
        named = ctx.phrases("sick_with").any(mark.sentence.after(mark.end)[:1])  # a disease, told by name
        if failed and not named and ctx.phrases("becomes").any(before):
            text = mark.sentence.after(mark.start)[0].text
            if text[:_SHORTEST] not in _defined(ctx):
                yield _hit(ctx, unit, Word(text, mark.start, mark.end))


def _lasts(ctx: Context, unit: Unit, mark: Mark) -> bool:
    kinds = (BareDC, Save, Check)
    ended = any(ctx.told_between(unit.passage, k, mark.end, mark.end + _ENDED_WITHIN) for k in kinds)
    timed = ctx.told_between(unit.passage, Duration, mark.end, mark.end + _LASTS_WITHIN)
    return ended or bool(timed) or _is_freed_from(ctx, unit, mark)


def _is_freed_from(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether it is said until when somebody is so (`the target is entangled until freed`)."""
    if not ctx.phrases("ends_when").any(mark.sentence.after(mark.end)[:1]):
        return False
    rolled = any(
        ctx.told_between(unit.passage, k, mark.end, mark.sentence.end) for k in (Check, Save, BareDC)
    )
    return rolled or ctx.phrases("game_creatures").any(mark.sentence.before(mark.start))


def _harms(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether dice follow a word that are rolled each turn (`bleeding: 1d4 each turn`)."""
    low, high = mark.end, mark.end + _LASTS_WITHIN
    rolled = any(ctx.told_between(unit.passage, kind, low, high) for kind in (Damage, Roll))
    return rolled and _harmed(ctx.language).any(mark.sentence.after(mark.end))


@cache
def _harmed(language: str) -> Phrases:
    return Phrases(texts(language, "variants")["harmed"])


def _is_failed(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether a save stands before the word in its sentence, with `or` between."""
    saves = ctx.told_between(unit.passage, Save, mark.sentence.start, mark.start)
    between = [w.text for w in mark.sentence.words if saves and saves[-1].end <= w.start < mark.start]
    return any(text in ctx.word_list("joints") for text in between)


def _follows_a_failed_save(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether a sentence says what comes of a failed save (`who fails the save is staggered`)."""
    saves = ctx.told_between(unit.passage, Save, mark.sentence.start, mark.start)
    return bool(saves) and ctx.phrases("failing").any(mark.sentence.before(mark.start))


def _defined(ctx: Context) -> frozenset[str]:
    """Return the beginnings of words that the text explains itself (`While dazed, a creature …`)."""

    def once() -> frozenset[str]:
        found: set[str] = set()
        for unit in ctx.units:
            words = ctx.words(unit.passage)
            for start, end in ctx.phrases("while").find(words):
                del start
                found |= {w.text[:_SHORTEST] for w in words[end : end + 4]}
        return frozenset(found)

    return ctx.keep("defined conditions", "", once)


def _hit(ctx: Context, unit: Unit, word: Word) -> Hit:
    text = ctx.source[word.start : word.end]
    right = _misspelt(ctx, word.text)
    key = "unknown-condition.instead" if right else "unknown-condition.message"
    message = ctx.say(key, word=text, right=right)
    return Hit(unit.scene, unit.part, word.start, word.end, message, right, ctx.ruleset.id)


def _misspelt(ctx: Context, word: str) -> str:
    """Return the condition of which a word is a misspelling; empty for none."""
    from rapidfuzz.distance import OSA

    right = ctx.ruleset.nearest("condition", word, ctx.language) if len(word) >= _SHORTEST else None
    near = right is not None and OSA.distance(word, right, score_cutoff=_ALIKE) <= _ALIKE
    return right if right and near else ""
