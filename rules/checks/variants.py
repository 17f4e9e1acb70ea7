"""Words of the ruleset: other words for its terms, words of older editions, and other names of a figure."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from rules.checks.context import Context, Mark, Unit
from rules.checks.denials import is_disowned, is_mentioned
from rules.checks.hit import Hit, Replacement
from rules.checks.text import Phrases, lines_of, words_of
from rules.claims.model import ArmorClass, BareDC, Check, Condition, HitPoints, Save
from rules.document import Passage
from rules.ruleset import Kind
from rules.wording import texts

_BOOK = "variants"
_KINDS: Final[Mapping[str, tuple[Kind, ...]]] = {
    "term": ("term",),
    "action": ("action",),
    "condition": ("condition",),
    "cover": ("cover",),
    "rolled": ("term", "condition"),
}
_OLD = ("dex", "con", "wis")
"""Abilities of the games whose older editions are meant."""
_BORROWED = ("borrowed_plain", "borrowed_number", "borrowed_armor", "borrowed_loss")
_BESIDE: Final[Mapping[str, str]] = {"borrowed_armor": "armor_words", "borrowed_loss": "loss_words"}
"""What must stand in the sentence of a borrowed word."""
_FIGURE_WITHIN = 2
"""Words after a word of an older edition in which its number stands."""
_ENDS = re.compile(r":? ?\d\d(?=[,.;)\n]|\Z)")
"""A figure with which a clause ends, right after its name (`Defense 14,`)."""
_CLOSING = frozenset(",.;)\n")
_FIGURES: Final[Mapping[str, type[ArmorClass | HitPoints]]] = {"ac": ArmorClass, "hp": HitPoints}


def variants(ctx: Context) -> Iterator[Hit]:
    """Find words that readers take for a term of the ruleset, which has its own."""
    for unit in (*ctx.units, *_reviews(ctx)) if _is_of_the_family(ctx) else ():
        for name in ctx.marks(unit.passage, _BOOK):
            group, _, id_ = name.partition("_")
            kind = _kind_of(ctx, group, id_)
            for mark in ctx.marked(unit.passage, name, _BOOK) if kind else ():
                if kind and (group != "rolled" or _is_rolled(ctx, unit, mark)) and _is_used(ctx, unit, mark):
                    yield _variant(ctx, unit, mark, ctx.ruleset.word(kind, id_, ctx.language))
        yield from _conditions(ctx, unit) if unit.part != "debate" else ()


def _reviews(ctx: Context) -> Iterator[Unit]:
    """Give what the reviewers say."""
    for message in ctx.document.debate:
        if message.role in ("checker", "critic"):
            yield from (Unit(ctx.chapter, "debate", line) for line in lines_of(message.passage))


def _kind_of(ctx: Context, group: str, id_: str) -> Kind | None:
    kinds: tuple[Kind, ...] = _KINDS.get(group, ())
    return next((kind for kind in kinds if id_ in ctx.ruleset.entries(kind)), None)


def is_odd_skill(ctx: Context, text: str) -> bool:
    """Tell whether a skill is called by a name that other games or translations give it (`Furtividad`)."""
    return _phrases("odd_skill", ctx.language).any(words_of(Passage(text, 0)))


def borrowed_terms(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find terms of older editions that have no place in the ruleset (`touch AC`, `damage reduction 5`)."""
    if not _is_of_the_family(ctx):
        return
    last = -1
    found = ((m, name) for name in _BORROWED for m in ctx.marked(unit.passage, name, _BOOK))
    for mark, name in sorted(found, key=lambda one: (one[0].start, -one[0].end)):
        apart = mark.start >= last and _is_used(ctx, unit, mark) and _is_mechanic(ctx, mark, name)
        if apart and not is_disowned(ctx, unit, mark.start):
            last = mark.end
            message = ctx.say("unknown-term.message", word=_told(ctx, mark))
            yield Hit(unit.scene, unit.part, mark.start, mark.end, message, "", ctx.ruleset.id)


def _is_mechanic(ctx: Context, mark: Mark, name: str) -> bool:
    """Tell whether what stands around a word of an older edition shows that it is used as a term."""
    if name == "borrowed_number":
        return _has_figure(mark)
    beside = _BESIDE.get(name)
    return beside is None or _phrases(beside, ctx.language).any(mark.sentence.words)


