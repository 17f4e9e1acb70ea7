"""Words of the ruleset: terms of other games and editions that stand where the ruleset has its own."""

from collections.abc import Iterator
from functools import cache

from rules.checks.context import Context, Mark, Unit
from rules.checks.denials import is_disowned
from rules.checks.hit import Hit, Replacement
from rules.checks.replacements import cased
from rules.checks.text import Phrases
from rules.claims.model import Save
from rules.ruleset import Ruleset

_OLD_SAVES = ("dex", "con", "wis")
"""The abilities that took the place of Reflex, Fortitude and Will."""


def old_saves(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find saving throws that are not made with an ability (`salvación de Reflejos`, `a Will save`)."""
    if "saving_throw" not in ctx.ruleset.terms:
        return
    for ability in _OLD_SAVES if set(_OLD_SAVES) <= set(ctx.ruleset.abilities) else ():
        right = ctx.phrase("unknown-term.save", ability=ctx.ruleset.word("ability", ability, ctx.language))
        for mark in ctx.marked(unit.passage, f"old_save_{ability}"):
            told = " ".join(ctx.source[mark.start : mark.end].split())
            if _is_meant(ctx, unit, mark) and not is_disowned(ctx, unit, mark.start):
                message = ctx.say("unknown-term.instead", word=told, right=right)
                known = _right_ability(ctx, unit, mark)
                span = (mark.start, mark.end)
                yield Hit(unit.scene, unit.part, *span, message, right, ctx.ruleset.id, replacement=known)


def _right_ability(ctx: Context, unit: Unit, mark: Mark) -> Replacement | None:
    """Return the ability's name in the place of the old one, where the saving throw is read as its own."""
    for save in ctx.told_between(unit.passage, Save, mark.start, mark.end):
        for named in save.abilities:
            if named.id and named.status == "wrong" and mark.start <= named.start < named.end <= mark.end:
                right = ctx.ruleset.word("ability", named.id, ctx.language)
                return Replacement(named.start, named.end, cased(ctx.source[named.start : named.end], right))
    return None


def _is_meant(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell a saving throw from plain words that look like one (`she will save the king`)."""
    if not ctx.phrases("plain_save").any(ctx.words_between(unit.passage, mark.start, mark.end)):
        return True
    before = mark.sentence.before(mark.start)[-1:]
    after = mark.sentence.after(mark.end)[:3]
    led = any(w.text.isdigit() or w.text in ctx.word_list("before_plain_save") for w in before)
    return ctx.source[mark.start].isupper() and (led or any(w.text.isdigit() for w in after))


def wrong_difficulty(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find a DC by a name that it has in another game (`DC 14` where the ruleset says DR)."""
    phrases = _wrong_words(ctx.ruleset, ctx.language)
    words = ctx.words(unit.passage) if phrases is not None else ()
    for first, after in phrases.find(words) if phrases is not None else ():
        beside = (*words[max(0, first - 1) : first], *words[after : after + 2])
        start, end = words[first].start, words[after - 1].end
        if not any(w.text.isdigit() for w in beside) or ctx.is_spoken(unit.passage, start):
            continue
        right = ctx.ruleset.word("term", "dc", ctx.language)
        message = ctx.say("unknown-term.instead", word=ctx.source[start:end], right=right)
        exact = Replacement(start, end, right)
        yield Hit(unit.scene, unit.part, start, end, message, right, ctx.ruleset.id, replacement=exact)


@cache
def _wrong_words(ruleset: Ruleset, language: str) -> Phrases | None:
    """Return what a DC is not called; None where the ruleset says nothing of it."""
    term = ruleset.terms.get("dc")
    names = term.names.get(language) if term else None
    return Phrases(names.wrong) if names and names.wrong else None
