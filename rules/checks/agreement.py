"""Words of the ruleset: how a damage type is joined to the word for damage."""

from collections.abc import Iterator, Sequence
from functools import cache

from rules.checks.context import Context, Unit
from rules.checks.hit import Hit, Replacement
from rules.checks.replacements import cased
from rules.checks.text import Word, fold, words_of
from rules.claims.model import Damage, Named
from rules.document import Passage
from rules.ruleset import Ruleset

_PLURAL = "s"


def damage_agreement(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find a type that does not bend with the word for damage, or lacks its joint (`daño cortantes`)."""
    nouns = _nouns(ctx.ruleset, ctx.language)
    for damage in ctx.told(unit.passage, Damage) if nouns else ():
        for named in damage.types:
            right = _right_form(ctx, damage, named, nouns) if named.status == "canonical" else None
            if right is None:
                continue
            start, form = right
            written = ctx.source[start : named.end]
            told = " ".join(ctx.source[damage.start : damage.end].split())
            message = ctx.say("damage-type.form", told=told, right=form)
            exact = Replacement(start, named.end, cased(written, form))
            source = ctx.say("damage-type.source")
            yield Hit(
                unit.scene, unit.part, damage.start, damage.end, message, form, source, "warning", exact
            )


@cache
def _nouns(ruleset: Ruleset, language: str) -> frozenset[str]:
    """Return the forms of the word for damage where types follow it; none where they stand before it."""
    follow = any(
        " " in ruleset.printed("damage_type", key, language)
        for key, entry in ruleset.damage_types.items()
        if language in entry.names
    )
    forms = (text for text, id_, _, _ in ruleset.forms("term", language) if id_ == "damage")
    return frozenset(map(fold, forms)) if follow else frozenset()


def _right_form(ctx: Context, damage: Damage, named: Named, nouns: frozenset[str]) -> tuple[int, str] | None:
    """Return where a type begins, its joint included, and what should stand there; None where it is right."""
    before = words_of(Passage(ctx.source[damage.start : named.start], damage.start))
    names = ctx.ruleset.damage_types[named.id or ""].names[ctx.language]
    *joint, word = ctx.ruleset.printed("damage_type", named.id or "", ctx.language).split()
    noun, told = _noun_before(ctx, before, nouns)
    if noun is None or _is_counted(ctx, before):
        return None
    plural = noun.text.endswith(_PLURAL)
    bends = bool(names.inflect)
    form = word + _PLURAL if bends and plural else word
    written = fold(named.text) if bends else fold(form)
    if [w.text for w in told] == [fold(j) for j in joint] and written == fold(form):
        return None
    start = told[0].start if told else named.start
    return start, " ".join((*joint, form))


def _noun_before(
    ctx: Context, before: Sequence[Word], nouns: frozenset[str]
) -> tuple[Word | None, Sequence[Word]]:
    """Return the word for damage that stands before a type, and the joint between; None for another word."""
    joints = ctx.word_list("type_of")
    at = len(before) - 1
    if at >= 0 and before[at].text in joints:
        at -= 1
    found = before[at] if at >= 0 and before[at].text in nouns else None
    return found, before[at + 1 :]


def _is_counted(ctx: Context, before: Sequence[Word]) -> bool:
    """Tell whether points of damage are counted: a type may bend with them."""
    return any(w.text in ctx.word_list("counts_damage") for w in before)