def figure_aliases(ctx: Context) -> Iterator[Hit]:
    """Find a figure by another name than the one that the text gives it elsewhere (`CD 12`, then `DC 14`)."""
    for id_ in ("dc", "ac", "hp"):
        term = ctx.ruleset.terms.get(id_)
        names = term.names.get(ctx.language) if term else None
        if names is None:
            continue
        own = (names.word, *names.abbr)
        # A ruleset of another family may have the name for its own.
        for unit, mark in _aliases(ctx, id_) if _is_told(ctx, id_, own) else ():
            if _told(ctx, mark).casefold() in {word.casefold() for word in own}:
                continue
            word = names.abbr[0] if names.abbr else names.word
            message = ctx.say("stat-alias.message", word=_told(ctx, mark), main=word)
            exact = Replacement(mark.start, mark.end, word)
            yield Hit(unit.scene, unit.part, mark.start, mark.end, message, word, replacement=exact)


def _aliases(ctx: Context, id_: str) -> Iterator[tuple[Unit, Mark]]:
    for unit in ctx.units:
        kinds = [_FIGURES[id_]] if id_ in _FIGURES else []
        taken = {claim.term.start for kind in kinds for claim in ctx.told(unit.passage, kind)}
        for mark in ctx.marked(unit.passage, f"alias_{id_}", _BOOK):
            figured = id_ == "hp" or _has_figure(mark) or _follows_figure(mark)
            if figured and mark.start not in taken and _is_used(ctx, unit, mark):
                yield unit, mark
        for mark in ctx.marked(unit.passage, f"bare_{id_}", _BOOK):
            if _is_bare_figure(ctx, mark) and mark.start not in taken and _is_used(ctx, unit, mark):
                yield unit, mark


def _is_bare_figure(ctx: Context, mark: Mark) -> bool:
    """Tell whether a figure and its name end a clause (`Defense 14,`, `30 health)`)."""
    closes = ctx.source[mark.end : mark.end + 1] in _CLOSING
    return bool(_ENDS.match(ctx.source, mark.end)) or (closes and _follows_figure(mark))


def _is_told(ctx: Context, id_: str, own: tuple[str, ...]) -> bool:
    """Tell whether the text names a figure by a word of the ruleset's own."""
    if id_ in _FIGURES:
        return any(ctx.told(unit.passage, _FIGURES[id_]) for unit in ctx.units)
    return any(Phrases(own).any(ctx.words(unit.passage)) for unit in ctx.units)


def _conditions(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find conditions by a word that other tables use, where the condition of the rules is meant."""
    odd = _phrases("odd_condition", ctx.language)
    for claim in ctx.told(unit.passage, Condition):
        named = claim.condition
        words = ctx.words_between(unit.passage, claim.start, claim.end)
        if claim.mechanical and named.id and named.status == "synonym" and odd.any(words):
            right = ctx.ruleset.word("condition", named.id, ctx.language)
            message = ctx.say("term-variant.message", word=named.text, right=right)
            yield Hit(unit.scene, unit.part, named.start, named.end, message, right, ctx.ruleset.id)


@cache
def _phrases(name: str, language: str) -> Phrases:
    return Phrases(texts(language, _BOOK)[name])


def _variant(ctx: Context, unit: Unit, mark: Mark, right: str) -> Hit:
    message = ctx.say("term-variant.message", word=_told(ctx, mark), right=right)
    return Hit(unit.scene, unit.part, mark.start, mark.end, message, right, ctx.ruleset.id)


def _told(ctx: Context, mark: Mark) -> str:
    return " ".join(ctx.source[mark.start : mark.end].split())


def _is_of_the_family(ctx: Context) -> bool:
    return set(_OLD) <= set(ctx.ruleset.abilities) and "saving_throw" in ctx.ruleset.terms


def _is_used(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether a word is used, and neither spoken by somebody nor named in quotation marks."""
    return not (ctx.is_spoken(unit.passage, mark.start) or is_mentioned(ctx, unit, mark.start))


def _is_rolled(ctx: Context, unit: Unit, mark: Mark) -> bool:
    low, high = mark.sentence.start, mark.sentence.end
    return any(ctx.told_between(unit.passage, kind, low, high) for kind in (Check, Save, BareDC)) or (
        _phrases("failed", ctx.language).any(mark.sentence.before(mark.start))
    )


def _has_figure(mark: Mark) -> bool:
    return any(w.text.isdigit() for w in mark.sentence.after(mark.end)[:_FIGURE_WITHIN])


def _follows_figure(mark: Mark) -> bool:
    return any(w.text.isdigit() for w in mark.sentence.before(mark.start)[-1:])
